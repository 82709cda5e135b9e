import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { LAST_BACKUP } from '#server/lib/process/last-backup.ts';
import { MAX_STREAMS } from '#server/live/stream-limit.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { createDatabaseFigures } from './database-figures.ts';
import { summaryOf } from './query-spans.ts';
import { startTelemetry } from './telemetry.ts';

const log = pino({ level: 'silent' });
const TOKEN = 'a-token-for-the-scraper-of-thirty-two';
const OFF = {
  METRICS_PORT: undefined,
  METRICS_HOST: '127.0.0.1',
  METRICS_TOKEN: undefined,
  OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
};

/** A collector that stores the received spans. */
async function startCollector() {
  const spans: { name: string; parent: string; id: string; trace: string; text: string }[] = [];
  const keys: unknown[] = [];
  const server = http.createServer(async (req, res) => {
    keys.push(req.headers['x-key']);
    const body = JSON.parse(Buffer.concat(await req.toArray()).toString());
    for (const resource of body.resourceSpans ?? [])
      for (const scope of resource.scopeSpans ?? [])
        for (const span of scope.spans ?? [])
          spans.push({
            name: span.name,
            parent: span.parentSpanId ?? '',
            id: span.spanId,
            trace: span.traceId,
            text: JSON.stringify(span),
          });
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => server.closeAllConnections());
  afterAll(() => server.close());
  return { spans, keys, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const own = await startTelemetry({ ...OFF, METRICS_PORT: 0 }, '9.9.9', log);
const app = await startTestApp({ telemetry: own });
afterAll(() => own.close());
const scrape = async () => (await fetch(`http://127.0.0.1:${own.port}/metrics`)).text();
/** The lines of one metric. */
const linesOf = (text: string, name: string) =>
  text.split('\n').filter((line) => new RegExp(`^${name}[ {]`).test(line));

describe('metrics', () => {
  it('label requests by their route, never by their path', async () => {
    for (const target of ['/', '/', '/token/secret-slug', '/nobody-knows-this?q=private', '/rpc/voting/none'])
      await (await fetch(app.origin + target)).text();
    await expect
      .poll(async () => linesOf(await scrape(), 'florka_http_request_duration_seconds_count').join('\n'))
      .toContain('route="/rpc/*"');
    const text = await scrape();
    const counted = linesOf(text, 'florka_http_request_duration_seconds_count');
    expect(counted).toContain('florka_http_request_duration_seconds_count{route="/",method="GET",status="2xx"} 2');
    expect(counted).toContain(
      'florka_http_request_duration_seconds_count{route="/token/{slug}",method="GET",status="2xx"} 1',
    );
    expect(counted.join('\n')).toContain('route="unmatched"');
    expect(text).not.toMatch(/secret-slug|nobody-knows|private/);
  });

  it('have one label for all unknown methods', async () => {
    const { port } = new URL(app.origin);
    const socket = net.connect(Number(port), '127.0.0.1');
    socket.end('PROPFIND / HTTP/1.1\r\nHost: florka.test\r\nConnection: close\r\n\r\n');
    await once(socket.resume(), 'close');
    await expect.poll(scrape).toContain('method="other"');
    expect(await scrape()).not.toContain('PROPFIND');
  });

  it('include the pool, the page cache, the process and the database', async () => {
    await app.sql("insert into mails (to_address, locale, template, status) values ('a@b.test', 'es', 'x', 'failed')");
    writeFileSync(path.join(app.uploadsDir, LAST_BACKUP), `${new Date(Date.now() - 3_600_000).toISOString()}\n`);
    let text = '';
    const look = async () => {
      text = await scrape();
      return text;
    };
    // On a slow machine the first scrapes may lack the database's values.
    await expect.poll(look).toContain('florka_mails{state="failed"} 1');
    for (const name of [
      'florka_build_info',
      'florka_database_lock_waits',
      'florka_database_up',
      'florka_event_loop_delay_seconds',
      'florka_last_backup_age_seconds',
      'florka_live_streams',
      'florka_live_streams_max',
      'florka_page_cache_entries',
      'florka_page_cache_hits_total',
      'florka_page_cache_misses_total',
      'florka_payments_overdue',
      'florka_payments_waiting',
      'florka_pool_connections',
      'florka_pool_idle',
      'florka_pool_waiting',
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
    ])
      expect(linesOf(text, name), name).not.toEqual([]);
    expect(linesOf(text, 'florka_database_up')).toEqual(['florka_database_up 1']);
    const [age = ''] = linesOf(text, 'florka_last_backup_age_seconds');
    expect(Number(age.split(' ')[1])).toBeGreaterThanOrEqual(3_600);
  });

  it('count jobs and their outcomes', async () => {
    await own.job('send-mail', async () => {});
    await expect(own.job('send-mail', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const counted = linesOf(await scrape(), 'florka_job_duration_seconds_count');
    expect(counted).toContain('florka_job_duration_seconds_count{job_name="send-mail",outcome="done"} 1');
    expect(counted).toContain('florka_job_duration_seconds_count{job_name="send-mail",outcome="failed"} 1');
  });

  it('are all that a separate port serves, and then absent from the site', async () => {
    expect((await fetch(`http://127.0.0.1:${own.port}/`)).status).toBe(404);
    expect(await (await fetch(`${app.origin}/metrics`)).text()).not.toContain('florka_');
  });
});

describe('the alert about live streams', () => {
  it('fires at nine tenths of the number that the process accepts', async () => {
    const rules = readFileSync('ops/monitoring/florka.rules.yml', 'utf8');
    const [, expr = ''] = /alert: FlorkaStreamsFull\n\s+expr: (.+)/.exec(rules) ?? [];
    const [, name = '', max = '', share] = /^(\w+) \/ (\w+) > ([\d.]+)$/.exec(expr) ?? [];
    expect(share).toBe('0.9');
    const text = await scrape();
    expect(linesOf(text, name)).toEqual([`${name} 0`]);
    expect(linesOf(text, max)).toEqual([`${max} ${MAX_STREAMS}`]);
  });
});

describe('a database behind a pooler', () => {
  it('is read over the direct connection, as a pooler refuses the timeouts of a session', async () => {
    const closed = { host: '127.0.0.1', port: 1, direct: app.config };
    const figures = await createDatabaseFigures(closed, { cacheMs: 0, timeoutMs: 60_000 })();
    expect(figures?.get('florka_database_sessions')).toHaveLength(1);
  });
});

describe('the values of the database', () => {
  it('are absent when it is unreachable, and the scrape succeeds', async () => {
    // Accepts connections and never answers, like a stalled server.
    const silentServer = net.createServer((socket) => socket.on('error', () => {}));
    silentServer.listen(0, '127.0.0.1');
    await once(silentServer, 'listening');
    const { port } = silentServer.address() as AddressInfo;
    const telemetry = await startTelemetry({ ...OFF, METRICS_PORT: 0 }, '1', log);
    telemetry.measure({
      pool: { totalCount: 3, idleCount: 1, waitingCount: 7 },
      config: { host: '127.0.0.1', port, user: 'nobody', database: 'nothing' },
      streams: { size: 0, max: 1 },
      pages: { size: 0, hits: 0, misses: 0 },
      dataDir: app.uploadsDir,
    });
    const answer = await fetch(`http://127.0.0.1:${telemetry.port}/metrics`);
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(linesOf(text, 'florka_database_up')).toEqual(['florka_database_up 0']);
    expect(linesOf(text, 'florka_pool_waiting')).toEqual(['florka_pool_waiting 7']);
    for (const name of ['florka_jobs', 'florka_mails', 'florka_database_lock_waits', 'florka_payments_waiting'])
      expect(linesOf(text, name), name).toEqual([]);
    await telemetry.close();
    silentServer.close();
  });

  it('are read once for concurrent scrapes, and again after the cache time', async () => {
    const read = createDatabaseFigures(app.config, { cacheMs: 0, timeoutMs: 60_000 });
    const shared = createDatabaseFigures(app.config, { cacheMs: 60_000, timeoutMs: 60_000 });
    const [first, second] = await Promise.all([shared(), shared()]);
    expect(first).not.toBeNull();
    expect(second).toBe(first);
    expect(await read()).not.toBe(await read());
  });
});

describe('a token', () => {
  it('is required for /metrics on the port of the site', async () => {
    const telemetry = await startTelemetry({ ...OFF, METRICS_TOKEN: TOKEN }, '1', log);
    const guarded = await startTestApp({ telemetry });
    const ask = (authorization?: string, method = 'GET') =>
      guarded.http('/metrics', { method, headers: authorization === undefined ? {} : { authorization } });
    expect(telemetry.port).toBeUndefined();
    for (const wrong of [undefined, '', TOKEN, `Bearer ${TOKEN} `.replace('-', '_'), `Basic ${TOKEN}`]) {
      const refused = await ask(wrong);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await refused.text()).not.toContain('florka_');
    }
    const answer = await ask(`Bearer ${TOKEN}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(await answer.text()).toContain('florka_build_info');
    expect((await ask(`Bearer ${TOKEN}`, 'POST')).status).toBe(405);
    await telemetry.close();
  });

  it('is required on a separate port as well', async () => {
    const telemetry = await startTelemetry({ ...OFF, METRICS_PORT: 0, METRICS_TOKEN: TOKEN }, '1', log);
    const address = `http://127.0.0.1:${telemetry.port}/metrics`;
    expect((await fetch(address)).status).toBe(401);
    expect((await fetch(address, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200);
    await telemetry.close();
  });

  it('without token and port there are no metrics', async () => {
    const telemetry = await startTelemetry(OFF, '1', log);
    const plain = await startTestApp({ telemetry });
    expect(await (await plain.http('/metrics')).text()).not.toContain('florka_');
    await telemetry.close();
  });
});

describe('traces', () => {
  it('a request, its transaction and its statements are one trace, without anything private', async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-key=of-the-collector');
    const collector = await startCollector();
    const telemetry = await startTelemetry({ ...OFF, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, '1', log);
    const traced = await startTestApp({ telemetry });
    const member = await traced.member();
    const answer = await traced.post(
      '/rpc/forum/create?secret=query',
      { json: { title: 'A secret title', content: 'A secret sentence' } },
      { headers: { cookie: member.cookie } },
    );
    expect(answer.status, await answer.clone().text()).toBe(200);
    const { pool } = traced.services;
    await telemetry.job('send-mail', async () => void (await pool.query("select 'mail-secret' as x from mails")));
    await telemetry.close();
    vi.unstubAllEnvs();
    expect(collector.keys).toContain('of-the-collector');
    const request = collector.spans.find(({ name }) => name === 'POST /rpc/forum/create');
    expect(request?.parent).toBe('');
    const inTrace = collector.spans.filter(({ trace }) => trace === request?.trace);
    const transaction = inTrace.find(({ name }) => name === 'transaction');
    expect(transaction?.parent).toBe(request?.id);
    const inside = inTrace.filter(({ parent }) => parent === transaction?.id).map(({ name }) => name);
    expect(inside).toContain('insert forum_posts');
    expect(inside.at(0)).toBe('begin');
    expect(inside.at(-1)).toBe('commit');
    const job = collector.spans.find(({ name }) => name === 'job send-mail');
    expect(collector.spans.find(({ parent }) => parent === job?.id)?.name).toBe('select mails');
    const all = collector.spans.map(({ text }) => text).join('\n');
    expect(all).not.toMatch(/secret|127\.0\.0\.1/);
    expect(all).not.toContain(member.username);
  });

  it('a failed statement is recorded with its code, not its text', async () => {
    const collector = await startCollector();
    const telemetry = await startTelemetry({ ...OFF, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, '1', log);
    const traced = await startTestApp({ telemetry });
    await expect(
      telemetry.job(
        'housekeeping',
        async () => void (await traced.services.pool.query('select private_name from no_such_table')),
      ),
    ).rejects.toThrow();
    await telemetry.close();
    const failed = collector.spans.find(({ name }) => name === 'select no_such_table');
    expect(failed?.text).toContain('42P01');
    expect(collector.spans.map(({ text }) => text).join('\n')).not.toContain('private');
  });

  it('an unreachable collector loses its spans and affects nothing else', async () => {
    const telemetry = await startTelemetry({ ...OFF, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, '1', log);
    const traced = await startTestApp({ telemetry });
    expect((await traced.http('/')).status).toBe(200);
    await telemetry.close();
  });

  it.each([
    ['select * from "users" where id = $1', 'select users'],
    ['insert into "jobs"."job" (name) values ($1)', 'insert job'],
    ['  -- why\n update forum_posts set x = 1', 'update forum_posts'],
    ["select 'private'", 'select'],
    ['begin isolation level repeatable read', 'begin'],
    ['', 'query'],
  ])('%j is summarized as %s', (text, summary) => {
    expect(summaryOf(text)).toBe(summary);
  });
});
