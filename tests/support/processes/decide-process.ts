/**
 * A process that decides about a cluster of votes, to be killed: `node tests/support/processes/decide-process.ts` with its settings in
 * DECIDE_PROCESS. Begins the decision that it names, if any, and carries out those in progress. Reports on standard output
 * when it is ready, and then each piece.
 */
import type pg from 'pg';
import { openDb, openPool } from '#server/db/client.ts';
import { decideCluster, finishDecisions, undoDecision } from '#server/domains/vote-review/decide.service.ts';
import { JobQueue } from '#server/jobs/queue.ts';

/** Settings of the process; plain values, because they are passed between processes. */
export interface DecideProcess {
  config: pg.ClientConfig;
  begin?: { id: string; decision: 'release' | 'void' | 'undo'; by: string };
}

const { config, begin } = JSON.parse(process.env['DECIDE_PROCESS'] ?? '{}') as DecideProcess;
const pool = openPool({ ...config, max: 3 });
const db = openDb(pool);
const jobs = new JobQueue(pool, () => {});
await jobs.start();
console.log('ready');
if (begin) {
  const by = {
    actor: { id: begin.by, role: 'admin' as const, ipHash: null, requestId: null },
    now: new Date(),
  };
  if (begin.decision === 'undo') await undoDecision(db, jobs, by, begin);
  else await decideCluster(db, jobs, by, { id: begin.id, kind: begin.decision, reason: 'a farm' });
}
const piece = async <T>(work: () => Promise<T>): Promise<T> => {
  const result = await work();
  console.log('piece');
  return result;
};
await finishDecisions(
  db,
  () => new Date(),
  piece,
  () => false,
);
await jobs.stop();
await pool.end();
