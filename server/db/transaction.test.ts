import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { startDatabaseProxy } from '#tests/support/database/tcp-proxy.ts';
import { openDb, openPool } from './client.ts';
import { isDatabaseAway } from './failures.ts';
import type { PoolConfig } from './pool.ts';
import { LIMITS, runAs, type Work } from './timeouts.ts';
import { CommitRefused, CommitUnknown } from './transaction.ts';

const app = await startTestApp();
const pools: pg.Pool[] = [];
let serial = 0;

/** A separate pool, and the number of its connections with an open transaction. */
function open(config: PoolConfig = {}) {
  const name = `florka test ${++serial}`;
  const pool = openPool({ ...app.config, max: 4, application_name: name, ...config });
  pools.push(pool);
  const backends = (state: string) =>
    app
      .sql<{ n: number }>(
        'select count(*)::int as n from pg_stat_activity where application_name = $1 and state like $2',
        [name, state],
      )
      .then(([row]) => row?.n ?? 0);
  return {
    name,
    pool,
    db: openDb(pool),
    stuck: () => backends('idle in transaction%'),
    connected: () => backends('%'),
  };
}
afterAll(async () => {
  for (const pool of pools) await pool.end();
});

const pid = async (db: Pick<ReturnType<typeof openDb>, 'execute'>) =>
  (await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)).rows[0]?.pid;

describe('an answer that cannot be read', () => {
  it.each([
    // In a drill of losses of machines this was the length of a value: four characters of an error.
    ['with an impossible length of a value', -4, '01-Y', 'RangeError'],
    ['with a message of an unknown kind', -11, 'q', 'error'],
  ])(
    '%s fails its query as a lost connection, and ends neither the process nor the pool',
    async (_what, at, bytes, cause) => {
      const proxy = await startDatabaseProxy(app.config);
      const { pool } = open({ ...proxy.config, max: 1 });
      const pidOf = async () => (await pool.query('select pg_backend_pid() as pid')).rows[0].pid;
      const before = await pidOf();
      proxy.corrupt('florka-broken', at, bytes);
      const error: unknown = await pool.query("select 'florka-broken' as one, 'more' as two").catch((e: unknown) => e);
      expect(error).toMatchObject({ name: 'ConnectionLost', cause: { name: cause } });
      expect(isDatabaseAway(error)).toBe(true);
      expect(await pidOf()).not.toBe(before);
      await proxy.stop();
    },
  );
});

describe('a transaction', () => {
  it('whose begin gets no answer closes its connection, and the pool recovers', async () => {
    const proxy = await startDatabaseProxy(app.config);
    const { pool, db, stuck } = open({ ...proxy.config, limits: { answer: 2_000 } });
    await Promise.all(Array.from({ length: 4 }, () => db.execute(sql`select pg_sleep(0.2)`)));
    expect(pool.totalCount).toBe(4);
    proxy.freeze();
    const stalled = await Promise.allSettled(
      Array.from({ length: 8 }, () => db.transaction((tx) => tx.execute(sql`select 1`))),
    );
    expect(stalled.map(({ status }) => status)).toEqual(Array(8).fill('rejected'));
    proxy.thaw();
    await Promise.all(Array.from({ length: 8 }, () => db.transaction((tx) => tx.execute(sql`select 1`))));
    await expect.poll(stuck).toBe(0);
    expect(pool.waitingCount).toBe(0);
    // Some may have served all eight while others were still connecting.
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
    await proxy.stop();
  });

  it('whose commit gets no answer throws CommitUnknown, and is never retried', async () => {
    const proxy = await startDatabaseProxy(app.config);
    const { pool, db } = open({ ...proxy.config, limits: { answer: 2_000 } });
    let runs = 0;
    const lost = db.transaction(async (tx) => {
      runs++;
      await tx.execute(sql`select 1`);
      proxy.freeze();
    });
    await expect(lost).rejects.toThrow(CommitUnknown);
    expect([runs, pool.totalCount]).toEqual([1, 0]);
    proxy.thaw();
    await expect(db.execute(sql`select 1`)).resolves.toBeDefined();
    await proxy.stop();
  });

  it('whose connection breaks is rolled back, and its connection leaves the pool', async () => {
    const proxy = await startDatabaseProxy(app.config);
    const { pool, db } = open(proxy.config);
    const broken = db.transaction(async (tx) => {
      await tx.execute(sql`insert into rate_limits (key, hits, window_ends) values ('broken', 1, now())`);
      proxy.cut();
      await tx.execute(sql`select 1`);
    });
    await expect(broken).rejects.toThrow();
    expect(pool.totalCount).toBe(0);
    expect(await app.sql(`select 1 from rate_limits where key = 'broken'`)).toEqual([]);
    await proxy.stop();
  });

  it('that continues after a failed statement throws CommitRefused instead of losing its writes silently', async () => {
    const { db, pool } = open();
    const swallowed = db.transaction(async (tx) => {
      await tx.execute(sql`insert into rate_limits (key, hits, window_ends) values ('swallowed', 1, now())`);
      await tx.execute(sql`select 1 / 0`).catch(() => {});
    });
    await expect(swallowed).rejects.toThrow(CommitRefused);
    await expect(swallowed).rejects.toMatchObject({ cause: { code: '22012' } });
    expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
  });

  it('accepts no statement after its end, when others may be using its connection', async () => {
    const { db } = open({ max: 1 });
    const late = Promise.withResolvers<void>();
    let after: Promise<unknown> | undefined;
    await expect(
      db.transaction(async (tx) => {
        after = late.promise.then(() => tx.execute(sql`delete from users`));
        throw new Error('stop');
      }),
    ).rejects.toThrow('stop');
    late.resolve();
    await expect(after).rejects.toMatchObject({ cause: { message: expect.stringContaining('after the end') } });
  });

  it('cannot be nested through the method of the ORM', async () => {
    const { db } = open();
    await db.transaction(async (tx) => {
      const { transaction } = tx as unknown as { transaction: () => unknown };
      expect(transaction).toThrow('inside of another one');
    });
  });

  it('that deadlocks with another one is retried', async () => {
    const { db } = open();
    await app.sql(`insert into rate_limits (key, hits, window_ends) values ('a', 0, now()), ('b', 0, now())`);
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    let runs = 0;
    const cross = (one: string, two: string, mine: PromiseWithResolvers<void>, theirs: PromiseWithResolvers<void>) =>
      db.transaction(async (tx) => {
        runs++;
        await tx.execute(sql`update rate_limits set hits = hits + 1 where key = ${one}`);
        mine.resolve();
        await theirs.promise;
        await tx.execute(sql`update rate_limits set hits = hits + 1 where key = ${two}`);
      });
    await Promise.all([cross('a', 'b', first, second), cross('b', 'a', second, first)]);
    expect(runs).toBe(3);
    expect(await app.sql(`select hits from rate_limits where key in ('a', 'b')`)).toEqual([{ hits: 2 }, { hits: 2 }]);
  });

  it('with a snapshot reads one state; an attempt to write fails, and its connection is not reused', async () => {
    const { db } = open({ max: 1 });
    const before = await pid(db);
    const count = sql`select count(*)::int as n from rate_limits`;
    await db.transaction(
      async (tx) => {
        const { rows } = await tx.execute(count);
        await app.sql(`insert into rate_limits (key, hits, window_ends) values (gen_random_uuid(), 1, now())`);
        expect((await tx.execute(count)).rows).toEqual(rows);
      },
      { snapshot: true },
    );
    expect(await pid(db)).toBe(before);
    await expect(
      db.transaction((tx) => tx.execute(sql`delete from rate_limits`), { snapshot: true }),
    ).rejects.toMatchObject({ cause: { code: '25006' } });
    expect(await pid(db)).not.toBe(before);
  });

  it('of a stalled process is ended by the server, and its next statement fails with the reason', async () => {
    const { db, connected } = open({ limits: { idle: 200 } });
    const ended = db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      await expect.poll(connected).toBe(0);
      await tx.execute(sql`select 2`);
    });
    await expect(ended).rejects.toMatchObject({ cause: { cause: { code: '25P03' } } });
    await expect(db.execute(sql`select 1`)).resolves.toBeDefined();
  });
});

describe('a connection', () => {
  it('that is released with an open transaction is closed', async () => {
    const { pool, db, stuck } = open({ max: 1 });
    const client = await pool.connect();
    await client.query(`begin; insert into rate_limits (key, hits, window_ends) values ('left', 1, now())`);
    const { processID } = client as unknown as { processID: number };
    client.release();
    expect(await pid(db)).not.toBe(processID);
    await expect.poll(stuck).toBe(0);
    expect(await app.sql(`select 1 from rate_limits where key = 'left'`)).toEqual([]);
  });

  it('that did not answer in time is closed at its release', async () => {
    const { pool, db } = open({ max: 1, limits: { answer: 1_000 } });
    const before = await pid(db);
    const client = await pool.connect();
    await expect(client.query('select pg_sleep(600)')).rejects.toThrow('Query read timeout');
    client.release();
    expect(await pid(db)).not.toBe(before);
  });
});

describe('the timeouts', () => {
  const NAMES = {
    statement: 'statement_timeout',
    lock: 'lock_timeout',
    idle: 'idle_in_transaction_session_timeout',
    transaction: 'transaction_timeout',
  } as const;
  const read = async (db: Pick<ReturnType<typeof openDb>, 'execute'>) => {
    const { rows } = await db.execute<Record<keyof typeof NAMES, number | null>>(sql`
      select ${sql.join(
        Object.entries(NAMES).map(
          ([name, setting]) =>
            sql`(select setting::int from pg_settings where name = ${setting}) as ${sql.identifier(name)}`,
        ),
        sql`, `,
      )}`);
    return rows[0];
  };
  const expected = async (work: Work) => {
    const { answer, ...limits } = LIMITS[work];
    const [server] = await app.sql<{ version: number }>(`select current_setting('server_version_num')::int as version`);
    return { ...limits, transaction: (server?.version ?? 0) >= 170_000 ? limits.transaction : null };
  };

  it('are those of a request, or of the given kind of work, and end with the transaction', async () => {
    const { db } = open({ max: 1 });
    expect(await read(db)).toEqual(await expected('request'));
    for (const work of Object.keys(LIMITS) as Work[]) {
      expect(await db.transaction(read, { work })).toEqual(await expected(work));
      expect(await runAs(work, () => db.transaction(read))).toEqual(await expected(work));
      expect(await runAs(work, () => read(db))).toEqual(await expected(work));
      expect(await read(db)).toEqual(await expected('request'));
    }
  });

  it('of a pool for maintenance are those of its work for statements, of requests for transactions', async () => {
    const { db } = open({ work: 'maintenance' });
    expect(await read(db)).toEqual(await expected('maintenance'));
    expect(await db.transaction(read)).toEqual(await expected('request'));
  });

  it('of a longer kind of work replace the shorter ones of the pool', async () => {
    const { db } = open({ limits: { statement: 300, transaction: 300, answer: 600 } });
    await expect(db.execute(sql`select pg_sleep(600)`)).rejects.toThrow();
    await db.transaction((tx) => tx.execute(sql`select pg_sleep(1)`), { work: 'job' });
  });

  it('of the server end before those of the client', () => {
    for (const { statement, answer } of Object.values(LIMITS)) expect(answer).toBeGreaterThan(statement);
    // Waiting for a stalled process must succeed.
    expect(LIMITS.request.lock).toBeGreaterThan(LIMITS.request.idle);
    expect(LIMITS.job.idle).toBe(LIMITS.request.idle);
  });
});
