import { describe, expect, it } from 'vitest';
import { publishChange } from '#server/live/publish.ts';
import { app, plainRender, raw } from '#tests/fixtures/http.ts';

describe('pages', () => {
  const count = (target: string) => app.rendered.filter((path) => path === target).length;

  it('are rendered once and revalidated with 304 while nothing changes', async () => {
    app.cache.clear();
    const before = count('/vote');
    const first = await app.http('/vote');
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=1, stale-while-revalidate=1');
    for (let i = 0; i < 3; i++) {
      const again = await raw('/vote', { headers: { 'if-none-match': etag } });
      expect(again).toMatchObject({ status: 304, body: '' });
    }
    expect((await raw('/vote', { headers: { 'if-none-match': 'W/"other"' } })).status).toBe(200);
    expect(count('/vote') - before).toBe(1);
  });

  it('share one render among a hundred concurrent visitors', async () => {
    app.cache.clear();
    const before = count('/');
    await Promise.all(Array.from({ length: 100 }, () => app.http('/').then((response) => response.text())));
    expect(count('/') - before).toBe(1);
  });

  it('are rendered again after a change, and only those that show it', async () => {
    for (const target of ['/', '/vote', '/news']) await app.http(target);
    const before = app.rendered.length;
    const { id } = await app.candidate();
    await app.as(await app.member()).voting.cast({ candidateId: id });
    await expect
      .poll(() => app.http('/vote').then(() => app.rendered.slice(before)), { interval: 20 })
      .toContain('/vote');
    // Home shows the leading candidates; news shows no votes.
    await expect.poll(() => app.http('/').then(() => app.rendered.slice(before)), { interval: 20 }).toContain('/');
    await app.http('/news');
    expect(app.rendered.slice(before)).not.toContain('/news');
    await app.services.db.transaction((tx) => publishChange(tx, 'news'));
    await expect
      .poll(() => app.http('/news').then(() => app.rendered.slice(before)), { interval: 20 })
      .toContain('/news');
  });

  it('are never stored when something changed while they were rendered', async () => {
    app.cache.clear();
    let version = 1;
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    app.page.render = async () => {
      const text = `<p>${version}</p>`;
      await gate;
      return new Response(text);
    };
    const slow = app.http('/vote');
    await expect.poll(() => app.rendered.at(-1)).toBe('/vote');
    version = 2;
    app.cache.drop('voting');
    release();
    expect(await (await slow).text()).toBe('<p>1</p>');
    expect(await (await app.http('/vote')).text()).toBe('<p>2</p>');
    app.cache.clear();
  });

  it('depend only on known parameters', async () => {
    app.cache.clear();
    const before = app.rendered.length;
    for (const target of [
      '/?tab=new',
      '/?utm_source=x&tab=new',
      '/?tab=new&fbclid=1',
      '/vote?x=1',
      '/vote?x=2',
      '/vote',
    ])
      await app.http(target);
    expect(app.rendered.slice(before)).toEqual(['/?tab=new', '/vote']);
    for (let i = 0; i < 20; i++) await app.http(`/?q=${i}`);
    expect(app.cache.size).toBe(3);
  });

  it('are one document for each set of filters', async () => {
    app.cache.clear();
    const before = app.rendered.length;
    for (const target of [
      '/vote',
      '/vote?filters=on&network=polygon',
      '/vote?network=polygon&filters=on&utm_source=x',
      '/vote?filters=on&network=nowhere&order=launched',
      '/next?filters=on&launch=week&status=launched',
      '/next?status=launched&launch=week&filters=on',
      '/?filters=on&tab=next&launch=week',
    ])
      await app.http(target);
    expect(app.rendered.slice(before)).toEqual([
      '/vote',
      '/vote?filters=on&network=polygon',
      '/vote?filters=on',
      '/next?filters=on&status=launched&launch=week',
      '/?tab=next&filters=on&launch=week',
    ]);
    app.cache.clear();
  });

  it('are cached in a limited number', async () => {
    app.cache.clear();
    for (let i = 0; i < 1_010; i++) await app.http(`/token/t-${i}`);
    expect(app.cache.size).toBeLessThanOrEqual(1_000);
    app.cache.clear();
  });

  it('that failed are not cached', async () => {
    app.cache.clear();
    app.page.render = async () => new Response('<p>busy</p>', { status: 503 });
    expect((await app.http('/vote')).status).toBe(503);
    app.page.render = plainRender;
    expect((await app.http('/vote')).status).toBe(200);
  });

  it('are compressed by Accept-Encoding, complete, and without a body for HEAD', async () => {
    for (const encoding of ['br', 'gzip', undefined]) {
      const answer = await raw('/', { headers: encoding ? { 'accept-encoding': encoding } : {} });
      expect(answer.headers['content-encoding']).toBe(encoding);
      expect(answer.headers.vary).toBe('Accept-Encoding');
    }
    expect(await (await app.http('/')).text()).toContain('<title>/</title>');
    for (const target of ['/', '/favicon.svg']) {
      const head = await raw(target, { method: 'HEAD' });
      expect(head).toMatchObject({ status: 200, body: '' });
      expect(Number(head.headers['content-length'])).toBeGreaterThan(50);
    }
  });
});
