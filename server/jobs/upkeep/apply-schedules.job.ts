import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from '#server/db/failures.ts';
import { SCHEDULES } from '#server/domains/admin/editorial.service.ts';
import type { Handler } from '#server/jobs/handler.ts';
import { applySchedules } from '#server/records/schedules.ts';

/** Duration of one job; the next minute's job continues. Milliseconds. */
const WATCH_MS = 55_000;
/** Maximum interval between two checks: a time that is set meanwhile is applied at most this late. Milliseconds. */
const POLL_MS = 1_000;

/**
 * Publishes and hides records at their scheduled times. One that fails is tried again with each check, and fails the job at its end,
 * so that the others are on time. A repeated attempt checks once: the next job is due by then.
 */
export const applySchedulesJob: Handler<'apply-schedules'> = async (_input, { services, log }, { attempt }) => {
  const end = performance.now() + (attempt === 1 ? WATCH_MS : 0);
  let failed: { error: unknown } | undefined;
  do {
    let nextIn: number | null = null;
    try {
      const done = await applySchedules(services.db, SCHEDULES);
      nextIn = done.nextIn;
      if (done.applied > 0) log.info({ applied: done.applied }, 'scheduled records published or hidden');
      failed = undefined;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      failed = { error };
    }
    await sleep(Math.min(POLL_MS, nextIn === null ? POLL_MS : nextIn + 5));
  } while (performance.now() < end && !services.jobs.stopped);
  if (failed) throw failed.error;
};
