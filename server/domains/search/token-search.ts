import { type SQL, sql } from 'drizzle-orm';
import type { TokenKind } from '#contract/fields.ts';
import type { TokenHit } from '#contract/search.ts';
import type { Reader } from '#server/db/client.ts';
import { holdsWords, type SearchTerms, startsWith } from './search-terms.ts';
import { matchesWithTypos } from './typo.policy.ts';

/** Rows that a search looks at: that hold the words, and that are one letter away from them. */
const NEAR_MAX = 100;
const TYPOS_MAX = 60;
/** Candidates whose names are read for typing errors; a few hundred are the most that a vote has. */
const CANDIDATES_MAX = 1_000;

/** What the three lists of tokens differ in. */
interface TokenList {
  from: SQL;
  shown: SQL;
  slug: SQL;
  address: SQL;
  /** Its names, normalized. */
  normalized: SQL;
  /** Among equals. */
  order: SQL;
  /** The names are indexed as a whole, and by words with one letter left out. */
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

interface Row extends Record<string, unknown>, Omit<TokenHit, 'kind' | 'corrected'> {
  normalized: string;
  /** 0 for the name or ticker itself, up to 3; 4 for what may be one letter away. */
  place_found: number;
}

/**
 * Tokens of one list whose name and ticker hold every word: the ticker or the name itself first, then what begins with the
 * words, then what holds them, and where that does not fill the list, what is one letter away. An address finds the tokens of
 * exactly this contract. Looks at a bounded number of rows, however many there are.
 *
 * @param many at most so many are returned.
 */
export async function findTokens(db: Reader, kind: TokenKind, terms: SearchTerms, many: number): Promise<TokenHit[]> {
  const list = LISTS[kind];
  const columns = sql`id, token_name as "tokenName", token_symbol as "tokenSymbol", ${list.slug} as "tokenSlug",
    image_url as "imageUrl", left(description, 200) as description`;
  const hit = ({ normalized: _folded, place_found, ...row }: Row): TokenHit => ({
    kind,
    ...row,
    corrected: place_found === 4,
  });
  if (terms.address) {
    const { rows } = await db.execute<Row>(sql`select ${columns}, '' as normalized, 0 as place_found from ${list.from}
      where ${list.shown} and florka_market_address(${list.address}) = florka_market_address(${terms.address})
      order by ${list.order}, id limit ${many}`);
    return rows.map(hit);
  }
  const { normalized, words } = terms;
  const exactly = sql`(florka_fold(token_symbol) = ${normalized} or florka_fold(token_name) = ${normalized})`;
  const holds = holdsWords(SEARCH, words);
  const { rows } = await db.execute<Row>(sql`
    with exact as materialized (
      select id, 0 as place from ${list.from}
      where ${list.shown} and ${exactly} ${list.indexed ? sql`` : sql`and ${holds}`} limit ${NEAR_MAX}
    ), near as materialized (
      select id, 3 as place from (
        select id, token_name, token_symbol from ${list.from} where ${list.shown} and ${holds} limit ${NEAR_MAX}
      ) t where ${holdsWords(NAME, words)}
    ), far as materialized (${typosOf(list, terms, many)}),
    found as (
      select id, min(place) as place from (table exact union all table near union all table far) t group by id
    )
    select ${columns}, ${list.normalized} as normalized,
      case when found.place <> 3 then found.place
        when ${NAME} like ${startsWith(normalized)} or florka_fold(token_symbol) like ${startsWith(normalized)} then 1
        when ${NAME} like ${`% ${startsWith(normalized)}`} then 2 else 3 end as place_found
    from ${list.from} join found using (id) order by place_found, ${list.order}, id`);
  return rows
    .filter((row) => row.place_found < 4 || matchesWithTypos(words, row.normalized))
    .slice(0, many)
    .map(hit);
}

/** What may be one letter away, when the words themselves do not fill the list; the caller compares letter by letter. */
function typosOf(list: TokenList, { words }: SearchTerms, many: number): SQL {
  const wanted = sql`(select count(*) from exact) + (select count(*) from near) < ${many}`;
  if (!list.indexed)
    return sql`select id, 4 as place from ${list.from} where ${list.shown} and ${wanted} limit ${CANDIDATES_MAX}`;
  const each = words.map((word) =>
    [...word].length < 4
      ? sql`florka_one_off(${NAME}) @> array[${word}::text]`
      : sql`florka_one_off(${NAME}) && florka_one_off(${word})`,
  );
  return sql`select id, 4 as place from ${list.from}
    where ${list.shown} and ${sql.join(each, sql` and `)} and ${wanted} limit ${TYPOS_MAX}`;
}
