import http from 'node:http';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import {
  answer,
  hang,
  html,
  type Pair,
  pairOf,
  SOL,
  startMarketServer,
} from '#tests/support/services/market-server.ts';
import { dexScreener } from './dexscreener.ts';
import { geckoTerminal } from './geckoterminal.ts';
import { openMarket } from './open.ts';
import { MarketError } from './port.ts';

const server = await startMarketServer();
const { box } = server;
afterAll(() => server.close());
afterEach(() => {
  Object.assign(box, { pairs: [], holders: new Map(), trouble: () => false, delay: 0, requests: [] });
});

const dex = dexScreener({ baseUrl: `${server.url}/`, timeoutMs: 3_000 });
const gecko = geckoTerminal({ baseUrl: `${server.url}/api/v2`, timeoutMs: 3_000 });
const MINT = '9n4nbM75f5Ui33ZbPYXn59EwSgE8CGsHtAeTH5YFeJ9E';
const LOWER = '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599';
const CHECKSUMMED = '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599';
const failure = (asking: Promise<unknown>) =>
  asking.then(
    () => 'answered',
    (error: MarketError) => (error instanceof MarketError ? { kind: error.kind, wait: error.retryAfter } : error),
  );

describe('DexScreener', () => {
  it('returns price and market cap of several tokens in one request', async () => {
    box.pairs = [pairOf(MINT), pairOf('Other', { priceUsd: '12', marketCap: 7 })];
    const found = await dex.prices('solana', [MINT, 'Other', 'Unknown']);
    expect([...found]).toEqual([
      [MINT, { price: 0.0025, marketCap: 2_500_000, volume24h: null, liquidity: null }],
      ['Other', { price: 12, marketCap: 7, volume24h: null, liquidity: null }],
    ]);
    expect(box.requests).toEqual([`/tokens/v1/solana/${MINT},Other,Unknown`]);
  });

  it('adds up volume and liquidity of all pools, and takes the price of the deepest', async () => {
    box.pairs = [
      pairOf(MINT, { priceUsd: '9', liquidity: { usd: 10, base: 1, quote: 1 }, volume: { h24: 5 } }),
      pairOf(MINT, { priceUsd: '1.5', liquidity: { usd: 900, base: 1, quote: 1 }, volume: { h24: 20 }, marketCap: 77 }),
      pairOf(MINT, { priceUsd: '8', liquidity: { usd: 90, base: 1, quote: 1 }, volume: {} }),
    ];
    expect(await dex.pools('solana', MINT)).toEqual({ price: 1.5, marketCap: 77, volume24h: 25, liquidity: 1_000 });
  });

  it('returns null for sums beyond the maximum of an amount, even if each part is below it', async () => {
    const absurd = { liquidity: { usd: 9e29, base: 1, quote: 1 }, volume: { h24: 9e29 } };
    box.pairs = [pairOf(MINT, absurd), pairOf(MINT, absurd)];
    expect(await dex.pools('solana', MINT)).toMatchObject({ price: 0.0025, volume24h: null, liquidity: null });
  });

  it('ignores pools in which the token is the quote', async () => {
    const paidWith = pairOf(SOL, { quoteToken: { address: MINT, name: 'T', symbol: 'T' }, priceUsd: '150' });
    box.pairs = [paidWith];
    expect(await dex.pools('solana', MINT)).toBeNull();
    expect(await dex.prices('solana', [MINT])).toEqual(new Map());
    box.pairs = [paidWith, pairOf(MINT)];
    expect(await dex.pools('solana', MINT)).toMatchObject({ price: 0.0025, volume24h: 1_000, liquidity: 50_000 });
  });

  it('compares EVM addresses without case, and Solana addresses with case', async () => {
    box.pairs = [pairOf(CHECKSUMMED, { chainId: 'bsc' }), pairOf(MINT.toLowerCase())];
    expect((await dex.prices('bnb', [LOWER])).get(LOWER)).toMatchObject({ price: 0.0025 });
    expect(await dex.pools('bnb', LOWER)).toMatchObject({ price: 0.0025 });
    box.trouble = answer(200, JSON.stringify([pairOf(MINT.toLowerCase())]));
    expect(await dex.prices('solana', [MINT])).toEqual(new Map());
    expect(box.requests[0]).toBe(`/tokens/v1/bsc/${LOWER}`);
  });

  it('requests each network by its name, and ignores responses about others', async () => {
    box.pairs = [pairOf(LOWER, { chainId: 'ethereum' })];
    expect(await dex.pools('ethereum', LOWER)).not.toBeNull();
    box.trouble = answer(200, JSON.stringify(box.pairs));
    expect(await dex.pools('polygon', LOWER)).toBeNull();
    expect(box.requests[1]).toBe(`/token-pairs/v1/polygon/${LOWER}`);
  });

  it.each<[string, Partial<Pair>, object]>([
    ['no price', { priceUsd: undefined as never }, { price: null, marketCap: null, volume24h: 1_000 }],
    ['a price of zero', { priceUsd: '0' }, { price: null, volume24h: 1_000 }],
    ['a price that is not a number', { priceUsd: 'NaN' }, { price: null }],
    ['a negative price', { priceUsd: '-1' }, { price: null }],
    ['an absurd price', { priceUsd: '1e300' }, { price: null }],
    ['a price as a number', { priceUsd: 2 as never }, { price: 2 }],
    ['a tiny price', { priceUsd: '0.00000000001234' }, { price: 1.234e-11 }],
    ['no market cap: the diluted one', { marketCap: undefined as never }, { marketCap: 2_600_000 }],
    ['neither of both market caps', { marketCap: undefined as never, fdv: undefined as never }, { marketCap: null }],
    ['a market cap of zero', { marketCap: 0, fdv: 0 }, { marketCap: null }],
    ['no volume', { volume: {} }, { volume24h: null }],
    ['a volume of zero, which is known', { volume: { h24: 0 } }, { volume24h: 0 }],
    ['no liquidity', { liquidity: undefined as never }, { liquidity: null, price: 0.0025 }],
    ['nothing at all', { volume: null as never, liquidity: null as never, priceUsd: null as never }, { price: null }],
  ])('reads a pool with %s', async (_what, over, expected) => {
    box.pairs = [pairOf(MINT, over)];
    expect(await dex.pools('solana', MINT)).toMatchObject(expected);
  });

  it('treats unlisted tokens and invalid pools as unknown', async () => {
    expect(await dex.prices('solana', [MINT])).toEqual(new Map());
    expect(await dex.pools('solana', MINT)).toBeNull();
    box.trouble = answer(200, JSON.stringify([null, 7, {}, { chainId: 'solana' }, []]));
    expect(await dex.pools('solana', MINT)).toBeNull();
  });
});

describe('GeckoTerminal', () => {
  it('returns the number of holders', async () => {
    box.holders
      .set(`bsc/${LOWER}`, 1_234)
      .set(`polygon_pos/${LOWER}`, 5)
      .set(`eth/${LOWER}`, 6)
      .set(`solana/${MINT}`, 7);
    expect(await gecko.holders('bnb', LOWER)).toBe(1_234);
    expect(await gecko.holders('polygon', LOWER)).toBe(5);
    expect(await gecko.holders('ethereum', LOWER)).toBe(6);
    expect(await gecko.holders('solana', MINT)).toBe(7);
    expect(box.requests[0]).toBe(`/api/v2/networks/bsc/tokens/${LOWER}/info`);
  });

  it('returns null for unknown tokens and invalid numbers of holders', async () => {
    expect(await gecko.holders('bnb', LOWER)).toBeNull();
    for (const count of [null, 0, -1, 1.5, 3e9]) {
      box.holders.set(`bsc/${LOWER}`, count);
      expect(await gecko.holders('bnb', LOWER)).toBeNull();
    }
    box.trouble = answer(200, '[]');
    expect(await gecko.holders('bnb', LOWER)).toBeNull();
  });
});

describe.each([
  ['prices', () => dex.prices('solana', [MINT])],
  ['pools', () => dex.pools('solana', MINT)],
  ['holders', () => gecko.holders('solana', MINT)],
])('asked for %s, a failing provider', (_what, ask) => {
  it.each([
    ['429 with seconds', answer(429, '{"error":"slow down"}', { 'retry-after': '90' }), 90_000],
    ['429 without a delay', answer(429, '{}'), null],
    ['429 as HTML', html(429, { 'retry-after': '7' }), 7_000],
    ['429 with an invalid delay', answer(429, '{}', { 'retry-after': 'soon' }), null],
    ['500', answer(500, '{}'), null],
    ['503 as HTML', html(503), null],
    ['200 as HTML', html(200), null],
    ['403 as HTML', html(403), null],
    ['403', answer(403, '{}'), null],
    ['an empty response', answer(200, ''), null],
    ['half a response', answer(200, '[{"chainId":"sol'), null],
    ['404 as HTML', html(404), null],
  ])('is unavailable after %s, with the delay of the response', async (_kind, broken, wait) => {
    box.trouble = broken;
    expect(await failure(ask())).toEqual({ kind: 'away', wait });
  });

  it('can send the delay as a date', async () => {
    box.trouble = answer(429, '{}', { 'retry-after': new Date(Date.now() + 60_000).toUTCString() });
    const { wait } = (await failure(ask())) as { wait: number };
    expect(wait).toBeGreaterThan(55_000);
    expect(wait).toBeLessThanOrEqual(60_000);
    box.trouble = answer(429, '{}', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' });
    expect(await failure(ask())).toEqual({ kind: 'away', wait: 0 });
  });

  it('that hangs, before or within its response, times out', async () => {
    box.trouble = hang;
    expect(await failure(ask())).toEqual({ kind: 'away', wait: null });
    box.trouble = (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' }).write('[');
      return true;
    };
    expect(await failure(ask())).toEqual({ kind: 'away', wait: null });
  });

  it('that never ends its response is aborted', async () => {
    let sent = 0;
    box.trouble = (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        while (!res.destroyed && res.write(' '.repeat(65_536))) sent += 65_536;
      };
      res.on('drain', more);
      more();
      return true;
    };
    expect(await failure(ask())).toEqual({ kind: 'away', wait: null });
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  it('that redirects is not followed', async () => {
    let requests = 0;
    const other = http.createServer((_req, res) => {
      requests++;
      res.end('[]');
    });
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const { port } = other.address() as { port: number };
    box.trouble = answer(302, '', { location: `http://127.0.0.1:${port}/` });
    expect(await failure(ask())).toEqual({ kind: 'away', wait: null });
    other.close();
    expect(requests).toBe(0);
  });

  it('that refuses only this request is reported as such', async () => {
    box.trouble = answer(400, '{"error":"bad address"}');
    expect(await failure(ask())).toEqual({ kind: 'refused', wait: null });
  });

  it('that is unreachable is unavailable', async () => {
    const gone = { baseUrl: 'http://127.0.0.1:1', timeoutMs: 1_000 };
    expect(await failure(dexScreener(gone).pools('solana', MINT))).toEqual({ kind: 'away', wait: null });
  });
});

it('is not queried if the operator disabled it', () => {
  const env = { MARKET_DATA: false, DEXSCREENER_URL: server.url, GECKOTERMINAL_URL: server.url };
  expect(openMarket(env)).toBeNull();
  expect(openMarket({ ...env, MARKET_DATA: true })?.prices.max).toBe(30);
});
