import { describe, expect, it } from 'vitest';
import { MARKET } from '#contract/limits.ts';
import { app, box, CHECKSUMMED, figuresOf, HOUR, LOWER, MINUTE, market, mint, token } from '#tests/fixtures/market.ts';
import { answer, hang, html, pairOf } from '#tests/support/services/market-server.ts';
import { createMarketService } from './refresh.service.ts';

const fetchesOf = (address: string) =>
  app.sql<{ ask: string; misses: number; next_at: Date; claim: string | null }>(
    'select ask, misses, next_at, claim from market_asks where address = $1 order by ask',
    [address],
  );
const requestsTo = (pattern: RegExp) => box.requests.filter((path) => pattern.test(path));

describe('a refresh of market data', () => {
  it('stores price, volume, market cap, liquidity and holders, each with source and time [AMB-100]', async () => {
    const address = mint();
    const { id } = await app.candidate({ contract_address: address });
    box.pairs = [pairOf(address), pairOf(address, { liquidity: { usd: 1, base: 1, quote: 1 }, volume: { h24: 5 } })];
    box.holders.set(`solana/${address}`, 321);
    expect(await market.refresh()).toEqual({ polled: 3, written: 3 });
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

  it('fetches for projects, candidates and NEXT projects that are public, once per address', async () => {
    const [shared, hidden] = [mint(), mint()];
    await app.project({ token_address: shared });
    await app.candidate({ contract_address: shared });
    await app.nextProject({ token_address: shared });
    await app.project({ token_address: hidden, status: 'pending' });
    await app.candidate({ contract_address: `${hidden}2`.slice(1), is_active: false });
    await app.nextProject({ token_address: `${hidden}3`.slice(1), deleted_at: app.now });
    await app.project({ token_address: 'address-of-nothing' });
    await market.refresh();
    expect(box.requests.sort()).toEqual([
      `/api/v2/networks/solana/tokens/${shared}/info`,
      `/token-pairs/v1/solana/${shared}`,
      `/tokens/v1/solana/${shared}`,
    ]);
  });

  it('prefers the contract address to the token address [A-PROJ-27]', async () => {
    const address = mint();
    await app.project({ token_address: mint(), contract_address: address });
    await market.refresh();
    expect(requestsTo(/^\/tokens/)).toEqual([`/tokens/v1/solana/${address}`]);
  });

  it('fetches an EVM address only on the network that its record names', async () => {
    const { id } = await app.candidate({ contract_address: CHECKSUMMED });
    await market.refresh();
    expect(box.requests).toEqual([]);
    expect((await token(id)).network).toBeNull();
    await app.sql(`update voting_candidates set network = 'solana' where id = $1`, [id]);
    await market.refresh();
    expect(box.requests).toEqual([]);
    await app.sql(`update voting_candidates set network = 'bnb' where id = $1`, [id]);
    box.pairs = [pairOf(CHECKSUMMED, { chainId: 'bsc' }), pairOf(CHECKSUMMED, { chainId: 'ethereum', priceUsd: '9' })];
    await market.refresh();
    expect(requestsTo(/^\/tokens/)).toEqual([`/tokens/v1/bsc/${LOWER}`]);
    expect(await token(id)).toMatchObject({ network: 'bnb', price: 0.0025 });
  });

  it('batches thirty tokens of one network into one request', async () => {
    for (let i = 0; i < 65; i++) await app.candidate({ contract_address: mint() });
    await app.candidate({ contract_address: CHECKSUMMED, network: 'polygon' });
    await market.refresh();
    const sizes = requestsTo(/^\/tokens/).map((path) => path.split('/').at(-1)?.split(',').length);
    expect(sizes.sort()).toEqual([1, 30, 30, 5].sort());
  });

  it('fetches again when the interval has passed, not before', async () => {
    const address = mint();
    await app.candidate({ contract_address: address });
    box.pairs = [pairOf(address)];
    await market.refresh();
    app.pass(MARKET.every.prices * 800);
    await market.refresh();
    expect(requestsTo(/^\/tokens/)).toHaveLength(1);
    app.pass(MARKET.every.prices * 400);
    box.pairs = [pairOf(address, { priceUsd: '0.005' })];
    expect(await market.refresh()).toEqual({ polled: 1, written: 1 });
    expect((await figuresOf(address)).find(({ figure }) => figure === 'price')).toMatchObject({
      value: 0.005,
      at: app.now,
    });
  });

  it('keeps the last value of a figure that is missing now, with its own time, and marks it when it is stale [AMB-100]', async () => {
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

  it('fetches ever less often for a token the provider does not know, and all its figures once it trades', async () => {
    const address = mint();
    const { id } = await app.candidate({ contract_address: address });
    for (let i = 0; i < 4; i++) {
      await market.refresh();
      app.pass(MARKET.unknown.last.prices * 1_100 + MINUTE);
    }
    expect((await fetchesOf(address)).map(({ ask, misses }) => [ask, misses])).toEqual([
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

describe('a provider that fails', () => {
  it.each([
    ['429 with Retry-After', answer(429, '{}', { 'retry-after': '300' }), 300_000],
    ['429 without Retry-After', answer(429, '{}'), MARKET.pause.first * 1_000],
    ['an HTML page', html(503), MARKET.pause.first * 1_000],
    ['an HTML page with status 200', html(200), MARKET.pause.first * 1_000],
    ['no answer', hang, MARKET.pause.first * 1_000],
  ])('with %s is paused, and the last figures are kept', async (_kind, failure, pause) => {
    const address = mint();
    const { id } = await app.candidate({ contract_address: address, price: 3 });
    box.pairs = [pairOf(address)];
    await market.refresh();
    app.pass(3 * HOUR);
    box.requests = [];
    box.trouble = failure;
    expect((await market.refresh()).written).toBe(0);
    // One request to each provider, then none.
    expect(box.requests).toHaveLength(2);
    expect(await token(id)).toMatchObject({
      price: 0.0025,
      sources: { price: { source: 'dexscreener', stale: true } },
    });
    expect((await fetchesOf(address)).every(({ claim }) => claim === null)).toBe(true);
    expect(app.logged.filter(({ msg }) => msg === 'market data: provider left alone')).toHaveLength(2);

    app.pass(pause * 0.85);
    await market.refresh();
    expect(box.requests).toHaveLength(2);
    box.trouble = () => false;
    box.pairs = [pairOf(address, { priceUsd: '4' })];
    app.pass(HOUR);
    await market.refresh();
    expect(await token(id)).toMatchObject({ price: 4, sources: { price: { stale: false } } });
    // The price that is back makes the token's other fetches due while their rows are still locked: the first run may skip them.
    app.pass(MINUTE);
    await market.refresh();
    expect(app.logged.filter(({ msg }) => /answers again/.test(String(msg)))).toHaveLength(2);
  });

  it('repeatedly is paused longer each time, and logged once', async () => {
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
      // After the pause, and after the next scheduled time of the token.
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

  it('for one token does not delay the others', async () => {
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

  it('for one address of a batch still gets requests for the others', async () => {
    const all = Array.from({ length: 9 }, mint);
    for (const address of all) await app.candidate({ contract_address: address });
    const bad = all[5] as string;
    box.pairs = all.map((address) => pairOf(address));
    box.trouble = (req, res) => (req.url?.includes(bad) ? answer(400, '{"error":"invalid address"}')(req, res) : false);
    await market.refresh();
    const [row] = await app.sql<{ n: number }>(`select count(*)::int as n from market_figures where figure = 'price'`);
    expect(row?.n).toBe(8);
    expect((await fetchesOf(bad)).find(({ ask }) => ask === 'prices')?.misses).toBe(1);
    expect(await app.sql('select 1 from market_sources where failures > 0')).toEqual([]);
  });

  it('does not stop the other provider', async () => {
    const address = mint();
    await app.candidate({ contract_address: address });
    box.holders.set(`solana/${address}`, 9);
    box.trouble = (req, res) => (req.url?.startsWith('/token') ? hang(req, res) : false);
    await market.refresh();
    expect((await figuresOf(address)).map(({ figure }) => figure)).toEqual(['holders']);
  });
});

describe('several processes', () => {
  it('share the work, and fetch each address once', async () => {
    const other = await app.secondProcess();
    const third = await app.secondProcess();
    const all = Array.from({ length: 70 }, mint);
    for (const address of all) await app.candidate({ contract_address: address });
    box.pairs = all.map((address) => pairOf(address));
    box.delay = 40;
    await Promise.all([market.refresh(), other.market.refresh(), third.market.refresh()]);
    for (const [path, times] of Object.entries(Object.groupBy(box.requests, (path) => path)))
      expect(times, path).toHaveLength(1);
    const priced = requestsTo(/^\/tokens/).flatMap((path) => path.split('/').at(-1)?.split(',') ?? []);
    expect(priced.sort()).toEqual(all.sort());
    expect(await app.sql(`select 1 from market_figures where figure = 'price'`)).toHaveLength(70);
  });

  it('share the rate limit of each provider', async () => {
    const other = await app.secondProcess();
    for (let i = 0; i < 40; i++) await app.candidate({ contract_address: mint() });
    await Promise.all([market.refresh(), other.market.refresh()]);
    expect(requestsTo(/^\/api/)).toHaveLength(MARKET.perMinute.geckoterminal);
    await market.refresh();
    expect(requestsTo(/^\/api/)).toHaveLength(MARKET.perMinute.geckoterminal);
    app.pass(MINUTE + 1);
    await Promise.all([market.refresh(), other.market.refresh()]);
    expect(requestsTo(/^\/api/)).toHaveLength(2 * MARKET.perMinute.geckoterminal);
    expect(await app.sql('select 1 from market_asks where claim is not null')).toEqual([]);
  });

  it('all pause a provider whose failure one of them saw', async () => {
    const other = await app.secondProcess();
    await app.candidate({ contract_address: mint() });
    box.trouble = answer(429, '{}', { 'retry-after': '600' });
    await market.refresh();
    box.requests = [];
    app.pass(9 * MINUTE);
    await other.market.refresh();
    expect(box.requests).toEqual([]);
  });

  it('take over the fetches of a stalled one, whose late answer is not stored', async () => {
    const address = mint();
    await app.candidate({ contract_address: address });
    box.pairs = [pairOf(address, { priceUsd: '1' })];
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    // The response to the first process is delayed until its claim has expired.
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

/** Another process, whose provider returns an old price, late. */
function lateProcess(held: Promise<void>) {
  const late = { price: 1, marketCap: 1, volume24h: null, liquidity: null };
  return createMarketService({
    db: app.services.db,
    now: () => app.now,
    log: { warn: () => {}, info: () => {} },
    providers: {
      prices: {
        source: 'dexscreener',
        max: 30,
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
