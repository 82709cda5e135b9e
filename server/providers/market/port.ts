/** Networks by their names in our records. */
export type MarketNetwork = 'solana' | 'ethereum' | 'bnb' | 'polygon';

/** Market data of a token in US dollars; null for unknown values, which are never reported as zero. */
export interface Quote {
  price: number | null;
  marketCap: number | null;
  /** Over all pools, in the last 24 hours; null in responses about several tokens, which contain one pool each. */
  volume24h: number | null;
  /** Over all pools; null in responses about several tokens. */
  liquidity: number | null;
}

/** Prices and pools. Every method throws {@link MarketError} and nothing else. */
export interface PriceProvider {
  readonly source: 'dexscreener';
  /** Maximum number of addresses per request. */
  readonly max: number;
  /** Data of these tokens by the requested address; unknown tokens are missing. */
  prices(network: MarketNetwork, addresses: readonly string[]): Promise<Map<string, Quote>>;
  /** All pools of one token together; null if it is not traded. */
  pools(network: MarketNetwork, address: string): Promise<Quote | null>;
}

/** Number of holders of a token. Throws {@link MarketError} and nothing else. */
export interface HolderProvider {
  readonly source: 'geckoterminal';
  /** Null when the provider does not return it. */
  holders(network: MarketNetwork, address: string): Promise<number | null>;
}

/** The provider refuses a request, limits the rate, does not respond, or returns an invalid response. */
export class MarketError extends Error {
  override name = 'MarketError';
  /**
   * 'refused': the same request would be refused again; 'away': the provider is currently unavailable for all requests.
   */
  readonly kind: 'refused' | 'away';
  /** Milliseconds until the next permitted request, if the provider returned it. */
  readonly retryAfter: number | null;

  constructor(
    kind: 'refused' | 'away',
    message: string,
    options: { retryAfter?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.retryAfter = options.retryAfter ?? null;
  }
}
