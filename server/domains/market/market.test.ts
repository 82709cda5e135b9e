import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { MARKET } from '#contract/limits.ts';
import { dexScreener } from '#server/providers/market/dexscreener.ts';
import { geckoTerminal } from '#server/providers/market/geckoterminal.ts';
import { answer, hang, html, pairOf, startMarketServer } from '#tests/support/market-server.ts';
import { listenTo, startTestApp } from '#tests/support/test-app.ts';
import { createMarketService, thinPrices } from './refresh.service.ts';

const server = await startMarketServer();
const { box } = server;
afterAll(() => server.close());
/** Only the story of a provider that never answers waits for it: a busy machine answers late. */
const TIMEOUT_MS = 4_000;
const app = await startTestApp({
  market: {
    prices: dexScreener({ baseUrl: server.url, patience: TIMEOUT_MS }),
    holders: geckoTerminal({ baseUrl: `${server.url}/api/v2`, patience: TIMEOUT_MS }),
  },
});
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const { market } = app.services;
const visitor = app.as(null);

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
let serial = 0;
/** Looks like an address of Solana. */
const mint = () => {
  const tail = [...String(++serial).padStart(6, '0')].map((digit) => BASE58.charAt(Number(digit))).join('');
  return `FLoRkA${'x'.repeat(30)}${tail}`;
};
const LOWER = '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599';
const CHECKSUMMED = '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599';

const figuresOf = (address: string) =>
  app.sql(`select figure, value::float8 as value, source, at from market_figures where address = $1 order by figure`, [
    address.startsWith('0x') ? address.toLowerCase() : address,
  ]);
const asksOf = (address: string) =>
  app.sql<{ ask: string; misses: number; next_at: Date; claim: string | null }>(
    'select ask, misses, next_at, claim from market_asks where address = $1 order by ask',
    [address],
  );
const asked = (pattern: RegExp) => box.asked.filter((path) => pattern.test(path));
const token = (slug: unknown) => visitor.tokens.find({ slug: String(slug) });

beforeEach(async () => {
  Object.assign(box, { pairs: [], holders: new Map(), trouble: () => false, delay: 0, asked: [] });
  for (const table of ['projects', 'next_projects', 'voting_candidates']) await app.sql(`delete from ${table}`);
  await app.sql('truncate market_asks, market_figures, market_prices, market_sources, rate_limits');
  app.logged.length = 0;
});

describe('a refresh', () => {
  it('brings price, volume, market cap, liquidity and holders, each with source and time [AMB-100]', async () => {
    const address = mint();
    const { id } = await app.candidate({ contract_address: address });
    box.pairs = [pairOf(address), pairOf(address, { liquidity: { usd: 1, base: 1, quote: 1 }, volume: { h24: 5 } })];
    box.holders.set(`solana/${address}`, 321);
    expect(await market.refresh()).toEqual({ asked: 3, written: 3 });
    const at = app.now.toISOString();
    const dex = { source: 'dexscreener', at, stale: false };
    expect(await token(id)).toMatchObject({
      network: 'solana',
      price: 0.0025,
      volume24h: 1_005,
      marketCap: 2_500_000,
      liquidity: 50_001,
      holdersCount: 321,
      sources: {
        price: dex,
        volume24h: dex,
        marketCap: dex,
        liquidity: dex,
        holders: { source: 'geckoterminal', at, stale: false },
        maxSupply: null,
      },
      pricesSince: at,
      facts: { creation: null },
    });
  });

  it('asks about projects, candidates and NEXT projects that the public sees, once for an address of several', async () => {
    const [shared, hidden] = [mint(), mint()];
    await app.project({ token_address: shared });
    await app.candidate({ contract_address: shared });
    await app.nextProject({ token_address: shared });
    await app.project({ token_address: hidden, status: 'pending' });
    await app.candidate({ contract_address: `${hidden}2`.slice(1), is_active: false });
    await app.nextProject({ token_address: `${hidden}3`.slice(1), deleted_at: app.now });
    await app.project({ token_address: 'address-of-nothing' });
    await market.refresh();
    expect(box.asked.sort()).toEqual([
      `/api/v2/networks/solana/tokens/${shared}/info`,
      `/token-pairs/v1/solana/${shared}`,
      `/tokens/v1/solana/${shared}`,
    ]);
  });

  it('prefers the address that is for the provider [A-PROJ-27]', async () => {
    const address = mint();
    await app.project({ token_address: mint(), contract_address: address });
    await market.refresh();
    expect(asked(/^\/tokens/)).toEqual([`/tokens/v1/solana/${address}`]);
  });

  it('asks about an address of Ethereum and its like only on the network that somebody named', async () => {
    const { id } = await app.candidate({ contract_address: CHECKSUMMED });
    await market.refresh();
    expect(box.asked).toEqual([]);
    expect((await token(id)).network).toBeNull();
    await app.sql(`update voting_candidates set network = 'solana' where id = $1`, [id]);
    await market.refresh();
    expect(box.asked).toEqual([]);
    await app.sql(`update voting_candidates set network = 'bnb' where id = $1`, [id]);
    box.pairs = [pairOf(CHECKSUMMED, { chainId: 'bsc' }), pairOf(CHECKSUMMED, { chainId: 'ethereum', priceUsd: '9' })];
    await market.refresh();
    expect(asked(/^\/tokens/)).toEqual([`/tokens/v1/bsc/${LOWER}`]);
    expect(await token(id)).toMatchObject({ network: 'bnb', price: 0.0025 });
  });

  it('batches thirty tokens of one network into one question', async () => {
    for (let i = 0; i < 65; i++) await app.candidate({ contract_address: mint() });
    await app.candidate({ contract_address: CHECKSUMMED, network: 'polygon' });
    await market.refresh();
    const sizes = asked(/^\/tokens/).map((path) => path.split('/').at(-1)?.split(',').length);
    expect(sizes.sort()).toEqual([1, 30, 30, 5].sort());
  });

  it('comes back when the time has come, not before', async () => {
    const address = mint();
    await app.candidate({ contract_address: address });
    box.pairs = [pairOf(address)];
    await market.refresh();
    app.pass(MARKET.every.prices * 800);
    await market.refresh();
    expect(asked(/^\/tokens/)).toHaveLength(1);
    app.pass(MARKET.every.prices * 400);
    box.pairs = [pairOf(address, { priceUsd: '0.005' })];
    expect(await market.refresh()).toEqual({ asked: 1, written: 1 });
    expect((await figuresOf(address)).find(({ figure }) => figure === 'price')).toMatchObject({
      value: 0.005,
      at: app.now,
    });
  });

  it('keeps the last value of what is missing now, with its own time, and marks it when it is old [AMB-100]', async () => {
    const address = mint();
    const { id } = await app.candidate({ contract_address: address });
    box.pairs = [pairOf(address)];
    await market.refresh();
    const first = app.now.toISOString();
    app.pass(MARKET.stale.dexscreener * 1_000 + MINUTE);
    box.pairs = [pairOf(address, { priceUsd: '0.004', marketCap: undefined as never, fdv: undefined as never })];
    await market.refresh();
    expect(await token(id)).toMatchObject({
      price: 0.004,
      marketCap: 2_500_000,
      sources: { price: { at: app.now.toISOString(), stale: false }, marketCap: { at: first, stale: true } },
    });
    box.pairs = [];
    app.pass(24 * HOUR);
    await market.refresh();
    expect(await token(id)).toMatchObject({ price: 0.004, sources: { price: { stale: true } } });
  });

  it('asks less and less about what the provider does not know, and at once about all of it when it begins to trade', async () => {
    const address = mint();
    const { id } = await app.candidate({ contract_address: address });
    for (let i = 0; i < 4; i++) {
      await market.refresh();
      app.pass(MARKET.unknown.last.prices * 1_100 + MINUTE);
    }
    expect((await asksOf(address)).map(({ ask, misses }) => [ask, misses])).toEqual([
      ['holders', 3],
      ['pools', 3],
      ['prices', 4],
    ]);
    expect(await figuresOf(address)).toEqual([]);
    expect(await token(id)).toMatchObject({
      price: null,
      liquidity: null,
      sources: { price: null },
      pricesSince: null,
    });
    box.pairs = [pairOf(address)];
    box.holders.set(`solana/${address}`, 5);
    await market.refresh();
    app.pass(MINUTE);
    await market.refresh();
    expect(await figuresOf(address)).toHaveLength(5);
  });
});

describe("the team's figures", () => {
  it('are marked so, with the time they were entered, and wait untouched behind the provider', async () => {
    const admin = app.as(await app.member({ role: 'admin' })).admin;
    const address = mint();
    const { id } = await app.project({ token_address: address, market_cap: '$12.1k', holders_count: 40 });
    const created = (await token(id)).sources.marketCap;
    expect(created).toMatchObject({ source: 'team', stale: false });
    app.pass(HOUR);
    const { version } = (await admin.projects.list({ q: '' })).rows[0] as { version: number };
    await admin.projects.update({ id, version, marketCap: '$15k' });
    const entered = await token(id);
    expect(entered).toMatchObject({
      marketCap: '$15k',
      sources: { marketCap: { source: 'team', at: app.now.toISOString() } },
    });
    expect(entered.sources.holders?.at).not.toBe(app.now.toISOString());

    box.pairs = [pairOf(address)];
    await market.refresh();
    expect(await token(id)).toMatchObject({
      marketCap: 2_500_000,
      holdersCount: 40,
      sources: { marketCap: { source: 'dexscreener' }, holders: { source: 'team' } },
    });
    const [row] = await app.sql('select market_cap, holders_count, version from projects where id = $1', [id]);
    expect(row).toEqual({ market_cap: '$15k', holders_count: 40, version: version + 1 });
    // Another address: what was said about the first is not about it.
    await app.sql('update projects set token_address = $2, contract_address = null where id = $1', [id, mint()]);
    expect(await token(id)).toMatchObject({ marketCap: '$15k', sources: { marketCap: { source: 'team' } } });
  });

  it('and those of providers are the same in lists as on the page, and said to be so', async () => {
    const [trades, quiet] = [mint(), mint()];
    await app.project({ token_address: trades, market_cap: '$12.1k' });
    await app.project({ token_address: quiet, market_cap: '$9k' });
    await app.nextProject({ contract_address: trades });
    await app.nextProject({ token_address: null });
    const shown = async () =>
      [...(await visitor.projects.list({})).items, ...(await visitor.nextProjects.list({})).items]
        .map(({ marketCap, marketCapFrom }) => `${marketCap} ${marketCapFrom}`)
        .sort();
    expect(await shown()).toEqual(['$12.1k team', '$9k team', 'TBD null', 'TBD null']);
    for (const [marketCap, text] of [
      [1_234_567_890, '$1.23B'],
      [2_500_000, '$2.50M'],
      [12_345, '$12.35K'],
      [999.5, '$999.50'],
    ] as const) {
      box.pairs = [pairOf(trades, { marketCap })];
      await market.refresh();
      const said = `${text} dexscreener`;
      expect(await shown()).toEqual([said, said, '$9k team', 'TBD null'].sort());
      app.pass(HOUR);
    }
  });

  it('are not known where forms only filled something in', async () => {
    const project = await app.project();
    const next = await app.nextProject();
    const candidate = await app.candidate();
    expect((await token(project.id)).sources).toMatchObject({ marketCap: null, holders: null, price: null });
    expect(await token(next.id)).toMatchObject({
      price: null,
      marketCap: 'TBD',
      sources: { price: null, marketCap: null },
    });
    expect(Object.values((await token(candidate.id)).sources)).toEqual(Array(6).fill(null));
    const zero = await app.candidate({ volume_24h: 0 });
    expect(await token(zero.id)).toMatchObject({ volume24h: 0, sources: { volume24h: { source: 'team' } } });
  });
});

describe('a provider in trouble', () => {
  it.each([
    ['429 with a wish', answer(429, '{}', { 'retry-after': '300' }), 300_000],
    ['429 without', answer(429, '{}'), MARKET.pause.first * 1_000],
    ['a page of HTML', html(503), MARKET.pause.first * 1_000],
    ['a page that says all is well', html(200), MARKET.pause.first * 1_000],
    ['no answer', hang, MARKET.pause.first * 1_000],
  ])('with %s is left alone as long as it takes, and nothing is lost', async (_kind, trouble, pause) => {
    const address = mint();
    const { id } = await app.candidate({ contract_address: address, price: 3 });
    box.pairs = [pairOf(address)];
    await market.refresh();
    app.pass(3 * HOUR);
    box.asked = [];
    box.trouble = trouble;
    expect((await market.refresh()).written).toBe(0);
    // One question to each provider, then none.
    expect(box.asked).toHaveLength(2);
    expect(await token(id)).toMatchObject({
      price: 0.0025,
      sources: { price: { source: 'dexscreener', stale: true } },
    });
    expect((await asksOf(address)).every(({ claim }) => claim === null)).toBe(true);
    expect(app.logged.filter(({ msg }) => msg === 'market data: provider left alone')).toHaveLength(2);

    app.pass(pause * 0.85);
    await market.refresh();
    expect(box.asked).toHaveLength(2);
    box.trouble = () => false;
    box.pairs = [pairOf(address, { priceUsd: '4' })];
    app.pass(HOUR);
    await market.refresh();
    expect(await token(id)).toMatchObject({ price: 4, sources: { price: { stale: false } } });
    expect(app.logged.filter(({ msg }) => /answers again/.test(String(msg)))).toHaveLength(2);
  });

  it('that stays away is asked less and less often, and logged once', async () => {
    await app.candidate({ contract_address: mint() });
    box.trouble = html(502);
    const pauses: number[] = [];
    for (let i = 0; i < 5; i++) {
      await market.refresh();
      const [row] = await app.sql<{ paused_until: Date }>(
        `select paused_until from market_sources where source = 'dexscreener'`,
      );
      const until = row?.paused_until ?? app.now;
      pauses.push(Math.round((until.getTime() - app.now.getTime()) / 1_000));
      // Past the pause, and past the next time of the token.
      app.pass(2 * HOUR);
    }
    pauses.forEach((pause, i) => {
      const expected = MARKET.pause.first * 2 ** i;
      expect(pause).toBeGreaterThanOrEqual(expected * 0.89);
      expect(pause).toBeLessThanOrEqual(expected * 1.11);
    });
    expect(
      app.logged.filter(({ msg, source }) => msg === 'market data: provider left alone' && source === 'dexscreener'),
    ).toHaveLength(1);
  });

  it('for one token does not keep the others waiting', async () => {
    const [bad, good] = [mint(), mint()];
    await app.candidate({ contract_address: bad });
    await app.candidate({ contract_address: good });
    box.pairs = [pairOf(good)];
    box.trouble = (req, res) =>
      req.url?.startsWith('/token-pairs') && req.url.includes(bad) ? html(500)(req, res) : false;
    for (let i = 0; i < 4; i++) {
      await market.refresh();
      app.pass(2 * MINUTE);
    }
    expect((await figuresOf(good)).map(({ figure }) => figure)).toContain('liquidity');
  });

  it('that refuses one address is asked about the others of the batch', async () => {
    const all = Array.from({ length: 9 }, mint);
    for (const address of all) await app.candidate({ contract_address: address });
    const bad = all[5] as string;
    box.pairs = all.map((address) => pairOf(address));
    box.trouble = (req, res) => (req.url?.includes(bad) ? answer(400, '{"error":"invalid address"}')(req, res) : false);
    await market.refresh();
    const [row] = await app.sql<{ n: number }>(`select count(*)::int as n from market_figures where figure = 'price'`);
    expect(row?.n).toBe(8);
    expect((await asksOf(bad)).find(({ ask }) => ask === 'prices')?.misses).toBe(1);
    expect(await app.sql('select 1 from market_sources where failures > 0')).toEqual([]);
  });

  it('leaves the other provider working', async () => {
    const address = mint();
    await app.candidate({ contract_address: address });
    box.holders.set(`solana/${address}`, 9);
    box.trouble = (req, res) => (req.url?.startsWith('/token') ? hang(req, res) : false);
    await market.refresh();
    expect((await figuresOf(address)).map(({ figure }) => figure)).toEqual(['holders']);
  });
});

describe('several processes', () => {
  it('share the work, and never ask about the same at a time', async () => {
    const other = await app.secondProcess();
    const third = await app.secondProcess();
    const all = Array.from({ length: 70 }, mint);
    for (const address of all) await app.candidate({ contract_address: address });
    box.pairs = all.map((address) => pairOf(address));
    box.delay = 40;
    await Promise.all([market.refresh(), other.market.refresh(), third.market.refresh()]);
    for (const [path, times] of Object.entries(Object.groupBy(box.asked, (path) => path)))
      expect(times, path).toHaveLength(1);
    const priced = asked(/^\/tokens/).flatMap((path) => path.split('/').at(-1)?.split(',') ?? []);
    expect(priced.sort()).toEqual(all.sort());
    expect(await app.sql(`select 1 from market_figures where figure = 'price'`)).toHaveLength(70);
  });

  it('share the minute of each provider', async () => {
    const other = await app.secondProcess();
    for (let i = 0; i < 40; i++) await app.candidate({ contract_address: mint() });
    await Promise.all([market.refresh(), other.market.refresh()]);
    expect(asked(/^\/api/)).toHaveLength(MARKET.perMinute.geckoterminal);
    await market.refresh();
    expect(asked(/^\/api/)).toHaveLength(MARKET.perMinute.geckoterminal);
    app.pass(MINUTE + 1);
    await Promise.all([market.refresh(), other.market.refresh()]);
    expect(asked(/^\/api/)).toHaveLength(2 * MARKET.perMinute.geckoterminal);
    expect(await app.sql('select 1 from market_asks where claim is not null')).toEqual([]);
  });

  it('all leave a provider alone that one of them found in trouble', async () => {
    const other = await app.secondProcess();
    await app.candidate({ contract_address: mint() });
    box.trouble = answer(429, '{}', { 'retry-after': '600' });
    await market.refresh();
    box.asked = [];
    app.pass(9 * MINUTE);
    await other.market.refresh();
    expect(box.asked).toEqual([]);
  });

  it('take over from one that died, and the dead one no longer writes', async () => {
    const address = mint();
    await app.candidate({ contract_address: address });
    box.pairs = [pairOf(address, { priceUsd: '1' })];
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    // The answer to the first process hangs on the way; by then it lost its claim.
    const slow = lateProcess(held);
    const first = slow.refresh();
    await expect.poll(() => app.sql('select 1 from market_asks where claim is not null')).not.toHaveLength(0);
    app.pass(4 * MINUTE);
    box.pairs = [pairOf(address, { priceUsd: '2' })];
    await market.refresh();
    release();
    await first;
    expect((await figuresOf(address)).find(({ figure }) => figure === 'price')).toMatchObject({ value: 2 });
  });
});

/** Another process, whose provider answers with an old price, late. */
function lateProcess(held: Promise<void>) {
  const late = { price: 1, marketCap: 1, volume24h: null, liquidity: null };
  return createMarketService({
    db: app.services.db,
    now: () => app.now,
    log: { warn: () => {}, info: () => {} },
    providers: {
      prices: {
        source: 'dexscreener',
        most: 30,
        prices: async (_network, addresses) => {
          await held;
          return new Map(addresses.map((address) => [address, late]));
        },
        pools: async () => null,
      },
      holders: { source: 'geckoterminal', holders: async () => null },
    },
  });
}

describe('open pages', () => {
  it('hear of new figures once a run, and not of runs that brought none', async () => {
    const listener = listenTo(app.services);
    const all = Array.from({ length: 3 }, mint);
    for (const address of all) await app.candidate({ contract_address: address });
    await market.refresh();
    box.pairs = all.map((address) => pairOf(address));
    app.pass(HOUR);
    await market.refresh();
    await listener.changed('market');
    await new Promise((done) => setTimeout(done, 300));
    expect(listener.liveEvents).toEqual([{ type: 'domain.changed', domain: 'market' }]);
  });

  it('are made anew for visitors', async () => {
    const { token_slug: slug } = await app.candidate({ contract_address: mint() });
    const [row] = await app.sql<{ contract_address: string }>('select contract_address from voting_candidates');
    await app.http(`/token/${slug}`);
    await app.http(`/token/${slug}`);
    expect(app.rendered.filter((path) => path === `/token/${slug}`)).toHaveLength(1);
    box.pairs = [pairOf(row?.contract_address ?? '')];
    const listener = listenTo(app.services);
    await market.refresh();
    await listener.until((event) => event.type === 'domain.changed');
    await app.http(`/token/${slug}`);
    expect(app.rendered.filter((path) => path === `/token/${slug}`)).toHaveLength(2);
  });
});

describe('prices over time', () => {
  const put = (address: string, at: Date, price: number) =>
    app.sql(`insert into market_prices (network, address, at, price) values ('solana', $1, $2, $3)`, [
      address,
      at,
      price,
    ]);
  const earlier = (ms: number) => new Date(app.now.getTime() - ms);

  it('are recorded once for each step, with its newest price', async () => {
    const address = mint();
    await app.candidate({ contract_address: address });
    app.setNow('2026-04-01T10:01:00Z');
    for (const [priceUsd, minutes] of [
      ['1', 3],
      ['2', 3],
      ['3', 6],
      ['4', 1],
    ] as const) {
      box.pairs = [pairOf(address, { priceUsd })];
      await market.refresh();
      app.pass(minutes * MINUTE);
    }
    const rows = await app.sql('select at, price::float8 as price from market_prices where address = $1 order by at', [
      address,
    ]);
    expect(rows).toEqual([
      { at: new Date('2026-04-01T10:00:00Z'), price: 3 },
      { at: new Date('2026-04-01T10:10:00Z'), price: 4 },
    ]);
  });

  it('come in equal steps, the last one of each, and nothing where nothing was recorded', async () => {
    const address = mint();
    const { id } = await app.candidate({ contract_address: address });
    app.setNow('2026-04-02T12:10:00Z');
    for (const [hours, price] of [
      [30, 9],
      [20.1, 1],
      [20, 2],
      [1, 3],
      [0, 4],
    ] as const)
      await put(address, earlier(hours * HOUR), price);
    const { points } = await visitor.market.prices({ kind: 'candidate', id, range: 'day' });
    expect(points).toHaveLength(48);
    const known = points.filter(({ price }) => price !== null);
    expect(known.map(({ price }) => price)).toEqual([2, 3, 4]);
    expect(known[0]?.at).toBe('2026-04-01T16:10:00.000Z');
    expect(points.at(-1)?.price).toBe(4);
    const week = await visitor.market.prices({ kind: 'candidate', id });
    expect(week.points).toHaveLength(56);
    expect(week.points.filter(({ price }) => price !== null).map(({ price }) => price)).toEqual([9, 2, 3, 4]);
    for (const range of ['month', 'year'] as const)
      expect((await visitor.market.prices({ kind: 'candidate', id, range })).points.at(-1)?.price).toBe(4);
  });

  it('of what the public does not see are not told', async () => {
    const address = mint();
    const { id } = await app.candidate({ contract_address: address, is_active: false });
    await put(address, earlier(HOUR), 1);
    expect(await visitor.market.prices({ kind: 'candidate', id })).toEqual({ points: [], source: null });
    expect(await visitor.market.prices({ kind: 'project', id })).toEqual({ points: [], source: null });
  });

  it('are thinned to one an hour, then one a day, then none; the newest of each stays', async () => {
    const address = mint();
    await app.candidate({ contract_address: address });
    app.setNow('2026-06-15T12:00:00Z');
    await market.refresh();
    const day = 24 * HOUR;
    for (const days of [1, 10, 40, 401])
      for (let step = 0; step < 12; step++)
        await put(address, earlier(days * day - step * 10 * MINUTE), days * 100 + step);
    expect(await thinPrices(app.services.db, app.now)).toBeGreaterThan(0);
    const rows = await app.sql<{ price: number }>('select price::float8 as price from market_prices order by at');
    const prices = rows.map(({ price }) => price);
    expect(prices).toEqual([4_011, 1_005, 1_011, ...Array.from({ length: 12 }, (_, i) => 100 + i)]);
    expect(await thinPrices(app.services.db, app.now)).toBe(0);
  });

  it('of tokens that no record names any more are forgotten after a month', async () => {
    const address = mint();
    const { id } = await app.candidate({ contract_address: address });
    box.pairs = [pairOf(address)];
    await market.refresh();
    await app.sql('update voting_candidates set contract_address = null where id = $1', [id]);
    app.pass(29 * 24 * HOUR);
    await thinPrices(app.services.db, app.now);
    expect(await figuresOf(address)).not.toEqual([]);
    app.pass(3 * 24 * HOUR);
    await thinPrices(app.services.db, app.now);
    expect(await figuresOf(address)).toEqual([]);
    expect(await app.sql('select 1 from market_prices')).toEqual([]);
  });
});

describe('the back office', () => {
  it('sees what the provider says beside what the team enters', async () => {
    const admin = app.as(await app.member({ role: 'admin' })).admin;
    const address = mint();
    const { id } = await app.candidate({ contract_address: address, price: 7 });
    const read = () => admin.market.read({ kind: 'candidate', id });
    expect(await read()).toMatchObject({ enabled: true, network: 'solana', address, state: 'waiting', figures: [] });
    await market.refresh();
    expect(await read()).toMatchObject({ state: 'unlisted', answeredAt: app.now.toISOString(), figures: [] });
    app.pass(HOUR);
    box.pairs = [pairOf(address)];
    await market.refresh();
    const seen = await read();
    expect(seen).toMatchObject({ state: 'listed', pausedUntil: null });
    expect(seen.figures.find(({ figure }) => figure === 'price')).toEqual({
      figure: 'price',
      value: 0.0025,
      source: 'dexscreener',
      at: app.now.toISOString(),
      stale: false,
    });
    app.pass(HOUR);
    box.trouble = html(500);
    await market.refresh();
    expect((await read()).pausedUntil).not.toBeNull();
    await app.sql('update voting_candidates set is_active = false where id = $1', [id]);
    expect((await read()).state).toBe('hidden');
    await app.sql(`update voting_candidates set contract_address = $2 where id = $1`, [id, LOWER]);
    expect(await read()).toMatchObject({ state: 'nowhere', network: null, address: LOWER, figures: [] });
    await expect(admin.market.read({ kind: 'project', id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('says the network of an address, which a winner takes along', async () => {
    const admin = app.as(await app.member({ role: 'admin' })).admin;
    const project = await admin.projects.create({
      tokenName: 'Red',
      tokenSymbol: 'RED',
      tokenAddress: CHECKSUMMED,
      network: 'bnb',
    });
    expect(project.network).toBe('bnb');
    expect(
      (await admin.projects.update({ id: project.id, version: project.version, network: null })).network,
    ).toBeNull();
    await expect(
      admin.projects.update({ id: project.id, version: project.version + 1, network: 'tron' as never }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const next = await admin.nextProjects.create({
      tokenName: 'Red',
      tokenSymbol: 'RED',
      network: 'polygon',
      resemblanceAccepted: true,
    });
    expect(next.network).toBe('polygon');

    const voter = await app.member();
    const { id } = await app.candidate({ contract_address: CHECKSUMMED, network: 'ethereum' });
    await app.as(voter).voting.cast({ candidateId: id });
    const { round } = await admin.rounds.current();
    const seen = { id: round?.id ?? '', seenClosesAt: round?.closesAt ?? '' };
    await admin.rounds.closeEarly({ ...seen, reason: 'Prueba' });
    const won = await admin.rounds.promoteWinner({ id: seen.id, candidateId: id });
    const [promoted] = await app.sql('select network, contract_address from next_projects where id = $1', [
      won.nextProjectId,
    ]);
    expect(promoted).toEqual({ network: 'ethereum', contract_address: CHECKSUMMED });
  });
});
