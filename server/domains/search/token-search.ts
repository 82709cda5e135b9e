import { type SQL, sql } from 'drizzle-orm';
import type { TokenHit } from '#contract/domains/search.ts';
import type { TokenKind } from '#contract/fields/schemas.ts';
import type { Reader } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { containsTerms, type SearchTerms, startsWith } from './search-terms.ts';
import { matchesWithTypos } from './typo.policy.ts';

/** Maximum number of rows that a search evaluates: with the words, and with a typing error of one letter. */
const NEAR_MAX = 100;
const TYPOS_MAX = 60;
/** Maximum number of candidates whose names are compared for typing errors; a vote has a few hundred at most. */
const CANDIDATES_MAX = 1_000;

/** Differences between the three lists of tokens. */
interface TokenList {
  from: SQL;
  shown: SQL;
  slug: SQL;
  address: SQL;
  /** Its names, normalized. */
  normalized: SQL;
  /** Order among equal ranks. */
  order: SQL;
  /** True when the names are indexed as a whole, and by words with one letter omitted. */
  indexed: boolean;
}

const NAME = sql.raw(`florka_fold(token_name || ' ' || token_symbol)`);
const SEARCH = sql.raw('search');
const LISTS: Record<TokenKind, TokenList> = {
  project: {
    from: sql.raw('projects'),
    shown: sql.raw(`status in ('published_home', 'approved') and deleted_at is null`),
    slug: sql.raw('token_slug'),
    address: sql.raw('coalesce(contract_address, token_address)'),
    normalized: NAME,
    order: sql.raw('order_index, created_at desc'),
    indexed: true,
  },
  candidate: {
    from: sql.raw('voting_candidates'),
    shown: sql.raw('is_active and deleted_at is null'),
    slug: sql.raw('token_slug'),
    address: sql.raw('contract_address'),
    normalized: SEARCH,
    order: sql.raw('total_votes desc, created_at desc'),
    indexed: false,
  },
  next: {
    from: sql.raw('next_projects'),
    shown: sql.raw(`is_active and status in ('published', 'launched') and deleted_at is null`),
    slug: sql.raw('null::text'),
    address: sql.raw('coalesce(contract_address, token_address)'),
    normalized: NAME,
    order: sql.raw('order_index, created_at desc'),
    indexed: true,
  },
};

/** Tokens that were found; `limited`: further ones match, which a search does not evaluate. */
interface Found {
  items: TokenHit[];
  limited: boolean;
}

/** The rows after one of them; all of them when that one no longer exists, so that no result is skipped. */
const rowsAfter = <Row extends { id: string }>(rows: Row[], after: string | undefined): Row[] =>
  rows.slice(rows.findIndex(({ id }) => id === after) + 1);

/** Columns of a token of a list. */
const columnsOf = ({ slug }: TokenList) => ({
  id: sql`id`.mapWith(asText),
  tokenName: sql`token_name`.mapWith(asText),
  tokenSymbol: sql`token_symbol`.mapWith(asText),
  tokenSlug: slug.mapWith(orNull(asText)),
  imageUrl: sql`image_url`.mapWith(orNull(asText)),
  description: sql`left(description, 200)`.mapWith(orNull(asText)),
});

/** Rank of matches with a typing error. Ranks before it: 0 for the name or ticker itself, up to 3. */
const TYPO = 4;

/**
 * Tokens of one list whose name and ticker contain every word: equal names and tickers first, then prefixes, then other matches,
 * and if these do not fill the list, those with a typing error of one letter. An address finds the tokens of exactly this contract.
 * Evaluates a limited number of rows.
 *
 * @param many maximum number of results. @param after id of the result after which they begin.
 */
export async function findTokens(
  db: Reader,
  kind: TokenKind,
  search: SearchTerms,
  many: number,
  after?: string,
): Promise<Found> {
  const list = LISTS[kind];
  if (search.address) {
    const rows = await db
      .select(columnsOf(list))
      .from(list.from)
      .where(sql`${list.shown} and florka_market_address(${list.address}) = florka_market_address(${search.address})`)
      .orderBy(sql`${list.order}, id`)
      .limit(NEAR_MAX);
    const items = rowsAfter(rows, after).slice(0, many);
    return { items: items.map((row) => ({ kind, ...row, corrected: false })), limited: false };
  }
  const { normalized, terms } = search;
  const exactly = sql`(florka_fold(token_symbol) = ${normalized} or florka_fold(token_name) = ${normalized})`;
  const holds = containsTerms(SEARCH, terms);
  const found = sql`
    with exact as materialized (
      select id, 0 as place from ${list.from}
      where ${list.shown} and ${exactly} ${list.indexed ? sql`` : sql`and ${holds}`} limit ${NEAR_MAX}
    ), near as materialized (
      select id, 3 as place from (
        select id, token_name, token_symbol from ${list.from} where ${list.shown} and ${holds} limit ${NEAR_MAX}
      ) t where ${containsTerms(NAME, terms)}
    ), far as materialized (${typosOf(list, search, many)})
    select id, min(place) as place from (table exact union all table near union all table far) t group by id`;
  const place = sql`case when found.place <> 3 then found.place
    when ${NAME} like ${startsWith(normalized)} or florka_fold(token_symbol) like ${startsWith(normalized)} then 1
    when ${NAME} like ${`% ${startsWith(normalized)}`} then 2 else 3 end`;
  const rows = await db
    .select({
      ...columnsOf(list),
      normalized: list.normalized.mapWith(asText).as('normalized'),
      place: place.mapWith(Number).as('place_found'),
    })
    .from(sql`${list.from} join (${found}) found using (id)`)
    .orderBy(sql`place_found, ${list.order}, id`);
  const matches = rows.filter((row) => row.place < TYPO || matchesWithTypos(terms, row.normalized));
  const items = rowsAfter(matches, after)
    .slice(0, many)
    .map(({ normalized: _normalized, place, ...row }) => ({ kind, ...row, corrected: place === TYPO }));
  return { items, limited: rows.filter((row) => row.place < TYPO).length >= NEAR_MAX };
}

/**
 * Rows that may have a typing error of one letter, when the terms themselves do not fill the list; the caller compares letter by
 * letter.
 */
function typosOf(list: TokenList, { terms }: SearchTerms, many: number): SQL {
  const wanted = sql`(select count(*) from exact) + (select count(*) from near) < ${many}`;
  if (!list.indexed)
    return sql`select id, 4 as place from ${list.from} where ${list.shown} and ${wanted} limit ${CANDIDATES_MAX}`;
  const each = terms.map((term) =>
    [...term].length < 4
      ? sql`florka_one_off(${NAME}) @> array[${term}::text]`
      : sql`florka_one_off(${NAME}) && florka_one_off(${term})`,
  );
  return sql`select id, 4 as place from ${list.from}
    where ${list.shown} and ${sql.join(each, sql` and `)} and ${wanted} limit ${TYPOS_MAX}`;
}
