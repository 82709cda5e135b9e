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

/** Says whether the audit log is as it was written; names the first entry that is not. */
export async function verifyAudit(): Promise<boolean> {
  return withDatabase(async ({ pool }) => {
    const client = await pool.connect();
    try {
      const { rows: counted } = await client.query<{ n: string; newest: string | null; hash: string | null }>(
        `select count(*) as n, max(id) as newest,
           (select encode(hash, 'hex') from audit_events order by id desc limit 1) as hash from audit_events`,
      );
      const total = counted[0];
      let first: { id: string; linked: boolean } | undefined;
      for (const zone of ['default', `'UTC'`]) {
        await client.query(`set time zone ${zone}`);
        first = (await client.query<{ id: string; linked: boolean }>(BROKEN)).rows[0];
        if (!first) break;
      }
      if (first) {
        console.error(
          `The audit log was changed: entry ${first.id} ${first.linked ? 'does not match its hash' : 'does not follow the entry before it'}.`,
        );
        return false;
      }
      console.log(`The audit log is whole: ${total?.n} entries, the newest is ${total?.newest ?? 'none'}.`);
      if (total?.hash) console.log(`Its hash, to be kept elsewhere: ${total.hash}`);
      return true;
    } finally {
      client.release();
    }
  });
}
