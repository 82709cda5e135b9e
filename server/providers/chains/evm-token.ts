// The token on EVM chains: an ERC-20 with a fixed supply, at an address derived from its order.
import {
  type Address,
  concatHex,
  decodeAbiParameters,
  encodeAbiParameters,
  getAddress,
  getCreate2Address,
  type Hex,
  isAddress,
  keccak256,
  sliceHex,
  stringToHex,
} from 'viem';
import { isUuid } from '#server/lib/text/uuid.ts';
import artifact from './contracts/LaunchToken.json' with { type: 'json' };
import { ChainError, type Plan, type TokenOrder } from './port.ts';

/**
 * The deterministic deployment proxy, which creates contracts at addresses that depend on their bytes only. It has the same
 * immutable address and code on all chains that have it.
 */
export const DEPLOYMENT_PROXY = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
export const DEPLOYMENT_PROXY_CODE_HASH = '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989';

/** keccak256('Transfer(address,address,uint256)') */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
export const ZERO_TOPIC = `0x${'0'.repeat(64)}`;

/**
 * Versions of the contract, by the hash of their creation code; the value is the hash of the deployed code. Only add versions,
 * never remove any: tokens in creation were planned with them.
 */
const VERSIONS: Readonly<Record<Hex, Hex>> = {
  // solc 0.8.37, OpenZeppelin 5.7.0
  '0x1137fd0b57f2d02ce4fb7bf089f31a47ccb3e29d77002cb91cf66680bad60721':
    '0xcac530c4300d48804d9707b87f0ab52e91ba7b2ced97bc84e5a377ae702c10c0',
};

export const DECIMALS = 18;
const UNIT = 10n ** BigInt(DECIMALS);
/** Maximum of a balance. Whole tokens; the limit of an order is much lower. */
const MAX_SUPPLY = (2n ** 256n - 1n) / UNIT;
/** The limits of Solana, where they have a reason, because one token can be created on either. */
const MAX_BYTES = { name: 32, symbol: 10 };

/** Addresses below belong to the chain's own contracts. */
const PRECOMPILES_END = 0x10000n;
/** Addresses without a known key: assets they own are lost. Lower case. */
const KEYLESS_OWNERS = new Set([
  DEPLOYMENT_PROXY.toLowerCase(),
  '0x000000000000000000000000000000000000dead',
  '0xdead000000000000000000000000000000000000',
  '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
  // Represents the chain's own coin in many interfaces.
  '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
  '0xffffffffffffffffffffffffffffffffffffffff',
]);

const ARGUMENTS = [{ type: 'string' }, { type: 'string' }, { type: 'uint256' }, { type: 'address' }] as const;

/** Whole tokens in base units. */
export const baseUnits = (supply: bigint): bigint => supply * UNIT;

/** Throws when the order can't become a token, independent of the chain's state. */
export function checkOrder(order: TokenOrder): void {
  if (!isUuid(order.requestId)) throw new RangeError('no UUID');
  checkText('name_invalid', 'name', order.name, MAX_BYTES.name);
  checkText('symbol_invalid', 'symbol', order.symbol, MAX_BYTES.symbol);
  if (order.supply < 1n || order.supply > MAX_SUPPLY)
    throw new ChainError('supply_invalid', `The supply is not between 1 and ${MAX_SUPPLY}`);
  const owner = ownerOf(order).toLowerCase();
  if (BigInt(owner) < PRECOMPILES_END || KEYLESS_OWNERS.has(owner))
    throw new ChainError('owner_invalid', 'The owner is an address without a known private key');
}

function checkText(problem: 'name_invalid' | 'symbol_invalid', what: string, text: string, max: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes === 0 || bytes > max) throw new ChainError(problem, `The ${what} has ${bytes} bytes, not 1 to ${max}`);
  // A lone surrogate would read back as something else; control characters break displays.
  if (!text.isWellFormed() || /\p{Cc}/u.test(text))
    throw new ChainError(problem, `The ${what} contains characters that can't be stored`);
}

/** The owner's address with its checksum; an address in a single case has none. */
export function ownerOf(order: TokenOrder): Address {
  const { owner } = order;
  const upper = /^0x[0-9A-F]{40}$/.test(owner);
  if (!upper && !isAddress(owner)) throw new ChainError('owner_invalid', 'The owner is not a valid address');
  return getAddress(owner.toLowerCase());
}

const saltOf = (chainId: number, order: TokenOrder): Hex =>
  keccak256(stringToHex(`florka:token:v1:${chainId}:${order.requestId.toLowerCase()}`));

const argumentsOf = (order: TokenOrder): Hex =>
  encodeAbiParameters(ARGUMENTS, [order.name, order.symbol, baseUnits(order.supply), ownerOf(order)]);

const addressOf = (salt: Hex, initCode: Hex): Address =>
  getCreate2Address({ from: DEPLOYMENT_PROXY, salt, bytecode: initCode });

/** The plan of an order. It includes the code, because a later version of the contract would have another address. */
export interface EvmPlan extends Plan {
  chainId: string;
  salt: Hex;
  initCode: Hex;
  /** Block at which no attempt existed; the search for the creation begins there. */
  plannedAt: string;
}

/** Derives the plan of an order on a chain. @param plannedAt number of the newest block. */
export function planOf(chainId: number, order: TokenOrder, plannedAt: bigint): EvmPlan {
  const salt = saltOf(chainId, order);
  const initCode = concatHex([artifact.creationCode as Hex, argumentsOf(order)]);
  return {
    address: addressOf(salt, initCode),
    chainId: String(chainId),
    salt,
    initCode,
    plannedAt: String(plannedAt),
  };
}

/** Call data for the deployment proxy. */
export const callDataOf = ({ salt, initCode }: EvmPlan): Hex => concatHex([salt, initCode]);

const mismatch = (why: string): ChainError => new ChainError('mismatch', why);

/**
 * Verifies that a stored plan is still the one derived from this order: write access to the database must not allow having
 * other code signed, or the supply assigned to somebody else.
 *
 * @returns with the expected hash of the deployed code.
 */
export function checkPlan(chainId: number, plan: Plan, order: TokenOrder): { plan: EvmPlan; codeHash: Hex } {
  const { salt, initCode } = plan as EvmPlan;
  const tail = argumentsOf(order);
  if (salt !== saltOf(chainId, order)) throw mismatch('The plan belongs to another order');
  if (!/^0x([0-9a-f]{2})+$/.test(initCode ?? '') || !initCode.endsWith(tail.slice(2)))
    throw mismatch('The plan was made for another token');
  const size = (initCode.length - tail.length) / 2;
  const codeHash = size > 0 ? VERSIONS[keccak256(sliceHex(initCode, 0, size))] : undefined;
  if (!codeHash) throw mismatch('The plan holds a contract that is none of ours');
  if (plan.address !== addressOf(salt, initCode)) throw mismatch('The plan names another address');
  return { plan: plan as EvmPlan, codeHash };
}

/** A 32-byte word returned by a token contract; null when it is none. */
export function wordOf(data: Hex): bigint | null {
  return data.length === 66 ? BigInt(data) : null;
}

/** A text returned by a token contract; null when it is none. */
export function textOf(data: Hex): string | null {
  try {
    return decodeAbiParameters([{ type: 'string' }], data)[0];
  } catch {
    return null;
  }
}
