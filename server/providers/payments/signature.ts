import { createHmac, timingSafeEqual } from 'node:crypto';

/** Levels of nesting in a callback; real ones have two. */
const MAX_DEPTH = 20;

/**
 * The signed form: keys sorted at every level. The provider's examples disagree about lists: some keep them, some turn
 * them into objects with the keys "0", "1"…
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

/** Hex HMAC-SHA512 over the canonical form, as the header x-nowpayments-sig carries it. */
export const signBody = (body: unknown, secret: string, listsAsObjects = false): string =>
  mac(body, secret, listsAsObjects).toString('hex');

/**
 * The parsed body when the signature is right, else null. Both forms of lists count; both are always computed.
 *
 * @param secret never empty; the start refuses that.
 */
export function verifyBody(
  rawBody: Buffer,
  signature: string | undefined,
  secret: string,
): Record<string, unknown> | null {
  // The provider writes lower case; two headers arrive as one with a comma.
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
