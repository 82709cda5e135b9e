import { bytesToHex, formatEther, type Hex, hexToBytes, keccak256, parseTransaction } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { ceilingOf, type Fees, firstOffer, nextOffer, priceNow, tooLow } from './evm-fees.ts';
import { type Block, evmNode, isCreation, type Receipt } from './evm-node.ts';
import { NodeRefusal, nonsense } from './evm-rpc.ts';
import {
  baseUnits,
  callDataOf,
  checkOrder,
  checkPlan,
  DECIMALS,
  DEPLOYMENT_PROXY,
  DEPLOYMENT_PROXY_CODE_HASH,
  type EvmPlan,
  ownerOf,
  planOf,
  textOf,
  wordOf,
} from './evm-token.ts';
import { type Attempt, type Chain, ChainError, type Plan } from './port.ts';

type EvmNetwork = 'ethereum' | 'binance' | 'polygon';

const GWEI = 10n ** 9n;
/**
 * The chains where coins are money, and what is usual there: blocks that must stand on a token, its own included, and
 * the most that is paid for a unit of gas.
 */
const PRODUCTION: Record<EvmNetwork, { chainId: number; coin: string; confirmations: number; feeMost: bigint }> = {
  ethereum: { chainId: 1, coin: 'ETH', confirmations: 6, feeMost: 200n * GWEI },
  binance: { chainId: 56, coin: 'BNB', confirmations: 15, feeMost: 20n * GWEI },
  polygon: { chainId: 137, coin: 'POL', confirmations: 64, feeMost: 3_000n * GWEI },
};
/**
 * Chains on which coins are worth nothing: local ones (anvil, ganache), Sepolia, Holesky, Hoodi, BNB testnet, Amoy. Any
 * other chain may be one where they are money, and no network's here.
 */
const TEST_CHAINS = new Set([31_337, 1_337, 11_155_111, 17_000, 560_048, 97, 80_002]);
/** Ordinary nodes forget what stood in accounts 128 blocks ago. */
const CONFIRMATIONS_MOST = 100;

/** A creation takes about 550,000 units of gas, with the longest texts about 620,000; what is not used is not paid. */
const GAS_USUAL = 560_000n;
const GAS_LEAST = 700_000n;
/** A node that says more is wrong. */
const GAS_MOST = 3_000_000n;
/** Attempts that land and fail cost their fee. */
const FAILURES_MOST = 3;
export interface EvmOptions {
  network: EvmNetwork;
  /** The only chain that may answer: the network's own, or a test chain. */
  chainId: number;
  rpcUrl: string;
  /** Of the deployer: 64 hexadecimal digits, with or without 0x. */
  key: string;
  /** Blocks that must stand on a token before it counts, its own included. */
  confirmations?: number | undefined;
  /** Most that is paid for a unit of gas. Wei. */
  feeMost?: bigint | undefined;
  /** Pages for people, with `{address}` and `{transaction}` in the place of what is looked for. */
  explorer?: { address: string; transaction: string } | undefined;
  /** Longest wait for one answer. Milliseconds. */
  patience?: number | undefined;
}

const topicOf = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

/**
 * The key can sign from now on, and can't be read back.
 *
 * @throws RangeError which does not quote the text.
 */
function readKey(text: string): PrivateKeyAccount {
  try {
    return privateKeyToAccount(`0x${text.trim().replace(/^0x/i, '').toLowerCase()}`);
  } catch {
    // Whatever the library says may quote the key.
    throw new RangeError('The key of the deployer is not 64 hexadecimal digits');
  }
}

/** Tokens on one EVM chain, by one deployer through one node. The key and the node's address stay inside. */
export function evmChain(options: EvmOptions): Chain {
  const { network, chainId, explorer } = options;
  const usual = PRODUCTION[network];
  if (chainId !== usual.chainId && !TEST_CHAINS.has(chainId))
    throw new RangeError(`Chain ${chainId} is neither ${network} nor a known test chain`);
  const confirmations = options.confirmations ?? usual.confirmations;
  if (!Number.isInteger(confirmations) || confirmations < 1 || confirmations > CONFIRMATIONS_MOST)
    throw new RangeError(`Confirmations are not between 1 and ${CONFIRMATIONS_MOST}`);
  const feeMost = options.feeMost ?? usual.feeMost;
  const deployer = readKey(options.key);
  const node = evmNode(options.rpcUrl, options.patience);

  /** The newest block; throws when another chain answers than the one that was configured. */
  async function head(): Promise<Block> {
    const answers = await node.chainId();
    if (answers !== BigInt(chainId))
      throw new ChainError('wrong_chain', `The node belongs to chain ${answers}, not to ${chainId}`);
    return node.newest();
  }

  /** The block on which enough others stand; null while the chain is too short. */
  const settledUnder = (top: Block): bigint | null => {
    const settled = top.number - BigInt(confirmations - 1);
    return settled < 0n ? null : settled;
  };

  async function checkProxy(top: Block): Promise<void> {
    if (keccak256(await node.code(DEPLOYMENT_PROXY, top.number)) !== DEPLOYMENT_PROXY_CODE_HASH)
      throw new ChainError('unsupported', `Chain ${chainId} lacks the deterministic deployment proxy`);
  }

  /** Gas of the creation; refused when it would be reverted on top of that block. */
  const gasOf = (data: Hex, top: Block) => node.gas({ from: deployer.address, to: DEPLOYMENT_PROXY, data }, top.number);

  /** Whether a contract counts tokens: what a token contract owns is lost. Wallets that are contracts have no supply. */
  async function isTokenContract(address: string, top: Block): Promise<boolean> {
    const answers = async (selector: Hex): Promise<boolean> => {
      try {
        return wordOf(await node.call(address, selector, top.number)) !== null;
      } catch (error) {
        if (error instanceof NodeRefusal) return false;
        throw error;
      }
    };
    return (await answers(SELECTORS.totalSupply)) && (await answers(SELECTORS.decimals));
  }

  /** The transaction that made the token, when it was none of ours; null when nobody tells. */
  const searchCreation = (plan: Plan, top: Block) =>
    node.creation(plan.address, BigInt(plan['plannedAt'] ?? 0), top.number);

  /** Whether an attempt without a receipt can still land. */
  async function isAlive(attempt: Attempt, settledNonces: bigint): Promise<boolean> {
    // Only a nonce that another transaction used for good ends it; that the node forgot it proves nothing.
    if (nonceOf(attempt) >= settledNonces) return true;
    // Known all the same: the count was wrong, or the receipt comes late.
    return node.knows(attempt.transaction);
  }

  return {
    network,

    async probe() {
      const top = await head();
      await checkProxy(top);
      const balance = await node.balance(deployer.address, top.number);
      const fees = await node.market(top);
      const cost = GAS_USUAL * priceNow(fees);
      // The chain wants to see the most that it may cost, also for the last one.
      const least = GAS_LEAST * ceilingOf(firstOffer(fees, feeMost));
      return {
        chainId: String(chainId),
        production: chainId === usual.chainId,
        deployer: deployer.address,
        balance: formatEther(balance),
        coin: usual.coin,
        cost: formatEther(cost),
        enoughFor: balance < least ? 0 : Number((balance - least) / cost) + 1,
      };
    },

    async prepare(order) {
      checkOrder(order);
      const owner = ownerOf(order);
      if (owner === deployer.address)
        throw new ChainError('owner_invalid', 'The owner is the key that pays for creations');
      const top = await head();
      const plan = planOf(chainId, order, top.number);
      if (owner === plan.address) throw new ChainError('owner_invalid', 'The owner is the token itself');
      const code = await node.code(owner, top.number);
      // A wallet may be a contract; 0xef0100 marks a key's account that lends itself the code of one.
      if (code !== '0x' && !code.startsWith('0xef0100') && (await isTokenContract(owner, top)))
        throw new ChainError('owner_is_program', 'The owner is the contract of a token');
      return plan;
    },

    async look(plan, attempts) {
      if (plan['chainId'] !== String(chainId)) throw new ChainError('wrong_chain', 'The plan is for another chain');
      const top = await head();
      const settled = settledUnder(top);
      const receipts = new Map<Attempt, Receipt>();
      for (const attempt of attempts) {
        const receipt = await node.receipt(attempt.transaction);
        if (receipt) receipts.set(attempt, receipt);
      }

      if ((await node.code(plan.address, top.number)) !== '0x') {
        const ours = [...receipts.values()].find(({ status }) => status === '0x1');
        return {
          kind: 'created',
          transaction: ours?.transactionHash ?? (await searchCreation(plan, top)),
          settled: settled !== null && (await node.code(plan.address, settled)) !== '0x',
        };
      }

      for (const { status, blockNumber, transactionHash } of receipts.values()) {
        const young = settled === null || blockNumber > settled;
        // Landed in a block that came while we asked, or may be undone; then the same bytes may land again.
        if (young) return { kind: 'pending', transaction: transactionHash, stuck: false };
        if (status === '0x1') throw nonsense('a creation that landed, and no token');
      }

      const settledNonces = settled === null ? 0n : await node.nonces(deployer.address, settled);
      const alive: Attempt[] = [];
      for (const attempt of attempts)
        if (!receipts.has(attempt) && (await isAlive(attempt, settledNonces))) alive.push(attempt);
      const next = alive.reduce<Attempt | undefined>(
        // The newest one of the lowest nonce: those before it offer less, those after it wait for it.
        (best, one) => (best === undefined || nonceOf(one) <= nonceOf(best) ? one : best),
        undefined,
      );
      if (next) return { kind: 'pending', transaction: next.transaction, stuck: await isStuck(next, top) };

      const last = [...receipts.values()].at(-1);
      if (last) {
        const refused = (reason: string) => ({ kind: 'refused' as const, transaction: last.transactionHash, reason });
        if (receipts.size >= FAILURES_MOST) return refused('The creation landed and failed again and again');
        try {
          await gasOf(callDataOf(plan as EvmPlan), top);
        } catch (error) {
          if (error instanceof NodeRefusal && error.kind === 'reverted')
            return refused('The chain reverts the creation');
          throw error;
        }
      }
      return { kind: 'open' };
    },

    async sign(stored, order, { nonceFrom, replaces }) {
      checkOrder(order);
      const { plan } = checkPlan(chainId, stored, order);
      const top = await head();
      await checkProxy(top);
      if ((await node.code(plan.address, top.number)) !== '0x')
        throw new ChainError('unreachable', 'The token is there already: look again');
      const data = callDataOf(plan);
      const estimate = await gasOf(data, top);
      if (estimate > GAS_MOST) throw nonsense('gas beyond measure');
      const wanted = (estimate * 12n) / 10n;
      const gas = wanted > GAS_LEAST ? wanted : GAS_LEAST;
      const fees = await node.market(top);
      const used = await node.nonces(deployer.address, top.number);
      // An attempt behind a missing nonce would wait for ever (a node miscounted when it was signed): then the missing one
      // is taken. At most one of the two can make the token, as both would make it at the same address.
      const missing = replaces ? await missingBefore(replaces, used) : null;
      if (replaces && nonceOf(replaces) < used)
        throw new ChainError('unreachable', 'The nonce of that attempt is used: look again');
      const nonce = replaces ? (missing ?? nonceOf(replaces)) : used > nonceFrom ? used : nonceFrom;
      const offer =
        replaces && missing === null ? nextOffer(feesOf(replaces), fees, feeMost) : firstOffer(fees, feeMost);
      if (!offer)
        throw new ChainError('unreachable', 'A higher fee would be above the limit: it waits until fees fall');
      const balance = await node.balance(deployer.address, top.number);
      if (balance < gas * ceilingOf(offer))
        throw new ChainError('low_balance', 'The deployer has too little for the fees of a creation');
      const raw = await deployer.signTransaction({
        ...offer,
        chainId,
        nonce: Number(nonce),
        to: DEPLOYMENT_PROXY,
        data,
        gas,
      });
      return { transaction: keccak256(raw), signed: hexToBytes(raw), nonce, validUntil: null };
    },

    async send(attempt) {
      try {
        await node.send(attempt);
      } catch (error) {
        if (!(error instanceof NodeRefusal)) throw error;
        if (error.kind === 'known') return;
        // Used by this very transaction, or by another one: only a receipt tells the two apart.
        if (error.kind === 'nonce_too_low' && (await node.receipt(attempt.transaction))) return;
        throw error;
      }
    },

    async read(stored, order, transaction) {
      const { plan, codeHash } = checkPlan(chainId, stored, order);
      const top = await head();
      const differs = (what: string) => new ChainError('mismatch', `What stands on the chain has another ${what}`);
      const code = await node.code(plan.address, top.number);
      if (code === '0x') throw new ChainError('unreachable', 'The node does not know the token');
      if (keccak256(code) !== codeHash) throw differs('code');
      const name = textOf(await node.call(plan.address, SELECTORS.name, top.number));
      const symbol = textOf(await node.call(plan.address, SELECTORS.symbol, top.number));
      const decimals = wordOf(await node.call(plan.address, SELECTORS.decimals, top.number));
      const supply = wordOf(await node.call(plan.address, SELECTORS.totalSupply, top.number));
      if (name === null || symbol === null || decimals === null || supply === null) throw nonsense('no ERC-20');
      const units = baseUnits(order.supply);
      if (name !== order.name) throw differs('name');
      if (symbol !== order.symbol) throw differs('symbol');
      if (decimals !== BigInt(DECIMALS)) throw differs('number of decimals');
      if (supply !== units) throw differs('supply');

      const creation = transaction ?? (await searchCreation(plan, top));
      const landed = creation === null ? null : await landing(creation);
      const log = landed?.receipt.logs.find((one) => isCreation(plan.address, one));
      if (landed && !log) throw differs('creation');
      if (log && log.topics[2] !== topicOf(ownerOf(order))) throw differs('owner');
      // Without the transaction the address itself is the proof: it follows from code that gave everything to the owner.
      const received = log ? wordOf(log.data) : units;
      if (received !== units) throw differs('share of the owner');
      return {
        name,
        symbol,
        decimals: DECIMALS,
        supply: String(supply),
        ownerReceived: String(received),
        // The code is ours to the last byte, and has neither functions nor roles for any of this.
        mintAuthority: null,
        freezeAuthority: null,
        metadataLocked: true,
        transaction: creation,
        block: landed ? String(landed.block.number) : null,
        at: landed ? new Date(Number(landed.block.timestamp) * 1_000).toISOString() : null,
      };
    },

    pageOf(what) {
      if (!explorer) return null;
      return 'address' in what
        ? explorer.address.replaceAll('{address}', encodeURIComponent(what.address))
        : explorer.transaction.replaceAll('{transaction}', encodeURIComponent(what.transaction));
    },
  };

  /** Where a transaction landed, if the block is still part of the chain. */
  async function landing(transaction: string): Promise<{ receipt: Receipt; block: Block }> {
    const receipt = await node.receipt(transaction);
    if (!receipt) throw new ChainError('unreachable', 'The node does not know the creation');
    const block = await node.block(receipt.blockNumber);
    if (block?.hash !== receipt.blockHash) throw new ChainError('unreachable', 'The creation is in no block any more');
    if (receipt.status !== '0x1') throw new ChainError('mismatch', 'The creation failed');
    return { receipt, block };
  }

  /** Whether signing again would help: the fee is too low and may be raised, or a nonce before it is missing. */
  async function isStuck(attempt: Attempt, top: Block): Promise<boolean> {
    const used = await node.nonces(deployer.address, top.number);
    if (nonceOf(attempt) < used) return false;
    if ((await missingBefore(attempt, used)) !== null) return true;
    const fees = await node.market(top);
    const offer = feesOf(attempt);
    return tooLow(offer, fees) && nextOffer(offer, fees, feeMost) !== null;
  }

  /** The nonce that neither landed nor waits, and without which an attempt can't land; null when there is none. */
  async function missingBefore(attempt: Attempt, used: bigint): Promise<bigint | null> {
    if (nonceOf(attempt) <= used) return null;
    const waiting = await node.noncesWaiting(deployer.address);
    return nonceOf(attempt) > waiting ? (waiting > used ? waiting : used) : null;
  }
}

const SELECTORS = {
  name: '0x06fdde03',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
  totalSupply: '0x18160ddd',
} as const;

/** What stored bytes offer. */
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
