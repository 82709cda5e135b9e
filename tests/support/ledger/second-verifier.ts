import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Memory } from '#verify/log.ts';
import { LEDGER_KEY } from './test-ledger.ts';

/** A ledger as somebody finds it: its files, and what they remember of it. */
export interface FoundLedger {
  files: ReadonlyMap<string, Uint8Array>;
  memory: Memory | null;
}

/**
 * What the verifier in Python finds in each of many ledgers, in one process.
 *
 * @param key of all of them; otherwise that of `test-ledger.ts`.
 * @returns the codes of the problems, in the order of the ledgers.
 */
export async function findInPython(ledgers: readonly FoundLedger[], key: string = LEDGER_KEY): Promise<string[][]> {
  const python = spawn('python3', ['-B', 'tests/support/ledger/verify_many.py'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(python, 'spawn').catch((cause: unknown) => {
    throw new Error('python3 is not on this machine: the second verifier needs it', { cause });
  });
  const [answers] = await Promise.all([
    text(python.stdout),
    pipeline(Readable.from(linesOf(ledgers, key)), python.stdin),
  ]);
  const found = answers.split('\n').slice(0, -1);
  if (found.length !== ledgers.length)
    throw new Error(`the second verifier answered ${found.length} of ${ledgers.length}`);
  return found.map((line) => JSON.parse(line) as string[]);
}

function* linesOf(ledgers: readonly FoundLedger[], key: string): Generator<string> {
  for (const { files, memory } of ledgers) {
    const inBase64 = [...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
    yield `${JSON.stringify({ key, memory, files: Object.fromEntries(inBase64) })}\n`;
  }
}
