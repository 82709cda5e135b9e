// Coin amounts as integers of one fixed scale, so that no calculation uses binary fractions.

/** Decimal places of every coin in the money ledger. */
export const COIN_SCALE = 18;

/**
 * Parses a decimal into an integer number of 10^-scale units; smaller parts are truncated.
 *
 * @param text digits with a decimal point or an exponent, as programs write numbers: '0.5', '1e-7', '12'. No sign.
 * @throws TypeError for any other text.
 */
export function toFixedPoint(text: string, scale = COIN_SCALE): bigint {
  const [, whole, part = '', power = '0'] =
    /^(\d{1,60})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined) throw new TypeError('not a decimal');
  const digits = BigInt(whole + part);
  const places = part.length - Number(power);
  return places <= scale ? digits * 10n ** BigInt(scale - places) : digits / 10n ** BigInt(places - scale);
}

/** Formats an integer number of 10^-scale units as a decimal without trailing zeros; negative numbers, too. */
export function fromFixedPoint(units: bigint, scale = COIN_SCALE): string {
  const text = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const part = text.slice(text.length - scale).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${whole}${part ? `.${part}` : ''}`;
}

/** The sum of decimals, exact to `COIN_SCALE` places. @throws TypeError */
export const sumOf = (texts: readonly string[]): string =>
  fromFixedPoint(texts.reduce((sum, text) => sum + toFixedPoint(text), 0n));

/** Upper limit as a multiple of the price: a provider's figures are recorded, however implausible. */
const MAX_TIMES = 1_000n;

/**
 * The part of a price that a payment covers: `price * paid / due`, rounded down, at most 1,000 times the price; zero if
 * nothing is due.
 *
 * @param price in whole units of any scale, cents for US dollars.
 * @param paid in the scale of `due`.
 */
export function shareOf(price: bigint, paid: bigint, due: bigint): bigint {
  if (due <= 0n || paid <= 0n) return 0n;
  const share = (price * paid) / due;
  return share < price * MAX_TIMES ? share : price * MAX_TIMES;
}
