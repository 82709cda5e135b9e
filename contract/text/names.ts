import { USERNAME_MAX, USERNAME_MIN } from '../limits.ts';

/**
 * Invisible characters: control characters, joiners, direction marks, fillers that count as letters, the Braille blank,
 * variation selectors, tags.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]|[\p{Variation_Selector}]|\u115f|\u1160|\u17b4|\u17b5|\u2800|\u3164|\uffa0/gu;

/**
 * Normalises public names, for new accounts and for changes: compatibility forms become plain letters, invisible characters are
 * removed, white space of any kind becomes one space, and a letter has at most two accents.
 */
export const cleanName = (value: string): string =>
  value
    .toWellFormed()
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .replace(INVISIBLE, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/\s+/gu, ' ')
    .trim();

/** Alphabets with letters that look like each other's. */
const ALIKE = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
  /\p{Script=Canadian_Aboriginal}/u,
];

/** True when a name mixes letters of two similar alphabets. */
const mixesAlphabets = (name: string): boolean => ALIKE.filter((alphabet) => alphabet.test(name)).length > 1;

/** Images and symbols that could be mistaken for the mark that the site displays next to a name. */
const SYMBOLS = /\p{So}|\p{Extended_Pictographic}|\u221a/u;

/** True when a normalised name is valid: 3 to 30 characters, at least one letter or digit, only one of the similar alphabets, no images. */
export const isPublicName = (name: string): boolean =>
  name.length >= USERNAME_MIN &&
  name.length <= USERNAME_MAX &&
  /[\p{L}\p{N}]/u.test(name) &&
  !mixesAlphabets(name) &&
  !SYMBOLS.test(name);

/** Words that suggest an official account of the site. */
const RESERVED = new Set(
  [
    'admin administrator administrador administradora administracion administration root system sistema',
    'florka florkateam equipoflorka florkasupport soporteflorka florkaofficial florkaoficial',
    'moderator moderador moderadora mod staff equipo team support soporte help ayuda official oficial security seguridad',
    'everyone todos here null undefined anonymous anonimo',
  ]
    .join(' ')
    .split(' '),
);
/** Letters that digits and symbols resemble. */
const LETTER_FOR: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  l: 'i',
  '|': 'i',
  '@': 'a',
  $: 's',
};

/** Without accents, case, white space and punctuation, and with digits replaced by the letters they resemble. */
const normalized = (name: string): string =>
  cleanName(name)
    .normalize('NFD')
    .toLowerCase()
    .replace(/[0134579l|@$]/g, (character) => LETTER_FOR[character] ?? character)
    .replace(/[^\p{L}\p{N}]/gu, '');
const RESERVED_NORMALIZED = new Set([...RESERVED].map(normalized));

/** True when a name suggests an official account, also with digits for letters, punctuation between them or a trailing number. */
export const isReservedName = (name: string): boolean => {
  const plain = cleanName(name).replace(/[\d\s._-]+$/u, '');
  return RESERVED_NORMALIZED.has(normalized(name)) || RESERVED_NORMALIZED.has(normalized(plain));
};

/**
 * Default name in the sign-up form: 'user_', the part of the mailbox before the @ (without a +suffix), and four random
 * characters. Empty when that is not a valid name.
 *
 * @param random four characters.
 */
export function suggestedName(email: string, random: string): string {
  const local = /^([^@+]+)[^@]*@./.exec(email.trim())?.[1];
  if (!local) return '';
  const name = cleanName(`user_${local.slice(0, USERNAME_MAX - 10)}_${random}`);
  return isPublicName(name) && !isReservedName(local) ? name : '';
}
