import { createHmac, timingSafeEqual } from 'node:crypto';

/** Maximum nesting of a callback; real ones have two levels. */
const MAX_DEPTH = 20;

/**
 * The canonical form that is signed: keys sorted at every level. The provider's examples differ for lists: some leave
 * them as lists, some convert them into objects with the keys "0", "1"…
 *
 * @throws RangeError when it is nested too deeply.
 */
function canonical(value: unknown, listsAsObjects: boolean, depth = 0): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
  if (Array.isArray(value) && !listsAsObjects) return value.map((item) => canonical(item, listsAsObjects, depth + 1));
  const source = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.keys(source)
      .sort()
      .map((key) => [key, canonical(source[key], listsAsObjects, depth + 1)]),
  );
}

const mac = (body: unknown, secret: string, listsAsObjects: boolean) =>
  createHmac('sha512', secret)
    .update(JSON.stringify(canonical(body, listsAsObjects)))
    .digest();

/** Hex HMAC-SHA512 over the canonical form, as in the header x-nowpayments-sig. */
export const signBody = (body: unknown, secret: string, listsAsObjects = false): string =>
  mac(body, secret, listsAsObjects).toString('hex');

/**
 * The parsed body if the signature is valid, otherwise null. Both forms of lists are accepted, and both are always
 * computed.
 *
 * @param secret not empty; an empty one is refused.
 */
export function verifyBody(
  rawBody: Buffer,
  signature: string | undefined,
  secret: string,
): Record<string, unknown> | null {
  // The provider uses lower case; two headers would be joined with a comma and not match.
  if (!secret || !signature || !/^[0-9a-f]{128}$/.test(signature)) return null;
  const given = Buffer.from(signature, 'hex');
  try {
    const body: unknown = JSON.parse(rawBody.toString('utf8'));
    if (body === null || typeof body !== 'object' || Array.isArray(body)) return null;
    const fits = [false, true].map((asObjects) => timingSafeEqual(mac(body, secret, asObjects), given));
    return fits.includes(true) ? (body as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
