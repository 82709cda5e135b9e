// What the token creator needs of a chain, whichever it is. Everything an adapter derives is stored before anything is sent,
// so a crash at any point leaves enough behind to go on, and nothing that could make a second token.

/** As the back office names them; 'binance' is BNB Smart Chain. */
const CHAIN_NETWORKS = ['solana', 'ethereum', 'binance', 'polygon'] as const;
export type ChainNetwork = (typeof CHAIN_NETWORKS)[number];

/** What the token is: frozen when it was ordered, and hashed. */
export interface TokenOrder {
  /** UUID of the paid request; addresses are derived from it. */
  requestId: string;
  name: string;
  symbol: string;
  /** Whole tokens. */
  supply: bigint;
  /** Gets the whole supply. */
  owner: string;
  /** Public address of the metadata JSON, for wallets; at most 200 bytes. */
  metadataUrl: string;
}

/** What an adapter derived from an order, once; kept as JSON and handed back at every later step. */
export interface Plan {
  /** Where the token will be, known before anything is sent. */
  address: string;
  [detail: string]: string;
}

/** A transaction that was signed and stored; it may or may not have been sent. */
export interface Attempt {
  /** Hash or signature: its name on the chain. */
  transaction: string;
  signed: Uint8Array;
  /** Of the deployer's account; null on chains without. */
  nonce: bigint | null;
  /** Last block height at which it can land; null where it never runs out. */
  validUntil: bigint | null;
}

/** What the chain says about an order now. */
export type Observation =
  /** The token is there; `settled` once as many blocks stand on it as are asked for. */
  | { kind: 'created'; transaction: string | null; settled: boolean }
  /** An attempt may still land: send the same bytes again, sign nothing. `stuck`: its fee is too low to land soon. */
  | { kind: 'pending'; transaction: string; stuck: boolean }
  /** No token, and no attempt can land any more: signing anew is safe. */
  | { kind: 'open' }
  /** An attempt landed and failed, or the chain would refuse the next one, for a reason that trying again can't change. */
  | { kind: 'refused'; transaction: string | null; reason: string };

/** Read back from the chain. */
interface TokenFacts {
  name: string;
  symbol: string;
  decimals: number;
  /** Base units, decimal digits. */
  supply: string;
  /** Base units that the owner received in the creation. */
  ownerReceived: string;
  /** Who could make more; null: nobody, for ever. */
  mintAuthority: string | null;
  /** Who could freeze balances; null: nobody. */
  freezeAuthority: string | null;
  /** Nobody can change name, symbol and metadata address. */
  metadataLocked: boolean;
  transaction: string | null;
  block: string | null;
  /** ISO time of that block, where the chain tells. */
  at: string | null;
}

/** The chain behind an address, and the key that pays on it. */
export interface Probe {
  /** EVM chain id, or Solana's genesis hash. */
  chainId: string;
  /** Real money, as opposed to a test or local chain. */
  production: boolean;
  /** The deployer's public address. */
  deployer: string;
  /** In the chain's own coin, decimal text. */
  balance: string;
  coin: string;
  /** About what one token costs now, in that coin. */
  cost: string;
  /** Tokens that the balance is enough for. */
  enoughFor: number;
}

export type ChainProblem =
  /** No answer, or one that makes no sense: nothing is known, so nothing may be signed. */
  | 'unreachable'
  /** Another chain than the configured one answers. */
  | 'wrong_chain'
  /** The secret that addresses are derived from is another one than when the order was planned. */
  | 'wrong_seed'
  /** The chain lacks what we build on (deployment proxy, token program). */
  | 'unsupported'
  /** Who keeps the key does not answer, or refuses to sign. */
  | 'key_unavailable'
  /** Who keeps the key has another one under its name than the configured address, or signs with another one. */
  | 'wrong_key'
  | 'low_balance'
  /** The order can't become a token here; `message` says why, in English. */
  | 'owner_is_program'
  | 'owner_is_token_account'
  | 'owner_invalid'
  | 'name_invalid'
  | 'symbol_invalid'
  | 'supply_invalid'
  | 'metadata_invalid'
  /** What stands at the planned address is not what was ordered. */
  | 'mismatch';

/** What of a token is not as it was made. */
export const CHAIN_DIFFERENCES = [
  /** Nothing stands at its address, though the node is past the block that made it. */
  'gone',
  /** The contract's code, or the program that the mint belongs to. */
  'code',
  'name',
  'symbol',
  'decimals',
  'supply',
  'mint_authority',
  'freeze_authority',
  'metadata_authority',
  /** The address of the metadata, or what else the mint says of them. */
  'metadata',
] as const;
export type ChainDifference = (typeof CHAIN_DIFFERENCES)[number];

/** Why a chain did not do what was asked. The message never holds keys or the address of the node. */
export class ChainError extends Error {
  readonly problem: ChainProblem;
  /** Of a mismatch with what stands on the chain: what differs, the first that was found. */
  readonly differs: ChainDifference | undefined;
  constructor(problem: ChainProblem, message: string, options?: ErrorOptions & { differs?: ChainDifference }) {
    super(message, options);
    this.name = 'ChainError';
    this.problem = problem;
    this.differs = options?.differs;
  }
}

/** One network with one deployer key. Every method throws {@link ChainError}. */
export interface Chain {
  readonly network: ChainNetwork;
  /** Which chain answers, what the key holds and what a token costs. */
  probe(): Promise<Probe>;
  /** Checks the order against the chain (who is the owner?) and derives what it will become. Sends nothing. */
  prepare(order: TokenOrder): Promise<Plan>;
  /** What became of it. Never guesses: throws 'unreachable' rather than call an order open that may be under way. */
  look(plan: Plan, attempts: readonly Attempt[]): Promise<Observation>;
  /**
   * Signs the creation and sends nothing.
   *
   * @param use.nonceFrom lowest nonce that no stored attempt of this key holds.
   * @param use.replaces a stuck attempt: same nonce, higher fee.
   */
  sign(plan: Plan, order: TokenOrder, use: { nonceFrom: bigint; replaces?: Attempt | undefined }): Promise<Attempt>;
  /** Hands signed bytes to the chain; that it knows them already is success. */
  send(attempt: Attempt): Promise<void>;
  /** Reads the token back and compares it with the order; throws 'mismatch' when they differ. */
  read(plan: Plan, order: TokenOrder, transaction: string | null): Promise<TokenFacts>;
  /**
   * Reads a token that was made again: what the chain says of it now, without its history. A node that is behind the block that made it
   * says nothing: 'unreachable'.
   *
   * @param since block or slot that made it, decimal digits; null where nobody knows.
   * @throws ChainError 'mismatch' with `differs` for what is not as it was made.
   */
  standing(plan: Plan, order: TokenOrder, since: string | null): Promise<{ supply: string; block: string }>;
  /** Pages of the explorer for people; null when none is configured. */
  pageOf(what: { address: string } | { transaction: string }): string | null;
}
