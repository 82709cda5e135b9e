import { domainToUnicode } from 'node:url';
import { TOKEN_LINKS, type TokenLink } from '#contract/fields/links.ts';
import { RESEMBLING_FIELDS, type Resemblance, type ResemblingField } from '#contract/resemblance.ts';
import type { Reader, Tx } from '#server/db/client.ts';
import { fail } from '#server/lib/errors/fail.ts';
import type { Note } from './records.ts';
import { resemblingFields } from './resemblance.policy.ts';
import { findResembling, readKeys } from './resemblance.sql.ts';

type Kind = Resemblance['kind'];

/** Confirmation that an editor reviewed the resembling tokens. */
export interface ResemblanceAccepted {
  resemblanceAccepted?: boolean | undefined;
}

/** The compared fields of a token or of a request for publication. */
export type Comparable = {
  tokenName: string;
  tokenSymbol: string;
  tokenAddress?: string | null;
  contractAddress?: string | null;
  imageUrl?: string | null;
} & { [Link in TokenLink]?: string | null };

/** Maximum number of resemblances that are returned, the strongest ones. */
const MAX_NAMED = 5;
/** Weights of resemblances for their order; the least likely coincidence weighs most. */
const WEIGHTS: Record<ResemblingField, number> = { contract: 16, picture: 8, name: 4, link: 3, symbol: 1 };

const weightOf = ({ alike }: Resemblance): number => alike.reduce((sum, what) => sum + WEIGHTS[what], 0);

/** A link with its host in readable form: 'xn--…' is the encoding of host names in other alphabets. */
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
 * Projects, candidates and NEXT projects that a token could be confused with, the strongest resemblance first, at most
 * five.
 *
 * @param options.of the record of the token itself, which is not compared.
 * @param options.publicOnly for people who may not see unpublished tokens.
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
  const rows = await findResembling(db, {
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
      alike: resemblingFields(own, row),
    }))
    .filter(({ alike }) => alike.length > 0)
    .sort((one, other) => weightOf(other) - weightOf(one) || (one.id < other.id ? -1 : 1))
    .slice(0, MAX_NAMED);
}

/** The fields that belong to each resemblance. */
const FIELDS: Record<ResemblingField, readonly (keyof Comparable)[]> = {
  name: ['tokenName'],
  symbol: ['tokenSymbol'],
  link: TOKEN_LINKS,
  contract: ['tokenAddress', 'contractAddress'],
  picture: ['imageUrl'],
};

/** The confirmed resemblances for the audit log: 'Pepe (name, picture); …'. */
export const resemblancesAsText = (found: readonly Resemblance[]): string =>
  found.map(({ name, alike }) => `${name} (${alike.join(', ')})`).join('; ');

/**
 * Part of a change of a token, in its transaction: refuses a token that could be confused with another one until the
 * editor confirms it, and adds the confirmed resemblances to the audit entry. Only resemblances in changed fields are
 * checked.
 *
 * @param accepted the editor has confirmed.
 * @throws RESEMBLES with the tokens it resembles, and in what.
 */
export const checkResemblance =
  (kind: Kind, accepted: boolean | undefined, note: Note) =>
  async (tx: Tx, row: Comparable & { id: string }, before: Comparable | null): Promise<void> => {
    const touched = new Set(
      RESEMBLING_FIELDS.filter((what) =>
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

/**
 * Options of restoring a token from the trash: the tokens in it are not compared with others, so one that resembles it
 * may have been created since. All fields are checked, because all of them become public again.
 *
 * @param accepted the editor has confirmed.
 */
export function checkingResemblance(kind: Kind, accepted: boolean | undefined) {
  const note: Note = {};
  const check = checkResemblance(kind, accepted, note);
  return { note, also: (tx: Tx, row: Comparable & { id: string }) => check(tx, row, null) };
}
