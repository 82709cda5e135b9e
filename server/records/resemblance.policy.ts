import type { ResemblingField } from '#contract/resemblance.ts';

/** The keys by which tokens are compared; computed by the database functions florka_likeness…. */
export interface ResemblanceKeys {
  nameKey: string;
  symbolKey: string;
  /** The names in the host names of its links. */
  labels: readonly string[];
}

/** Another token, with what the database computed about the pair. */
export interface Compared extends ResemblanceKeys {
  /** Keys of links and contracts that both tokens have. */
  common: readonly string[];
  /**
   * Number of bits of 128 in which the keys of the images differ; null above MAX_BITS_WITH_OTHER_RESEMBLANCE, or if a token has no key.
   */
  distance: number | null;
}

/** Minimum length of keys that count as alike with one edit; among shorter ones too many are one edit apart. */
const EDIT_FROM = { name: 5, symbol: 5, label: 6 };
/** Minimum length of keys that count when they are equal. */
const SAME_FROM = { name: 2, symbol: 3, label: 4 };
/**
 * Images that differ in at most this number of bits are alike; with MAX_BITS_WITH_OTHER_RESEMBLANCE bits only if something else is alike
 * as well.
 */
const MAX_BITS_OF_IMAGE_ALONE = 16;
/** Maximum distance that the database reports. */
export const MAX_BITS_WITH_OTHER_RESEMBLANCE = 24;

/** True if one inserted, missing or different character, or two swapped ones, turn one text into the other. */
export function isOneEdit(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1 || short === long) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
}

const areAlike = (what: keyof typeof EDIT_FROM, one: string, other: string): boolean =>
  one === other
    ? one.length >= SAME_FROM[what]
    : Math.min(one.length, other.length) >= EDIT_FROM[what] && isOneEdit(one, other);

/** The respects in which two tokens could be confused; empty if none. */
export function resemblingFields(one: ResemblanceKeys, other: Compared): ResemblingField[] {
  const has = (...kinds: string[]) => other.common.some((key) => kinds.includes(key.slice(0, 2)));
  const found: ResemblingField[] = [];
  if (areAlike('name', one.nameKey, other.nameKey)) found.push('name');
  if (areAlike('symbol', one.symbolKey, other.symbolKey)) found.push('symbol');
  const sameLabel = one.labels.some((label) => other.labels.some((theirs) => areAlike('label', label, theirs)));
  if (has('h:') || sameLabel) found.push('link');
  if (has('c:', 'e:')) found.push('contract');
  const max = found.length > 0 ? MAX_BITS_WITH_OTHER_RESEMBLANCE : MAX_BITS_OF_IMAGE_ALONE;
  if (other.distance !== null && other.distance <= max) found.push('picture');
  return found;
}
