// The verifier in this browser: loaded on demand, with its state in local storage.
import type { Memory, Report } from '#verify/log.ts';

const STORAGE_KEY = 'florka-ledger-seen';
/** Number of checkpoints that are stored. */
const MAX_CHECKPOINTS = 200;
/** Caches between this browser and the site may send a checkpoint of two seconds ago. */
const STALE_MS = 3_000;

function readMemory(): Memory | null {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as Memory | null;
    return stored && typeof stored.key === 'string' && Array.isArray(stored.seen) ? stored : null;
  } catch {
    return null;
  }
}

/**
 * Verifies the whole ledger of this site here, and stores its checkpoint when that continues those seen, whatever else is wrong.
 * @param witness verifier key of the witness, to look for its signature.
 * @throws Error when the files can't be read.
 */
export async function checkLedger(options: {
  witness: string | null;
  receipts: readonly string[];
  onProgress: (done: number, size: number) => void;
}): Promise<Report> {
  const [{ verifyLedger }, { fetchWithBackoff }] = await Promise.all([
    import('#verify/log.ts'),
    import('#verify/http.ts'),
  ]);
  const verify = () =>
    verifyLedger({
      source: async (path) => {
        const fresh: RequestInit = path === 'checkpoint' ? { cache: 'no-store' } : {};
        const response = await fetchWithBackoff(`/ledger/${path}`, () => fresh);
        if (response.status === 404) return null;
        if (!response.ok) throw new Error(`/ledger/${path}: ${response.status}`);
        return new Uint8Array(await response.arrayBuffer());
      },
      memory: readMemory(),
      witnesses: options.witness ? [options.witness] : [],
      receipts: options.receipts,
      onProgress: options.onProgress,
    });
  let report = await verify();
  // A receipt may be newer than a cached checkpoint. A ledger that shrank is still shorter later.
  if (report.problems.length > 0 && report.problems.every(({ code }) => code === 'shrunk')) {
    await new Promise((resolve) => setTimeout(resolve, STALE_MS));
    report = await verify();
  }
  if (report.memory.seen.length > 0)
    try {
      localStorage.setItem(
        STORAGE_KEY,
        JSON.stringify({ ...report.memory, seen: report.memory.seen.slice(-MAX_CHECKPOINTS) }),
      );
    } catch {
      // Without storage the checkpoints are not stored; the result is still valid.
    }
  return report;
}
