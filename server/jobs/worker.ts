import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { type JobInput, type JobName, jobs } from './catalog.ts';
import { housekeeping } from './housekeeping.job.ts';

export interface JobContext {
  pool: pg.Pool;
  log: Logger;
}
/** Must be safe to run twice: a job whose process died is given out again. */
export type Handler<N extends JobName> = (input: JobInput<N>, context: JobContext) => Promise<void>;

/** A name in the catalog without a handler here does not compile. */
const handlers: { [N in JobName]: Handler<N> } = { housekeeping };

/** Starts the job queue on the shared pool; several processes share the work. */
export async function startWorker(context: JobContext): Promise<{ stop: () => Promise<void> }> {
  const { pool, log } = context;
  const boss = new PgBoss({
    schema: 'jobs',
    db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
  });
  boss.on('error', (error: Error) => log.warn({ err: error }, 'job queue'));
  await boss.start();
  for (const name of Object.keys(jobs) as JobName[]) {
    const job = jobs[name];
    await boss.createQueue(name, {
      retryLimit: job.attempts - 1,
      retryBackoff: true,
      retryDelay: 5,
      policy: 'standard',
    });
    await boss.work(name, { pollingIntervalSeconds: 2 }, async (batch: { id: string; data: unknown }[]) => {
      for (const { id, data } of batch) {
        log.debug({ job: name, jobId: id }, 'job');
        await (handlers[name] as Handler<JobName>)(job.input.parse(data ?? {}), context);
      }
    });
    if ('cron' in job) await boss.schedule(name, job.cron, {});
  }
  return { stop: () => boss.stop({ graceful: true, timeout: 5_000, close: false }).catch(() => {}) };
}
