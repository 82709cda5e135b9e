import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { publicRead } from './public-reads.ts';

const app = await startTestApp();
afterEach(() => void vi.restoreAllMocks());
const ID = '11111111-1111-4111-8111-111111111111';

const keyOf = (target: string) => {
  const mark = target.indexOf('?');
  return publicRead(mark < 0 ? target : target.slice(0, mark), mark < 0 ? '' : target.slice(mark))?.key ?? null;
};

describe('a public read', () => {
  it.each([
    ['/api/projects', '/api/projects'],
    ['/api/projects?', '/api/projects'],
    ['/api/projects?order=new&limit=50', '/api/projects?limit=50&order=new'],
    ['/api/candidates?limit=50', '/api/candidates?limit=50'],
    [`/api/candidates/${ID}/history`, `/api/candidates/${ID}/history`],
    ['/api/tokens/luna', '/api/tokens/luna'],
    ['/api/forum/posts?limit=5', '/api/forum/posts?limit=5'],
  ])('%s is cached as %s', (target, key) => expect(keyOf(target)).toBe(key));

  it.each([
    '/api/projects?cursor=abc',
    '/api/projects?limit=5&limit=6',
    '/api/projects?limit=',
    '/api/projects?limit=05',
    '/api/candidates?limit=101',
    '/api/projects?LIMIT=5',
    '/api/projects?x=1',
    '/api/forum/posts?q=luna',
    '/api/news?q=luna',
    '/api/tokens/%6cuna',
    '/api/candidates/%31/history',
    '/api/me',
    '/api/votes/mine',
    `/api/candidates/${ID}/voted-today`,
    '/api/saved',
    '/api/account',
    '/api/forum/mine',
    '/api/submissions/state',
    '/api/admin/users',
    '/rpc/voting/ranking',
  ])('%s is not cached', (target) => expect(keyOf(target)).toBeNull());
});

describe('the response to a public read', () => {
  it('is the same for a member, and contains nothing about them', async () => {
    const person = await app.member();
    const visitor = await app.http('/api/news');
    const member = await app.http('/api/news', { headers: { cookie: person.cookie } });
    expect(await member.text()).toBe(await visitor.text());
    for (const { headers } of [visitor, member]) {
      expect(headers.get('cache-control')).toBe('public, max-age=0, s-maxage=1, stale-while-revalidate=1');
      expect(headers.get('surrogate-key')).toBe('florka florka-news');
      expect(headers.getSetCookie()).toEqual([]);
      expect(headers.get('vary')).toBe('Accept-Encoding');
      expect(headers.get('content-type')).toContain('application/json');
    }
  });

  it('is 304 for a client that has it, also in another encoding', async () => {
    const first = await app.http('/api/news', { headers: { 'accept-encoding': 'br' } });
    expect(first.headers.get('content-encoding')).toBe('br');
    await first.text();
    const again = await app.http('/api/news', { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await app.http('/api/news', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('is read once for concurrent callers', async () => {
    const { id } = await app.candidate();
    // With a stopped clock the cached response does not expire before the last caller has it.
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    // Each read of the API has a context of its own.
    const contexts = vi.spyOn(app.services, 'contextOf');
    const targets = Array.from({ length: 40 }, () => app.http(`/api/candidates/${id}/history`));
    const bodies = await Promise.all((await Promise.all(targets)).map((response) => response.text()));
    expect(new Set(bodies).size).toBe(1);
    expect(contexts).toHaveBeenCalledTimes(1);
  });

  it('is renewed as soon as its domain changes', async () => {
    const { id } = await app.candidate();
    const totalOf = async () => {
      const { items } = (await (await app.http('/api/candidates?limit=100')).json()) as {
        items: { id: string; totalVotes: number }[];
      };
      return items.find((one) => one.id === id)?.totalVotes;
    };
    await expect.poll(totalOf).toBe(0);
    // With a stopped clock nothing expires: only the change itself can renew it.
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    for (const votes of [1, 2, 3]) {
      const person = await app.member();
      expect(
        (await app.http(`/api/candidates/${id}/votes`, { method: 'POST', headers: { cookie: person.cookie } })).status,
      ).toBe(200);
      await expect.poll(totalOf, { interval: 5 }).toBe(votes);
    }
  });

  it('reflects the clock, and writes without an event, after its maximum age', async () => {
    const { id } = await app.candidate();
    const named = async () => ((await (await app.http(`/api/tokens/${id}`)).json()) as { tokenName: string }).tokenName;
    const before = await named();
    await app.sql(`update voting_candidates set token_name = 'Otra' where id = $1`, [id]);
    await sleep(1_100);
    expect([before === 'Otra', await named()]).toEqual([false, 'Otra']);
  });

  it('is not cached when it is an error, which has the API’s own format', async () => {
    const bad = await app.http('/api/forum/posts?limit=99');
    expect([bad.status, bad.headers.get('cache-control')]).toEqual([400, 'no-store']);
    expect(await bad.json()).toMatchObject({ code: 'BAD_REQUEST', status: 400 });
    const none = await app.http(`/api/news/${ID}`);
    expect([none.status, none.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect(await none.json()).toMatchObject({ code: 'NOT_FOUND', data: { what: 'news' } });
  });
});
