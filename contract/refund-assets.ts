// Coins that the team can give back: how their amounts are counted, and on which chain an address for them lies.

export const REFUND_CHAINS = ['evm', 'solana', 'tron', 'bitcoin', 'litecoin'] as const;
/** The form of an address or a transaction. Of EVM chains it is the same on each. */
export type RefundChain = (typeof REFUND_CHAINS)[number];

interface RefundAsset {
  /** Digits behind the point of which the last one is the smallest unit. */
  decimals: number;
  chain: RefundChain;
}

const of = (chain: RefundChain, decimals: number): RefundAsset => ({ chain, decimals });

/** By the payment provider's code of the coin, in lower case. */
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

/** Null of a coin whose smallest unit we don't know: nobody can say exactly how much of it goes back. */
export const refundAsset = (code: string): RefundAsset | null =>
  Object.hasOwn(ASSETS, code.toLowerCase()) ? (ASSETS[code.toLowerCase()] ?? null) : null;

/**
 * A decimal as whole smallest units.
 *
 * @param amount such as '12.5'; digits with a point, no sign, no power.
 * @returns null when it is none, or has more digits behind the point than the asset.
 */
export function toUnits(amount: string, decimals: number): bigint | null {
  const [, whole, part = ''] = /^(\d{1,40})(?:\.(\d{1,40}))?$/.exec(amount.trim()) ?? [];
  if (whole === undefined) return null;
  const significant = part.replace(/0+$/, '');
  return significant.length > decimals ? null : BigInt(whole + significant.padEnd(decimals, '0'));
}

/** Whole smallest units as a decimal without zeros at its end. */
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

/** Whether a text has the form of a transaction of a chain; nobody looks it up. */
export const isTransaction = (chain: RefundChain, text: string): boolean => TRANSACTIONS[chain].test(text);

/** Where tokens are made, and where evidence of them can lie. Null: not a chain that we know. */
export const chainOfNetwork = (network: string): RefundChain | null =>
  network === 'solana' ? 'solana' : ['ethereum', 'bnb', 'polygon'].includes(network) ? 'evm' : null;
