import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A pool as DexScreener describes it; what a test leaves out may be missing there too. */
export interface Pair {
  chainId: string;
  dexId: string;
  url: string;
  pairAddress: string;
  baseToken: { address: string; name: string; symbol: string };
  quoteToken: { address: string; name: string; symbol: string };
  priceNative: string;
  priceUsd?: string;
  txns: Record<'m5' | 'h1' | 'h6' | 'h24', { buys: number; sells: number }>;
  volume: { h24?: number; h6?: number; h1?: number; m5?: number };
  priceChange: Record<string, number>;
  liquidity?: { usd?: number; base: number; quote: number };
  fdv?: number;
  marketCap?: number;
  pairCreatedAt?: number;
}

export const SOL = 'So11111111111111111111111111111111111111112';

let serial = 0;
export function pairOf(address: string, over: Partial<Pair> = {}): Pair {
  const deals = { buys: 3, sells: 2 };
  return {
    chainId: 'solana',
    dexId: 'raydium',
    url: `https://dexscreener.com/solana/pool${++serial}`,
    pairAddress: `pool${serial}`,
    baseToken: { address, name: 'Token', symbol: 'TOK' },
    quoteToken: { address: SOL, name: 'Wrapped SOL', symbol: 'SOL' },
    priceNative: '0.00001',
    priceUsd: '0.0025',
    txns: { m5: deals, h1: deals, h6: deals, h24: deals },
    volume: { h24: 1_000, h6: 300, h1: 40, m5: 1 },
    priceChange: { h24: -1.5 },
    liquidity: { usd: 50_000, base: 10_000_000, quote: 100 },
    fdv: 2_600_000,
    marketCap: 2_500_000,
    pairCreatedAt: 1_700_000_000_000,
    ...over,
  };
}

type Failure = (req: http.IncomingMessage, res: http.ServerResponse) => boolean;

/** DexScreener and GeckoTerminal on loopback, as far as they are used, with data and failures that tests choose. */
export async function startMarketServer(port = 0) {
  const box = {
    pairs: [] as Pair[],
    /** 'network/address' of GeckoTerminal: number of holders. */
    holders: new Map<string, number | null>(),
    /** Responds itself, and then returns true. */
    trouble: (() => false) as Failure,
    /** Delay before each response. Milliseconds. */
    delay: 0,
    requests: [] as string[],
  };
  const server = http.createServer(async (req, res) => {
    const path = req.url ?? '';
    box.requests.push(path);
    if (box.delay > 0) await new Promise((done) => setTimeout(done, box.delay));
    if (box.trouble(req, res)) return;
    const json = (status: number, value: unknown) =>
      void res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value));
    const same = (a: string, b: string) => (a.startsWith('0x') ? a.toLowerCase() === b.toLowerCase() : a === b);
    const about = (chain: string, address: string) =>
      box.pairs.filter(
        (pair) =>
          pair.chainId === chain && (same(pair.baseToken.address, address) || same(pair.quoteToken.address, address)),
      );
    const [, kind, version, chain = '', rest = ''] = path.split('/').map(decodeURIComponent);
    if (kind === 'tokens' && version === 'v1') {
      const addresses = rest.split(',');
      if (addresses.length > 30) return json(400, { error: 'too many addresses' });
      return json(
        200,
        addresses.flatMap((address) => about(chain, address).slice(0, 1)),
      );
    }
    if (kind === 'token-pairs' && version === 'v1') return json(200, about(chain, rest));
    const info = /^\/api\/v2\/networks\/([^/]+)\/tokens\/([^/]+)\/info$/.exec(path);
    if (info) {
      const count = box.holders.get(`${info[1]}/${info[2]}`);
      if (count === undefined) return json(404, { errors: [{ status: '404', title: 'Not Found' }] });
      const holders =
        count === null
          ? null
          : { count, distribution_percentage: { top_10: '41.2' }, last_updated: '2026-03-10T11:00:00Z' };
      return json(200, {
        data: { id: `${info[1]}_${info[2]}`, type: 'token', attributes: { address: info[2], holders } },
      });
    }
    return json(404, { error: 'not found' });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    box,
    url,
    env: { MARKET_DATA: 'on', DEXSCREENER_URL: url, GECKOTERMINAL_URL: `${url}/api/v2` },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Failures. */
export const answer =
  (status: number, body: string, headers: Record<string, string> = {}): Failure =>
  (_req, res) => {
    res.writeHead(status, headers).end(body);
    return true;
  };
export const html = (status: number, headers: Record<string, string> = {}): Failure =>
  answer(status, `<!doctype html><title>${status}</title><h1>Just a moment...</h1>`, {
    'content-type': 'text/html',
    ...headers,
  });
export const hang: Failure = () => true;
