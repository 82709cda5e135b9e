import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { withAdvisoryLock } from '#server/db/advisory-lock.ts';
import { readInstallation } from '#server/db/server.sql.ts';

/** Why an installation has no external effects: it was restored, copied to another place, or paused by an operator. */
export type PauseReason = 'restored' | 'copied' | 'operator';

export interface Paused {
  since: Date;
  reason: PauseReason;
}

const REASONS: readonly string[] = ['restored', 'copied', 'operator'] satisfies PauseReason[];
const isReason = (text: string | null): text is PauseReason => text !== null && REASONS.includes(text);

/** A pool or one of its connections. */
type Queryable = Pick<pg.Pool, 'query'>;

/**
 * The pause of this installation: no mails, no jobs, no payments, no signatures. Queried each time, because an operator may resume
 * it while a process runs.
 *
 * @returns null when it is not paused.
 */
export async function readPause(database: Queryable): Promise<Paused | null> {
  const [found] = await readInstallation(database, {});
  // A reason of a newer version pauses as well.
  if (found?.reason && found.since)
    return { reason: isReason(found.reason) ? found.reason : 'operator', since: new Date(found.since) };
  // For a program that runs before the site was started on a copy.
  if (found?.known && found.known !== found.place) return { reason: 'copied', since: new Date() };
  return null;
}

const write = (database: Queryable, key: string, value: Record<string, string>) =>
  database.query(
    `insert into settings (key, value, updated_at) values ($1, $2::jsonb, now())
     on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at, updated_by = null`,
    [key, JSON.stringify(value)],
  );

/**
 * Setting of a database that may lack changes made after it was copied: nothing may be signed that could contradict what the
 * original published. Not cleared by a resume, but by `florka ledger accept`.
 */
const LEDGER_UNPROVEN = 'ledger_unproven';

/** True when this database may lack parts of the published ledger. */
export async function isLedgerUnproven(database: Queryable): Promise<boolean> {
  const { rows } = await database.query('select 1 from settings where key = $1', [LEDGER_UNPROVEN]);
  return rows.length > 0;
}

/** Clears that state. @returns true when it was set. */
export async function proveLedger(database: Queryable): Promise<boolean> {
  const { rowCount } = await database.query('delete from settings where key = $1', [LEDGER_UNPROVEN]);
  return (rowCount ?? 0) > 0;
}

/**
 * Pauses; an existing pause retains its reason. For any reason, the ledger is not signed until the last published checkpoint is
 * confirmed: an operator may pause a copy that the site can't recognise, and that may lack the newest leaves.
 */
async function pause(database: Queryable, reason: PauseReason, since: Date): Promise<void> {
  const at = since.toISOString();
  // One statement: a pause without the other mark would be resumed without it.
  await database.query(
    `insert into settings (key, value, updated_at) values ('paused', $1::jsonb, now()), ($2, $3::jsonb, now())
     on conflict (key) do nothing`,
    [JSON.stringify({ reason, since: at }), LEDGER_UNPROVEN, JSON.stringify({ since: at })],
  );
}

/**
 * Called at each start, after the migrations: a new database records its place, and one at another place is a copy and is paused,
 * so that it does not perform the work of the original.
 */
export async function claimInstallation(pool: pg.Pool, now: Date): Promise<Paused | null> {
  return withAdvisoryLock(pool.options, 'first content', async () => {
    const [found] = await readInstallation(pool, {});
    if (found && found.known !== found.place) {
      // The pause first: a crash in between must not lose it.
      if (found.known) await pause(pool, 'copied', now);
      await write(pool, 'installation', { id: randomUUID(), place: found.place });
    }
    return readPause(pool);
  });
}

/**
 * Records in the transaction of a restore that the rows are at this place, and pauses the installation until an operator resumes
 * it.
 */
export async function markRestored(client: pg.PoolClient, now: Date): Promise<void> {
  const [found] = await readInstallation(client, {});
  await client.query(`delete from settings where key = 'paused'`);
  await pause(client, 'restored', now);
  if (found) await write(client, 'installation', { id: randomUUID(), place: found.place });
}

/** @returns true when that changed anything. */
export async function setPaused(client: Queryable, paused: boolean, now: Date): Promise<boolean> {
  const before = await readPause(client);
  if ((before !== null) === paused) return false;
  if (paused) await pause(client, 'operator', now);
  else {
    const [found] = await readInstallation(client, {});
    if (found) await write(client, 'installation', { id: randomUUID(), place: found.place });
    await client.query(`delete from settings where key = 'paused'`);
  }
  return true;
}
