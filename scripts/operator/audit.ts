import type pg from 'pg';
import { StartError } from '#server/lib/start-error.ts';
import { withDatabase } from './database.ts';

/**
 * The chain, recomputed as the trigger audit_chain computed it. Instants are written in the time zone of the session that
 * inserted them, so the database's own zone and UTC both count.
 */
const BROKEN = `
  select id, linked, whole from (
    select id, prev_hash = lag(hash, 1, '\\x'::bytea) over (order by id) as linked,
      hash = sha256(prev_hash || convert_to((jsonb_build_array(at, actor_id, actor_role, action, resource_type, resource_id,
        before, after, reason, encode(ip_hash, 'hex'), request_id)
        || case when address is null then '[]'::jsonb else jsonb_build_array(address) end)::text, 'UTF8')) as whole
    from audit_events
  ) checked
  where not (linked and whole) order by id limit 1`;

/** The first entry that is not as it was written, or does not follow the one before it. */
export async function firstBroken(client: pg.ClientBase): Promise<{ id: string; linked: boolean } | undefined> {
  let first: { id: string; linked: boolean } | undefined;
  for (const zone of ['default', `'UTC'`]) {
    await client.query(`set time zone ${zone}`);
    first = (await client.query<{ id: string; linked: boolean }>(BROKEN)).rows[0];
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
      const { rows: counted } = await client.query<{ n: string; newest: string | null; hash: string | null }>(
        `select count(*) as n, max(id) as newest,
           (select encode(hash, 'hex') from audit_events order by id desc limit 1) as hash from audit_events`,
      );
      const total = counted[0];
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
