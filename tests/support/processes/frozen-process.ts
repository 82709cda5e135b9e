/**
 * A process that stands still in the middle of an action, as one does on a machine that is suspended or out of memory: it has
 * written into the audit log, or holds a candidate's row, and stops itself before the end. Its database is in
 * FROZEN_PROCESS, as JSON.
 */
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { openDb, openPool } from '#server/db/client.ts';
import { audit } from '#server/lib/audit.ts';

/** Plain values, because they are passed between processes. */
export interface FrozenProcess {
  config: pg.ClientConfig;
  /** The candidate whose row it locks; without one it locks the audit log. */
  candidateId?: string;
}

const { config, candidateId } = JSON.parse(process.env['FROZEN_PROCESS'] ?? '{}') as FrozenProcess;
const db = openDb(openPool({ ...config, application_name: 'florka frozen' }));
await db.transaction(async (tx) => {
  if (candidateId) await tx.execute(sql`select 1 from voting_candidates where id = ${candidateId} for update`);
  else
    await audit(
      tx,
      { id: null, role: 'system', ipHash: null, requestId: 'frozen' },
      { action: 'list.exported', resourceType: 'list' },
    );
  process.kill(process.pid, 'SIGSTOP');
});
