import { setTimeout as sleep } from 'node:timers/promises';
import { SCHEDULES } from '#server/domains/admin/editorial.service.ts';
import type { Handler } from '#server/jobs/handler.ts';
import { applySchedules } from '#server/records/editorial.ts';

/** One job looks for most of its minute; the next one takes over. Milliseconds. */
const WATCH_MS = 55_000;
/** Between two looks: a moment that is set while this waits is at most this late. Milliseconds. */
const POLL_MS = 1_000;

/** Makes records appear and go whose moment has come. */
export const applySchedulesJob: Handler<'apply-schedules'> = async (_input, { services, log }) => {
  const end = performance.now() + WATCH_MS;
  do {
    const { applied, nextIn } = await applySchedules(services.db, SCHEDULES);
    if (applied > 0) log.info({ applied }, 'records appeared or went at their moment');
    await sleep(Math.min(POLL_MS, nextIn === null ? POLL_MS : nextIn + 5));
  } while (performance.now() < end && !services.jobs.stopped);
};
