import { and, sql } from 'drizzle-orm';
import type { SearchKind, SearchResults } from '#contract/domains/search.ts';
import { NEWS_CARD_EXCERPT } from '#contract/limits.ts';
import { excerpt, plainText } from '#contract/text/markup.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { news } from '#server/db/tables/news.ts';
import { findPosts } from '#server/domains/forum/forum-reads.service.ts';
import { containsTerms, readTerms, type SearchTerms } from './search-terms.ts';
import { findTokens } from './token-search.ts';

/** Number of newest news that are scanned before the full-text index is used; and of rows read of its result. */
const RECENT_NEWS_SCANNED = 60;
const INDEXED_NEWS_MAX = 100;
/** Maximum number of names that a search checks: most of them have no texts. */
const NAMES_MAX = 100;
const TOKENS_OF = { tokens: 'project', candidates: 'candidate', launches: 'next' } as const;

/** Characters read of a news item, more than an excerpt needs. */
const EXCERPT_SOURCE = 2_000;

/** The key of a result, after which the next page of its group begins. */
const readCursor = (cursor: string | undefined): string | undefined =>
  cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString().replaceAll('\0', '');

/**
 * One page of one group; the other groups are empty. When more records match than a search evaluates, the pages end at that limit, and
 * `more` is true on the last one.
 */
async function findKind(
  db: Db,
  { q, limit, kind, cursor }: { q: string; limit: number; kind: SearchKind; cursor?: string | undefined },
): Promise<SearchResults> {
  const none = { items: [], more: false };
  const empty = { tokens: none, candidates: none, launches: none, news: none, posts: none, people: none };
  const search = await readTerms(db, q);
  if (!search) return { ...empty, nextCursor: null };
  const after = readCursor(cursor);
  const page = <Item>({ items, limited }: { items: Item[]; limited: boolean }, keyOf: (item: Item) => string) => {
    const shown = items.slice(0, limit);
    const last = shown.at(-1);
    const nextCursor = items.length > limit && last ? Buffer.from(keyOf(last)).toString('base64url') : null;
    return { [kind]: { items: shown, more: nextCursor !== null || limited }, nextCursor };
  };
  const found =
    kind === 'people'
      ? page({ items: await findPeople(db, search, limit + 1, after), limited: false }, ({ username }) => username)
      : page(await findTokens(db, TOKENS_OF[kind], search, limit + 1, after), ({ id }) => id);
  return { ...empty, ...found };
}

/** One group, for which one more row was read than is shown. */
const group = <Item>(items: Item[], limit: number) => ({ items: items.slice(0, limit), more: items.length > limit });

/**
 * All public results that contain the words: tokens of the three lists, news, posts, and members by their forum name. Every group
 * reads a limited number of rows, so that the cost of a search is nearly independent of the amount of data.
 *
 * @param limit results of each kind.
 * @param kind one group alone, of which `cursor` is a page.
 */
export async function findEverything(
  db: Db,
  { q, limit, kind, cursor }: { q: string; limit: number; kind?: SearchKind | undefined; cursor?: string | undefined },
): Promise<SearchResults> {
  if (kind) return findKind(db, { q, limit, kind, cursor });
  const search = await readTerms(db, q);
  const none = { items: [], more: false };
  if (!search) return { tokens: none, candidates: none, launches: none, news: none, posts: none, people: none };
  const many = limit + 1;
  const [tokens, candidates, launches, news, posts, people] = await Promise.all([
    findTokens(db, 'project', search, many),
    findTokens(db, 'candidate', search, many),
    findTokens(db, 'next', search, many),
    findNewsWith(db, search, many),
    findPosts(db, search.typed, many),
    findPeople(db, search, many),
  ]);
  return {
    tokens: group(tokens.items, limit),
    candidates: group(candidates.items, limit),
    launches: group(launches.items, limit),
    news: group(news, limit),
    posts: group(
      posts.map(({ beginning, ...post }) => ({
        ...post,
        excerpt: excerpt(beginning.replace(/\s+/g, ' '), NEWS_CARD_EXCERPT),
        createdAt: post.createdAt.toISOString(),
      })),
      limit,
    ),
    people: group(people, limit),
  };
}

/** News that contain every word, newest first: by scanning the newest ones, and older ones by the index. */
async function findNewsWith(db: Reader, { terms }: SearchTerms, many: number) {
  const shown = sql.raw('is_active and deleted_at is null');
  const holds = containsTerms(sql.raw('search'), terms);
  const found = sql`
    with near as materialized (
      select id from (
        select id, search, published_at from news where ${shown} order by published_at desc nulls last, id limit ${RECENT_NEWS_SCANNED}
      ) newest where ${holds} order by published_at desc nulls last, id limit ${many}
    ), far as materialized (
      select id from news where ${shown} and ${holds} and (select count(*) from near) < ${many} limit ${INDEXED_NEWS_MAX}
    )
    table near union table far`;
  const rows = await db
    .select({
      id: news.id,
      title: news.title,
      content: sql`left(${news.content}, ${EXCERPT_SOURCE})`.mapWith(asText),
      publishedAt: news.publishedAt,
    })
    .from(news)
    .where(sql`${news.id} in (${found})`)
    .orderBy(sql`${news.publishedAt} desc nulls last, ${news.id}`)
    .limit(many);
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    excerpt: excerpt(plainText(row.content), NEWS_CARD_EXCERPT),
    publishedAt: row.publishedAt?.toISOString() ?? null,
  }));
}

/**
 * Members whose forum name contains every word and who have a visible text, with the newest one. Members without texts are not
 * found, because their name is not public.
 */
async function findPeople(db: Reader, { typed, terms }: SearchTerms, many: number, after?: string) {
  const people = sql`
    with named as (
      select id, 0 as place from forum_users where lower(username) = lower(${typed})
      union
      (select id, 1 from forum_users where ${containsTerms(sql.raw('search'), terms)} limit ${NAMES_MAX})
    )
    select id, min(place) as place from named group by id`;
  const newest = sql`
    select p.id, p.title, a.username as by from (
      (select id, created_at as at from forum_posts where forum_user_id = u.id and not is_hidden
        order by created_at desc limit 1)
      union all
      (select c.post_id, c.created_at from forum_comments c join forum_posts s on s.id = c.post_id and not s.is_hidden
        where c.user_id = u.new_auth_user_id and not c.is_hidden order by c.created_at desc limit 1)
    ) wrote join forum_posts p on p.id = wrote.id left join forum_users a on a.id = p.forum_user_id
    order by wrote.at desc limit 1`;
  return db
    .select({
      username: sql`u.username`.mapWith(asText),
      shortId: sql`left(regexp_replace(u.wallet_address, '^user_', ''), 8)`.mapWith(asText),
      postId: sql`p.id`.mapWith(asText),
      postTitle: sql`p.title`.mapWith(asText),
      postBy: sql`p.by`.mapWith(orNull(asText)),
    })
    .from(sql`(${people}) people join forum_users u using (id) cross join lateral (${newest}) p`)
    .where(
      and(
        sql`(u.new_auth_user_id is not null or u.migration_status <> 'completed')`,
        // An exact match of the name comes first, whatever its position among the others.
        after === undefined
          ? undefined
          : sql`(people.place, u.username) > (case when lower(${after}) = lower(${typed}) then 0 else 1 end, ${after})`,
      ),
    )
    .orderBy(sql`people.place, u.username`)
    .limit(many);
}
