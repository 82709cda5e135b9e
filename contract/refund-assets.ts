// Coins that can be refunded: how their amounts are counted, and the chain of their addresses.
import { hasEvmAddresses } from './fields/wallets.ts';

export const REFUND_CHAINS = ['evm', 'solana', 'tron', 'bitcoin', 'litecoin'] as const;
/** Format of addresses and transactions. All EVM chains share one. */
export type RefundChain = (typeof REFUND_CHAINS)[number];

interface RefundAsset {
  /** Number of decimals of the smallest unit. */
  decimals: number;
  chain: RefundChain;
}

const of = (chain: RefundChain, decimals: number): RefundAsset => ({ chain, decimals });

/** By the payment provider's code of the coin, lower case. */
const ASSETS: Record<string, RefundAsset> = {
  bnbbsc: of('evm', 18),
  btc: of('bitcoin', 8),
  eth: of('evm', 18),
  ethbsc: of('evm', 18),
  ltc: of('litecoin', 8),
  matic: of('evm', 18),
  maticmainnet: of('evm', 18),
  sol: of('solana', 9),
  trx: of('tron', 6),
  usdcbsc: of('evm', 18),
  usdcerc20: of('evm', 6),
  usdcmatic: of('evm', 6),
  usdcsol: of('solana', 6),
  usdtbsc: of('evm', 18),
  usdterc20: of('evm', 6),
  usdtmatic: of('evm', 6),
  usdtsol: of('solana', 6),
  usdttrc20: of('tron', 6),
};

/** The provider's codes of all coins that can be refunded. */
export const REFUND_CODES: readonly string[] = Object.keys(ASSETS);

/** Null for a coin with an unknown smallest unit, whose exact amount cannot be computed. */
export const refundAsset = (code: string): RefundAsset | null =>
  Object.hasOwn(ASSETS, code.toLowerCase()) ? (ASSETS[code.toLowerCase()] ?? null) : null;

/**
 * Converts a decimal to whole smallest units.
 *
 * @param amount such as '12.5'; digits with a point, no sign, no exponent.
 * @returns null when it is malformed, or has more decimals than the asset.
 */
export function toUnits(amount: string, decimals: number): bigint | null {
  const [, whole, part = ''] = /^(\d{1,40})(?:\.(\d{1,40}))?$/.exec(amount.trim()) ?? [];
  if (whole === undefined) return null;
  const significant = part.replace(/0+$/, '');
  return significant.length > decimals ? null : BigInt(whole + significant.padEnd(decimals, '0'));
}

/** Converts whole smallest units to a decimal without trailing zeros. */
export function fromUnits(units: bigint, decimals: number): string {
  const text = String(units).padStart(decimals + 1, '0');
  const whole = text.slice(0, text.length - decimals);
  const part = text.slice(text.length - decimals).replace(/0+$/, '');
  return part ? `${whole}.${part}` : whole;
}

const TRANSACTIONS: Record<RefundChain, RegExp> = {
  evm: /^0x[0-9a-fA-F]{64}$/,
  // 64 bytes in base58.
  solana: /^[1-9A-HJ-NP-Za-km-z]{86,88}$/,
  tron: /^[0-9a-fA-F]{64}$/,
  bitcoin: /^[0-9a-fA-F]{64}$/,
  litecoin: /^[0-9a-fA-F]{64}$/,
};

/** True when a text has the format of a chain's transaction; its existence is not checked. */
export const isTransaction = (chain: RefundChain, text: string): boolean => TRANSACTIONS[chain].test(text);

/** Chain of a network, for creations and for evidence. Null for an unknown one. */
export const chainOfNetwork = (network: string): RefundChain | null =>
  network === 'solana' ? 'solana' : hasEvmAddresses(network) ? 'evm' : null;
