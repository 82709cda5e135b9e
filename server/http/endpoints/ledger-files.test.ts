import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { failure } from '#server/lib/errors/fail.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { parsePath } from '#verify/layout.ts';
import { createLedgerFiles } from './ledger-files.ts';

const app = await startTestApp({ trustProxy: 1 });

/** The requested files, which shows whether any work was done. */
const requests: string[] = [];
let limited = false;
const files = createLedgerFiles({
  ledger: {
    async open(path) {
      requests.push(path);
      const part = parsePath(path);
      return { bytes: Buffer.alloc(800), type: 'text/plain', seconds: part?.width === 256 ? 31_536_000 : 60 };
    },
  },
  take: async () => {
    requests.push('limit');
    if (limited) throw failure('RATE_LIMITED', { retryAfter: 7 });
  },
  secure: true,
  log: pino({ level: 'silent' }),
});
const server = createServer(
  (req, res) =>
    void files(req, res, (req.url ?? '').slice('/ledger/'.length), '203.0.113.9').then((answered) =>
      answered ? undefined : res.end('page'),
    ),
);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());
const get = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/ledger/${path}`, init);

describe('a file of the ledger', () => {
  it.each([
    'tile/0/0',
    'tile/0/0000',
    'tile/00/000',
    'tile/64/000',
    'tile/-1/000',
    'tile/0/x000/000',
    'tile/0/001/000',
    'tile/0/x1/000',
    'tile/0/000.p/0',
    'tile/0/000.p/01',
    'tile/0/000.p/256',
    'tile/0/000.p/',
    'tile/0/000/',
    'tile/entries/000?',
    'tile/entries/000.p/5?x=1',
    'tile/data/000',
    'Checkpoint',
    'checkpoint/',
    'checkpoint?now',
    '%63heckpoint',
    '/checkpoint',
    'results/round/01',
    'results/round/0',
    'results/day/2026-3-1',
    'key.txt',
  ])('has one canonical path: %s is 404, and nothing is read', async (path) => {
    requests.length = 0;
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(requests).toEqual([]);
  });

  it.each([
    ['tile/0/000', 'public, max-age=31536000, immutable'],
    ['tile/1/x001/x234/067', 'public, max-age=31536000, immutable'],
    ['tile/entries/999.p/255', 'public, max-age=60'],
    ['checkpoint', 'public, max-age=60'],
  ])('at %s has the cache policy %s', async (path, cacheControl) => {
    requests.length = 0;
    const answer = await get(path, { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe(cacheControl);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(0);
    expect(await answer.text()).toBe('');
    expect(requests).toEqual(['limit', path]);
  });

  it('is not sent again to a client that has it', async () => {
    const first = await get('tile/entries/999.p/255', { headers: { 'accept-encoding': 'gzip' } });
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    const again = await get('tile/entries/999.p/255', { headers: { 'if-none-match': `"another", ${etag}` } });
    expect(again.status).toBe(304);
    expect(again.headers.get('cache-control')).toBe('public, max-age=60');
    expect(await again.text()).toBe('');
    expect((await get('checkpoint', { headers: { 'if-none-match': '"another"' } })).status).toBe(200);
  });

  it('is refused beyond the rate limit, before anything is read', async () => {
    limited = true;
    requests.length = 0;
    const answer = await get('tile/0/000');
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('7');
    expect(requests).toEqual(['limit']);
    limited = false;
  });
});

describe('a path below /ledger that no file can have', () => {
  const browser = { headers: { accept: 'text/html,*/*;q=0.8' } };

  it('is handled as a page for browsers, and a plain 404 for programs', async () => {
    expect(await (await get('no-such-file', browser)).text()).toBe('page');
    const answer = await get('no-such-file');
    expect([answer.status, await answer.text()]).toEqual([404, 'Not found']);
    // A path of a possible file stays a file for every client.
    expect((await get('checkpoint', browser)).headers.get('content-type')).toMatch(/^text\/plain/);
  });

  it('is rendered like any other page', async () => {
    for (const path of ['/ledger/no-such-file', '/ledger/tile/x'])
      expect((await app.http(path, browser)).headers.get('content-type')).toMatch(/^text\/html/);
  });
});

describe('the rate limits of files', () => {
  it('count an address and its networks', async () => {
    await app.services.ledger.run();
    const from = async (address: string) =>
      (await app.http('/ledger/checkpoint', { headers: { 'x-forwarded-for': address } })).status;
    expect(await from('2001:db8:1:2::1')).toBe(200);
    const keys = await app.sql<{ key: string; hits: number }>(
      "select key, hits from rate_limits where key like 'ledger-file:%' order by length(key), key",
    );
    expect(keys.map(({ key }) => key).sort()).toEqual(
      ['ledger-file:2001:db8:1:2::/64', 'ledger-file:2001:db8:1:0::/56', 'ledger-file:2001:db8:1::/48'].sort(),
    );
    await app.sql("update rate_limits set hits = 24000 where key = 'ledger-file:2001:db8:1::/48'");
    // Another /64 of the same /48.
    expect(await from('2001:db8:1:9999::1')).toBe(429);
    expect(await from('2001:db8:2:9999::1')).toBe(200);
  });
});
