// The interface to a chain that the token creator needs. All derived data are stored before anything is sent, so that after a
// crash at any point the creation can continue, and no second token can be created.

/** Names as in the back office; 'binance' is BNB Smart Chain. */
const CHAIN_NETWORKS = ['solana', 'ethereum', 'binance', 'polygon'] as const;
export type ChainNetwork = (typeof CHAIN_NETWORKS)[number];

/** The token's data: frozen when it was ordered, and hashed. */
export interface TokenOrder {
  /** UUID of the paid request; addresses are derived from it. */
  requestId: string;
  name: string;
  symbol: string;
  /** Whole tokens. */
  supply: bigint;
  /** Receives the whole supply. */
  owner: string;
  /** Public address of the metadata JSON, for wallets; at most 200 bytes. */
  metadataUrl: string;
}

/** The data that an adapter derived once from an order; stored as JSON and passed to every later step. */
export interface Plan {
  /** Address of the token, known before anything is sent. */
  address: string;
  [detail: string]: string;
}

/** A signed and stored transaction, sent or not. */
export interface Attempt {
  /** Hash or signature that identifies it on the chain. */
  transaction: string;
  signed: Uint8Array;
  /** Nonce of the deployer's account; null on chains without nonces. */
  nonce: bigint | null;
  /** Last block height at which it can be included; null when it never expires. */
  validUntil: bigint | null;
}

/** The chain's current state of an order. */
export type Observation =
  /** The token exists; `settled` once it has the required confirmations. */
  | { kind: 'created'; transaction: string | null; settled: boolean }
  /** An attempt can still be included: send the same bytes again, sign nothing. `stuck`: its fee is too low for a prompt inclusion. */
  | { kind: 'pending'; transaction: string; stuck: boolean }
  /** No token, and no attempt can be included any more: a new signature is safe. */
  | { kind: 'open' }
  /** An attempt was included and failed, or the chain would refuse the next one, for a reason that a retry can't change. */
  | { kind: 'refused'; transaction: string | null; reason: string };

/** Facts read back from the chain. */
interface TokenFacts {
  name: string;
  symbol: string;
  decimals: number;
  /** Base units, decimal digits. */
  supply: string;
  /** Base units that the owner received from the creation. */
  ownerReceived: string;
  /** The authority that can mint more; null when there is none, permanently. */
  mintAuthority: string | null;
  /** The authority that can freeze balances; null when there is none. */
  freezeAuthority: string | null;
  /** True when name, symbol and metadata address are immutable. */
  metadataLocked: boolean;
  transaction: string | null;
  block: string | null;
  /** ISO time of that block, when the chain provides it. */
  at: string | null;
}

/** The chain behind a node's address, and the deployer's key on it. */
export interface Probe {
  /** EVM chain id, or Solana's genesis hash. */
  chainId: string;
  /** True for real money, false for a test or local chain. */
  production: boolean;
  /** The deployer's public address. */
  deployer: string;
  /** In the chain's own coin, as decimal text. */
  balance: string;
  coin: string;
  /** Approximate current cost of one token, in that coin. */
  cost: string;
  /** Number of tokens that the balance covers. */
  enoughFor: number;
}

export type ChainProblem =
  /** No response, or an invalid one: the state is unknown, so nothing may be signed. */
  | 'unreachable'
  /** The node is on another chain than the configured one. */
  | 'wrong_chain'
  /** The secret from which addresses are derived differs from the one used for the plan. */
  | 'wrong_seed'
  /** The chain lacks a required program (deployment proxy, token program). */
  | 'unsupported'
  /** The key service does not respond, or refuses to sign. */
  | 'key_unavailable'
  /** The key service has another key under that name than the configured address, or signs with another one. */
  | 'wrong_key'
  | 'low_balance'
  /** The order can't become a token here; `message` has the reason in English. */
  | 'owner_is_program'
  | 'owner_is_token_account'
  | 'owner_invalid'
  | 'name_invalid'
  | 'symbol_invalid'
  | 'supply_invalid'
  | 'metadata_invalid'
  /** The contract at the planned address is not the ordered one. */
  | 'mismatch';

/** Differences between a token and its creation. */
export const CHAIN_DIFFERENCES = [
  /** Nothing exists at its address, although the node is past the block that created it. */
  'gone',
  /** The contract's code, or the program that owns the mint. */
  'code',
  'name',
  'symbol',
  'decimals',
  'supply',
  'mint_authority',
  'freeze_authority',
  'metadata_authority',
  /** The address of the metadata, or other metadata in the mint. */
  'metadata',
] as const;
export type ChainDifference = (typeof CHAIN_DIFFERENCES)[number];

/** The reason why an operation on a chain failed. The message never contains keys or the node's address. */
export class ChainError extends Error {
  readonly problem: ChainProblem;
  /** For a mismatch with the chain's state: the first difference found. */
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
  /** The node's chain, the key's balance and the cost of a token. */
  probe(): Promise<Probe>;
  /** Validates the order against the chain (including the owner's account) and derives its plan. Sends nothing. */
  prepare(order: TokenOrder): Promise<Plan>;
  /** The current state of a creation. Never guesses: throws 'unreachable' rather than return 'open' while an attempt may be in progress. */
  observe(plan: Plan, attempts: readonly Attempt[]): Promise<Observation>;
  /**
   * Signs the creation and sends nothing.
   *
   * @param use.nonceFrom lowest nonce that no stored attempt of this key holds.
   * @param use.replaces a stuck attempt: same nonce, higher fee.
   */
  sign(plan: Plan, order: TokenOrder, use: { nonceFrom: bigint; replaces?: Attempt | undefined }): Promise<Attempt>;
  /** Broadcasts signed bytes; succeeds when the chain has them already. */
  send(attempt: Attempt): Promise<void>;
  /** Reads the token back and compares it with the order; throws 'mismatch' when they differ. */
  read(plan: Plan, order: TokenOrder, transaction: string | null): Promise<TokenFacts>;
  /**
   * Checks a created token again: its present state on the chain, without its history. A node that is behind the block that
   * created it throws 'unreachable'.
   *
   * @param since block or slot of the creation, decimal digits; null when unknown.
   * @throws ChainError 'mismatch' with `differs` for a difference.
   */
  recheck(plan: Plan, order: TokenOrder, since: string | null): Promise<{ supply: string; block: string }>;
  /** Explorer pages; null when no explorer is configured. */
  pageOf(what: { address: string } | { transaction: string }): string | null;
}
