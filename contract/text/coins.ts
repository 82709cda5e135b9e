/** The coin behind a payment provider's code. */
interface Coin {
  /** Ticker: USDT. */
  symbol: string;
  /** Its network; null when the code does not contain it. */
  network: string | null;
}

/** Codes of the native coins of networks. */
const NATIVE: Record<string, [symbol: string, network: string]> = {
  btc: ['BTC', 'Bitcoin'],
  eth: ['ETH', 'Ethereum'],
  ethbsc: ['ETH', 'BNB Smart Chain'],
  etharb: ['ETH', 'Arbitrum'],
  ethbase: ['ETH', 'Base'],
  sol: ['SOL', 'Solana'],
  trx: ['TRX', 'Tron'],
  bnbbsc: ['BNB', 'BNB Smart Chain'],
  matic: ['POL', 'Polygon'],
  maticmainnet: ['POL', 'Polygon'],
  ltc: ['LTC', 'Litecoin'],
  doge: ['DOGE', 'Dogecoin'],
  bch: ['BCH', 'Bitcoin Cash'],
  xrp: ['XRP', 'XRP Ledger'],
  ada: ['ADA', 'Cardano'],
  ton: ['TON', 'TON'],
  xmr: ['XMR', 'Monero'],
};
/** Coins that exist on several networks, and the suffix of each network. */
const TOKENS = /^(usdt|usdc|busd|dai|tusd|usdd)(trc20|erc20|bsc|sol|matic|arb|op|base|ton|algo|arc20|celo|near)$/;
const NETWORKS: Record<string, string> = {
  trc20: 'Tron',
  erc20: 'Ethereum',
  bsc: 'BNB Smart Chain',
  sol: 'Solana',
  matic: 'Polygon',
  arb: 'Arbitrum',
  op: 'Optimism',
  base: 'Base',
  ton: 'TON',
  algo: 'Algorand',
  arc20: 'Avalanche',
  celo: 'Celo',
  near: 'NEAR',
};

/** Parses a provider's code such as 'usdttrc20'; an unknown code is only shown in upper case. */
export function coinFrom(code: string): Coin {
  const plain = code.toLowerCase();
  const own = Object.hasOwn(NATIVE, plain) ? NATIVE[plain] : undefined;
  if (own) return { symbol: own[0], network: own[1] };
  const [, symbol, ending] = TOKENS.exec(plain) ?? [];
  return symbol && ending
    ? { symbol: symbol.toUpperCase(), network: NETWORKS[ending] ?? null }
    : { symbol: code.toUpperCase(), network: null };
}

/** A coin with its network, where its code has one: USDT (Tron). The same in both languages. */
export function coinName(code: string): string {
  const { symbol, network } = coinFrom(code);
  return network ? `${symbol} (${network})` : symbol;
}
