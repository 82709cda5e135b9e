// The verifier in this browser: loaded on demand, with its state in local storage.
import type { Memory, Report } from '#verify/log.ts';

const STORAGE_KEY = 'florka-ledger-seen';
/** Number of checkpoints that are stored. */
const MAX_CHECKPOINTS = 200;

function readMemory(): Memory | null {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as Memory | null;
    return stored && typeof stored.key === 'string' && Array.isArray(stored.seen) ? stored : null;
  } catch {
    return null;
  }
}

/**
 * Verifies the whole ledger of this site here, and stores the checkpoints seen when it is valid.
 * @param witness verifier key of the witness, to look for its signature.
 * @throws Error when the files can't be read.
 */
export async function checkLedger(options: {
  witness: string | null;
  receipts: readonly string[];
  onProgress: (done: number, size: number) => void;
}): Promise<Report> {
  const { verifyLedger } = await import('#verify/log.ts');
  const report = await verifyLedger({
    source: async (path) => {
      const response = await fetch(`/ledger/${path}`, path === 'checkpoint' ? { cache: 'no-store' } : {});
      if (response.status === 404) return null;
      if (!response.ok) throw new Error(`/ledger/${path}: ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    },
    memory: readMemory(),
    witnesses: options.witness ? [options.witness] : [],
    receipts: options.receipts,
    onProgress: options.onProgress,
  });
  if (report.problems.length === 0)
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
