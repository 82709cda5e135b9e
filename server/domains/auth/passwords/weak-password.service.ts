import { STAFF_PASSWORD_MIN } from '#contract/limits.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { isCommon } from './common-passwords.ts';

/** Letters and digits, in lower case. */
const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
const core = (text: string): string => bare(text).replace(/^\p{N}+|\p{N}+$/gu, '');

/** Words of this site, which are guessed first: its name, terms in both languages, and chains. */
const OF_THE_SITE = new Set(
  (
    'florka token tokens crypto cripto criptomoneda criptomonedas cryptocurrency bitcoin ethereum solana binance polygon ' +
    'blockchain wallet billetera monedero memecoin altcoin airdrop launch lanzamiento lanzamientos votacion voting candidato ' +
    'candidate podium podio ranking comunidad community moderador moderator administrador administrator nextlist feria'
  ).split(' '),
);

/** True when a password is one such word, with only digits or symbols added, repeated, or after another. */
function isOfTheSite(password: string): boolean {
  let rest = core(password).normalize('NFD').replace(/\p{M}/gu, '');
  while (rest) {
    const word = [...OF_THE_SITE].filter((one) => rest.startsWith(one)).sort((one, two) => two.length - one.length)[0];
    if (!word) return false;
    rest = rest.slice(word.length).replace(/^\p{N}+/u, '');
  }
  return core(password) !== '';
}

/** True when a password is a name or mailbox of its owner, with only digits or symbols added. */
function isOwn(password: string, own: (string | null | undefined)[]): boolean {
  const texts = own.flatMap((text) => (text ? [text, text.split('@')[0] ?? text] : []));
  return texts.some((text) => {
    if (bare(text) === bare(password)) return true;
    const name = core(text);
    // A name of two letters occurs in too many good passwords.
    return name.length > 2 && name === core(password);
  });
}

/**
 * Refuses a new password that is easy to guess.
 *
 * @param about.own name and mailbox of its owner. @param about.staff an admin or moderator.
 * @throws PASSWORD_SHORT, PASSWORD_OWN, PASSWORD_COMMON
 */
export async function refuseWeak(
  password: string,
  about: { own: (string | null | undefined)[]; staff?: boolean },
): Promise<void> {
  if (about.staff && [...password].length < STAFF_PASSWORD_MIN) fail('PASSWORD_SHORT');
  if (isOwn(password, about.own)) fail('PASSWORD_OWN');
  if (isOfTheSite(password) || (await isCommon(password))) fail('PASSWORD_COMMON');
}
