import { domainToUnicode } from 'node:url';
import { TOKEN_LINKS, type TokenLink } from '#contract/fields/links.ts';
import { LIKENESS, type Likeness, type Resemblance } from '#contract/likeness.ts';
import type { Reader, Tx } from '#server/db/client.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { likenessOf } from './likeness.policy.ts';
import { findLike, readKeys } from './likeness.sql.ts';
import type { Note } from './records.ts';

type Kind = Resemblance['kind'];

/** What is compared of a token, a request for publication among them. */
export type Comparable = {
  tokenName: string;
  tokenSymbol: string;
  tokenAddress?: string | null;
  contractAddress?: string | null;
  imageUrl?: string | null;
} & { [Link in TokenLink]?: string | null };

/** Tokens that are named at once; the most alike ones. */
const MAX_NAMED = 5;
/** How much each weighs when only some can be named: what can be no coincidence first. */
const WEIGHTS: Record<Likeness, number> = { contract: 16, picture: 8, name: 4, link: 3, symbol: 1 };

const weightOf = ({ alike }: Resemblance): number => alike.reduce((sum, what) => sum + WEIGHTS[what], 0);

/** A link with its host as people read it: 'xn--…' is how browsers write names in other alphabets. */
function readable(link: string): string {
  const url = URL.parse(link);
  const host = url?.hostname.includes('xn--') ? domainToUnicode(url.hostname) : '';
  return host ? link.replace(/^([a-z]+:\/\/)[^/?#]+/i, `$1${host}`) : link;
}

const PATHS: Record<Kind, (one: { id: string; slug: string | null }) => string> = {
  project: ({ id, slug }) => `/token/${slug ?? id}`,
  candidate: ({ id, slug }) => `/token/${slug ?? id}/candidate`,
  next_project: ({ id }) => `/token/${id}`,
};

/**
 * Live projects, candidates and NEXT projects that a token could be taken for, the most alike first, five at most.
 *
 * @param options.of the record that the token is, which is not compared with itself.
 * @param options.publicOnly for people who may not know of others.
 */
export async function findResemblances(
  db: Reader,
  token: Comparable,
  options: { of?: { kind: Kind; id: string }; publicOnly: boolean },
): Promise<Resemblance[]> {
  const { tokenName: name, tokenSymbol: symbol } = token;
  const links = TOKEN_LINKS.flatMap((link) => (token[link] ? [readable(token[link])] : []));
  const addresses = [token.tokenAddress, token.contractAddress].flatMap((address) => address || []);
  const image = /^\/media\/([0-9a-f]{32})/.exec(token.imageUrl ?? '')?.[1] ?? null;
  const { of = null } = options;
  const [own] = await readKeys(db, { name, symbol, links });
  const rows = await findLike(db, {
    name,
    symbol,
    links,
    addresses,
    image,
    kind: of?.kind ?? null,
    id: of?.id ?? null,
  });
  if (!own) return [];
  return rows
    .filter(({ isPublic }) => isPublic || !options.publicOnly)
    .map((row) => ({
      kind: row.kind,
      id: row.id,
      name: row.name,
      symbol: row.symbol,
      path: row.isPublic ? PATHS[row.kind](row) : null,
      alike: likenessOf(own, row),
    }))
    .filter(({ alike }) => alike.length > 0)
    .sort((one, other) => weightOf(other) - weightOf(one) || (one.id < other.id ? -1 : 1))
    .slice(0, MAX_NAMED);
}

/** The fields by which a token is alike in something. */
const FIELDS: Record<Likeness, readonly (keyof Comparable)[]> = {
  name: ['tokenName'],
  symbol: ['tokenSymbol'],
  link: TOKEN_LINKS,
  contract: ['tokenAddress', 'contractAddress'],
  picture: ['imageUrl'],
};

/** What was accepted, for the audit log: 'Pepe (name, image); …'. */
export const resemblancesAsText = (found: readonly Resemblance[]): string =>
  found.map(({ name, alike }) => `${name} (${alike.join(', ')})`).join('; ');

/**
 * Part of a change of a token, in its transaction: refuses what could be taken for another token until the editor says that
 * they looked, and notes for the audit log what they looked at. What a change does not touch was looked at before.
 *
 * @param accepted they looked.
 * @throws RESEMBLES with what it resembles, and in what.
 */
export const checkResemblance =
  (kind: Kind, accepted: boolean | undefined, note: Note) =>
  async (tx: Tx, row: Comparable & { id: string }, before: Comparable | null): Promise<void> => {
    const touched = new Set(
      LIKENESS.filter((what) =>
        FIELDS[what].some((field) => (row[field] ?? null) !== (before?.[field] ?? null) && row[field]),
      ),
    );
    if (touched.size === 0) return;
    const all = await findResemblances(tx, row, { of: { kind, id: row.id }, publicOnly: false });
    const found = all.filter(({ alike }) => alike.some((what) => touched.has(what)));
    if (found.length === 0) return;
    if (!accepted) fail('RESEMBLES', { found });
    note.after = { ...note.after, resemblanceAccepted: resemblancesAsText(found) };
  };
