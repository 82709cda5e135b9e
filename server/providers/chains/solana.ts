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
import { accountFor, read, type SolanaReader, standing } from './solana-read.ts';
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

/** The chain whose coin is real money. */
export const SOLANA_MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
/** Public clusters whose coin is worth nothing: devnet and testnet. */
const TEST_CLUSTERS = new Set([
  'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY',
]);

/**
 * What is at stake on a chain; null for one that nobody knows here. Others run the same programs with a coin that is money, so
 * an unknown chain is a test chain only if it lives on this machine.
 */
export function stakesOf(genesis: string, rpcUrl: string): 'production' | 'test' | null {
  if (genesis === SOLANA_MAINNET) return 'production';
  const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(rpcUrl)?.hostname ?? '');
  return local || TEST_CLUSTERS.has(genesis) ? 'test' : null;
}

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const TOKEN_PROGRAMS = new Set<string>(['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', TOKEN_2022_PROGRAM_ADDRESS]);

/** Blocks after the last one in which an attempt could land before it is given up. */
const EXPIRY_MARGIN = 32n;
/** A blockhash is good for 150 blocks; a node that promises many more would keep an order waiting for ever. */
const MAX_BLOCKHASH_LIFE = 600n;
/** Attempts that land and fail cost a fee each. */
const MAX_FAILURES = 3;
/** Signatures that a node tells about at once. */
const MAX_ATTEMPTS = 256;
/** Lamports for a signature; the deployer and the mint sign. */
const SIGNATURE_FEE = 5_000n;
/** Micro-lamports for a compute unit. */
const MIN_PRICE = 10_000n;
const MAX_PRICE = 2_000_000n;
/** Each further attempt for the same token offers so many times more: the one before was too cheap, perhaps. */
const PRICE_STEP = 4n;

export interface SolanaOptions {
  rpcUrl: string;
  /** Of the deployer: whoever keeps it, or its text as `readSolanaKey` takes it. */
  key: SolanaKey | string;
  /** Secret from which the addresses of tokens are derived; see {@link readMintSeed}. */
  mintSeed: string;
  /** The only chain that may answer. */
  genesis?: string | undefined;
  /** How sure the chain must be of a token before it counts. */
  commitment?: Commitment | undefined;
  /** Pages for people, with `{address}` and `{transaction}` in the place of what is looked for. */
  explorer?: { address: string; transaction: string } | undefined;
  /** Longest wait for one answer. Milliseconds. */
  timeoutMs?: number | undefined;
}

/** One chain, one node and one deployer. */
interface SolanaContext extends SolanaReader {
  /** The only chain that may answer. */
  expected: string | undefined;
  options: SolanaOptions;
  payer: SolanaKey['signer'];
  /** Of the payer. */
  checkKey: SolanaKey['check'];
  seed: ReturnType<typeof readMintSeed>;
  /** Attempts that were signed here, by mint. */
  signed: Map<string, number>;
}

/** Tokens on Solana, by one deployer through one node. Keys and the node's address stay inside. */
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

    look: (plan, all) => observe(context, plan, all),

    sign: (plan, order) => sign(context, plan, order),

    send: (attempt) => send(context, attempt),

    read: async (plan, order, transaction) => {
      await genesisOf(context, plan);
      return read(context, plan, order, transaction);
    },

    standing: async (plan, order, since) => {
      await genesisOf(context, plan);
      return standing(context, plan, order, since);
    },

    pageOf(what) {
      if (!explorer) return null;
      return 'address' in what
        ? explorer.address.replaceAll('{address}', encodeURIComponent(what.address))
        : explorer.transaction.replaceAll('{transaction}', encodeURIComponent(what.transaction));
    },
  };
}

/** Which chain answers; throws when it is not the one that was configured, or planned on. */
async function genesisOf(context: SolanaContext, plan?: Plan): Promise<string> {
  const { node, expected, options } = context;
  const genesis = await node.genesis();
  if ((expected ?? genesis) !== genesis || (plan?.['genesis'] ?? genesis) !== genesis)
    throw new ChainError('wrong_chain', 'The Solana node belongs to another cluster');
  if (!stakesOf(genesis, options.rpcUrl))
    throw new ChainError('wrong_chain', 'The Solana node belongs to neither mainnet nor a known test cluster');
  return genesis;
}

/** @param earlier attempts for the same token. */
async function unitPrice(context: SolanaContext, earlier = 0): Promise<bigint> {
  const { node, payer } = context;
  const market = await node.unitPrice(payer.address);
  const least = MIN_PRICE * PRICE_STEP ** BigInt(Math.min(earlier, 9));
  const price = market > least ? market : least;
  return price < MAX_PRICE ? price : MAX_PRICE;
}

/** Lamports: what one token with a mint of that size costs, and what must stay on the deployer's account. */
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
  const { node } = context;
  const { value: account } = await node.account(owner, 'confirmed');
  // Nobody has used it yet: that is fine.
  if (!account) return;
  if (TOKEN_PROGRAMS.has(account.owner) && !account.executable)
    throw new ChainError('owner_is_token_account', 'The owner is the address of a token or of a token account');
  if (account.executable || account.owner !== SYSTEM_PROGRAM || account.data.length > 0)
    throw new ChainError('owner_is_program', 'The owner is a program or belongs to one, not to a wallet');
}

/** The key of the planned mint; throws when the seed is not the one the plan was made with. */
async function keysOf(context: SolanaContext, plan: Plan, order: TokenOrder) {
  const { seed } = context;
  const mint = await mintKey(seed, plan['genesis'] ?? '', order.requestId);
  if (mint.address !== plan.address)
    throw new ChainError('wrong_seed', 'The mint seed is another one than when the token was planned');
  const account = await accountFor(mint.address, order.owner);
  if (account !== plan['account']) throw mismatch('owner');
  return { mint, account };
}

/** Whether the chain is as sure of it as is asked for. */
const isSettled = (context: SolanaContext, { reached }: Status): boolean =>
  reached === 'finalized' || (context.settling === 'confirmed' && reached === 'confirmed');

/** Before an order is called open, the node must say in other ways too that nothing can land any more. */
async function doubt(context: SolanaContext, plan: Plan, silent: readonly Attempt[]): Promise<void> {
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
    production: stakesOf(genesis, options.rpcUrl) === 'production',
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
  // Older ones ran out long ago; and had one landed, the token would be there.
  const attempts = all.slice(-MAX_ATTEMPTS);
  await genesisOf(context, plan);
  const before = await node.progress();
  // In this order: what is not seen now, after the height, did not land before it.
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
  // Those that landed and failed can't come back, whatever their blockhash.
  const silent = known.flatMap(({ attempt, status }) => (status ? [] : [attempt]));
  await doubt(context, plan, silent);
  return { kind: 'open' };
}

async function sign(context: SolanaContext, plan: Plan, order: TokenOrder) {
  const { node, signed, payer } = context;
  checkOrder(order);
  await genesisOf(context, plan);
  const { mint, account } = await keysOf(context, plan, order);
  const { value: there } = await node.account(mint.address, 'confirmed');
  if (there && there.owner !== SYSTEM_PROGRAM)
    throw new ChainError('unreachable', 'The token is there by now: nothing to sign');
  const earlier = signed.get(mint.address) ?? 0;
  const price = await unitPrice(context, earlier);
  const { rent, cost, reserve } = await costOf(context, mintBytes(mint.address, order).final, price);
  if ((await node.balance(payer.address)) < cost + reserve)
    throw new ChainError('low_balance', `The deployer holds less than the ${inSol(cost + reserve)} SOL of a token`);

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
    if (hasInsufficientFunds(failure)) throw new ChainError('low_balance', 'The deployer can not pay for the token');
    // Too fresh for this node, too old, or something at the mint's address changed: look() tells.
    if (canChange(failure)) throw new ChainError('unreachable', `Not yet or no more: ${failureText(failure)}`);
    throw new ChainError('unsupported', `The chain refuses the creation: ${failureText(failure)}`);
  });
  if (answer !== signature) throw invalidAnswer('another transaction');
}

/** What stored bytes are; throws when they are not the transaction they are called. */
function contentOf(attempt: Attempt): { signature: string; blockhash: string } {
  try {
    const transaction = getTransactionDecoder().decode(attempt.signed);
    const { lifetimeToken } = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
    const signature = getSignatureFromTransaction(transaction);
    if (signature === attempt.transaction) return { signature, blockhash: lifetimeToken };
  } catch {
    // Said below.
  }
  throw new ChainError('mismatch', 'A stored attempt is not the transaction it is called');
}

/** Lamports as SOL. */
function inSol(lamports: bigint): string {
  const digits = String(lamports).padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '');
}
