import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openPool } from '#server/db/client.ts';
import { signStop } from '#server/domains/notifications/unsubscribe-tokens.service.ts';
import { type Person, startTestApp } from '#tests/support/app/test-app.ts';
import { createTestDatabase } from '#tests/support/database/database.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#tests/support/database/tcp-proxy.ts';

const LONG = 240_000;
const MISSING = '11111111-1111-4111-8111-111111111111';
let proxy: DatabaseProxy;

/** The database behind a proxy, so that it can be made unreachable. */
async function openDatabase() {
  const direct = await createTestDatabase();
  proxy = await startDatabaseProxy(direct.config);
  const pool = openPool({ ...proxy.config, max: 5 });
  return {
    pool,
    config: proxy.config,
    app: proxy.config,
    signer: proxy.config,
    drop: async () => {
      await pool.end();
      await proxy.stop();
      await direct.drop();
    },
  };
}

const app = await startTestApp({ database: await openDatabase(), cachePages: false });

type Ask = (person: Person) => Promise<Response>;

/** One request for each way to write. */
const WRITES: Record<string, Ask> = {
  'a call of the API': ({ cookie }) =>
    app.post('/api/forum/posts', { title: 'Un título', content: 'Un texto' }, { headers: { cookie } }),
  'a vote': ({ cookie }) => app.post('/rpc/voting/cast', { json: { candidateId: MISSING } }, { headers: { cookie } }),
  'a sign-in': () => app.post('/api/auth/sign-in', { email: 'nobody@florka.test', password: 'something' }),
  'the end of mails': ({ id }) =>
    app.http(`/unsubscribe?token=${signStop(app.secret, [id, 'project', MISSING])}`, {
      method: 'POST',
    }),
  'a search in a page': () => app.http('/forum?q=algo'),
  'a search of everything': () => app.http('/api/search?q=algo'),
  'a page of what was found': () => app.http('/search?q=algo'),
  'the start of a passkey sign-in': () => app.post('/rpc/account/passkeys/startSignIn', { json: {} }),
  'a choice of notifications': ({ cookie }) =>
    app.post(
      '/rpc/notifications/setKind',
      { json: { kind: 'replies', inApp: true, mail: 'off', push: true } },
      { headers: { cookie } },
    ),
};
/** One request for each way to read. */
const READS: Record<string, Ask> = {
  'a call of the API': () => app.http('/api/networks'),
  'a list as a file': ({ cookie }) => app.http('/api/admin/projects.csv', { headers: { cookie } }),
  'a feed': () => app.http('/news/feed.xml'),
  'a calendar': () => app.http('/next/calendar.ics'),
  'the site map': () => app.http('/sitemap.xml'),
  'a card': () => app.http('/og/es/token/algo.png'),
  'the checkpoint of the ledger': () => app.http('/ledger/checkpoint'),
  'a result in the ledger': () => app.http('/ledger/results/round/1'),
  'a part of the ledger': () => app.http('/ledger/tile/0/000.p/1'),
  notifications: ({ cookie }) => app.http('/api/notifications', { headers: { cookie } }),
};

async function expectUnavailable(response: Promise<Response>, what: string) {
  const answer = await response;
  expect([what, answer.status]).toEqual([what, 503]);
  expect([what, Number(answer.headers.get('retry-after'))]).toEqual([what, expect.any(Number)]);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}
const ready = async () => (await app.http('/readyz')).text();

describe('an unreachable database', () => {
  it('gives 503 with Retry-After to every request, and 200 once it is back', { timeout: LONG }, async () => {
    const admin = await app.member({ role: 'admin' });
    expect(await ready()).toBe('ready');
    proxy.refuse(true);
    try {
      for (const [what, ask] of [...Object.entries(READS), ...Object.entries(WRITES)])
        await expectUnavailable(ask(admin), what);
      await expect.poll(ready).toBe('not ready: database, live connection');
    } finally {
      proxy.refuse(false);
    }
    await expect.poll(ready).toBe('ready');
    // One cause is logged once, without an error for each affected request.
    expect(app.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    for (const [what, ask] of Object.entries(READS)) expect([what, (await ask(admin)).status]).not.toEqual([what, 503]);
  });

  it('gives 503 with Retry-After to a page whose data cannot be read', async () => {
    const { render } = app.page;
    app.page.render = async () => new Response('<!doctype html><title>503</title>', { status: 503 });
    for (const target of ['/', '/token/algo', '/admin', '/saved.data', '/en/vote'])
      await expectUnavailable(app.http(target), target);
    app.page.render = render;
  });
});

describe('a database that is read-only', () => {
  it('serves reads, refuses writes with 503, and is not ready', { timeout: LONG }, async () => {
    const member = await app.member();
    const [{ name } = { name: '' }] = await app.sql<{ name: string }>('select current_database() as name');
    await app.sql(`alter database ${name} set default_transaction_read_only = on`);
    try {
      proxy.cut();
      await expect.poll(ready).toBe('not ready: read-only');
      for (const [what, ask] of Object.entries(WRITES)) await expectUnavailable(ask(member), what);
      expect((await app.http('/api/networks')).status).toBe(200);
    } finally {
      const operator = new pg.Client({ ...app.config, options: '-c default_transaction_read_only=off' });
      await operator.connect();
      await operator.query(`alter database ${name} reset default_transaction_read_only`);
      await operator.end();
    }
    expect(await ready()).toMatch(/^ready$|live connection/);
    // It recovers without a restart: a connection that became read-only is not reused.
    await expect.poll(() => WRITES['a call of the API']?.(member).then(({ status }) => status)).toBe(200);
    await expect.poll(ready).toBe('ready');
  });
});

describe('a failing database', () => {
  const CODES = ['53100', '53200', '55P03', '57014', '57P01', '57P03', '58030', '25P03', '25P04', '40001', '40P01'];

  it.each(CODES)('with error %s gives 503 and no other error', { timeout: LONG }, async (code) => {
    const member = await app.member();
    await app.sql(`create or replace function trouble() returns trigger language plpgsql as
      $$ begin raise exception 'trouble' using errcode = '${code}'; end $$`);
    await app.sql('create trigger trouble before insert or update on rate_limits execute function trouble()');
    try {
      for (const what of ['a call of the API', 'a sign-in', 'a search in a page'])
        await expectUnavailable(WRITES[what]?.(member) ?? Promise.reject(), what);
    } finally {
      await app.sql('drop trigger trouble on rate_limits');
    }
  });

  it('with a full disk is not ready until there is space again', { timeout: LONG }, async () => {
    const member = await app.member();
    await app.sql(`create or replace function trouble() returns trigger language plpgsql as
      $$ begin raise exception 'no room' using errcode = '53100'; end $$`);
    await app.sql('create trigger trouble before insert or update on rate_limits execute function trouble()');
    await app.sql('create trigger no_room before insert on disk_probe execute function trouble()');
    await expectUnavailable(WRITES['a call of the API']?.(member) ?? Promise.reject(), 'a post');
    expect(await ready()).toBe('not ready: disk');
    expect(await ready()).toBe('not ready: disk');
    await app.sql('drop trigger no_room on disk_probe');
    await app.sql('drop trigger trouble on rate_limits');
    expect(await ready()).toBe('ready');
  });

  it('with blocked statements is not ready, and is ready as soon as they complete', {
    timeout: LONG,
  }, async () => {
    const holder = await app.sqlClient();
    await holder.query('begin; lock table blockchain_networks in access exclusive mode');
    const others = await Promise.all(Array.from({ length: 5 }, () => app.sqlClient()));
    const waiting = others.map((client) => client.query('select 1 from blockchain_networks limit 1'));
    await expect.poll(ready).toBe('not ready: lock waits');
    await holder.query('rollback');
    await Promise.all(waiting);
    expect(await ready()).toBe('ready');
    for (const client of [holder, ...others]) await client.end();
  });

  it('whose jobs do not progress is not ready, unless the installation is paused', { timeout: LONG }, async () => {
    await app.services.jobs.start();
    await app.sql(
      `insert into jobs.job (name, data, start_after) values ('housekeeping', '{}', now() - interval '1 hour')`,
    );
    expect(await ready()).toBe('not ready: job age');
    await app.sql(`insert into settings (key, value, updated_at) values
      ('paused', '{"reason": "operator", "since": "2026-03-01T00:00:00.000Z"}', now())`);
    expect(await ready()).toBe('ready');
    await app.sql(`delete from settings where key = 'paused'`);
    await app.sql('delete from jobs.job');
    expect(await ready()).toBe('ready');
  });
});
