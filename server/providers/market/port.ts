/** As our records name them. */
export type MarketNetwork = 'solana' | 'ethereum' | 'bnb' | 'polygon';

/** What a provider says about a token, in US dollars; null: it does not say. Never zero for what nobody knows. */
export interface Quote {
  price: number | null;
  marketCap: number | null;
  /** Of all pools, in the last 24 hours; null in answers about many tokens, which know one pool of each. */
  volume24h: number | null;
  /** In all pools; null in answers about many tokens. */
  liquidity: number | null;
}

/** Prices and pools. Every method throws {@link MarketError} and nothing else. */
export interface PriceProvider {
  readonly source: 'dexscreener';
  /** Addresses that one question may name. */
  readonly most: number;
  /** What it knows of these tokens, by address as asked; those it does not know are missing. */
  prices(network: MarketNetwork, addresses: readonly string[]): Promise<Map<string, Quote>>;
  /** All pools of one token together; null when it trades nowhere. */
  pools(network: MarketNetwork, address: string): Promise<Quote | null>;
}

/** How many hold a token. Throws {@link MarketError} and nothing else. */
export interface HolderProvider {
  readonly source: 'geckoterminal';
  /** Null when the provider does not say. */
  holders(network: MarketNetwork, address: string): Promise<number | null>;
}

/** The provider refuses a question, wants to be left alone, does not answer, or answers nonsense. */
export class MarketError extends Error {
  override name = 'MarketError';
  /** 'refused': this question, asked again, would be refused again; 'away': no question is answered now. */
  readonly kind: 'refused' | 'away';
  /** Milliseconds after which the provider wants to be asked again, where it says. */
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
