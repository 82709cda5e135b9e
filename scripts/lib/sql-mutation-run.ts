import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createVitest, type TestModule, type Vitest } from 'vitest/node';
import { applyMutant, mutantsOf, type SqlMutant } from './sql-mutants.ts';

/** What PostgreSQL says of a statement that is none; such a change says nothing about the tests. */
const NO_STATEMENT =
  /syntax error at|operator does not exist|argument of .+ must be type|could not determine data type/;

interface SqlTarget {
  /** Files of statements, each with the tests that must notice a change in it. */
  statements: Record<string, string[]>;
  /** Percent of the changes that must be noticed. */
  least: number;
}

interface Outcome extends SqlMutant {
  file: string;
  outcome: 'noticed' | 'not noticed' | 'no statement';
}

/** The plugin that puts the change into the file, in the place of what stands on the disk. */
function changedFile() {
  let changed: { file: string; source: string } | undefined;
  return {
    set(file: string, source: string): void {
      changed = { file: path.resolve(file), source };
    },
    plugin: {
      name: 'sql-mutant',
      enforce: 'pre' as const,
      load: (id: string) => (changed && id.split('?')[0] === changed.file ? changed.source : null),
    },
  };
}

const messagesOf = (modules: readonly TestModule[]): string[] =>
  modules.flatMap((module) => [
    ...module.errors().map(({ message }) => message),
    ...[...module.children.allTests('failed')].flatMap(
      (test) => test.result().errors?.map(({ message }) => message) ?? [],
    ),
    ...[...module.children.allSuites()].flatMap((suite) => suite.errors().map(({ message }) => message)),
  ]);

async function runTests(vitest: Vitest, tests: readonly string[]): Promise<{ passed: boolean; messages: string[] }> {
  const specifications = (await vitest.globTestSpecifications()).filter(({ moduleId }) =>
    tests.some((test) => moduleId.endsWith(`/${test}`)),
  );
  if (specifications.length !== tests.length) throw new Error(`Not all of these tests exist: ${tests.join(', ')}`);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  return {
    passed: unhandledErrors.length === 0 && testModules.every((module) => module.ok()),
    messages: messagesOf(testModules),
  };
}

/**
 * Changes hand-written SQL one rule at a time and says which changes no test notices. Stryker replaces a statement as a whole,
 * which every test notices.
 *
 * @param only part of a file's name; left out: all of the target.
 * @returns whether as many were noticed as the target asks for. @throws when the tests fail without a change.
 */
export async function runSqlMutation({ statements, least }: SqlTarget, only = ''): Promise<boolean> {
  const changed = changedFile();
  const vitest = await createVitest(
    { config: 'tests/quality/vitest.database.config.ts', watch: false, bail: 1, reporters: [{}] },
    { plugins: [changed.plugin] },
  );
  const outcomes: Outcome[] = [];
  try {
    for (const [file, tests] of Object.entries(statements)) {
      if (!file.includes(only)) continue;
      const source = readFileSync(file, 'utf8');
      const unchanged = await runTests(vitest, tests);
      if (!unchanged.passed) throw new Error(`The tests of ${file} fail without a change: ${unchanged.messages[0]}`);
      for (const mutant of mutantsOf(source)) {
        changed.set(file, applyMutant(source, mutant));
        vitest.invalidateFile(path.resolve(file));
        const { passed, messages } = await runTests(vitest, tests);
        const outcome = passed
          ? 'not noticed'
          : messages.some((one) => NO_STATEMENT.test(one))
            ? 'no statement'
            : 'noticed';
        outcomes.push({ ...mutant, file, outcome });
        const change = `${JSON.stringify(mutant.from)} → ${JSON.stringify(mutant.to)}`;
        console.log(`${outcome.padEnd(12)} ${file}:${mutant.line} ${change}`);
      }
      changed.set(file, source);
      vitest.invalidateFile(path.resolve(file));
    }
  } finally {
    await vitest.close();
  }
  mkdirSync('test-results', { recursive: true });
  writeFileSync('test-results/mutation-sql.json', JSON.stringify(outcomes, null, 2));
  return report(outcomes, least);
}

function report(outcomes: readonly Outcome[], least: number): boolean {
  const count = (outcome: Outcome['outcome']) => outcomes.filter((one) => one.outcome === outcome).length;
  for (const file of new Set(outcomes.map((one) => one.file))) {
    const here = outcomes.filter((one) => one.file === file && one.outcome !== 'no statement');
    console.log(`${file}: ${here.filter(({ outcome }) => outcome === 'noticed').length} of ${here.length} noticed`);
  }
  const score = (100 * count('noticed')) / Math.max(1, count('noticed') + count('not noticed'));
  console.log(
    `${count('noticed')} noticed, ${count('not noticed')} not noticed, ${count('no statement')} no statement: ${score.toFixed(1)} % (at least ${least} %)`,
  );
  return score >= least;
}
