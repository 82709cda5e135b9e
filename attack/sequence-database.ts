// Direct access of a run of sequences to the database: rows of an object, the passing of time, and jobs.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from './site.ts';

/** Jobs that run for most of a minute and start again by themselves. */
const RESIDENT = ['apply-schedules', 'review-votes', 'refresh-market'];
/** Interval at which the states of the jobs are read. Milliseconds. */
const POLL_MS = 200;
const JOBS_WITHIN_MS = 300_000;

/** A row of an object's own, or one that refers to it. */
export interface Row {
  table: string;
  id: string;
  /** Null where rows of its table have none. */
  version: number | null;
}

const statementOf = new WeakMap<Target, Promise<string>>();

/** One statement for the rows of some ids, and those that refer to them. */
async function writeStatement(target: Target): Promise<string> {
  const { rows } = await target.db.query<{ name: string; versioned: boolean; columns: string[] }>(
    `select t.relname as name, exists (select 1 from pg_attribute v where v.attrelid = t.oid and v.attname = 'version') as versioned,
       array(select a.attname::text from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
         where c.conrelid = t.oid and c.contype = 'f' and cardinality(c.conkey) = 1 and a.atttypid = 'uuid'::regtype
           and (c.confrelid <> 'users'::regclass or a.attname ~ '^(user_id|(new_)?auth_user_id)$')) as columns
     from pg_class t join pg_attribute i on i.attrelid = t.oid and i.attname = 'id' and i.atttypid = 'uuid'::regtype
     where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and t.relname !~ '^(votes|vote_|audit|sessions)'`,
  );
  const parts = rows.flatMap(({ name, versioned, columns }) => {
    const select = `select '${name}' as table, id, ${versioned ? 'version' : 'null::int as version'} from ${name} where`;
    const made = columns.filter((column) => /^(project_id|next_project_id|candidate_id)$/.test(column));
    return [
      ...['id', ...columns].map((column) => `${select} ${column} = any($1)`),
      // The record that it was published as.
      ...made.map((column) => {
        const table = { project_id: 'projects', next_project_id: 'next_projects', candidate_id: 'voting_candidates' }[
          column
        ];
        return `select '${table}', ${column}, null::int from ${name} where id = any($1) and ${column} is not null`;
      }),
    ];
  });
  return `${parts.join(' union ')} union (select 'voting_rounds', id, null::int from voting_rounds order by number desc limit 1)`;
}

/** The rows of an object, those that refer to it, and those that refer to them; and the newest round. */
export async function readFocus(target: Target, root: string): Promise<Row[]> {
  let statement = statementOf.get(target);
  if (!statement) {
    statement = writeStatement(target);
    statementOf.set(target, statement);
  }
  let found: Row[] = [];
  for (let depth = 0; depth < 2; depth++) {
    const ids = [root, ...found.map(({ id }) => id)].slice(0, 60);
    found = (await target.db.query<Row>(await statement, [ids])).rows;
  }
  return found;
}

/** Makes everything due that waits for a time. */
export async function passTime({ db }: Target): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'deleted_at'`,
  );
  for (const { name } of rows)
    await db.query(`update ${name} set deleted_at = deleted_at - interval '40 days' where deleted_at is not null`);
  for (const statement of [
    `update record_schedules set publish_at = now() - interval '2 days', expire_at = case when expire_at is null then null else now() - interval '1 day' end`,
    `update next_projects set launch_date = now() - interval '1 minute' where launch_date > now()`,
    `update payments set expires_at = now() - interval '1 minute', next_check_at = now() where state in ('awaiting', 'confirming', 'partially_paid')`,
    `update ownership_proofs set next_check_at = now() where state = 'valid'`,
    `update voting_rounds set closes_at = greatest(opens_at + interval '1 second', now() - interval '1 second') where status = 'open'`,
    `update users set banned_until = now() - interval '1 second' where banned_until is not null`,
  ])
    await db.query(statement);
}

/**
 * Runs every recurring job once, with a second attempt as in production, because two jobs may lock the same row.
 * @returns how many ran, and the names of those that failed twice or did not end in time.
 */
export async function runJobs({ db }: Target): Promise<{ done: number; left: string[] }> {
  const { rows: started } = await db.query<{ id: string }>(
    `insert into jobs.job (name, data, retry_limit, retry_delay, policy)
     select s.name, '{}', 1, 1, q.policy from jobs.schedule s join jobs.queue q using (name) where s.name <> all($1) returning id`,
    [RESIDENT],
  );
  const began = performance.now();
  for (;;) {
    const { rows } = await db.query<{ name: string; state: string }>(
      `select name, state from jobs.job where id = any($1) and state <> 'completed'`,
      [started.map(({ id }) => id)],
    );
    const open = rows.filter(({ state }) => state !== 'failed');
    if (open.length === 0 || performance.now() - began > JOBS_WITHIN_MS)
      return { done: started.length, left: rows.map(({ name, state }) => `${name} (${state})`) };
    await sleep(POLL_MS);
  }
}
