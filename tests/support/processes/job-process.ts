/**
 * A worker as a process of its own, to be killed: `node tests/support/processes/job-process.ts` with its settings in JOB_PROCESS.
 * Takes one job and never finishes it; reports on standard output when it has it.
 */
import type pg from 'pg';
import { openPool } from '#server/db/client.ts';
import { JobQueue } from '#server/jobs/queue.ts';

/** Settings of the process; plain values, because they are passed between processes. */
export interface JobProcess {
  config: pg.ClientConfig;
}

const { config } = JSON.parse(process.env['JOB_PROCESS'] ?? '{}') as JobProcess;
const queue = new JobQueue(openPool({ ...config, max: 3 }), (error) => console.error(error));
await queue.work('fetch-payment', async () => {
  console.log('taken');
  await new Promise(() => {});
});
