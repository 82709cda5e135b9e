import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { withAdvisoryLock } from '#server/db/advisory-lock.ts';
import { readInstallation } from '#server/db/server.sql.ts';

/** Why an installation does nothing to the outside: it was restored, found at another place, or an operator said so. */
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
 * Whether this installation is paused: no mails, no jobs, no payments, nothing signed. Asked each time, because an operator
 * resumes it beside a running process.
 *
 * @returns null when it works as usual.
 */
export async function readPause(database: Queryable): Promise<Paused | null> {
  const [found] = await readInstallation(database, {});
  // A reason of a newer program pauses as well.
  if (found?.reason && found.since)
    return { reason: isReason(found.reason) ? found.reason : 'operator', since: new Date(found.since) };
  // A program that looks before the site was started on a copy.
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
 * Set where the database may lack what was done after it was copied: nothing may be signed that could contradict what the
 * other one published. Stays after a resume; `florka ledger accept` takes it away.
 */
const LEDGER_UNPROVEN = 'ledger_unproven';

/** Whether it is not known that this database holds all of the ledger that was ever published. */
export async function isLedgerUnproven(database: Queryable): Promise<boolean> {
  const { rows } = await database.query('select 1 from settings where key = $1', [LEDGER_UNPROVEN]);
  return rows.length > 0;
}

/** It is known now. @returns whether that is news. */
export async function proveLedger(database: Queryable): Promise<boolean> {
  const { rowCount } = await database.query('delete from settings where key = $1', [LEDGER_UNPROVEN]);
  return (rowCount ?? 0) > 0;
}

/**
 * Pauses; one that is paused already keeps its reason. Whatever the reason, the ledger is not signed before somebody said what was
 * published last: an operator pauses a copy that the site can't recognise, and that may lack the newest leaves.
 */
async function pause(database: Queryable, reason: PauseReason, since: Date): Promise<void> {
  await database.query(
    `insert into settings (key, value, updated_at) values ('paused', $1::jsonb, now()) on conflict (key) do nothing`,
    [JSON.stringify({ reason, since: since.toISOString() })],
  );
  await database.query(
    `insert into settings (key, value, updated_at) values ($1, $2::jsonb, now()) on conflict (key) do nothing`,
    [LEDGER_UNPROVEN, JSON.stringify({ since: since.toISOString() })],
  );
}

/**
 * Called at each start, after the migrations: a new database remembers where it is, and one that finds itself at another
 * place is a copy and pauses, so that it does not do the work of the one it was copied from.
 */
export async function claimInstallation(pool: pg.Pool, now: Date): Promise<Paused | null> {
  return withAdvisoryLock(pool.options, 'first content', async () => {
    const [found] = await readInstallation(pool, {});
    if (found && found.known !== found.place) {
      // First the pause: a crash in between must not lose it.
      if (found.known) await pause(pool, 'copied', now);
      await write(pool, 'installation', { id: randomUUID(), place: found.place });
    }
    return readPause(pool);
  });
}

/** Says of restored rows, in their transaction, that they are here now and do nothing before an operator says so. */
export async function markRestored(client: pg.PoolClient, now: Date): Promise<void> {
  const [found] = await readInstallation(client, {});
  await client.query(`delete from settings where key = 'paused'`);
  await pause(client, 'restored', now);
  if (found) await write(client, 'installation', { id: randomUUID(), place: found.place });
}

/** @returns whether that changed anything. */
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
