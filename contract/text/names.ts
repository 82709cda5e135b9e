import { USERNAME_MAX, USERNAME_MIN } from '../limits.ts';

/** Signs that nobody sees: control, joiners, direction, fillers that count as letters, the blank of Braille, variants, tags. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]|[\p{Variation_Selector}]|\u115f|\u1160|\u17b4|\u17b5|\u2800|\u3164|\uffa0/gu;

/**
 * The one cleaning of public names, of new accounts and of changes: compatibility forms become plain letters, what nobody sees
 * goes, blanks of every kind become one space, and at most two accents stand over a letter.
 */
export const cleanName = (value: string): string =>
  value
    .toWellFormed()
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .replace(UNSEEN, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/\s+/gu, ' ')
    .trim();

/** Alphabets whose letters look like each other's. */
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

/** Whether letters of two alphabets that look alike stand in one name. */
const mixesAlphabets = (name: string): boolean => ALIKE.filter((alphabet) => alphabet.test(name)).length > 1;

/** Images and signs that could be taken for the mark which the site draws beside a name. */
const PICTURES = /\p{So}|\p{Extended_Pictographic}|\u221a/u;

/** Whether a cleaned name may be one: 3 to 30 signs, a letter or number among them, of one of the alphabets that look alike, no images. */
export const isPublicName = (name: string): boolean =>
  name.length >= USERNAME_MIN &&
  name.length <= USERNAME_MAX &&
  /[\p{L}\p{N}]/u.test(name) &&
  !mixesAlphabets(name) &&
  !PICTURES.test(name);

/** What speaks for the site. */
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
const DIGITS: Record<string, string> = {
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

/** Without accents, case, blanks and signs, with digits read as the letters that they stand for. */
const normalized = (name: string): string =>
  cleanName(name)
    .normalize('NFD')
    .toLowerCase()
    .replace(/[0134579l|@$]/g, (sign) => DIGITS[sign] ?? sign)
    .replace(/[^\p{L}\p{N}]/gu, '');
const RESERVED_NORMALIZED = new Set([...RESERVED].map(normalized));

/** Whether a name speaks for the site, also with digits for letters, signs between them or a number behind. */
export const isReservedName = (name: string): boolean => {
  const plain = cleanName(name).replace(/[\d\s._-]+$/u, '');
  return RESERVED_NORMALIZED.has(normalized(name)) || RESERVED_NORMALIZED.has(normalized(plain));
};

/**
 * What the form of sign-up shows for a mailbox before anything was typed: 'user_', what stands before the @ (without what
 * stands behind a +), and four random characters. Empty where that makes no name.
 *
 * @param random four characters.
 */
export function suggestedName(email: string, random: string): string {
  const local = /^([^@+]+)[^@]*@./.exec(email.trim())?.[1];
  if (!local) return '';
  const name = cleanName(`user_${local.slice(0, USERNAME_MAX - 10)}_${random}`);
  return isPublicName(name) && !isReservedName(local) ? name : '';
}
