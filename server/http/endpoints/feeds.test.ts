import { describe, expect, it } from 'vitest';
import { publishChange } from '#server/live/publish.ts';
import { listenTo, startTestApp } from '#tests/support/app/test-app.ts';
import { foldLine } from './feeds.ts';

const SITE = 'https://florka.test';
const app = await startTestApp({ publicUrl: SITE });
const liveEvents = listenTo(app.services);

async function news(
  over: { title?: string; content?: string; active?: boolean; at?: string | null; author?: string } = {},
) {
  const [made] = await app.sql<{ id: string }>(
    `insert into news (title, content, is_active, published_at, author_name, updated_at)
     values ($1, $2, $3, $4, $5, '2026-03-02T00:00:00Z') returning id`,
    [
      over.title ?? 'Una noticia',
      over.content ?? 'Un texto',
      over.active ?? true,
      over.at === undefined ? '2026-03-01T10:00:00Z' : over.at,
      over.author ?? 'Ana',
    ],
  );
  return made?.id ?? '';
}
/** Publishes the change as an edit does on commit. */
async function changed(domain: 'news' | 'nextProjects') {
  liveEvents.liveEvents.length = 0;
  await app.services.db.transaction((tx) => publishChange(tx, domain));
  await liveEvents.until((event) => event.type === 'domain.changed' && event.domain === domain);
}

const UNESCAPE: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

interface XmlNode {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: XmlNode[];
}
/** A strict XML parser for the features that feeds use: throws on everything that is not well-formed. */
function parseXml(source: string): XmlNode {
  const root: XmlNode = { name: '', attributes: {}, text: '', children: [] };
  const open = [root];
  const decode = (text: string) => {
    if (/[<>]/.test(text) || /[^\P{Cc}\n\t]/u.test(text)) throw new Error(`stray sign in ${JSON.stringify(text)}`);
    return text.replace(/&([^;]*);?/g, (whole, name: string) => {
      const sign = UNESCAPE[name];
      if (!sign) throw new Error(`unknown entity ${whole}`);
      return sign;
    });
  };
  const body = source.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  let at = 0;
  for (const match of body.matchAll(/<(\/?)([a-z:A-Z]+)((?: [a-zA-Z:]+="[^"]*")*)(\/?)>/g)) {
    const top = open.at(-1) as XmlNode;
    top.text += decode(body.slice(at, match.index));
    at = match.index + match[0].length;
    const [, closes, name = '', attributes = '', empty] = match;
    if (closes) {
      if (top.name !== name) throw new Error(`</${name}> closes <${top.name}>`);
      open.pop();
      continue;
    }
    const node: XmlNode = {
      name,
      attributes: Object.fromEntries(
        [...attributes.matchAll(/ ([^=]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, decode(value)]),
      ),
      text: '',
      children: [],
    };
    top.children.push(node);
    if (!empty) open.push(node);
  }
  decode(body.slice(at));
  if (open.length !== 1) throw new Error(`<${open.at(-1)?.name}> is never closed`);
  return root;
}
const child = (node: XmlNode | undefined, name: string) => node?.children.find((one) => one.name === name);
const channelOf = (source: string) => child(child(parseXml(source), 'rss'), 'channel') as XmlNode;
const itemsOf = (source: string) =>
  channelOf(source)
    .children.filter((node) => node.name === 'item')
    .map((item) => Object.fromEntries(item.children.map((node) => [node.name, node.text])));

describe('the news feed', () => {
  it('contains the newest news with absolute URLs, dates and the whole plain text', async () => {
    const old = await news({ title: 'Vieja', at: '2026-01-05T08:00:00Z' });
    const fresh = await news({
      title: 'Ñu & <b>"comillas"</b> \'solas\'',
      content: `**Negrita** y [enlace](https://a.test/?b=1&c=2). ${'x'.repeat(2_000)} ]]> <script>alert(1)</script>\u0001`,
      author: 'Inés & Co',
    });
    await news({ title: 'Oculta', active: false });
    const response = await app.http('/news/feed.xml');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8');
    expect(response.headers.get('cache-control')).toMatch(/max-age=\d+/);
    const source = await response.text();
    const channel = channelOf(source);
    expect(child(channel, 'link')?.text).toBe(`${SITE}/news`);
    expect(child(channel, 'atom:link')?.attributes).toMatchObject({ href: `${SITE}/news/feed.xml`, rel: 'self' });
    expect(itemsOf(source)).toEqual([
      {
        title: 'Ñu & <b>"comillas"</b> \'solas\'',
        link: `${SITE}/news/${fresh}`,
        guid: `${SITE}/news/${fresh}`,
        pubDate: 'Sun, 01 Mar 2026 10:00:00 GMT',
        'dc:creator': 'Inés & Co',
        description: `Negrita y enlace. ${'x'.repeat(2_000)} ]]> <script>alert(1)</script>`,
      },
      {
        title: 'Vieja',
        link: `${SITE}/news/${old}`,
        guid: `${SITE}/news/${old}`,
        pubDate: 'Mon, 05 Jan 2026 08:00:00 GMT',
        'dc:creator': 'Ana',
        description: 'Un texto',
      },
    ]);
  });

  it('returns 304 while nothing changed, and new content as soon as something did', async () => {
    const first = await app.http('/news/feed.xml');
    const etag = first.headers.get('etag') ?? '';
    await first.text();
    expect(etag).not.toBe('');
    expect((await app.http('/news/feed.xml', { headers: { 'if-none-match': etag } })).status).toBe(304);
    await changed('news');
    // Revalidated, but the bytes are the same.
    expect((await app.http('/news/feed.xml', { headers: { 'if-none-match': etag } })).status).toBe(304);
    await app.sql("update news set is_active = false where title = 'Vieja'");
    await changed('news');
    const after = await app.http('/news/feed.xml', { headers: { 'if-none-match': etag } });
    expect(after.status).toBe(200);
    expect(itemsOf(await after.text()).map((item) => item.title)).not.toContain('Vieja');
  });

  it('has no date for an item without one, and at most thirty items', async () => {
    await app.sql('delete from news');
    await news({ at: null });
    await changed('news');
    expect(itemsOf(await (await app.http('/news/feed.xml')).text())[0]).not.toHaveProperty('pubDate');
    await app.sql(
      "insert into news (title, content, is_active, published_at) select 'n' || i, 'x', true, now() from generate_series(1, 40) i",
    );
    await changed('news');
    expect(itemsOf(await (await app.http('/news/feed.xml')).text())).toHaveLength(30);
  });

  it('exists in English at the address of the English pages, with the same items', async () => {
    const [here, there] = await Promise.all(
      ['/news/feed.xml', '/en/news/feed.xml'].map(async (path) => (await app.http(path)).text()),
    );
    const channel = channelOf(there ?? '');
    expect(child(channel, 'language')?.text).toBe('en');
    expect(child(channel, 'link')?.text).toBe(`${SITE}/en/news`);
    expect(child(channel, 'description')?.text).toMatch(/^What happens/);
    expect(child(channel, 'atom:link')?.attributes).toMatchObject({ href: `${SITE}/en/news/feed.xml` });
    const items = itemsOf(here ?? '');
    expect(items.length).toBeGreaterThan(0);
    expect(itemsOf(there ?? '')).toEqual(
      items.map((item) => ({ ...item, link: String(item['link']).replace('/news/', '/en/news/') })),
    );
  });

  it('is valid without any news', async () => {
    await app.sql('delete from news');
    await changed('news');
    expect(itemsOf(await (await app.http('/news/feed.xml')).text())).toEqual([]);
  });
});

interface Event {
  [name: string]: string;
}
/** Unfolds and parses; throws on lines that are too long, wrongly terminated or malformed. */
function parseCalendar(bytes: Buffer): { head: Event; events: Event[] } {
  const source = bytes.toString('utf8');
  expect(Buffer.from(source).equals(bytes)).toBe(true);
  const lines = source.split('\r\n');
  if (lines.pop() !== '' || lines.some((line) => /[\r\n]/.test(line))) throw new Error('lines must end with CRLF');
  for (const line of lines) if (Buffer.byteLength(line) > 75) throw new Error(`too long: ${line}`);
  const head: Event = {};
  const events: Event[] = [];
  let into: Event | undefined;
  for (const line of lines.join('\r\n').replaceAll('\r\n ', '').split('\r\n')) {
    const [, name = '', value = ''] = /^([A-Z-]+)(?:;[^:]*)?:(.*)$/.exec(line) ?? [];
    if (!name) throw new Error(`no content line: ${line}`);
    if (line === 'BEGIN:VEVENT') {
      into = {};
      events.push(into);
    } else if (line === 'END:VEVENT') into = undefined;
    else (into ?? head)[name] = value.replace(/\\([\\;,nN])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign));
  }
  return { head, events };
}
const calendar = async (path = '/next/calendar.ics') =>
  parseCalendar(Buffer.from(await (await app.http(path)).arrayBuffer()));

describe('the calendar of launches', () => {
  it('has an event for each launch with a time, launched ones too, and for no other', async () => {
    const stamps = { created_at: '2026-03-01T00:00:00Z', updated_at: '2026-03-01T00:01:40.500Z' };
    const project = (over: Record<string, unknown>) => app.nextProject({ ...stamps, ...over });
    const soon = await project({
      token_name: 'Títere, el; único \\ y\u0007 último',
      token_symbol: 'ÑU',
      description: `Con coma, punto; barra \\ y\nsalto. ${'👩‍🎤 ñandú '.repeat(30)}`,
      launch_date: '2026-05-01T00:00:00Z',
      countdown_end: '2026-04-30T23:30:00.000Z',
    });
    const done = await project({
      token_name: 'Ya',
      status: 'launched',
      launch_date: '2026-02-01T00:00:00Z',
      order_index: 1,
    });
    await project({ token_name: 'Sin fecha' });
    await project({ token_name: 'Pendiente', status: 'pending', launch_date: '2026-05-01T00:00:00Z' });
    await project({ token_name: 'Inactivo', is_active: false, launch_date: '2026-05-01T00:00:00Z' });
    await project({ token_name: 'Borrado', deleted_at: new Date(), launch_date: '2026-05-01T00:00:00Z' });

    const response = await app.http('/next/calendar.ics');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    const { head, events } = parseCalendar(Buffer.from(await response.arrayBuffer()));
    expect(head).toMatchObject({ BEGIN: 'VCALENDAR', END: 'VCALENDAR', VERSION: '2.0', METHOD: 'PUBLISH' });
    expect(head.PRODID).toBeTruthy();
    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({
      UID: `${soon.id}@next.florka`,
      // The countdown takes precedence over the date.
      DTSTART: '20260430T233000Z',
      DTSTAMP: '20260301T000140Z',
      'LAST-MODIFIED': '20260301T000140Z',
      SEQUENCE: '100',
      SUMMARY: 'Lanzamiento: Títere, el; único \\ y último ($ÑU)',
      DESCRIPTION: `Con coma, punto; barra \\ y\nsalto. ${'👩‍🎤 ñandú '.repeat(30)}\n${SITE}/token/${soon.id}`,
      URL: `${SITE}/token/${soon.id}`,
    });
    expect(events[0]).toMatchObject({ UID: `${done.id}@next.florka`, DTSTART: '20260201T000000Z' });
  });

  it('contains a moved launch as a change of the same event', async () => {
    const [, before] = (await calendar()).events;
    await app.sql(
      "update next_projects set countdown_end = '2026-06-01T10:00:00Z', updated_at = '2026-03-03T00:00:00Z' where id = $1",
      [before?.UID?.split('@')[0]],
    );
    // No event was sent yet: the cached calendar is served.
    expect((await calendar()).events[1]).toEqual(before);
    await changed('nextProjects');
    const [, after] = (await calendar()).events;
    expect(after).toMatchObject({ UID: before?.UID, DTSTART: '20260601T100000Z' });
    expect(Number(after?.SEQUENCE)).toBeGreaterThan(Number(before?.SEQUENCE));
    expect(String(after?.DESCRIPTION)).toMatch(
      /\nHora anunciada cambiada el \d{4}-\d\d-\d\d \d\d:\d\d UTC; antes: 2026-04-30 23:30 UTC\nhttps:/,
    );
    // Changed directly in the database, without an edit of the record, and visible immediately after.
    await app.sql("update next_projects set countdown_end = '2026-06-02T10:00:00Z' where id = $1", [
      before?.UID?.split('@')[0],
    ]);
    await app.sql("update next_projects set countdown_end = '2026-06-03T10:00:00Z' where id = $1", [
      before?.UID?.split('@')[0],
    ]);
    await changed('nextProjects');
    const [, again] = (await calendar()).events;
    expect(again).toMatchObject({ UID: before?.UID, DTSTART: '20260603T100000Z' });
    expect(Number(again?.SEQUENCE)).toBeGreaterThan(Number(after?.SEQUENCE));
    expect(String(again?.['LAST-MODIFIED']) >= String(after?.['LAST-MODIFIED'])).toBe(true);
    expect(String(again?.DESCRIPTION).match(/Hora anunciada cambiada/g)).toHaveLength(3);
  });

  it('exists in English at the address of the English pages, with the same events', async () => {
    const { head, events } = await calendar('/en/next/calendar.ics');
    expect(head).toMatchObject({ NAME: 'Florka · Upcoming launches', 'X-WR-CALNAME': 'Florka · Upcoming launches' });
    const there = (await calendar()).events;
    expect(events.map(({ UID, DTSTART, SEQUENCE }) => [UID, DTSTART, SEQUENCE])).toEqual(
      there.map(({ UID, DTSTART, SEQUENCE }) => [UID, DTSTART, SEQUENCE]),
    );
    expect(events[1]).toMatchObject({
      SUMMARY: 'Launch: Títere, el; único \\ y último ($ÑU)',
      URL: String(there[1]?.URL).replace('/token/', '/en/token/'),
    });
    expect(String(events[1]?.DESCRIPTION)).toMatch(
      /\nAnnounced hour changed on \d{4}-\d\d-\d\d \d\d:\d\d UTC; before: 2026-04-30 23:30 UTC\n/,
    );
    expect(JSON.stringify([head, events])).not.toMatch(/Lanzamiento|lanzamientos|Hora anunciada|ES"/);
  });

  it('contains hundreds of events', async () => {
    await app.sql(`insert into next_projects (token_name, token_symbol, launch_date)
      select 'n' || i, 'N', '2026-05-01' from generate_series(1, 230) i`);
    await changed('nextProjects');
    expect((await calendar()).events).toHaveLength(232);
  });

  it.each(['ñ'.repeat(200), '👩‍🎤'.repeat(60), 'a'.repeat(75), 'a'.repeat(76), `${'a'.repeat(74)}ñ`, ''])(
    'splits %j into lines of at most 75 octets, which join to the original',
    (line) => {
      const folded = foldLine(line);
      for (const part of folded.split('\r\n')) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(75);
      expect(folded).not.toContain('\ufffd');
      expect(folded.replaceAll('\r\n ', '')).toBe(line);
    },
  );
});

describe.each(['/news/feed.xml', '/en/news/feed.xml', '/next/calendar.ics', '/en/next/calendar.ics'])(
  '%s over HTTP',
  (target) => {
    it('returns only headers for HEAD', async () => {
      const get = await app.http(target);
      const size = Buffer.byteLength(await get.text());
      const head = await app.http(target, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
      expect(head.status).toBe(200);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
      expect(Number(head.headers.get('content-length'))).toBe(size);
      expect(await head.text()).toBe('');
    });

    it('ignores any query, without another entry in the cache', async () => {
      await (await app.http(target)).text();
      const { size } = app.cache;
      expect((await app.http(`${target}?a=1`)).status).toBe(200);
      expect(app.cache.size).toBe(size);
    });

    it('refuses writes', async () => {
      expect((await app.http(target, { method: 'POST' })).status).toBe(405);
    });

    it('returns 503 without caching it while the lists cannot be read', async () => {
      await changed(target.endsWith('/news/feed.xml') ? 'news' : 'nextProjects');
      await app.sql('alter table news rename to news_away');
      await app.sql('alter table next_projects rename to next_away');
      const failing = await app.http(target);
      await app.sql('alter table news_away rename to news');
      await app.sql('alter table next_away rename to next_projects');
      expect(failing.status).toBe(503);
      expect(failing.headers.get('cache-control')).toBe('no-store');
      expect((await app.http(target)).status).toBe(200);
    });
  },
);
