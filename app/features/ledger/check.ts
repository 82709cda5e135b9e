// The verifier in this browser: loaded when somebody asks for it, with what it remembers kept here.
import type { Memory, Report } from '#verify/log.ts';

const STORAGE_KEY = 'florka-ledger-seen';
/** Checkpoints that are remembered. */
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
 * Checks the whole ledger of this site here, and remembers what was seen when all is in order.
 *
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
      // Without storage nothing is remembered; what was checked was checked.
    }
  return report;
}
