import { setTimeout as sleep } from 'node:timers/promises';
import { SCHEDULES } from '#server/domains/admin/editorial.service.ts';
import type { Handler } from '#server/jobs/handler.ts';
import { applySchedules } from '#server/records/schedules.ts';

/** Duration of one job; the next minute's job continues. Milliseconds. */
const WATCH_MS = 55_000;
/** Maximum interval between two checks: a time that is set meanwhile is applied at most this late. Milliseconds. */
const POLL_MS = 1_000;

/** Publishes and hides records at their scheduled times. */
export const applySchedulesJob: Handler<'apply-schedules'> = async (_input, { services, log }) => {
  const end = performance.now() + WATCH_MS;
  do {
    const { applied, nextIn } = await applySchedules(services.db, SCHEDULES);
    if (applied > 0) log.info({ applied }, 'scheduled records published or hidden');
    await sleep(Math.min(POLL_MS, nextIn === null ? POLL_MS : nextIn + 5));
  } while (performance.now() < end && !services.jobs.stopped);
};
