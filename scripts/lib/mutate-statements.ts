// Runs the tests once for each change of the statements in some files.
import { spawn } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type Mutant, mutantsOf } from './statement-mutants.ts';

const VITEST = 'node_modules/vitest/vitest.mjs';
const CONFIG = 'tests/quality/vitest.statements.config.ts';
const REPORT = 'test-results/mutation-statements.json';
/** Time for the tests of one change; one that makes them wait for ever is noticed too. */
const LIMIT_MS = 300_000;
/** PostgreSQL refuses to run the changed statement: no test was needed. */
const REFUSED = /code: '42\w{3}'/;

type Outcome = 'killed' | 'survived' | 'timeout' | 'refused';

/** Runs the tests, with a change or without. Killed: a test failed. */
function runTests(tests: string, mutant: Mutant | null): Promise<Outcome> {
  const args = [VITEST, 'run', '--config', CONFIG, '--bail=1', '--retry=0', tests];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, STATEMENT_MUTANT: JSON.stringify(mutant) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text;
    });
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    child.kill('SIGINT');
  }, LIMIT_MS);
  return new Promise((resolve) =>
    child.once('close', (code) => {
      clearTimeout(limit);
      if (late) resolve('timeout');
      else if (code === 0) resolve('survived');
      else resolve(REFUSED.test(output) ? 'refused' : 'killed');
    }),
  );
}

interface Options {
  /** Pattern of the files whose statements are changed. */
  files: string;
  /** Part of the paths of the tests that must notice. */
  tests: string;
  /** Only files with this text in their path. */
  only: string;
  /** Number of the first change, to continue a run. */
  from: number;
}

/**
 * Prints each change that no test notices, and at the end how many there were; all of them are in test-results.
 *
 * @returns 0, or 1 when a change survived or the tests fail without one.
 */
export async function mutateStatements({ files, tests, only, from }: Options): Promise<number> {
  const mutants = globSync(files)
    .sort()
    .filter((file) => file.includes(only))
    .flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')));
  if ((await runTests(tests, null)) !== 'survived') {
    console.error('The tests fail without a change.');
    return 1;
  }
  const done: (Mutant & { outcome: Outcome })[] = [];
  mkdirSync('test-results', { recursive: true });
  for (const [i, mutant] of mutants.entries()) {
    if (i + 1 < from) continue;
    const outcome = await runTests(tests, mutant);
    done.push({ ...mutant, outcome });
    writeFileSync(REPORT, JSON.stringify(done, null, 1));
    const { file, line, before, after } = mutant;
    console.log(
      `${i + 1}/${mutants.length} ${outcome.padEnd(8)} ${file}:${line} ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
    );
  }
  const count = (outcome: Outcome) => done.filter((one) => one.outcome === outcome).length;
  console.log(
    `${done.length} changes: ${count('killed')} killed, ${count('timeout')} timeouts, ${count('survived')} survived, ${count('refused')} refused by PostgreSQL`,
  );
  return count('survived') > 0 ? 1 : 0;
}
