// Runs the tests once for each change of the statements in some files.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createVitest, type TestCase, type TestSpecification, type Vitest } from 'vitest/node';
import { type Mutant, mutantsOf } from './statement-mutants.ts';

const CONFIG = 'tests/quality/vitest.statements.config.ts';
const REPORT = 'test-results/mutation-statements.json';
/** Read by the configuration whenever it loads the changed file. */
const VARIABLE = 'STATEMENT_MUTANT';
/** Time limit of the tests of one change; a change with which they never end counts as noticed. */
const LIMIT_MS = 300_000;
/** PostgreSQL refuses to run the changed statement: no test was needed. */
const REFUSED = /"?code"?: ['"]42\w{3}['"]/;
const TIMED_OUT = /^(?:Test|Hook) timed out in /m;

type Outcome = 'killed' | 'survived' | 'timeout' | 'refused';
interface Result {
  outcome: Outcome;
  /** The first test that failed, where one did. */
  failed?: string;
}

/** All output of a failed test or hook: its errors with their causes, and its log. */
const textOf = (errors: readonly unknown[]) =>
  JSON.stringify(errors, (_, value: unknown) =>
    value instanceof Error ? { ...value, message: value.message, cause: value.cause } : value,
  );

/** Tests on a database that stay loaded: only the changed file and the workers are new for each change. */
class Runner {
  readonly #vitest: Vitest;
  /** In the order in which they are run, up to the first failure. */
  readonly #stages: TestSpecification[][];
  #output = '';
  #failed: TestCase | undefined;
  /** Tests that pass in each stage without a change. */
  readonly #passing = new Map<TestSpecification[], number>();

  private constructor(vitest: Vitest, stages: TestSpecification[][]) {
    this.#vitest = vitest;
    this.#stages = stages;
  }

  /** @param stages parts of the paths of the tests; those of a stage run where nothing of the stages before it failed. */
  static async start(stages: string[][]): Promise<Runner> {
    const box: { runner?: Runner } = {};
    const vitest = await createVitest({
      config: CONFIG,
      watch: false,
      bail: 1,
      retry: 0,
      reporters: [
        {
          onUserConsoleLog({ content }) {
            if (box.runner) box.runner.#output += content;
          },
          onTestCaseResult(test) {
            if (box.runner && test.result().state === 'failed') box.runner.#failed ??= test;
          },
        },
      ],
    });
    await vitest.standalone();
    const specifications: TestSpecification[][] = [];
    for (const paths of stages) specifications.push(await vitest.globTestSpecifications(paths));
    box.runner = new Runner(vitest, specifications);
    return box.runner;
  }

  /** Runs the tests, with a change or without, up to the first failure. */
  async run(mutant: Mutant | null): Promise<Result> {
    let result: Result = { outcome: 'survived' };
    for (const specifications of this.#stages) {
      result = await this.#runStage(mutant, specifications);
      if (result.outcome !== 'survived') break;
    }
    return result;
  }

  async #runStage(mutant: Mutant | null, specifications: TestSpecification[]): Promise<Result> {
    process.env[VARIABLE] = JSON.stringify(mutant);
    if (mutant) this.#vitest.invalidateFile(path.resolve(mutant.file));
    this.#output = '';
    this.#failed = undefined;
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      void this.#vitest.cancelCurrentRun('keyboard-input');
    }, LIMIT_MS);
    const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications(specifications);
    clearTimeout(limit);
    if (mutant) this.#vitest.invalidateFile(path.resolve(mutant.file));
    // Those of the other stages are among the modules too.
    const ids = new Set(specifications.map(({ moduleId }) => moduleId));
    const tests = testModules
      .filter(({ moduleId }) => ids.has(moduleId))
      .flatMap((one) => [...one.children.allTests()]);
    const failed = (this.#failed as TestCase | undefined) ?? tests.find((test) => test.result().state === 'failed');
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    if (!mutant) this.#passing.set(specifications, passed);
    const errors: unknown[] = [
      ...(failed?.result().errors ?? []),
      ...testModules.flatMap((one) => [
        ...one.errors(),
        ...[...one.children.allSuites()].flatMap((suite) => suite.errors()),
      ]),
      ...unhandledErrors,
    ];
    if (late) return { outcome: 'timeout' };
    // The end of a run at its first failure may come before the report of that failure; then not all of its tests have passed.
    if (errors.length === 0) return { outcome: passed === this.#passing.get(specifications) ? 'survived' : 'killed' };
    const text = textOf(errors);
    const name = failed && `${failed.module.relativeModuleId} › ${failed.fullName}`;
    const outcome = REFUSED.test(text + this.#output) ? 'refused' : TIMED_OUT.test(text) ? 'timeout' : 'killed';
    return name ? { outcome, failed: name } : { outcome };
  }

  close(): Promise<void> {
    return this.#vitest.close();
  }
}

interface Options {
  /** Pattern of the files whose statements are changed. */
  files: string;
  /** Parts of the paths of the tests that must notice, in stages: those most likely to first. */
  tests: string[][];
  /** Only files with this text in their path. */
  only: string;
  /** Number of the first change, to continue a run. */
  from: number;
  /** Numbers of the only changes to make, for those that survived an earlier run; undefined for all. */
  numbers: number[] | undefined;
}

/**
 * Prints each change that no test notices, and at the end how many there were; all of them are in test-results.
 *
 * @returns 0, or 1 when a change survived or the tests fail without one.
 */
export async function mutateStatements({ files, tests, only, from, numbers }: Options): Promise<number> {
  const mutants = globSync(files)
    .sort()
    .filter((file) => file.includes(only))
    .flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')));
  const runner = await Runner.start(tests);
  const done: (Mutant & Result)[] = [];
  try {
    const without = await runner.run(null);
    if (without.outcome !== 'survived') {
      console.error(`The tests fail without a change: ${without.failed ?? without.outcome}`);
      return 1;
    }
    mkdirSync(path.dirname(REPORT), { recursive: true });
    for (const [i, mutant] of mutants.entries()) {
      if (i + 1 < from || numbers?.includes(i + 1) === false) continue;
      const result = await runner.run(mutant);
      done.push({ ...mutant, ...result });
      writeFileSync(REPORT, JSON.stringify(done, null, 1));
      const { file, line, before, after } = mutant;
      console.log(
        `${i + 1}/${mutants.length} ${result.outcome.padEnd(8)} ${file}:${line} ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
      );
    }
  } finally {
    await runner.close();
  }
  const count = (outcome: Outcome) => done.filter((one) => one.outcome === outcome).length;
  console.log(
    `${done.length} changes: ${count('killed')} killed, ${count('timeout')} timeouts, ${count('survived')} survived, ${count('refused')} refused by PostgreSQL`,
  );
  return count('survived') > 0 ? 1 : 0;
}
