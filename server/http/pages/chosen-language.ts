import type { IncomingMessage } from 'node:http';
import { LANGUAGE_COOKIE, LANGUAGE_COOKIE_AGE } from '#contract/limits.ts';
import type { Language } from '#contract/site.ts';
import { isAdminPath } from './renderer.ts';

/** What the reader's choice of language means for one request of a document. */
export type LanguageChoice =
  /** The reader chose the other language: the address of the same page there. */
  | { redirect: string }
  /** The reader followed the switch between the languages: the cookie to send with the page. */
  | { remember: string };

/** As browsers write it too: app/lib/i18n/language-choice.ts. */
const HOST_PREFIX = '__Host-';
const readerOf = (name: string) => new RegExp(`(?:^|;\\s*)${name.replace('.', '\\.')}=(es|en)(?:;|$)`);
/** On https the one that no other host of the domain can set, and the one that was set before there was a prefix. */
const COOKIES = [readerOf(`${HOST_PREFIX}${LANGUAGE_COOKIE}`), readerOf(LANGUAGE_COOKIE)];
const chosenBefore = (cookies = ''): string | undefined =>
  COOKIES.map((cookie) => cookie.exec(cookies)?.[1]).find((language) => language !== undefined);
const PREFIX = /^\/en(?=\/|$)/;

const languageOf = (path: string): Language => (PREFIX.test(path) ? 'en' : 'es');
/** One slash in front: two, or a backslash, would name another site. */
const withoutLanguage = (path: string): string => path.replace(PREFIX, '').replace(/^[/\\]*/, '/');

/** Whether a request can carry a choice at all; all others need no closer look. */
export const mayChooseLanguage = ({ headers }: IncomingMessage): boolean =>
  Boolean(headers.referer || headers.cookie?.includes(LANGUAGE_COOKIE));

/**
 * Leads whoever chose a language to it (AMB-217). This happens before the page cache and changes no document, so that a page
 * stays one copy for everybody. A link on a page of ours is no question of language: it is followed as it is, and the one
 * to the same page in the other language is the choice itself, with or without scripts.
 *
 * @param target path and query. @param publicUrl where the site is reached.
 * @param offered the languages of the site: with one alone there is no choice, and its addresses stand for those of the other
 * one. The back office has both.
 * @returns null when the page is sent as it was asked for.
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

/** Pages that a person opens; not what scripts, frames and previews load. */
export function isNavigation({ headers }: IncomingMessage): boolean {
  const destination = headers['sec-fetch-dest'];
  if (destination !== undefined) return destination === 'document';
  return headers.accept?.includes('text/html') ?? false;
}

/** Path of the page of ours that the reader came from; null when it was none. */
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
