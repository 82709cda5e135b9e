// Amounts of coins as whole numbers of one fixed scale: what is counted is never a binary fraction.

/** Digits behind the point of every coin in the money ledger. */
export const COIN_SCALE = 18;

/**
 * A decimal as a whole number of its 10^-scale parts; what is smaller than one part is cut off.
 *
 * @param text digits with a point or a power of ten, as programs write numbers: '0.5', '1e-7', '12'.
 * @throws TypeError when it is none.
 */
export function toFixedPoint(text: string, scale = COIN_SCALE): bigint {
  const [, whole, part = '', power = '0'] =
    /^(\d{1,60})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined) throw new TypeError('not a decimal');
  const digits = BigInt(whole + part);
  const places = part.length - Number(power);
  return places <= scale ? digits * 10n ** BigInt(scale - places) : digits / 10n ** BigInt(places - scale);
}

/** Such a number as a decimal without zeros at its end; negative ones too. */
export function fromFixedPoint(units: bigint, scale = COIN_SCALE): string {
  const text = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const part = text.slice(text.length - scale).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${whole}${part ? `.${part}` : ''}`;
}

/** The sum of decimals, exact to `COIN_SCALE` digits. @throws TypeError */
export const sumOf = (texts: readonly string[]): string =>
  fromFixedPoint(texts.reduce((sum, text) => sum + toFixedPoint(text), 0n));

/** At most a thousand times the price: what a provider says is counted, however wild. */
const MAX_TIMES = 1_000n;

/**
 * What a part of a price is worth: `price * paid / due`, rounded down; zero where nothing is due.
 *
 * @param price in whole units of any scale, cents for US dollars. @param paid and `due` in one scale.
 */
export function shareOf(price: bigint, paid: bigint, due: bigint): bigint {
  if (due <= 0n || paid <= 0n) return 0n;
  const share = (price * paid) / due;
  return share < price * MAX_TIMES ? share : price * MAX_TIMES;
}
