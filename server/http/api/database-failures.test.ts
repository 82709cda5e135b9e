import { once } from 'node:events';
import net from 'node:net';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openPool } from '#server/db/client.ts';
import { readMigrations } from '#server/db/migrate.ts';
import { createReadiness } from '#server/http/readiness.ts';
import { openServices } from '#server/services.ts';
import { app } from '#tests/fixtures/http.ts';
import { memoryStorage } from '#tests/support/services/memory-storage.ts';
import { createApi } from './api.ts';

describe('the health checks', () => {
  it('are public at /healthz and /readyz, without details of the database', async () => {
    expect(await (await app.http('/healthz')).text()).toBe('ok');
    expect(await (await app.http('/readyz')).text()).toBe('ready');
  });

  it('report not ready while no changes are received', async () => {
    const other = await startOn(app.config);
    const { hub } = other.services;
    const migrations = readMigrations('server/db/migrations');
    const readiness = createReadiness({ services: other.services, migrations, isStopping: () => false });
    expect(await readiness()).toEqual(['live connection']);
    await hub.start();
    expect(await readiness()).toEqual([]);
    await hub.stop();
    await expect.poll(readiness).toEqual(['live connection']);
    await other.close();
  });

  it.each([
    [
      'without the table of migrations',
      'alter table schema_migrations rename to away',
      'alter table away rename to schema_migrations',
    ],
    [
      'without the last migration',
      `update schema_migrations set name = name || '-away' where name = (select max(name) from schema_migrations)`,
      `update schema_migrations set name = replace(name, '-away', '')`,
    ],
  ])('report not ready with a schema %s', async (_what, change, undo) => {
    const ready = async () => {
      const response = await app.http('/readyz');
      return [response.status, response.headers.get('retry-after'), await response.text()];
    };
    await app.sql(change);
    try {
      expect(await ready()).toEqual([503, '5', 'not ready: migrations']);
    } finally {
      await app.sql(undo);
    }
    expect(await ready()).toEqual([200, null, 'ready']);
  });
});

/** A separate API with its own connection to the database. */
async function startOn(config: Parameters<typeof openPool>[0]) {
  const pool = openPool(config);
  const log = pino({ level: 'silent' });
  const services = openServices({ ...serviceOptions(), pool, config, log });
  const api = createApi({
    makeContext: (request, resHeaders) => services.contextOf(request.headers, resHeaders),
    publicUrl: 'http://florka.test',
    log,
    version: '0',
  });
  return { services, pool, api, close: () => pool.end() };
}
const serviceOptions = () =>
  ({
    publicUrl: 'http://florka.test',
    secret: 'x'.repeat(40),
    mail: app.services.mail,
    storage: memoryStorage(),
  }) as unknown as Parameters<typeof openServices>[0];

describe('a failing database', () => {
  const networks = (api: { fetch: (request: Request) => Response | Promise<Response> }) =>
    api.fetch(new Request('http://florka.test/api/networks'));

  async function expectBusy(response: Response) {
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toMatchObject({ code: 'BUSY', data: { retryAfter: 5 } });
  }

  it('gives 503 when it refuses connections', async () => {
    const { api, close } = await startOn({ host: '127.0.0.1', port: 1, connectionTimeoutMillis: 500 });
    await expectBusy(await networks(api));
    await close();
  });

  it('gives 503 when it accepts connections and never answers', async () => {
    const silent = net.createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as net.AddressInfo;
    const { api, close } = await startOn({ host: '127.0.0.1', port, connectionTimeoutMillis: 200 });
    await expectBusy(await networks(api));
    await close();
    silent.close();
  });

  it('gives 503 when a statement gets no answer, and 200 afterwards', async () => {
    // Long enough for an answer on a busy machine.
    const { api, close } = await startOn({ ...app.config, query_timeout: 2_000 });
    expect((await networks(api)).status).toBe(200);
    const holder = openPool(app.config);
    const client = await holder.connect();
    await client.query('begin; lock table blockchain_networks in access exclusive mode');
    await expectBusy(await networks(api));
    await client.query('rollback');
    client.release();
    await holder.end();
    await expect.poll(async () => (await networks(api)).status).toBe(200);
    await close();
  });

  it('gives 503 at worst when its connections are cut, and 200 afterwards', async () => {
    const { api, close } = await startOn({ ...app.config, application_name: 'florka cut' });
    expect((await networks(api)).status).toBe(200);
    await app.sql(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'florka cut'`);
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await networks(api)).status);
    for (const status of statuses) expect([200, 503]).toContain(status);
    expect(statuses.at(-1)).toBe(200);
    await close();
  });

  it('gives 500 without the cause for unexpected errors, and logs the cause', async () => {
    await app.sql('alter table blockchain_networks rename to away');
    try {
      for (const target of ['/api/networks', '/rpc/networks/list']) {
        const response = await app.http(target, target.startsWith('/rpc') ? { method: 'POST' } : {});
        expect(response.status).toBe(500);
        expect(await response.text()).not.toMatch(/blockchain|relation|select|node_modules| at /);
      }
    } finally {
      await app.sql('alter table away rename to blockchain_networks');
    }
    expect(JSON.stringify(app.logged)).toContain('blockchain_networks');
  });

  it('is logged without user input', async () => {
    const person = await app.member();
    const headers = { cookie: person.cookie };
    const words = { title: 'Secret-Title', content: 'Secret-Words of ana@florka.test' };
    await app.sql('alter table forum_posts rename to away');
    try {
      expect((await app.post('/api/forum/posts', words, { headers })).status).toBe(500);
    } finally {
      await app.sql('alter table away rename to forum_posts');
    }
    const line = app.logged.findLast(({ msg }) => msg === 'unexpected failure');
    expect(line).toMatchObject({
      err: { message: expect.stringMatching(/from "?forum_posts/), cause: { code: '42P01' } },
    });
    expect(JSON.stringify(app.logged)).not.toMatch(/Secret-|ana@florka|params/);
  });
});
