import type { IncomingMessage } from 'node:http';
import { LANGUAGE_COOKIE, LANGUAGE_COOKIE_AGE } from '#contract/limits.ts';
import type { Language } from '#contract/site.ts';
import { isAdminPath } from './renderer.ts';

/** The effect of the reader's language choice on one request for a document. */
export type LanguageChoice =
  /** The reader chose the other language: the path of the same page there. */
  | { redirect: string }
  /** The reader followed a language link: the cookie to set. */
  | { remember: string };

/** Browsers set the same cookie: app/lib/i18n/language-choice.ts. */
const HOST_PREFIX = '__Host-';
const readerOf = (name: string) => new RegExp(`(?:^|;\\s*)${name.replace('.', '\\.')}=(es|en)(?:;|$)`);
/**
 * On https first the cookie that other hosts of the domain cannot set, then the one of earlier versions without the
 * prefix.
 */
const COOKIES = [readerOf(`${HOST_PREFIX}${LANGUAGE_COOKIE}`), readerOf(LANGUAGE_COOKIE)];
const chosenBefore = (cookies = ''): string | undefined =>
  COOKIES.map((cookie) => cookie.exec(cookies)?.[1]).find((language) => language !== undefined);
const PREFIX = /^\/en(?=\/|$)/;

const languageOf = (path: string): Language => (PREFIX.test(path) ? 'en' : 'es');
/** True if a request can carry a choice at all; a cheap check before `chosenLanguage`. */
const withoutLanguage = (path: string): string => path.replace(PREFIX, '').replace(/^[/\\]*/, '/');

/** Whether a request can carry a choice at all; all others need no closer look. */
export const mayChooseLanguage = ({ headers }: IncomingMessage): boolean =>
  Boolean(headers.referer || headers.cookie?.includes(LANGUAGE_COOKIE));

/**
 * Determines whether to redirect a reader to their chosen language (AMB-217). Runs before the page cache and changes no
 * document, so that a page is cached once for all readers. Links within the site are followed without a redirect, and a
 * link to the same page in the other language is itself the choice, with or without scripts.
 *
 * @param target path and query. @param options.publicUrl origin of the site.
 * @param options.offered languages of the site: with a single one, paths of the other one redirect to it. The back
 *   office always has both.
 * @returns null when the page is sent as requested.
 */
export function chosenLanguage(
  req: IncomingMessage,
  target: string,
  { publicUrl, offered }: { publicUrl: string; offered: readonly Language[] },
): LanguageChoice | null {
  const path = target.split('?', 1)[0] ?? target;
  const [only, other] = offered;
  if (only && !other && !isAdminPath(path))
    return languageOf(path) === only ? null : { redirect: addressIn(only, path) + target.slice(path.length) };
  if (!mayChooseLanguage(req) || !isNavigation(req)) return null;
  const pathLanguage = languageOf(path);
  const chosen = chosenBefore(req.headers.cookie);
  const from = ownPage(req, publicUrl);
  if (from !== null) {
    if (languageOf(from) === pathLanguage) return null;
    if (withoutLanguage(from) === withoutLanguage(path))
      return chosen === pathLanguage ? null : { remember: cookieOf(pathLanguage, publicUrl) };
  }
  if (!chosen || chosen === pathLanguage) return null;
  return { redirect: addressIn(chosen as Language, path) + target.slice(path.length) };
}

function addressIn(language: Language, path: string): string {
  const bare = withoutLanguage(path);
  return language === 'es' ? bare : `/en${bare === '/' ? '' : bare}`;
}

/** True for page loads by a person, in contrast to scripts, frames and previews. */
export function isNavigation({ headers }: IncomingMessage): boolean {
  const destination = headers['sec-fetch-dest'];
  if (destination !== undefined) return destination === 'document';
  return headers.accept?.includes('text/html') ?? false;
}

/** Path of the referring page of this site; null if there is none. */
function ownPage({ headers }: IncomingMessage, publicUrl: string): string | null {
  const { referer } = headers;
  if (!referer || !URL.canParse(referer)) return null;
  const { origin, host, pathname } = new URL(referer);
  return origin === new URL(publicUrl).origin || host === headers.host ? pathname : null;
}

function cookieOf(language: Language, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:');
  return [
    `${secure ? HOST_PREFIX : ''}${LANGUAGE_COOKIE}=${language}`,
    'Path=/',
    `Max-Age=${LANGUAGE_COOKIE_AGE}`,
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
  ].join('; ');
}
