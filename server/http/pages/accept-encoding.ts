export type Encoding = 'br' | 'gzip' | 'identity';

/** The most preferred is the last. */
const OURS: readonly Encoding[] = ['identity', 'gzip', 'br'];
/** Browsers send only a handful of distinct headers; more than this indicates made-up ones. */
const MAX_REMEMBERED = 200;
const remembered = new Map<string, Record<Encoding, number>>();

/**
 * Selects the encoding by Accept-Encoding (RFC 9110, 12.5.3): the highest `q`, and among equal ones the order of
 * preference. If none of the available encodings is acceptable, the body is sent unencoded.
 *
 * @param header Accept-Encoding of the request.
 * @param has whether the body is available in an encoding.
 */
export function bestEncoding(header: string | undefined, has: (encoding: Encoding) => boolean = () => true): Encoding {
  const weights = weightsOf(header ?? '');
  let best: Encoding = 'identity';
  for (const encoding of OURS)
    if (weights[encoding] > 0 && weights[encoding] >= weights[best] && has(encoding)) best = encoding;
  return best;
}

function weightsOf(header: string): Record<Encoding, number> {
  const known = remembered.get(header);
  if (known) return known;
  const named = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
    // An invalid weight counts as 0.
    if (coding)
      named.set(coding, weight === undefined ? 1 : /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? +weight : 0);
  }
  const others = named.get('*');
  const weights = {
    br: named.get('br') ?? others ?? 0,
    gzip: named.get('gzip') ?? named.get('x-gzip') ?? others ?? 0,
    // Acceptable unless refused, with the lowest weight unless one is given.
    identity: named.get('identity') ?? (others === 0 ? 0 : Number.MIN_VALUE),
  };
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(header, weights);
  return weights;
}
