import { sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/client.ts';
import { formatEntry, type VoteState } from '#verify/entries.ts';
import { nodeSha256 } from '#verify/sources.ts';
import { appendChanges, type Change } from './changes.ts';
import type { SigningKey } from './key.ts';
import { stateDay, stateRound } from './results.ts';
import { type OpenTree, openTree } from './tree-store.ts';

/** Changes that one transaction enters, and while many members vote. */
export const BATCH = 5_000;
export const SMALL_BATCH = 1_000;
/** The audit log is anchored at most this often. Milliseconds. */
const ANCHOR_EVERY = 10 * 60_000;
/** A day's result waits for votes that were on their way at midnight. Seconds. */
const AFTER_MIDNIGHT = 10;

export interface LogRow {
  origin: string;
  public_key: Buffer;
  size: number;
  root: Buffer;
  published_size: number;
  checkpoint: string | null;
  filled_to: number;
  fill_until: number;
  filled_at: Date | null;
  next_day: string;
  audit_entry: number | null;
  audit_at: Date | null;
}

type RawLog = Record<keyof LogRow, unknown>;

/** The state of the ledger; undefined before there is one. */
export async function findLog(db: Tx | Db): Promise<LogRow | undefined> {
  const { rows } = await db.execute<RawLog>(sql`select *, next_day::text as next_day from ledger_log`);
  const [row] = rows;
  if (!row) return undefined;
  const moment = (value: unknown) => (value === null ? null : new Date(value as string));
  return {
    ...(row as unknown as LogRow),
    size: Number(row.size),
    published_size: Number(row.published_size),
    filled_to: Number(row.filled_to),
    fill_until: Number(row.fill_until),
    audit_entry: row.audit_entry === null ? null : Number(row.audit_entry),
    filled_at: moment(row.filled_at),
    audit_at: moment(row.audit_at),
  };
}

/** The state of the ledger, made at the first call. */
export async function readLog(db: Tx | Db, origin: string, key: SigningKey): Promise<LogRow> {
  const found = await findLog(db);
  if (found) return found;
  await db.execute(sql`
    insert into ledger_log (origin, public_key, root, fill_until, next_day)
    select ${origin}, ${Buffer.from(key.publicKey)}, ${Buffer.from(nodeSha256(new Uint8Array()))},
      coalesce((select max(id) from votes), 0), (now() at time zone 'UTC')::date
    on conflict (single) do nothing`);
  const made = await findLog(db);
  if (!made) throw new Error('no ledger was made');
  return made;
}

/**
 * Enters one batch of changes: leaves, tree, salts and the removal from the queue are one transaction, so that each change is
 * entered exactly once, whenever the process dies. Call it under the lock of the ledger.
 *
 * @param options.batch how many changes.
 * @returns how many leaves were appended, whether more waits, and whether they are votes from before the ledger.
 */
export function appendBatch(
  db: Db,
  { origin, key, batch = BATCH }: { origin: string; key: SigningKey; batch?: number },
): Promise<{ appended: number; more: boolean; older: boolean }> {
  return db.transaction(
    async (tx) => {
      // Queue, totals and standings of one moment: results are exact while people vote.
      await tx.execute(sql`set transaction isolation level repeatable read`);
      const log = await readLog(tx, origin, key);
      const tree = await openTree(tx, log.size);
      const more = log.filled_at
        ? await appendQueue(tx, tree, log, { key, batch })
        : await appendOlder(tx, tree, log, batch);
      if (tree.size > log.size)
        await tx.execute(sql`update ledger_log set size = ${tree.size}, root = ${Buffer.from(tree.root())}`);
      return { appended: tree.size - log.size, more, older: log.filled_at === null };
    },
    { work: 'job' },
  );
}

/** Votes from before the ledger, but those that the queue will tell. */
async function appendOlder(tx: Tx, tree: OpenTree, log: LogRow, batch: number): Promise<boolean> {
  const { rows } = await tx.execute<RawChange>(sql`
    select v.id as vote_id, v.user_id, v.candidate_id, v.voted_on::text as voted_on, coalesce(r.number, 0) as round, v.state,
      v.created_at as cast_at,
      v.id in (select vote_id from vote_changes where vote_id > ${log.filled_to} and vote_id <= ${log.fill_until}) as waits
    from (select * from votes where id > ${log.filled_to} and id <= ${log.fill_until} order by id limit ${batch}) v
    left join voting_rounds r on r.id = v.round_id
    order by v.id`);
  await appendChanges(tx, tree, rows.filter((row) => !row.waits).map(changeOf));
  const done = rows.length < batch;
  const to = done ? log.fill_until : Number(rows.at(-1)?.vote_id);
  await tx.execute(sql`update ledger_log set filled_to = ${to}, filled_at = ${done ? sql`clock_timestamp()` : null}`);
  return true;
}

interface RawChange extends Record<string, unknown> {
  vote_id: string;
  user_id: string;
  candidate_id: string;
  voted_on: string;
  round: number;
  state: VoteState;
  cast_at: string | Date;
  waits: boolean;
}

const changeOf = (row: RawChange): Change => ({
  voteId: Number(row.vote_id),
  userId: row.user_id,
  candidateId: row.candidate_id,
  day: row.voted_on,
  round: row.round,
  state: row.state,
  castAt: new Date(row.cast_at).toISOString(),
});

/** The queue, a round's end in it, and what is due when it is empty. */
async function appendQueue(
  tx: Tx,
  tree: OpenTree,
  log: LogRow,
  { key, batch }: { key: SigningKey; batch: number },
): Promise<boolean> {
  const { rows: ends } = await tx.execute<{
    round_id: string;
    number: number;
    last_change: string;
    stated: boolean;
  }>(sql`
    select e.round_id, r.number, e.last_change, e.ended_at >= ${log.filled_at?.toISOString()} as stated
    from ledger_round_ends e join voting_rounds r on r.id = e.round_id
    where e.stated_at is null order by e.last_change, r.number limit 1`);
  const end = ends[0];
  const { rows } = await tx.execute<RawChange & { change_id: string }>(sql`
    with taken as (
      delete from vote_changes where id in (
        select id from vote_changes ${end ? sql`where id <= ${end.last_change}` : sql``} order by id limit ${batch})
      returning id, vote_id, round_id, candidate_id, user_id, voted_on, state, changed_at
    )
    select t.id as change_id, t.vote_id, t.user_id, t.candidate_id, t.voted_on::text as voted_on, coalesce(r.number, 0) as round,
      t.state, coalesce(v.created_at, t.changed_at) as cast_at
    from taken t left join voting_rounds r on r.id = t.round_id left join votes v on v.id = t.vote_id
    order by t.id`);
  await appendChanges(tx, tree, rows.map(changeOf));
  if (rows.length === batch) return true;
  if (end) {
    // A round that ended while older votes were still being entered has no result here.
    if (end.stated) await stateRound(tx, tree, { origin: log.origin, key, roundId: end.round_id, number: end.number });
    await tx.execute(sql`update ledger_round_ends set stated_at = clock_timestamp() where round_id = ${end.round_id}`);
    return true;
  }
  const { rows: due } = await tx.execute<{ due: boolean }>(sql`
    select clock_timestamp() at time zone 'UTC' > ${log.next_day}::date + interval '1 day' + make_interval(secs => ${AFTER_MIDNIGHT}) as due`);
  if (due[0]?.due) {
    await stateDay(tx, tree, { origin: log.origin, key, day: log.next_day });
    await tx.execute(sql`update ledger_log set next_day = next_day + 1`);
    return true;
  }
  await anchorAudit(tx, tree, log);
  return false;
}

/** Puts the newest hash of the audit log into the tree: whoever rewrites that log later contradicts this one. */
async function anchorAudit(tx: Tx, tree: OpenTree, log: LogRow): Promise<void> {
  const { rows } = await tx.execute<{ id: string; hash: string; due: boolean }>(sql`
    select id, encode(hash, 'hex') as hash,
      ${log.audit_at?.toISOString() ?? null}::timestamptz is null
        or clock_timestamp() > ${log.audit_at?.toISOString() ?? null}::timestamptz + make_interval(secs => ${ANCHOR_EVERY / 1_000}) as due
    from audit_events order by id desc limit 1`);
  const newest = rows[0];
  if (!newest?.due || Number(newest.id) === log.audit_entry) return;
  tree.append({
    entry: formatEntry({ kind: 'audit', seq: tree.size, entry: Number(newest.id), hash: newest.hash }),
    voteId: null,
  });
  await tree.save();
  await tx.execute(sql`update ledger_log set audit_entry = ${newest.id}, audit_at = clock_timestamp()`);
}
