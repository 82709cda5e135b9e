import { check, unsettled } from './checker/checker.ts';
import type { Journal } from './load/journal.ts';
import { Load } from './load/load.ts';
import type { FaultEnvironment, FaultRun } from './rig/fault-run.ts';
import type { Usage } from './rig/processes.ts';
import type { Site } from './rig/site.ts';
import { secondsSince, until } from './rig/wait.ts';
import type { Fault, Report } from './scenarios/fault.ts';

/** Acknowledged writes before the first fault, and between two. */
const WARM_UP_WRITES = 40;
const BETWEEN = 20;
/** Allowed increase of resources over the time before the fault: caches fill, connections stay open for a while. */
const MORE_FILES = 60;
const MORE_MEMORY = 400 * 1024 ** 2;
/** Maximum wait for a paid order: its callback may be lost, then the provider is polled once a minute. Milliseconds. */
const SETTLE_TIMEOUT_MS = 300_000;

/** Injects a fault repeatedly under load, and compares everything afterwards. */
export async function runFault(faultRun: FaultRun, fault: Fault, repetitions: number): Promise<Report> {
  const environment = await (fault.prepare?.(faultRun) ?? faultRun.createEnvironment(fault.sites));
  const load = new Load(environment);
  const { journal } = load;
  const recovery: number[] = [];
  const windows: [number, number][] = [];
  const ended: string[] = [];
  try {
    for (const site of environment.sites) await site.start();
    load.start();
    await more(load, WARM_UP_WRITES);
    const rest = environment.sites.map((site) => site.usage());
    for (let attempt = 0; attempt < repetitions; attempt++) {
      const began = performance.now();
      let cause = began;
      await fault.inject({
        faultRun,
        environment,
        load,
        attempt,
        over: () => {
          cause = performance.now();
        },
      });
      ended.push(...(await recover(environment, load)));
      recovery.push(secondsSince(cause));
      windows.push([began, performance.now()]);
      await more(load, BETWEEN);
    }
    await load.stop();
    await settle(environment, journal, fault.allowsManualReview);
    const findings = await check(environment, journal, fault.allowsManualReview);
    findings.wrong.push(...ended, ...(await checkResourceLeaks(environment, rest)));
    return { ...findings, acknowledged: journal.acknowledged, recovery, seen: journal.seen(windows) };
  } finally {
    environment.cluster.freeze(false);
    await load.stop();
    await environment.close();
    await fault.clean?.();
  }
}

/** Waits until every payment has arrived; the checker reports those that never do. */
export async function settle(environment: FaultEnvironment, journal: Journal, reviewed?: boolean): Promise<void> {
  await until(
    'every paid order is settled',
    async () => (await unsettled(environment, journal, reviewed)) === 0,
    SETTLE_TIMEOUT_MS,
  ).catch(() => {});
}

/** Waits until this number of further writes was acknowledged. */
async function more(load: Load, writes: number): Promise<void> {
  const enough = load.journal.acknowledged + writes;
  await until(`${writes} more writes are acknowledged`, () => load.journal.acknowledged >= enough);
}

/**
 * Waits until every site reports that it is ready, and accepts a vote.
 *
 * @returns which sites ended by themselves; they are started again.
 */
async function recover(environment: FaultEnvironment, load: Load): Promise<string[]> {
  const ended: string[] = [];
  for (const site of environment.sites)
    await until(`the site on port ${site.port} works again`, async () => {
      if (!site.running) {
        ended.push(`the site on port ${site.port} ended by itself: ${lastLine(site)}`);
        site.launch();
      }
      return (await site.ready()) && load.one('vote', site.origin);
    });
  return ended;
}

const lastLine = (site: Site) => site.log().trimEnd().split('\n').at(-1) ?? '';

/** Waits until memory and open files are back to their earlier level, and reports those that are not. */
async function checkResourceLeaks(environment: FaultEnvironment, rest: (Usage | null)[]): Promise<string[]> {
  const over = () =>
    environment.sites.flatMap((site, at) => {
      const now = site.usage();
      const before = rest[at];
      if (!now || !before) return [`no usage of the site on port ${site.port}`];
      return [
        ...(now.files > before.files + MORE_FILES ? [`${now.files} open files, ${before.files} before`] : []),
        ...(now.memory > before.memory + MORE_MEMORY
          ? [`${Math.round(now.memory / 1024 ** 2)} MB, ${Math.round(before.memory / 1024 ** 2)} MB before`]
          : []),
      ];
    });
  await until('memory and files are back', () => over().length === 0, 60_000).catch(() => {});
  return over();
}
