#!/usr/bin/env node
// `node packages/verify/cli.ts <address or folder>`: verifies a ledger and prints the result.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { fromBase64 } from './bytes.ts';
import { type Memory, type Report, verifyLedger } from './log.ts';
import { nodeSha256, openSource } from './sources.ts';

const USAGE = `Usage: node packages/verify/cli.ts <address or folder of a ledger> [options]

  --key <verifier key>      the log's key, from a place that you trust; else the remembered one, or the one the ledger names
  --witness <verifier key>  a witness that has to have signed the checkpoint; may be given several times
  --memory <file>           keeps every checkpoint that the log signed and that continues those kept, whatever else is wrong,
                            and checks the next ones against them
  --receipt <file>          a receipt that has to be in the ledger; may be given several times
  --json                    everything that was found, as JSON`;

async function readMemory(file: string): Promise<Memory | null> {
  try {
    const memory = JSON.parse(await readFile(file, 'utf8')) as unknown;
    if (isMemory(memory)) return memory;
    throw new Error(`${file} is not what a verifier remembers`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Checks the form of a stored memory: an invalid entry must not be skipped silently. */
function isMemory(value: unknown): value is Memory {
  const { key, seen } = (value ?? {}) as Partial<Memory>;
  return (
    typeof key === 'string' &&
    Array.isArray(seen) &&
    seen.every(
      ({ size, root, note }) =>
        Number.isSafeInteger(size) &&
        fromBase64(String(root))?.length === 32 &&
        (note === undefined || typeof note === 'string'),
    )
  );
}

/** Written atomically: a damaged memory would lose the seen checkpoints. */
async function writeMemory(file: string, memory: Memory): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(memory, null, 1)}\n`);
  await rename(`${file}.new`, file);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the control characters that a terminal interprets.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

/** Prints a line. Names, keys and leaves come from the ledger: control characters could hide other lines, and are escaped. */
const printLine = (line: string): void =>
  console.log(line.replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`));

function print(report: Report): void {
  const { votes } = report;
  printLine(`ledger      ${report.origin}, ${report.size} leaves, root ${report.root}`);
  printLine(`key         ${report.key}`);
  printLine(
    `votes       ${votes.counted} counted, ${votes.under_review} under review, ${votes.void} void, ${votes.withdrawn} withdrawn`,
  );
  printLine(`checkpoints ${report.consistentWith} of those seen earlier, this one continues them`);
  for (const { name, time } of report.witnesses)
    printLine(`witness     ${name}, ${new Date(time * 1_000).toISOString()}`);
  for (const { round, rows, absent } of report.rounds) {
    const name = `round ${String(round).padEnd(5)}`;
    printLine(`${name} ${rows[0] ? `${rows[0].candidate} with ${rows[0].votes} votes` : 'no votes'}`);
    for (const { candidate, votes } of absent)
      printLine(`${name} not in its result: ${candidate} with ${votes} votes of this round`);
  }
  for (const round of report.unstatedRounds) printLine(`round ${String(round).padEnd(5)} not stated`);
  for (const { day, rows, stated } of report.days)
    printLine(
      `${day}  ${rows[0] ? `${rows[0].candidate} with ${rows[0].votes} votes` : 'no votes'}${stated ? '' : ', not stated'}`,
    );
  for (const { index, state, entry } of report.receipts)
    printLine(`receipt     leaf ${index}, now ${state ?? 'unknown'}: ${entry}`);
  for (const { code, detail } of report.problems) printLine(`WRONG       ${code}: ${detail}`);
  printLine(
    report.problems.length === 0
      ? `All is in order (${report.leavesPerSecond} leaves a second).`
      : 'This ledger is not in order.',
  );
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: 'string' },
      witness: { type: 'string', multiple: true },
      memory: { type: 'string' },
      receipt: { type: 'string', multiple: true },
      json: { type: 'boolean' },
    },
  });
  const [address, ...others] = positionals;
  if (!address || others.length > 0) {
    console.error(USAGE);
    return 2;
  }
  const memory = values.memory ? await readMemory(values.memory) : null;
  const receipts = await Promise.all((values.receipt ?? []).map((file) => readFile(file, 'utf8')));
  const report = await verifyLedger({
    source: openSource(address),
    key: values.key,
    witnesses: values.witness ?? [],
    witnessesRequired: true,
    memory,
    receipts,
    hash: nodeSha256,
  });
  if (values.memory && report.memory.seen.length > 0) await writeMemory(values.memory, report.memory);
  if (values.json) console.log(JSON.stringify(report));
  else print(report);
  return report.problems.length === 0 ? 0 : 1;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  },
);
