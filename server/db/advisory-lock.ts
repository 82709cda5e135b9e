import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Place } from '#server/db/pool.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
import { readNames, tryAdvisoryLock } from './server.sql.ts';

/** Keys of session advisory locks, each with what it protects. Previous versions use 727274 for their migrations too. */
const KEYS = {
  /** Every change of the schema: migrations, the job queue's own tables, a restore. */
  schema: 727_274,
  /** Demo content and the first admin of an empty database. */
  'first content': 727_276,
  /** Writing and signing the public ledger. */
  ledger: 727_277,
} as const;

/**
 * For a connection that holds a session lock: the server detects within about 30 seconds that the client's machine has disappeared,
 * and releases the lock. With the defaults of the operating system that takes two hours. Ignored for Unix sockets.
 */
export const SERVER_KEEPALIVE =
  'set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; set tcp_user_timeout = 30000';

/** Interval between two attempts. Milliseconds. */
const RETRY_MS = 200;
/** Maximum wait for another process; longer than a long migration takes. Milliseconds. */
const MAX_WAIT_MS = 30 * 60_000;

/**
 * Runs work under mutual exclusion between processes on one database. The lock has a connection of its own, so that it is
 * independent of the size and timeouts of the pool, and it ends with the process that holds it. Not reentrant.
 *
 * Polls instead of waiting: a waiting statement holds a snapshot, and CREATE INDEX CONCURRENTLY of the holder would wait for that
 * snapshot.
 *
 * @param config of the database; timeouts in it are ignored.
 * @param longestWait milliseconds.
 * @throws StartError when another process holds the lock for longer than that, or when the lock was lost during the work.
 */
export async function withAdvisoryLock<T>(
  config: Place,
  name: keyof typeof KEYS,
  work: () => Promise<T>,
  longestWait = MAX_WAIT_MS,
): Promise<T> {
  const client = new pg.Client(ownConnection(config, 'florka lock'));
  let lost: Error | undefined;
  client.on('error', (error) => {
    lost = error;
  });
  await client.connect();
  try {
    await client.query(`set statement_timeout = 0; set idle_session_timeout = 0; ${SERVER_KEEPALIVE}`);
    const deadline = Date.now() + longestWait;
    while (!(await isTaken(client, KEYS[name]))) {
      if (Date.now() > deadline)
        throw new StartError(
          `Another process has held the database lock "${name}" for ${Math.round(longestWait / 60_000)} minutes: end it, then start again.`,
        );
      await sleep(RETRY_MS);
    }
    const result = await work().catch(async (error: unknown) => {
      throw await explainRights(error, client);
    });
    if (lost) throw new StartError(`The connection with the database lock "${name}" was lost: ${lost.message}.`);
    return result;
  } finally {
    await client.end().catch(() => {});
  }
}

/** `connectionTo`, bypassing a connection pooler of the database. */
export const ownConnection = (config: Place, name: string): pg.ClientConfig =>
  connectionTo(config.direct ?? config, name);

/**
 * Only address and credentials: the limits that a pool sets for its queries must not end this connection.
 *
 * @param config itself and not a copy: pools hide the password from copies.
 */
export function connectionTo(config: pg.ClientConfig, name: string): pg.ClientConfig {
  const { connectionString, host, port, user, password, database, ssl } = config;
  const given = { connectionString, host, port, user, password, database, ssl };
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    application_name: name,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  };
}

async function isTaken(client: pg.Client, key: number): Promise<boolean> {
  const [lock] = await tryAdvisoryLock(client, { key: String(key) });
  return lock?.taken ?? false;
}

/** SQLSTATEs of missing rights: permission denied, and no schema that the role can see. */
const MISSING_RIGHTS = ['42501', '3F000'];

/** Converts a missing right of the database role into a message with the required grant; any other error is returned unchanged. */
async function explainRights(error: unknown, client: pg.Client): Promise<unknown> {
  let denied: Error | undefined;
  for (let at = error; at instanceof Error && !denied; at = at.cause)
    if ('code' in at && MISSING_RIGHTS.includes(String(at.code))) denied = at;
  if (!denied) return error;
  const [names] = await readNames(client, {}).catch(() => []);
  const { role, name } = names ?? { role: 'the role of DATABASE_URL', name: 'the database' };
  return new StartError(
    `The role ${role} may not prepare the database (${denied.message}): as its administrator, run "alter database ${name} owner to ${role}", or "grant create on database ${name} to ${role}; grant usage, create on schema public to ${role}".`,
    { cause: error },
  );
}
