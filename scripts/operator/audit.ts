import type pg from 'pg';
import { StartError } from '#server/lib/start-error.ts';
import { withDatabase } from './database.ts';
import { readAuditEnd, readBroken } from './installation.sql.ts';

/** The first entry that is not as it was written, or does not follow the one before it. */
export async function firstBroken(client: pg.ClientBase): Promise<{ id: string; linked: boolean } | undefined> {
  let first: Awaited<ReturnType<typeof readBroken>>[number] | undefined;
  for (const zone of ['default', `'UTC'`]) {
    await client.query(`set time zone ${zone}`);
    [first] = await readBroken(client, {});
    if (!first) break;
  }
  return first;
}

/**
 * Says whether the audit log is as it was written; names the first entry that is not.
 *
 * @param noted `id:hash` of an entry, from the server's log or an earlier run: without that nobody can tell that the end
 * was cut off, or everything written anew.
 * @throws StartError when it is not of that form.
 */
export async function verifyAudit(noted?: string): Promise<boolean> {
  const anchor = noted === undefined ? null : /^(\d{1,18}):([0-9a-f]{64})$/.exec(noted);
  if (noted !== undefined && !anchor) throw new StartError(`${noted} is no id:hash of an entry.`);
  return withDatabase(async ({ pool }) => {
    const client = await pool.connect();
    try {
      const [total] = await readAuditEnd(client, {});
      const first = await firstBroken(client);
      if (first) {
        console.error(
          `The audit log was changed: entry ${first.id} ${first.linked ? 'does not match its hash' : 'does not follow the entry before it'}.`,
        );
        return false;
      }
      if (anchor) {
        const { rows } = await client.query(
          `select 1 from audit_events where id = $1 and hash = decode($2, 'hex')`,
          anchor.slice(1, 3),
        );
        if (rows.length === 0) {
          console.error(`The audit log was changed: entry ${anchor[1]} is not there, or not as it was noted.`);
          return false;
        }
      }
      console.log(`The audit log is whole: ${total?.n} entries, the newest is ${total?.newest ?? 'none'}.`);
      if (total?.hash) console.log(`To be noted elsewhere: ${total.newest}:${total.hash}`);
      return true;
    } finally {
      client.release();
    }
  });
}
