import {
  bytesToHex,
  formatEther,
  type Hex,
  hexToBytes,
  keccak256,
  parseTransaction,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem';
import { ceilingOf, type Fees, firstOffer, nextOffer, priceNow, tooLow } from './evm-fees.ts';
import { type Block, evmNode, type Receipt } from './evm-node.ts';
import { type EvmReader, head, isTokenContract, read, recheck, searchCreation } from './evm-read.ts';
import { invalidAnswer, NodeRefusal } from './evm-rpc.ts';
import {
  callDataOf,
  checkOrder,
  checkPlan,
  DEPLOYMENT_PROXY,
  DEPLOYMENT_PROXY_CODE_HASH,
  type EvmPlan,
  ownerOf,
  planOf,
} from './evm-token.ts';
import { evmFileKey } from './keys/file.ts';
import type { EvmKey } from './keys/port.ts';
import {
  type Attempt,
  type Chain,
  ChainError,
  type Observation,
  type Plan,
  type Probe,
  type TokenOrder,
} from './port.ts';

type EvmNetwork = 'ethereum' | 'binance' | 'polygon';

const GWEI = 10n ** 9n;
/** Chains with real money and their defaults: confirmations, the token's own block included, and the maximum fee per unit of gas. */
const PRODUCTION: Record<EvmNetwork, { chainId: number; coin: string; confirmations: number; maxFee: bigint }> = {
  ethereum: { chainId: 1, coin: 'ETH', confirmations: 6, maxFee: 200n * GWEI },
  binance: { chainId: 56, coin: 'BNB', confirmations: 15, maxFee: 20n * GWEI },
  polygon: { chainId: 137, coin: 'POL', confirmations: 64, maxFee: 3_000n * GWEI },
};
/**
 * Chains whose coins have no value: local ones (anvil, ganache), Sepolia, Holesky, Hoodi, BNB testnet, Amoy. Any chain that is
 * neither one of these nor the network's own is refused.
 */
const TEST_CHAINS = new Set([31_337, 1_337, 11_155_111, 17_000, 560_048, 97, 80_002]);
/** Ordinary nodes discard account state after 128 blocks. */
const MAX_CONFIRMATIONS = 100;

/** A creation takes about 550,000 units of gas, with the longest texts about 620,000; unused gas is not charged. */
const TYPICAL_GAS = 560_000n;
const MIN_GAS = 700_000n;
/** A higher estimate of a node is invalid. */
const MAX_GAS = 3_000_000n;
/** Included attempts that fail are charged. */
const MAX_FAILURES = 3;
export interface EvmOptions {
  network: EvmNetwork;
  /** The only accepted chain: the network's own, or a test chain. */
  chainId: number;
  rpcUrl: string;
  /** Key of the deployer: an object that signs, or 64 hexadecimal digits, with or without 0x. */
  key: EvmKey | string;
  /** Confirmations before a token counts, its own block included. */
  confirmations?: number | undefined;
  /** Maximum fee per unit of gas. Wei. */
  maxFee?: bigint | undefined;
  /** Explorer pages, with the placeholders `{address}` and `{transaction}`. */
  explorer?: { address: string; transaction: string } | undefined;
  /** Timeout of one request. Milliseconds. */
  timeoutMs?: number | undefined;
}

/** One chain, one node and one deployer. */
interface EvmContext extends EvmReader {
  /** Required confirmations of a token, its own block included. */
  confirmations: number;
  deployer: EvmKey;
  /** Maximum fee in wei per unit of gas. */
  maxFee: bigint;
  defaults: (typeof PRODUCTION)[EvmNetwork];
}

/** Tokens on one EVM chain, by one deployer through one node. The key and the node's address are not exposed. */
export function evmChain(options: EvmOptions): Chain {
  const { network, chainId, explorer } = options;
  const defaults = PRODUCTION[network];
  if (chainId !== defaults.chainId && !TEST_CHAINS.has(chainId))
    throw new RangeError(`Chain ${chainId} is neither ${network} nor a known test chain`);
  const confirmations = options.confirmations ?? defaults.confirmations;
  if (!Number.isInteger(confirmations) || confirmations < 1 || confirmations > MAX_CONFIRMATIONS)
    throw new RangeError(`Confirmations are not between 1 and ${MAX_CONFIRMATIONS}`);
  const maxFee = options.maxFee ?? defaults.maxFee;
  const deployer = typeof options.key === 'string' ? evmFileKey(options.key) : options.key;
  const node = evmNode(options.rpcUrl, options.timeoutMs);

  const context: EvmContext = { node, chainId, confirmations, deployer, maxFee, defaults };
  return {
    network,
    probe: () => probe(context),
    prepare: (order) => prepare(context, order),

    observe: (plan, attempts) => observe(context, plan, attempts),

    sign: (stored, order, use) => sign(context, stored, order, use),

    send: (attempt) => send(context, attempt),

    read: (stored, order, transaction) => read(context, stored, order, transaction),

    recheck: (stored, order, since) => recheck(context, stored, order, since),

    pageOf(what) {
      if (!explorer) return null;
      return 'address' in what
        ? explorer.address.replaceAll('{address}', encodeURIComponent(what.address))
        : explorer.transaction.replaceAll('{transaction}', encodeURIComponent(what.transaction));
    },
  };
}

/** The newest block with enough confirmations; null while the chain is too short. */
const settledUnder = (context: EvmContext, top: Block): bigint | null => {
  const { confirmations } = context;
  const settled = top.number - BigInt(confirmations - 1);
  return settled < 0n ? null : settled;
};

async function checkProxy(context: EvmContext, top: Block): Promise<void> {
  const { node, chainId } = context;
  if (keccak256(await node.code(DEPLOYMENT_PROXY, top.number)) !== DEPLOYMENT_PROXY_CODE_HASH)
    throw new ChainError('unsupported', `Chain ${chainId} lacks the deterministic deployment proxy`);
}

/** Gas of the creation; refused when it would revert on top of that block. */
const gasOf = (context: EvmContext, data: Hex, top: Block) =>
  context.node.gas({ from: context.deployer.address, to: DEPLOYMENT_PROXY, data }, top.number);

/** True when an attempt without a receipt can still be included. */
async function isAlive(context: EvmContext, attempt: Attempt, settledNonces: bigint): Promise<boolean> {
  const { node } = context;
  // Only a settled use of its nonce by another transaction ends it; a node that dropped it proves nothing.
  if (nonceOf(attempt) >= settledNonces) return true;
  // Still present at the node: the count was wrong, or the receipt is late.
  return node.knows(attempt.transaction);
}

/** True when a new signature would help: the fee is too low and can be raised, or an earlier nonce is missing. */
async function isStuck(context: EvmContext, attempt: Attempt, top: Block): Promise<boolean> {
  const { node, deployer, maxFee } = context;
  const used = await node.nonces(deployer.address, top.number);
  if (nonceOf(attempt) < used) return false;
  if ((await missingBefore(context, attempt, used)) !== null) return true;
  const fees = await node.market(top);
  const offer = feesOf(attempt);
  return tooLow(offer, fees) && nextOffer(offer, fees, maxFee) !== null;
}

/** The missing nonce, neither included nor pending, that blocks an attempt; null when there is none. */
async function missingBefore(context: EvmContext, attempt: Attempt, used: bigint): Promise<bigint | null> {
  const { node, deployer } = context;
  if (nonceOf(attempt) <= used) return null;
  const waiting = await node.noncesWaiting(deployer.address);
  return nonceOf(attempt) > waiting ? (waiting > used ? waiting : used) : null;
}

async function probe(context: EvmContext): Promise<Probe> {
  const { node, deployer, maxFee, chainId, defaults } = context;
  const top = await head(context);
  await checkProxy(context, top);
  await deployer.check();
  const balance = await node.balance(deployer.address, top.number);
  const fees = await node.market(top);
  const cost = TYPICAL_GAS * priceNow(fees);
  // The chain requires a balance for the maximum cost, also for the last token.
  const min = MIN_GAS * ceilingOf(firstOffer(fees, maxFee));
  return {
    chainId: String(chainId),
    production: chainId === defaults.chainId,
    deployer: deployer.address,
    balance: formatEther(balance),
    coin: defaults.coin,
    cost: formatEther(cost),
    enoughFor: balance < min ? 0 : Number((balance - min) / cost) + 1,
  };
}

async function prepare(context: EvmContext, order: TokenOrder): Promise<Plan> {
  const { deployer, chainId, node } = context;
  checkOrder(order);
  const owner = ownerOf(order);
  if (owner === deployer.address) throw new ChainError('owner_invalid', 'The owner is the key that pays for creations');
  const top = await head(context);
  const plan = planOf(chainId, order, top.number);
  if (owner === plan.address) throw new ChainError('owner_invalid', 'The owner is the token itself');
  const code = await node.code(owner, top.number);
  // A wallet can be a contract; 0xef0100 marks an account with delegated code.
  if (code !== '0x' && !code.startsWith('0xef0100') && (await isTokenContract(context, owner, top)))
    throw new ChainError('owner_is_program', 'The owner is the contract of a token');
  return plan;
}

async function observe(context: EvmContext, plan: Plan, attempts: readonly Attempt[]): Promise<Observation> {
  const { chainId, node, deployer } = context;
  if (plan['chainId'] !== String(chainId)) throw new ChainError('wrong_chain', 'The plan is for another chain');
  const top = await head(context);
  const settled = settledUnder(context, top);
  const receipts = new Map<Attempt, Receipt>();
  for (const attempt of attempts) {
    const receipt = await node.receipt(attempt.transaction);
    if (receipt) receipts.set(attempt, receipt);
  }

  if ((await node.code(plan.address, top.number)) !== '0x') {
    const ours = [...receipts.values()].find(({ status }) => status === '0x1');
    return {
      kind: 'created',
      transaction: ours?.transactionHash ?? (await searchCreation(context, plan, top)),
      settled: settled !== null && (await node.code(plan.address, settled)) !== '0x',
    };
  }

  for (const { status, blockNumber, transactionHash } of receipts.values()) {
    const young = settled === null || blockNumber > settled;
    // Included in a block that is too new, or that can be reorganised away; then the same bytes can be included again.
    if (young) return { kind: 'pending', transaction: transactionHash, stuck: false };
    if (status === '0x1') throw invalidAnswer('a creation that landed, and no token');
  }

  const settledNonces = settled === null ? 0n : await node.nonces(deployer.address, settled);
  const alive: Attempt[] = [];
  for (const attempt of attempts)
    if (!receipts.has(attempt) && (await isAlive(context, attempt, settledNonces))) alive.push(attempt);
  const next = alive.reduce<Attempt | undefined>(
    // The newest attempt with the lowest nonce: earlier ones have lower fees, later ones depend on it.
    (best, one) => (best === undefined || nonceOf(one) <= nonceOf(best) ? one : best),
    undefined,
  );
  if (next) return { kind: 'pending', transaction: next.transaction, stuck: await isStuck(context, next, top) };

  const last = [...receipts.values()].at(-1);
  if (last) {
    const refused = (reason: string) => ({ kind: 'refused' as const, transaction: last.transactionHash, reason });
    if (receipts.size >= MAX_FAILURES) return refused('The creation landed and failed again and again');
    try {
      await gasOf(context, callDataOf(plan as EvmPlan), top);
    } catch (error) {
      if (error instanceof NodeRefusal && error.kind === 'reverted') return refused('The chain reverts the creation');
      throw error;
    }
  }
  return { kind: 'open' };
}

async function sign(
  context: EvmContext,
  stored: Plan,
  order: TokenOrder,
  { nonceFrom, replaces }: { nonceFrom: bigint; replaces?: Attempt | undefined },
): Promise<Attempt> {
  const { chainId, node, deployer, maxFee } = context;
  checkOrder(order);
  const { plan } = checkPlan(chainId, stored, order);
  const top = await head(context);
  await checkProxy(context, top);
  if ((await node.code(plan.address, top.number)) !== '0x')
    throw new ChainError('unreachable', 'The token exists already');
  const data = callDataOf(plan);
  const estimate = await gasOf(context, data, top);
  if (estimate > MAX_GAS) throw invalidAnswer('gas beyond measure');
  const wanted = (estimate * 12n) / 10n;
  const gas = wanted > MIN_GAS ? wanted : MIN_GAS;
  const fees = await node.market(top);
  const used = await node.nonces(deployer.address, top.number);
  // An attempt behind a missing nonce would wait forever (a node returned a wrong count when it was signed): then the missing
  // nonce is used. At most one of the two can create the token, as both would create it at the same address.
  const missing = replaces ? await missingBefore(context, replaces, used) : null;
  if (replaces && nonceOf(replaces) < used)
    throw new ChainError('unreachable', 'The nonce of that attempt is used already');
  const nonce = replaces ? (missing ?? nonceOf(replaces)) : used > nonceFrom ? used : nonceFrom;
  const offer = replaces && missing === null ? nextOffer(feesOf(replaces), fees, maxFee) : firstOffer(fees, maxFee);
  if (!offer) throw new ChainError('unreachable', 'A higher fee would exceed the limit: waiting for lower fees');
  const balance = await node.balance(deployer.address, top.number);
  if (balance < gas * ceilingOf(offer))
    throw new ChainError('low_balance', "The deployer's balance does not cover the fees of a creation");
  const unsigned: TransactionSerializable = {
    ...offer,
    chainId,
    nonce: Number(nonce),
    to: DEPLOYMENT_PROXY,
    data,
    gas,
  };
  const raw = serializeTransaction(unsigned, await deployer.sign(keccak256(serializeTransaction(unsigned))));
  return { transaction: keccak256(raw), signed: hexToBytes(raw), nonce, validUntil: null };
}

async function send(context: EvmContext, attempt: Attempt): Promise<void> {
  const { node } = context;
  try {
    await node.send(attempt);
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error;
    if (error.kind === 'known') return;
    // The nonce was used by this transaction, or by another one: only a receipt distinguishes the two.
    if (error.kind === 'nonce_too_low' && (await node.receipt(attempt.transaction))) return;
    throw error;
  }
}

/** The fee in the stored bytes. */
function feesOf(attempt: Attempt): Fees {
  const { maxFeePerGas, maxPriorityFeePerGas, gasPrice } = parseTransaction(bytesToHex(attempt.signed));
  return gasPrice === undefined
    ? { type: 'eip1559', maxFeePerGas: maxFeePerGas ?? 0n, maxPriorityFeePerGas: maxPriorityFeePerGas ?? 0n }
    : { type: 'legacy', gasPrice };
}

function nonceOf({ nonce }: Attempt): bigint {
  if (nonce === null) throw new RangeError('an attempt without nonce');
  return nonce;
}
