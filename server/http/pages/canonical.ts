import { SITE_PAGES } from '#contract/limits.ts';
import { isUuid } from '#server/lib/text/uuid.ts';

/** Languages with a URL prefix; the default language has none. */
const PREFIXES = new Set(['en']);
/** Pages without further path segments. */
const PLAIN = new Set<string>([
  ...SITE_PAGES,
  'vote',
  'news',
  'next',
  'forum',
  'ledger',
  'moderation',
  'search',
  'tokens',
  'compare',
  'create',
  'publish',
  'auth',
  'saved',
  'account',
  'notifications',
  'verify',
  'reset',
  'unsubscribe',
]);
/** Pages of one record, identified by its id. */
const RECORDS = new Set(['news', 'forum', 'order', 'submission', 'ticket']);
/** A token in paths: its slug, or its id. */
const TOKEN_NAME = /^[a-z0-9-]{1,160}$/;
/** Old names can be longer than the current maximum. */
const NAME_LENGTH = 60;
/** Placeholder in paths of tokens, news and members for all invalid names. */
const NONE = '_';

/** The canonical name of a token in paths; null when it is invalid. */
export function canonicalToken(part: string): string | null {
  const name = decoded(part)?.toLowerCase();
  return name !== undefined && TOKEN_NAME.test(name) ? name : null;
}

/** The canonical form of an id in paths; null when it is invalid. */
export function canonicalId(part: string): string | null {
  const id = decoded(part)?.toLowerCase();
  return id !== undefined && isUuid(id) ? id : null;
}

/** The canonical name of a member in paths; null when it is not a possible name. */
function canonicalMember(part: string): string | null {
  const name = decoded(part);
  return name !== undefined && name.length <= NAME_LENGTH && !/\p{Cc}/u.test(name) ? encodeURIComponent(name) : null;
}

/**
 * The canonical path of a public page: escapes, capital letters, double and trailing slashes denote the same page,
 * which is rendered and cached once.
 *
 * @returns `notFound` for a token, news item or member with an invalid name, with the path that stands for all of them;
 *   null for a path that is not a public page.
 */
export function canonicalPage(pathname: string): { path: string; notFound: boolean } | null {
  const parts = pathname.split('/').filter(Boolean);
  const first = word(parts[0]);
  const prefix = first !== undefined && PREFIXES.has(first) ? first : null;
  const [head, ...rest] = prefix === null ? parts : parts.slice(1);
  const found = head === undefined ? { path: '' } : pageOf(word(head), rest);
  if (!found) return null;
  const path = `${prefix === null ? '' : `/${prefix}`}${found.path}`;
  return { path: path === '' ? '/' : path, notFound: 'notFound' in found };
}

/** The path without its language prefix. */
function pageOf(head: string | undefined, rest: string[]): { path: string; notFound?: boolean } | null {
  if (head === undefined) return null;
  if (rest.length === 0) return PLAIN.has(head) ? { path: `/${head}` } : null;
  const [name = '', view] = rest;
  if (head === 'vote' && rest.length === 1) return word(name) === 'race' ? { path: '/vote/race' } : null;
  if (head === 'token') {
    if (rest.length > 2 || (view !== undefined && word(view) !== 'candidate')) return null;
    const token = canonicalToken(name);
    if (token === null) return { path: `/token/${NONE}`, notFound: true };
    return { path: `/token/${token}${view === undefined ? '' : '/candidate'}` };
  }
  if (head === 'member' && rest.length === 1) {
    const member = canonicalMember(name);
    return member === null ? { path: `/member/${NONE}`, notFound: true } : { path: `/member/${member}` };
  }
  const id = rest.length === 1 && RECORDS.has(head) ? canonicalId(name) : null;
  if (id === null && head === 'news' && rest.length === 1) return { path: `/news/${NONE}`, notFound: true };
  return id === null ? null : { path: `/${head}/${id}` };
}

const word = (part: string | undefined) => (part === undefined ? undefined : decoded(part)?.toLowerCase());

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** True for a path that ends like a file name. */
export const namesFile = (pathname: string): boolean =>
  /\.[a-z0-9]{2,5}$/i.test(pathname) && !pathname.endsWith('.data');
