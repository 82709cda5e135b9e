import { type Hex, keccak256 } from 'viem';
import { type Block, type evmNode, isCreation, type Receipt } from './evm-node.ts';
import { invalidAnswer, NodeRefusal } from './evm-rpc.ts';
import { baseUnits, checkPlan, DECIMALS, ownerOf, textOf, wordOf } from './evm-token.ts';
import { type Chain, type ChainDifference, ChainError, type Plan, type TokenOrder } from './port.ts';

type TokenFacts = Awaited<ReturnType<Chain['read']>>;

/** One chain through one node: sufficient for reading, without the deployer's key. */
export interface EvmReader {
  node: ReturnType<typeof evmNode>;
  chainId: number;
}

const SELECTORS = {
  name: '0x06fdde03',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
  totalSupply: '0x18160ddd',
} as const;

const topicOf = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

/** The newest block; throws when the node is on another chain than the configured one. */
export async function head(reader: EvmReader): Promise<Block> {
  const { node, chainId } = reader;
  const answers = await node.chainId();
  if (answers !== BigInt(chainId))
    throw new ChainError('wrong_chain', `The node belongs to chain ${answers}, not to ${chainId}`);
  return node.newest();
}

/** True when the owner is a token contract, because tokens sent to it are lost. Smart-contract wallets have no supply. */
export async function isTokenContract(reader: EvmReader, address: string, top: Block): Promise<boolean> {
  const { node } = reader;
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

/** The transaction that created the token, when it was none of ours; null when no node provides it. */
export const searchCreation = (reader: EvmReader, plan: Plan, top: Block) =>
  reader.node.creation(plan.address, BigInt(plan['plannedAt'] ?? 0), top.number);

/** The block of a transaction, if that block is still part of the chain. */
async function landing(reader: EvmReader, transaction: string): Promise<{ receipt: Receipt; block: Block }> {
  const { node } = reader;
  const receipt = await node.receipt(transaction);
  if (!receipt) throw new ChainError('unreachable', 'The node does not have the transaction of the creation');
  const block = await node.block(receipt.blockNumber);
  if (block?.hash !== receipt.blockHash)
    throw new ChainError('unreachable', 'The transaction of the creation is no longer in a block');
  if (receipt.status !== '0x1') throw new ChainError('mismatch', 'The creation failed');
  return { receipt, block };
}

/** Compares the contract at the planned address with its order. @throws ChainError when they differ */
async function compare(reader: EvmReader, stored: Plan, order: TokenOrder, top: Block, since: bigint | null) {
  const { chainId, node } = reader;
  const { plan, codeHash } = checkPlan(chainId, stored, order);
  const code = await node.code(plan.address, top.number);
  if (code === '0x') {
    if (since === null || top.number < since) throw new ChainError('unreachable', 'The node does not have the token');
    throw differs('gone', 'place: there is nothing');
  }
  if (keccak256(code) !== codeHash) throw differs('code', 'code');
  const name = textOf(await node.call(plan.address, SELECTORS.name, top.number));
  const symbol = textOf(await node.call(plan.address, SELECTORS.symbol, top.number));
  const decimals = wordOf(await node.call(plan.address, SELECTORS.decimals, top.number));
  const supply = wordOf(await node.call(plan.address, SELECTORS.totalSupply, top.number));
  if (name === null || symbol === null || decimals === null || supply === null) throw invalidAnswer('no ERC-20');
  const units = baseUnits(order.supply);
  if (name !== order.name) throw differs('name', 'name');
  if (symbol !== order.symbol) throw differs('symbol', 'symbol');
  if (decimals !== BigInt(DECIMALS)) throw differs('decimals', 'number of decimals');
  if (supply !== units) throw differs('supply', 'supply');
  return { plan, name, symbol, supply, units };
}

const differs = (code: ChainDifference | undefined, what: string) =>
  new ChainError('mismatch', `The token on the chain has another ${what}`, code ? { differs: code } : {});

/** Checks a created token again: its code, name, symbol, decimals and supply. @throws ChainError when they differ */
export async function recheck(reader: EvmReader, stored: Plan, order: TokenOrder, since: string | null) {
  const top = await head(reader);
  const { supply } = await compare(reader, stored, order, top, since === null ? null : BigInt(since));
  return { supply: String(supply), block: String(top.number) };
}

/** Compares the token on the chain with its order, and returns the facts. @throws ChainError when they differ. */
export async function read(
  reader: EvmReader,
  stored: Plan,
  order: TokenOrder,
  transaction: string | null,
): Promise<TokenFacts> {
  const top = await head(reader);
  const { plan, name, symbol, supply, units } = await compare(reader, stored, order, top, null);

  const creation = transaction ?? (await searchCreation(reader, plan, top));
  const landed = creation === null ? null : await landing(reader, creation);
  const log = landed?.receipt.logs.find((one) => isCreation(plan.address, one));
  if (landed && !log) throw differs(undefined, 'creation');
  if (log && log.topics[2] !== topicOf(ownerOf(order))) throw differs(undefined, 'owner');
  // Without the transaction the address itself is the proof: it is derived from code that assigned the whole supply to the
  // owner.
  const received = log ? wordOf(log.data) : units;
  if (received !== units) throw differs(undefined, 'share of the owner');
  return {
    name,
    symbol,
    decimals: DECIMALS,
    supply: String(supply),
    ownerReceived: String(received),
    // The code is byte-identical to ours, which has neither functions nor roles for any of this.
    mintAuthority: null,
    freezeAuthority: null,
    metadataLocked: true,
    transaction: creation,
    block: landed ? String(landed.block.number) : null,
    at: landed ? new Date(Number(landed.block.timestamp) * 1_000).toISOString() : null,
  };
}
