import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openDb, openPool } from '#server/db/client.ts';
import { describeError } from '#server/lib/errors/describe-error.ts';
import { createTestDatabase } from '#tests/support/database/database.ts';
import type { JobProcess } from '#tests/support/processes/job-process.ts';
import type { JobInput } from './catalog.ts';
import { type JobAttempt, JobQueue } from './queue.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** A lease is 30 seconds, checked every 10; the rest is for slow machines. */
const PATIENT = { timeout: 200_000, interval: 100 };

const database = await createTestDatabase();
const db = openDb(database.pool);
afterAll(() => database.drop());
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  await database.pool.query('delete from jobs.job');
});

function open(pool: pg.Pool = database.pool, onError: (error: Error) => void = () => {}): JobQueue {
  const queue = new JobQueue(pool, onError);
  closers.push(() => queue.stop());
  return queue;
}
const put = (queue: JobQueue, eventId: number) =>
  db.transaction((tx) => queue.enqueue(tx, 'fetch-payment', { eventId }));
const states = async () => {
  const { rows } = await database.pool.query<{ event: number; state: string; attempts: number }>(
    `select (data ->> 'eventId')::int as event, state::text, retry_count as attempts from jobs.job
     where name = 'fetch-payment' order by 1`,
  );
  return rows;
};

it('a job is queued over the connection of its transaction only, also the first job of a process', async () => {
  const one = openPool({ ...database.config, max: 1 });
  closers.push(() => one.end());
  const queue = open(one);
  await queue.start();
  for (const name of ['decide-votes', 'close-round'] as const)
    await openDb(one).transaction((tx) => queue.enqueue(tx, name, {}));
});

it('a start that failed while the database was unreachable is retried with the next job', async () => {
  const pool = openPool({ ...database.config, max: 2 });
  closers.push(() => pool.end());
  const { options } = pool;
  // Nothing listens there.
  Object.assign(pool, { options: { host: '127.0.0.1', port: 1 } });
  const queue = open(pool);
  await expect(put(queue, 1)).rejects.toThrow();
  Object.assign(pool, { options });
  await put(queue, 2);
  expect((await states()).map(({ event }) => event)).toEqual([2]);
});

describe('several queued jobs', () => {
  it('have separate outcomes: a failed one does not affect the others', async () => {
    const queue = open();
    for (const event of [1, 2, 3, 4, 5]) await put(queue, event);
    const ran: number[] = [];
    await queue.work('fetch-payment', async ({ eventId }: JobInput<'fetch-payment'>) => {
      ran.push(eventId);
      if (eventId === 2) throw new Error('this one');
    });
    await expect
      .poll(states, PATIENT)
      .toEqual([1, 2, 3, 4, 5].map((event) => ({ event, state: event === 2 ? 'retry' : 'completed', attempts: 0 })));
    expect(ran.toSorted()).toEqual([1, 2, 3, 4, 5]);
  }, 600_000);

  it('run after later ones when they are queued with low priority', async () => {
    const queue = open();
    const putMail = (mailId: string, behind: boolean) =>
      db.transaction((tx) => queue.enqueue(tx, 'send-mail', { mailId }, { behind }));
    for (let n = 0; n < 8; n++) await putMail(crypto.randomUUID(), true);
    const urgent = crypto.randomUUID();
    await putMail(urgent, false);
    const ran: string[] = [];
    await queue.work('send-mail', async ({ mailId }) => void ran.push(mailId));
    await expect.poll(() => ran.length, PATIENT).toBe(9);
    // Several run at once.
    expect(ran.indexOf(urgent)).toBeLessThan(3);
  }, 600_000);

  it('are all completed, and remain until housekeeping deletes them', async () => {
    const queue = open();
    for (let event = 1; event <= 40; event++) await put(queue, event);
    let done = 0;
    await queue.work('fetch-payment', async () => void done++);
    await expect.poll(() => done, PATIENT).toBe(40);
    const { rows } = await database.pool.query('select distinct deletion_seconds, heartbeat_seconds from jobs.job');
    expect(rows).toEqual([{ deletion_seconds: 0, heartbeat_seconds: 60 }]);
  }, 600_000);
});

/** The library in a process of an earlier version, which knows other names. */
async function openEarlier(): Promise<PgBoss> {
  await open().start();
  const earlier = new PgBoss({
    schema: 'jobs',
    db: { executeSql: (text, values) => database.pool.query(text, values as unknown[]) },
    supervise: false,
    schedule: false,
  });
  await earlier.start();
  closers.push(() => earlier.stop({ graceful: false, close: false }));
  return earlier;
}

it('the queue runs jobs that an earlier version queues under a former name, before and after the start', async () => {
  const earlier = await openEarlier();
  await earlier.createQueue('follow-payment');
  await earlier.send('follow-payment', { eventId: 1 });
  const ran: number[] = [];
  await open().work('fetch-payment', async ({ eventId }) => void ran.push(eventId));
  await expect.poll(() => ran, PATIENT).toEqual([1]);
  await earlier.send('follow-payment', { eventId: 2 });
  await expect.poll(() => ran, PATIENT).toEqual([1, 2]);
}, 600_000);

it('the queue deletes the schedule, the queued and the failed jobs of a retired name at its start', async () => {
  const earlier = await openEarlier();
  await earlier.createQueue('tell-created');
  await earlier.schedule('tell-created', '* * * * *');
  await database.pool.query(`insert into jobs.job (name, state) values
    ('tell-created', 'created'), ('tell-created', 'retry'), ('tell-created', 'active'), ('tell-created', 'failed'),
    ('fetch-payment', 'failed')`);
  await open().start();
  expect((await database.pool.query('select name, state::text from jobs.job order by name')).rows).toEqual([
    { name: 'fetch-payment', state: 'failed' },
    { name: 'tell-created', state: 'active' },
  ]);
  const schedules = await database.pool.query("select name from jobs.schedule where name = 'tell-created'");
  expect(schedules.rows).toEqual([]);
});

describe('a process that is killed', () => {
  it('loses its job to another one as soon as its lease ends; running processes keep theirs', async () => {
    const queue = open();
    await put(queue, 1);
    const child = spawn(process.execPath, ['tests/support/processes/job-process.ts'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, JOB_PROCESS: JSON.stringify({ config: database.config } satisfies JobProcess) },
    });
    closers.push(() => end(child));
    await once(child.stdout, 'data');

    let finish = () => {};
    const long = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const mails: JobAttempt[] = [];
    await queue.work('send-mail', (_, about) => {
      mails.push(about);
      return long;
    });
    await db.transaction((tx) => queue.enqueue(tx, 'send-mail', { mailId: crypto.randomUUID() }));
    await expect.poll(() => mails.length, PATIENT).toBe(1);
    await end(child);
    const events: JobAttempt[] = [];
    await queue.work('fetch-payment', async (_, about) => void events.push(about));
    expect(await states()).toEqual([{ event: 1, state: 'active', attempts: 0 }]);

    await expect.poll(states, PATIENT).toEqual([{ event: 1, state: 'completed', attempts: 1 }]);
    expect(events).toMatchObject([{ attempt: 2 }]);
    // The mail has been running for longer than a lease, and no other attempt was started.
    expect(mails).toHaveLength(1);
    finish();
    await expect
      .poll(
        async () =>
          (await database.pool.query(`select state::text, retry_count from jobs.job where name = 'send-mail'`)).rows,
        PATIENT,
      )
      .toEqual([{ state: 'completed', retry_count: 0 }]);
  }, 600_000);
});

describe('the queue without its database', () => {
  it('reports an error once, with its cause', async () => {
    let polls = 0;
    let away = false;
    const pool = new Proxy(database.pool, {
      get(target, name) {
        if (name !== 'query') return Reflect.get(target, name, target);
        return (...query: [string]) => {
          if (!away) return target.query(...query);
          polls++;
          return Promise.reject(new Error('the database is away'));
        };
      },
    });
    const complaints: Error[] = [];
    const queue = open(pool, (error) => complaints.push(error));
    await queue.work('fetch-payment', async () => {});
    away = true;
    await expect.poll(() => polls, PATIENT).toBeGreaterThan(4);
    away = false;
    expect(complaints.map((error) => describeError(error).message)).toEqual(['the database is away']);
  }, 600_000);
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
