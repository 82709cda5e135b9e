// The amount that is missing of one deposit.
import type { Deposit } from '#server/providers/payments/port.ts';

/** The digits of an amount as the provider wrote it, and the number of decimal places. */
function digitsOf(amount: number): { digits: bigint; places: number } {
  const [, whole = '', part = '', power = '0'] = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(amount)) ?? [];
  const places = part.length - Number(power);
  const digits = BigInt(whole + part);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}

/**
 * Amount still to be sent, in the coin of a deposit: exact, because a payer copies it. Binary fractions would give
 * 0.19999999999999998 for 0.3 less 0.1.
 *
 * @returns a plain decimal, or null when nothing is missing or the provider does not report it.
 */
export function missingAmount({ payAmount, actuallyPaid }: Deposit): string | null {
  if (payAmount === null || payAmount <= (actuallyPaid ?? 0)) return null;
  const [due, paid] = [digitsOf(payAmount), digitsOf(actuallyPaid ?? 0)];
  const places = Math.max(due.places, paid.places);
  const scale = (one: { digits: bigint; places: number }) => one.digits * 10n ** BigInt(places - one.places);
  const text = String(scale(due) - scale(paid)).padStart(places + 1, '0');
  const whole = text.slice(0, text.length - places);
  const part = text.slice(text.length - places).replace(/0+$/, '');
  return part ? `${whole}.${part}` : whole;
}
