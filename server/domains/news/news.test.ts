import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { publishChange } from '#server/live/publish.ts';
import { listenTo, startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const visitor = app.as(null);

async function item(over: Record<string, unknown> = {}): Promise<string> {
  const row = {
    title: 'Una noticia',
    content: 'Un texto',
    author_name: 'Ana',
    is_active: true,
    published_at: '2026-03-01T10:00:00Z',
    image_url: null,
    deleted_at: null,
    ...over,
  };
  const [made] = await app.sql<{ id: string }>(
    `insert into news (title, content, author_name, is_active, published_at, image_url, deleted_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [row.title, row.content, row.author_name, row.is_active, row.published_at, row.image_url, row.deleted_at],
  );
  return made?.id ?? '';
}
const clear = () => app.sql('delete from news');
const titles = async (q?: string) =>
  (await visitor.news.list(q === undefined ? {} : { q })).items.map((card) => card.title);

describe('the list of news', () => {
  it('has the active items, newest first, undated last [NEWS-19] [AMB-167]', async () => {
    await clear();
    await item({ title: 'undated', published_at: null });
    await item({ title: 'old', published_at: '2026-01-01T00:00:00Z' });
    await item({ title: 'future', published_at: '2027-01-01T00:00:00Z' });
    await item({ title: 'new', published_at: '2026-02-01T00:00:00Z' });
    await item({ title: 'hidden', is_active: false });
    await item({ title: 'trashed', deleted_at: new Date() });
    expect(await titles()).toEqual(['future', 'new', 'old', 'undated']);
    expect((await visitor.news.list({})).total).toBe(4);
  });

  it('cuts the first excerpt at 300 characters and the others at 200, plain text [NEWS-16..17] [AMB-160]', async () => {
    await clear();
    const content = `**${'á'.repeat(100)}** [${'b'.repeat(100)}](https://c.test) ${'d'.repeat(400)}`;
    await item({ content, published_at: '2026-02-01T00:00:00Z' });
    await item({ content });
    await item({ content: 'short', published_at: '2026-01-01T00:00:00Z' });
    const plain = `${'á'.repeat(100)} ${'b'.repeat(100)} ${'d'.repeat(400)}`;
    expect((await visitor.news.list({})).items.map((card) => card.excerpt)).toEqual([
      `${plain.slice(0, 300)}…`,
      `${plain.slice(0, 200).trimEnd()}…`,
      'short',
    ]);
    // The second page does not start with a large card.
    expect((await visitor.news.list({ offset: 1 })).items[0]?.excerpt).toHaveLength(201);
  });

  it('returns exactly the fields that a card shows [NEWS-10..14]', async () => {
    await clear();
    const id = await item({ image_url: 'https://pictures.test/1.webp' });
    expect((await visitor.news.list({})).items).toEqual([
      {
        id,
        title: 'Una noticia',
        excerpt: 'Un texto',
        imageUrl: 'https://pictures.test/1.webp',
        authorName: 'Ana',
        publishedAt: '2026-03-01T10:00:00.000Z',
      },
    ]);
  });

  it('returns every item once over its pages', async () => {
    await clear();
    await app.sql(`insert into news (title, content, is_active, published_at)
      select 'n' || i, 'text', true, '2026-01-01T00:00:00Z' from generate_series(1, 70) i`);
    const first = await visitor.news.list({});
    expect(first.items).toHaveLength(31);
    const rest = await Promise.all([31, 61].map((offset) => visitor.news.list({ offset, limit: 30 })));
    const seen = [first, ...rest].flatMap((page) => page.items.map((card) => card.id));
    expect(new Set(seen).size).toBe(70);
    expect(first.total).toBe(70);
    expect((await visitor.news.list({ offset: 100_000 })).items).toEqual([]);
  });
});

describe('the search of news', () => {
  it('finds words in title, content and author, whatever their case and accents [NEWS-02] [AMB-162]', async () => {
    await clear();
    await item({ title: 'La Corona de CARTÓN' });
    await item({ title: 'b', content: 'Hubo **una   función**\nde *títeres* en la pista', published_at: null });
    await item({ title: 'c', author_name: 'Inés Ñandú' });
    await item({ title: 'función oculta', is_active: false });
    await item({ title: 'función borrada', deleted_at: new Date() });
    expect(await titles('carton')).toEqual(['La Corona de CARTÓN']);
    expect(await titles('CORONA DE cartón')).toEqual(['La Corona de CARTÓN']);
    expect(await titles('FUNCION')).toEqual(['b']);
    expect(await titles('inés')).toEqual(['c']);
    expect(await titles('ñandu')).toEqual(['c']);
    // Ñ is a separate letter.
    expect(await titles('nandu')).toEqual([]);
  });

  it('has a rate limit by address; the list has none', async () => {
    const guest = app.as(null, { address: '192.0.2.91' });
    for (let n = 0; n < LIMITS.searchAccountMinute.hits; n++) await guest.news.list({ q: 'feria' });
    await expect(guest.news.list({ q: 'feria' })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(guest.news.list({ q: 'feria', offset: 31 })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await guest.news.list({});
  });

  it('matches across markup, line breaks and repeated spaces', async () => {
    expect(await titles('una funcion de titeres en')).toEqual(['b']);
    expect(await titles('**una función**')).toEqual(['b']);
  });

  it('makes the first hit the large card [NEWS-08] [AMB-162]', async () => {
    await clear();
    await item({ title: 'newest', published_at: '2026-03-02T00:00:00Z' });
    await item({ title: 'wanted', content: `needle ${'x'.repeat(400)}` });
    expect((await visitor.news.list({ q: 'needle' })).items[0]?.excerpt).toHaveLength(301);
  });

  it('treats wildcards, SQL and control characters as plain text', async () => {
    await clear();
    await item({ title: '100% \\ _x_' });
    for (const q of ['%', '_', '\\', '100%']) expect(await titles(q), q).toEqual(['100% \\ _x_']);
    for (const q of [
      "'; drop table news; --",
      '%%',
      '__',
      '.*',
      '$1',
      '\u202ezz',
      'e\u0301'.repeat(50),
      '🤡'.repeat(40),
    ])
      expect(await titles(q), q).toEqual([]);
    // A text that is empty after sanitizing is no search: the whole list is returned.
    for (const q of ['\0', '\u202e', ' \t ', '\ud800'.repeat(0), '\u200b']) expect(await titles(q), q).toHaveLength(1);
    expect(await titles('100\0%')).toEqual(['100% \\ _x_']);
    expect(await titles('\ud800')).toEqual([]);
    await expect(titles('x'.repeat(101))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('finds one of a thousand long items; the list is read through an index', async () => {
    await clear();
    const content = Array.from({ length: 500 }, (_, i) => `palabra${(i * 7919) % 997}ción`).join(' ');
    await app.sql(
      `insert into news (title, content, is_active, published_at)
       select 'Noticia ' || i, $1 || ' número' || i, true, now() - i * interval '1 minute' from generate_series(1, 1000) i`,
      [content],
    );
    await app.sql('analyze news');
    expect((await visitor.news.list({ q: 'NÚMERO999' })).total).toBe(1);
    expect((await visitor.news.list({ q: 'no such words' })).total).toBe(0);
    const plan = await app.sql<{ 'QUERY PLAN': string }>(
      `explain select id from news where is_active and deleted_at is null order by published_at desc nulls last, id limit 31`,
    );
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index (Only )?Scan using news_publi/);
    await clear();
  });
});

describe('a news item', () => {
  it('has its markup unchanged, since the page renders it [AMB-161]', async () => {
    const id = await item({ content: '**a** <script>alert(1)</script>' });
    expect(await visitor.news.byId({ id })).toMatchObject({ id, content: '**a** <script>alert(1)</script>' });
  });

  it('is not found when it is hidden, trashed or unknown', async () => {
    for (const id of [await item({ is_active: false }), await item({ deleted_at: new Date() }), randomUUID()])
      await expect(visitor.news.byId({ id })).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });
});

it('a change of news removes the cached pages of news', async () => {
  const page = async (target: string) => (await app.http(target)).text();
  const liveEvents = listenTo(app.services);
  await liveEvents.forget();
  const count = () => app.rendered.filter((target) => target.startsWith('/news')).length;
  await page('/news');
  await page('/news');
  expect(count()).toBe(1);
  await app.services.db.transaction((tx) => publishChange(tx, 'news'));
  await liveEvents.changed('news');
  await page('/news');
  expect(count()).toBe(2);
});
