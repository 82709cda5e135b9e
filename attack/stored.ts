// Unusual values that the API accepts and stores, and that a later step may not handle.
import type { Random } from './random.ts';
import type { Schema } from './values.ts';

/** Valid values by kind, so that most steps succeed. */
const ETHEREUM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const SOLANA = 'So11111111111111111111111111111111111111112';

const EMAILS = [
  'ana',
  'ana@',
  '@b.test',
  'a@b',
  'a@b..c',
  'Ana+X@B.TEST',
  'ñandú@correo.test',
  'a@b@c.test',
  'a b@c.test',
  '"a b"@c.test',
  'a@b.test, c@d.test',
  `${'a'.repeat(242)}@attack.test`,
];
const ADDRESSES = [
  ETHEREUM.toLowerCase(),
  '0x12',
  ETHEREUM.slice(0, -1),
  `0x${'0'.repeat(40)}`,
  '1'.repeat(32),
  'z'.repeat(44),
  'abcdefghij',
  `a/../b?c#d%zz${'e'.repeat(40)}`,
];
const LINKS = [
  'HTTPS://EXAMPLE.ORG/A',
  'https://',
  'https://a',
  'http://[::1]/',
  'http://1',
  'https://é.test/ñ',
  'https://example.org:65535/',
  'https://example.org/%E0%A4%A',
  'https://example.org/\uffff',
  'https://xn--nxasmm1c.test/',
  '@ana',
  'javascript:attackRan()',
  `https://example.org/${'a'.repeat(470)}`,
];
const AMOUNTS = ['', '0', '1', '1,5', '1e5', '٣', '-1', '0.00000001', '9007199254740991', '9'.repeat(38), 'NaN'];
const MOMENTS = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '2026-02-28T23:59:59.999Z',
  '2038-01-19T03:14:08Z',
  '9999-12-31T23:59:59.999Z',
];
/** Characters that are rare alone, or become several when a text is normalized. */
const RARE_CHARACTERS = [
  '\uffff',
  '\u0958',
  'ﷺ',
  '𝕬',
  '\u3164',
  '\u200d',
  'İ',
  'ß',
  '🏴‍☠️',
  '\u0300',
  '&',
  '"',
  '\\',
  '%',
  '_',
  '٣',
];
const WORDS = ['null', 'undefined', '__proto__', 'constructor', '-1', '1e309', '{{7*7}}', "'", '<b>', '../', 'a\nb'];
const NETWORKS = ['solana', 'ethereum', 'bnb', 'polygon'];
const CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ñáÜ ';

/** One word that does not compress: entries of an index have a maximum size after compression. */
const noise = (length: number, random: Random) =>
  Array.from({ length }, () => CHARACTERS[random.below(CHARACTERS.length)]).join('');

/** A text of at most `max` characters that is unusual in some way. */
function freeText(max: number, random: Random): string {
  const shape = random.next();
  const length = random.chance(0.4) ? max : 1 + random.below(Math.min(max, 30));
  if (shape < 0.4) return noise(Math.min(length, 6_000), random);
  if (shape < 0.75) {
    const character = random.pick(RARE_CHARACTERS);
    return character.repeat(Math.ceil(Math.min(length, 6_000) / character.length)).slice(0, max);
  }
  return random.pick(WORDS).slice(0, max);
}

/** Values shared by one sequence, so that its inputs fit together. */
export interface Common {
  network: string;
  wallet: string;
  /** Unique number of the sequence. */
  serial: number;
}

/** Network and wallet of most sequences. */
export const commonOf = (serial: number, random: Random): Common =>
  random.chance(0.8)
    ? { serial, network: 'ethereum', wallet: ETHEREUM }
    : { serial, network: 'solana', wallet: SOLANA };

/** An address of a contract in Ethereum's form. */
const contractAddress = (random: Random) =>
  `0x${Array.from({ length: 40 }, () => random.below(16).toString(16)).join('')}`;

/**
 * A value for a field of a valid input.
 *
 * @param unusual share of values that are accepted in some step and that another may not expect, 0 to 1.
 * @returns undefined for schemas that are no text and no number; null where the schema allows it.
 */
export function storedValue(name: string, schema: Schema, random: Random, common: Common, unusual: number): unknown {
  if (schema.anyOf?.some(({ type }) => type === 'null'))
    return random.chance(0.15) || /image/i.test(name)
      ? null
      : storedValue(name, schema.anyOf[0] ?? {}, random, common, unusual);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (/network/i.test(name) && type === 'string')
    return random.chance(unusual) ? random.pick(NETWORKS) : common.network;
  if (schema.enum || 'const' in schema) return undefined;
  if (type === 'integer' || type === 'number') return numberWithin(schema, type === 'integer', random);
  if (type !== 'string' || schema.format === 'uuid') return undefined;
  if (schema.format === 'date-time') return moment(random, unusual);
  if (schema.format === 'date') return moment(random, unusual).slice(0, 10);
  const max = schema.maxLength ?? 5_000;
  const of = (valid: string, others: string[]) => (random.chance(unusual) ? random.pick(others) : valid).slice(0, max);
  if (/email/i.test(name)) return of(`payer${common.serial}-${random.below(1e5)}@attack.test`, EMAILS);
  if (/wallet/i.test(name)) return of(common.wallet, ADDRESSES);
  if (/address|contract/i.test(name)) return of(contractAddress(random), ADDRESSES);
  if (/url|link|website|explorer|evidence|^twitter$|^telegram$|^discord$/i.test(name))
    return of('https://example.org/a', LINKS);
  if (/symbol|confirmation/i.test(name))
    return of(`A${common.serial}${random.below(100)}`, ['Ñ'.repeat(10), '٣', '𝕬𝕬𝕬𝕬𝕬', 'ﷺ', 'İ', 'ß', 'aJo9']);
  if (/amount|supply|price|cap|volume|In(Swap|SolPool|WarPool)|value|porcentaje|distribucion|productor/i.test(name))
    return of('1000000', AMOUNTS);
  if (schema.pattern) return undefined;
  return random.chance(unusual) ? freeText(max, random) : `Ajolote ${common.serial} ${random.below(1e6)}`.slice(0, max);
}

function moment(random: Random, unusual: number): string {
  if (random.chance(unusual)) return random.pick(MOMENTS);
  return new Date(Date.now() + (random.next() - 0.3) * 864e5 * random.pick([0.0001, 1, 60])).toISOString();
}

function numberWithin({ minimum = 0, maximum = 2 ** 31 }: Schema, whole: boolean, random: Random): number {
  const edges = [minimum, maximum, Math.min(maximum, minimum + 1)];
  const value = random.chance(0.4) ? random.pick(edges) : minimum + random.next() * Math.min(maximum - minimum, 100);
  return whole ? Math.trunc(value) : value;
}

/** A value for a setting of a kind that the back office shows. */
export function settingValue(kind: string, random: Random): string | number | boolean | null {
  if (random.chance(0.2)) return null;
  if (kind === 'switch') return random.chance(0.5);
  if (kind === 'number') return random.pick([0, 1, 3, 7, 23, 28, 365, 3_650, 1_000_000]);
  if (kind === 'choice') return random.pick(['es', 'en', 'both']);
  if (kind === 'moment') return moment(random, 0.5);
  if (kind === 'email') return random.pick(['help@attack.test', ...EMAILS]);
  return freeText(random.pick([20, 300]), random);
}
