// `npm run attack`: attacks a separate installation over HTTP and prints a table of the findings. See docs/attack.md.
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/lib/bootstrap.mjs';
import { findOrInstallChromium } from '../scripts/lib/browser.mjs';
import { attackAccess } from './access.ts';
import { openAttackContext } from './attack-context.ts';
import { Findings } from './findings.ts';
import { attackByFuzz } from './fuzz.ts';
import { attackByMarkup } from './markup.ts';
import { readOperations } from './operations.ts';
import { KINDS, newPerson } from './people.ts';
import { Random } from './random.ts';
import { attackSequences } from './sequences.ts';
import { attackSessions } from './sessions.ts';
import { openTarget } from './site.ts';
import { attackByUploads } from './uploads.ts';

const USAGE = `Usage: npm run attack -- [--short] [--requests N] [--seed N] [--no-browser]

  --short       the form that npm test runs: 1,500 made requests, no sequences, fewer pages
  --requests    so many made requests; 20,000 when left out
  --sequences   so many sequences of steps; 330 when left out
  --seed        repeats the requests of another run
  --no-browser  looks at pages only as bytes`;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        short: { type: 'boolean', default: false },
        requests: { type: 'string' },
        sequences: { type: 'string' },
        seed: { type: 'string' },
        'no-browser': { type: 'boolean', default: false },
      },
    });
    const number = (text: string | undefined, other: number) => (text === undefined ? other : Number(text));
    const requests = number(values.requests, values.short ? 1_500 : 20_000);
    const sequences = number(values.sequences, values.short ? 0 : 330);
    const seed = number(values.seed, Date.now() % 1_000_000);
    if (![requests, sequences, seed].every(Number.isInteger) || requests < 10) throw new Error('N is a whole number');
    return { requests, sequences, seed, browser: !values['no-browser'], pages: values.short ? 12 : 60 };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

const options = readOptions();
await ensureBuilt();
const browser = options.browser ? await findOrInstallChromium() : undefined;
const findings = new Findings();
const random = new Random(options.seed);
const target = await openTarget();
let ended = false;
const end = async () => {
  if (ended) return;
  ended = true;
  await target.close();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end().then(() => process.exit(1)));
const timed = async <T>(name: string, work: () => Promise<T>, words: (result: T) => string) => {
  const began = performance.now();
  const result = await work();
  findings.done(name, words(result));
  console.log(`${name}: ${words(result)} (${((performance.now() - began) / 1_000).toFixed(1)} s)`);
};

try {
  const context = await openAttackContext(target);
  const operations = await readOperations(await newPerson(target, 'visitor'));
  console.log(`Seed ${options.seed}; ${operations.length} operations`);
  await timed(
    'Sessions',
    () => attackSessions(context, findings),
    (tried) => `${tried} cookies`,
  );
  await timed(
    'Uploads',
    () => attackByUploads(context, findings),
    (sent) => `${sent} files`,
  );
  await timed(
    'Access',
    () => attackAccess(context, operations, random, findings),
    ({ made, unjudged }) =>
      `${made} requests: ${operations.length} operations by ${KINDS.length} kinds of people, ${unjudged} times refused for every input`,
  );
  await timed(
    'Fuzz',
    () => attackByFuzz(context, operations, random, findings, options.requests),
    (statuses) =>
      `${[...statuses.values()].reduce((sum, n) => sum + n, 0)} requests: ${[...statuses]
        .toSorted(([a], [b]) => a - b)
        .map(([first, n]) => `${n} × ${first}xx`)
        .join(', ')}`,
  );
  if (options.sequences > 0)
    await timed(
      'Sequences',
      () => attackSequences(context, operations, random, findings, options),
      (words) => words,
    );
  await timed(
    'Markup',
    () => attackByMarkup(context, operations, random, findings, { browser, max: options.pages }),
    (words) => words,
  );
  const alive = await fetch(`${target.url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!alive) findings.add('other', 'the site does not answer any more');
  for (const line of target.errors) findings.add('other', `in the log: ${line.slice(0, 600)}`);
} finally {
  await end();
}
console.log(`\n${findings.report()}`);
process.exit(findings.count === 0 ? 0 : 1);
