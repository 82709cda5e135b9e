import type { Likeness } from '#contract/likeness.ts';

/** What a token is compared by; see the functions florka_likeness… of the database, which make it. */
export interface LikenessKeys {
  nameKey: string;
  symbolKey: string;
  /** The names in the hosts of its links. */
  labels: readonly string[];
}

/** Another token, and what the database found out about the two. */
export interface Compared extends LikenessKeys {
  /** Keys of links and contracts that both have. */
  common: readonly string[];
  /** In how many bits of 128 the keys of the images differ; null when that is many, or one has none. */
  distance: number | null;
}

/** Shortest keys that may differ in one edit and still be alike: of shorter ones too many do. */
const EDIT_FROM = { name: 5, symbol: 5, label: 6 };
/** Shortest keys that count when they are the same. */
const SAME_FROM = { name: 2, symbol: 3, label: 4 };
/** Images that differ in at most this many bits are alike by themselves, and these where something else is alike too. */
const PICTURE_ALONE = 16;
/** The most that the database reports. */
export const PICTURE_BESIDE = 24;

/** Whether one inserted, missing or other character, or two that changed places, make one of the other. */
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

/** In what two tokens are alike enough to be taken for each other; empty for nothing. */
export function likenessOf(one: LikenessKeys, other: Compared): Likeness[] {
  const has = (...kinds: string[]) => other.common.some((key) => kinds.includes(key.slice(0, 2)));
  const found: Likeness[] = [];
  if (areAlike('name', one.nameKey, other.nameKey)) found.push('name');
  if (areAlike('symbol', one.symbolKey, other.symbolKey)) found.push('symbol');
  const sameLabel = one.labels.some((label) => other.labels.some((theirs) => areAlike('label', label, theirs)));
  if (has('h:') || sameLabel) found.push('link');
  if (has('c:', 'e:')) found.push('contract');
  const most = found.length > 0 ? PICTURE_BESIDE : PICTURE_ALONE;
  if (other.distance !== null && other.distance <= most) found.push('picture');
  return found;
}
