import {
  appendTransactionMessageInstructions,
  assertIsTransactionWithinSizeLimit,
  type Blockhash,
  createTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { TOKEN_2022_PROGRAM_ADDRESS } from '@solana-program/token-2022';
import { solanaFileKey } from './keys/file.ts';
import type { SolanaKey } from './keys/port.ts';
import { type Attempt, type Chain, ChainError, type Observation, type Plan, type TokenOrder } from './port.ts';
import { canChange, failureText, hasInsufficientFunds } from './solana-failures.ts';
import { mintKey, readMintSeed } from './solana-keys.ts';
import { type Commitment, type Status, solanaNode } from './solana-node.ts';
import { accountFor, read, recheck, type SolanaReader } from './solana-read.ts';
import { invalidAnswer, NodeRefusal } from './solana-rpc.ts';
import {
  COMPUTE_UNITS,
  checkOrder,
  creationInstructions,
  LONGEST_MINT_BYTES,
  mintBytes,
  mismatch,
  TOKEN_ACCOUNT_BYTES,
} from './solana-token.ts';

/** Genesis hash of the cluster with real money. */
export const SOLANA_MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
/** Public clusters whose coin has no value: devnet and testnet. */
const TEST_CLUSTERS = new Set([
  'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY',
]);

/**
 * Whether a cluster has real money; null for an unknown one. Other clusters run the same programs with a valuable coin,
 * so an unknown one only counts as a test cluster if its node is on this machine.
 */
export function clusterKind(genesis: string, rpcUrl: string): 'production' | 'test' | null {
  if (genesis === SOLANA_MAINNET) return 'production';
  const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(rpcUrl)?.hostname ?? '');
  return local || TEST_CLUSTERS.has(genesis) ? 'test' : null;
}

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const TOKEN_PROGRAMS = new Set<string>(['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', TOKEN_2022_PROGRAM_ADDRESS]);

/** Number of blocks after the last valid one before an attempt counts as expired. */
const EXPIRY_MARGIN = 32n;
/** A blockhash is valid for 150 blocks; a much higher value from a node would block an order forever. */
const MAX_BLOCKHASH_LIFE = 600n;
/** Included attempts that fail are charged. */
const MAX_FAILURES = 3;
/** Maximum number of signatures in one status request. */
const MAX_ATTEMPTS = 256;
/** Lamports per signature; the deployer and the mint sign. */
const SIGNATURE_FEE = 5_000n;
/** Minimum price in micro-lamports per compute unit. */
const MIN_PRICE = 10_000n;
const MAX_PRICE = 2_000_000n;
/** Factor of the minimum price for each further attempt of the same token: the earlier price may have been too low. */
const PRICE_STEP = 4n;

export interface SolanaOptions {
  rpcUrl: string;
  /** Key of the deployer: an object that signs, or its text as for `readSolanaKey`. */
  key: SolanaKey | string;
  /** Secret from which the addresses of tokens are derived; see {@link readMintSeed}. */
  mintSeed: string;
  /** The only accepted cluster. */
  genesis?: string | undefined;
  /** Required commitment of a token before it counts. */
  commitment?: Commitment | undefined;
  /** Explorer pages, with the placeholders `{address}` and `{transaction}`. */
  explorer?: { address: string; transaction: string } | undefined;
  /** Timeout of one request. Milliseconds. */
  timeoutMs?: number | undefined;
}

/** One chain, one node and one deployer. */
interface SolanaContext extends SolanaReader {
  /** The only accepted cluster. */
  expected: string | undefined;
  options: SolanaOptions;
  payer: SolanaKey['signer'];
  /** Checks the payer's key. */
  checkKey: SolanaKey['check'];
  seed: ReturnType<typeof readMintSeed>;
  /** Number of attempts signed by this process, by mint. */
  signed: Map<string, number>;
}

/** Tokens on Solana, by one deployer through one node. The keys and the node's address are not exposed. */
export async function solanaChain(options: SolanaOptions): Promise<Chain> {
  const settling = options.commitment ?? 'finalized';
  const node = solanaNode(options.rpcUrl, settling, options.timeoutMs);
  const seed = readMintSeed(options.mintSeed);
  const { signer: payer, check: checkKey } =
    typeof options.key === 'string' ? await solanaFileKey(options.key) : options.key;
  const { genesis: expected, explorer } = options;

  const signed = new Map<string, number>();

  const context: SolanaContext = { node, expected, options, payer, checkKey, seed, settling, signed };
  return {
    network: 'solana',

    probe: () => probe(context),

    prepare: (order) => prepare(context, order),

    observe: (plan, all) => observe(context, plan, all),

    sign: (plan, order) => sign(context, plan, order),

    send: (attempt) => send(context, attempt),

    read: async (plan, order, transaction) => {
      await genesisOf(context, plan);
      return read(context, plan, order, transaction);
    },

    recheck: async (plan, order, since) => {
      await genesisOf(context, plan);
      return recheck(context, plan, order, since);
    },

    pageOf(what) {
      if (!explorer) return null;
      return 'address' in what
        ? explorer.address.replaceAll('{address}', encodeURIComponent(what.address))
        : explorer.transaction.replaceAll('{transaction}', encodeURIComponent(what.transaction));
    },
  };
}

/** The cluster's genesis hash; throws if it is not the configured or planned one, or an unknown one. */
async function genesisOf(context: SolanaContext, plan?: Plan): Promise<string> {
  const { node, expected, options } = context;
  const genesis = await node.genesis();
  if ((expected ?? genesis) !== genesis || (plan?.['genesis'] ?? genesis) !== genesis)
    throw new ChainError('wrong_chain', 'The Solana node belongs to another cluster');
  if (!clusterKind(genesis, options.rpcUrl))
    throw new ChainError('wrong_chain', 'The Solana node belongs to neither mainnet nor a known test cluster');
  return genesis;
}

/** @param earlier number of earlier attempts for the same token. */
async function unitPrice(context: SolanaContext, earlier = 0): Promise<bigint> {
  const { node, payer } = context;
  const market = await node.unitPrice(payer.address);
  const min = MIN_PRICE * PRICE_STEP ** BigInt(Math.min(earlier, 9));
  const price = market > min ? market : min;
  return price < MAX_PRICE ? price : MAX_PRICE;
}

/**
 * In lamports: the cost of one token with a mint of the given size, and the reserve that must remain on the deployer's
 * account.
 */
async function costOf(
  context: SolanaContext,
  size: number,
  price: bigint,
): Promise<{ rent: bigint; cost: bigint; reserve: bigint }> {
  const { node } = context;
  const [rent, holding, reserve] = await Promise.all([node.rent(size), node.rent(TOKEN_ACCOUNT_BYTES), node.rent(0)]);
  const priority = (price * BigInt(COMPUTE_UNITS) + 999_999n) / 1_000_000n;
  return { rent, cost: rent + holding + 2n * SIGNATURE_FEE + priority, reserve };
}

async function requireTokenProgram(context: SolanaContext): Promise<void> {
  const { node } = context;
  const { value } = await node.account(TOKEN_2022_PROGRAM_ADDRESS, 'confirmed');
  if (!value?.executable) throw new ChainError('unsupported', 'The chain has no Token-2022 program');
}

async function checkOwner(context: SolanaContext, owner: string): Promise<void> {
  const { node, payer } = context;
  if (owner === payer.address) throw new ChainError('owner_invalid', 'The owner is the key that pays for creations');
  const { value: account } = await node.account(owner, 'confirmed');
  // An unused address is valid.
  if (!account) return;
  if (TOKEN_PROGRAMS.has(account.owner) && !account.executable)
    throw new ChainError('owner_is_token_account', 'The owner is the address of a token or of a token account');
  if (account.executable || account.owner !== SYSTEM_PROGRAM || account.data.length > 0)
    throw new ChainError('owner_is_program', 'The owner is a program or belongs to one, not to a wallet');
}

/** The key of the planned mint; throws if the seed is not the one of the plan. */
async function keysOf(context: SolanaContext, plan: Plan, order: TokenOrder) {
  const { seed } = context;
  const mint = await mintKey(seed, plan['genesis'] ?? '', order.requestId);
  if (mint.address !== plan.address)
    throw new ChainError('wrong_seed', 'The mint seed differs from the one with which the token was planned');
  const account = await accountFor(mint.address, order.owner);
  if (account !== plan['account']) throw mismatch('owner');
  return { mint, account };
}

/** True if a transaction has the required commitment. */
const isSettled = (context: SolanaContext, { reached }: Status): boolean =>
  reached === 'finalized' || (context.settling === 'confirmed' && reached === 'confirmed');

/**
 * Further checks before an order is reported as open: the node has to confirm in other ways that no attempt can be
 * included any more.
 */
async function requireNoneIncluded(context: SolanaContext, plan: Plan, silent: readonly Attempt[]): Promise<void> {
  const { node } = context;
  for (const blockhash of new Set(silent.map((attempt) => contentOf(attempt).blockhash)))
    if (await node.isBlockhashValid(blockhash)) throw invalidAnswer('a blockhash outlives its height');
  node.checkForward(await node.progress());
  await genesisOf(context, plan);
}

async function probe(context: SolanaContext) {
  const { node, payer, checkKey, options } = context;
  const genesis = await genesisOf(context);
  await requireTokenProgram(context);
  await checkKey();
  const balance = await node.balance(payer.address);
  const { cost, reserve } = await costOf(context, LONGEST_MINT_BYTES, await unitPrice(context));
  return {
    chainId: genesis,
    production: clusterKind(genesis, options.rpcUrl) === 'production',
    deployer: payer.address,
    balance: inSol(balance),
    coin: 'SOL',
    cost: inSol(cost),
    enoughFor: balance > reserve ? Number((balance - reserve) / cost) : 0,
  };
}

async function prepare(context: SolanaContext, order: TokenOrder) {
  const { seed } = context;
  checkOrder(order);
  const genesis = await genesisOf(context);
  await requireTokenProgram(context);
  await checkOwner(context, order.owner);
  const { address } = await mintKey(seed, genesis, order.requestId);
  return { address, genesis, account: await accountFor(address, order.owner) };
}

async function observe(context: SolanaContext, plan: Plan, all: readonly Attempt[]): Promise<Observation> {
  const { node, settling } = context;
  // Older attempts have expired; and had one been included, the token would exist.
  const attempts = all.slice(-MAX_ATTEMPTS);
  await genesisOf(context, plan);
  const before = await node.progress();
  // In this order: what is not visible after the height was read was not included before it.
  const statuses =
    attempts.length > 0 ? await node.statuses(attempts.map(({ transaction }) => transaction)) : undefined;
  const seen = await node.account(plan.address, 'confirmed');
  if (seen.context.slot < before.absoluteSlot || (statuses && statuses.slot < before.absoluteSlot))
    throw invalidAnswer('older than the height it told');

  const known = attempts.map((attempt, i) => ({ attempt, status: statuses?.value[i] ?? null }));
  const landed = known.find(({ status }) => status?.failure === null);
  if (seen.value && seen.value.owner !== SYSTEM_PROGRAM) {
    if (seen.value.owner !== TOKEN_2022_PROGRAM_ADDRESS) throw mismatch('program');
    const there = settling === 'confirmed' || (await node.account(plan.address, settling)).value !== null;
    return {
      kind: 'created',
      transaction: landed?.attempt.transaction ?? null,
      settled: there && (!landed?.status || isSettled(context, landed.status)),
    };
  }
  if (landed?.status) {
    if (isSettled(context, landed.status) && landed.status.slot <= seen.context.slot)
      throw invalidAnswer('a creation without its token');
    return { kind: 'pending', transaction: landed.attempt.transaction, stuck: false };
  }
  const canLand = (attempt: Attempt): boolean =>
    attempt.validUntil === null || before.blockHeight <= attempt.validUntil + EXPIRY_MARGIN;
  const alive = known.findLast(({ attempt, status }) => (status ? !isSettled(context, status) : canLand(attempt)));
  if (alive) return { kind: 'pending', transaction: alive.attempt.transaction, stuck: false };

  const failures = known.flatMap(({ attempt, status }) =>
    status?.failure ? [{ transaction: attempt.transaction, failure: status.failure }] : [],
  );
  const final =
    failures.find(({ failure }) => !canChange(failure)) ??
    (failures.length >= MAX_FAILURES ? failures.at(-1) : undefined);
  if (final) return { kind: 'refused', transaction: final.transaction, reason: failureText(final.failure) };
  // Included attempts that failed cannot be included again, whatever their blockhash.
  const silent = known.flatMap(({ attempt, status }) => (status ? [] : [attempt]));
  await requireNoneIncluded(context, plan, silent);
  return { kind: 'open' };
}

async function sign(context: SolanaContext, plan: Plan, order: TokenOrder) {
  const { node, signed, payer } = context;
  checkOrder(order);
  await genesisOf(context, plan);
  const { mint, account } = await keysOf(context, plan, order);
  const { value: there } = await node.account(mint.address, 'confirmed');
  if (there && there.owner !== SYSTEM_PROGRAM)
    throw new ChainError('unreachable', 'The token exists by now: nothing to sign');
  const earlier = signed.get(mint.address) ?? 0;
  const price = await unitPrice(context, earlier);
  const { rent, cost, reserve } = await costOf(context, mintBytes(mint.address, order).final, price);
  if ((await node.balance(payer.address)) < cost + reserve)
    throw new ChainError('low_balance', `The deployer's balance is below the ${inSol(cost + reserve)} SOL of a token`);

  const { blockHeight } = await node.progress();
  const { blockhash, lastValidBlockHeight } = await node.latestBlockhash();
  if (lastValidBlockHeight <= blockHeight || lastValidBlockHeight > blockHeight + MAX_BLOCKHASH_LIFE)
    throw invalidAnswer('the life of a blockhash');
  const found = there?.lamports ?? 0n;
  const transaction = await signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(payer, message),
      (message) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhash as Blockhash, lastValidBlockHeight },
          message,
        ),
      (message) =>
        appendTransactionMessageInstructions(
          creationInstructions({ order, payer, mint, account, rent, found, price }),
          message,
        ),
    ),
  );
  assertIsTransactionWithinSizeLimit(transaction);
  signed.set(mint.address, earlier + 1);
  return {
    transaction: getSignatureFromTransaction(transaction),
    signed: Uint8Array.from(getTransactionEncoder().encode(transaction)),
    nonce: null,
    validUntil: lastValidBlockHeight,
  };
}

async function send(context: SolanaContext, attempt: Attempt) {
  const { node } = context;
  const { signature } = contentOf(attempt);
  await genesisOf(context);
  const answer = await node.send(attempt.signed).catch((error: unknown) => {
    const failure = error instanceof NodeRefusal ? error.failure : null;
    if (!failure) throw error;
    if (failure.name === 'AlreadyProcessed') return signature;
    if (hasInsufficientFunds(failure))
      throw new ChainError('low_balance', "The deployer's balance does not cover the token");
    // The blockhash is too new for this node or expired, or the mint's account changed: observe() determines which.
    if (canChange(failure)) throw new ChainError('unreachable', `Not possible now: ${failureText(failure)}`);
    throw new ChainError('unsupported', `The chain refuses the creation: ${failureText(failure)}`);
  });
  if (answer !== signature) throw invalidAnswer('another transaction');
}

/** Signature and blockhash of the stored bytes; throws if they are not the stored transaction. */
function contentOf(attempt: Attempt): { signature: string; blockhash: string } {
  try {
    const transaction = getTransactionDecoder().decode(attempt.signed);
    const { lifetimeToken } = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
    const signature = getSignatureFromTransaction(transaction);
    if (signature === attempt.transaction) return { signature, blockhash: lifetimeToken };
  } catch {
    // Thrown below.
  }
  throw new ChainError('mismatch', 'The signed bytes of a stored attempt belong to another transaction');
}

/** Formats lamports in SOL. */
function inSol(lamports: bigint): string {
  const digits = String(lamports).padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '');
}
