import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import type { TextOf } from '#app/lib/i18n/i18n.tsx';
import type { forumTexts } from '#app/lib/messages/forum.ts';
import type { forumMemberTexts } from '#app/lib/messages/forum-member.ts';
import type { Me } from '#contract/domains/auth.ts';
import type { Comment, EmojiType, Post, PostCategory } from '#contract/domains/forum.ts';
import { COMMENTS_PAGE, POSTS_PAGE } from '#contract/limits.ts';

export interface Feed {
  items: Post[];
  nextCursor: string | null;
}
/** Filter of a list of posts: all of them, or by one of these. */
export interface PostFilter {
  /** Search words. */
  q?: string;
  /** Id of a token. */
  about?: string;
  tag?: string;
  category?: PostCategory;
  /** Name of an author. */
  by?: string;
}
export interface Mine {
  reactions: { postId: string; emojiType: EmojiType }[];
  posts: string[];
  comments: string[];
}

/** Maximum page size of one request. */
const MAX_POSTS = 50;
const MAX_COMMENTS = 100;
const MAX_MINE = 200;
/** Maximum number of requests of one refresh of a long list; posts beyond it are not refreshed. */
const MAX_REQUESTS = 10;
/** Live events report changes; this only helps where the stream cannot get through. Milliseconds. */
const STALE_MS = 60_000;

const feedKey = (filter: PostFilter) => rpc.forum.posts.queryKey({ input: filter });

/**
 * The posts that the user has opened so far, newest first. A refetch reaches at least as deep as before and preserves opened comments,
 * so nothing disappears while the user reads.
 */
export const feedQuery = (filter: PostFilter, api = rpc) => {
  const queryKey = feedKey(filter);
  return queryOptions({
    queryKey,
    queryFn: ({ client }) => readFeed(api, filter, () => client.getQueryData<Feed>(queryKey)),
    staleTime: STALE_MS,
  });
};

/** One post as a feed of its own, for its own page. */
export const postFeedQuery = (id: string, api = rpc) => {
  // Below the key of the lists, so that updates of a post there apply here too.
  const queryKey = [...rpc.forum.posts.key(), { only: id }] as unknown as ReturnType<typeof feedKey>;
  return queryOptions({
    queryKey,
    queryFn: async ({ client }): Promise<Feed> => {
      const held = client.getQueryData<Feed>(queryKey)?.items[0];
      return { items: [await keepComments(api, await api.forum.post.call({ id }), held)], nextCursor: null };
    },
    staleTime: STALE_MS,
  });
};

async function readFeed(api: typeof rpc, filter: PostFilter, held: () => Feed | undefined): Promise<Feed> {
  const limit = Math.min(MAX_POSTS, Math.max(POSTS_PAGE, held()?.items.length ?? 0));
  const items: Post[] = [];
  let cursor: string | null = null;
  for (let request = 0; request < MAX_REQUESTS; request++) {
    const page: Feed = await api.forum.posts.call({ ...filter, cursor, limit });
    items.push(...page.items);
    cursor = page.nextCursor;
    const oldest = held()?.items.at(-1);
    const last = items.at(-1);
    const reached = !oldest || !last || last.createdAt < oldest.createdAt || items.some(({ id }) => id === oldest.id);
    if (!cursor || reached) break;
  }
  const before = held();
  const known = new Map(before?.items.map((post) => [post.id, post]));
  const fresh = await Promise.all(items.map((post) => keepComments(api, post, known.get(post.id))));
  const last = items.at(-1);
  const deeper = cursor && last ? (before?.items.filter((post) => post.createdAt < last.createdAt) ?? []) : [];
  return deeper.length > 0
    ? { items: [...fresh, ...deeper], nextCursor: before?.nextCursor ?? null }
    : { items: fresh, nextCursor: cursor };
}

/** The post with as many comments as the user had open. */
async function keepComments(api: typeof rpc, fresh: Post, held: Post | undefined): Promise<Post> {
  if (!held || held.comments.length <= fresh.comments.length) return fresh;
  return openComments(fresh, held.commentsCursor === null ? Number.POSITIVE_INFINITY : held.comments.length, api);
}

/** The post with at least this many comments, if it has them. */
export async function openComments(post: Post, min: number, api = rpc): Promise<Post> {
  let { comments, commentsCursor } = post;
  for (let request = 0; commentsCursor && comments.length < min && request < MAX_REQUESTS; request++) {
    const page: { items: Comment[]; nextCursor: string | null } = await api.forum.comments.call({
      postId: post.id,
      cursor: commentsCursor,
      limit: Math.min(MAX_COMMENTS, Math.max(COMMENTS_PAGE, min - comments.length)),
    });
    comments = [...comments, ...page.items];
    commentsCursor = page.nextCursor;
  }
  return { ...post, comments, commentsCursor };
}

/** One post as it is now, with the comments that were open. @throws NOT_FOUND */
export const rereadPost = async (id: string, held: Post | undefined): Promise<Post> =>
  keepComments(rpc, await rpc.forum.post.call({ id }), held);

/** The member's own reactions, posts and comments among these posts. */
export function useMine(memberId: string | undefined, postIds: string[]): Mine | undefined {
  const { data } = useQuery({
    queryKey: [...rpc.forum.mine.key(), memberId, postIds],
    queryFn: async () => {
      const parts: Mine[] = [];
      for (let at = 0; at < postIds.length; at += MAX_MINE)
        parts.push(await rpc.forum.mine.call({ postIds: postIds.slice(at, at + MAX_MINE) }));
      return {
        reactions: parts.flatMap((part) => part.reactions),
        posts: parts.flatMap((part) => part.posts),
        comments: parts.flatMap((part) => part.comments),
      };
    },
    enabled: memberId !== undefined && postIds.length > 0,
    staleTime: STALE_MS,
    // More posts for the same member: the known data is shown while the rest is loading.
    placeholderData: (before, query) => (query?.queryKey.at(-2) === memberId ? keepPreviousData(before) : undefined),
  });
  return memberId === undefined ? undefined : data;
}

/** Updates one post in every cached list; null removes it. */
export function patchPost(queries: QueryClient, id: string, change: (post: Post) => Post | null): void {
  queries.setQueriesData<Feed>({ queryKey: rpc.forum.posts.key() }, (feed) => {
    if (!feed?.items.some((post) => post.id === id)) return feed;
    const items = feed.items.flatMap((post) => (post.id === id ? (change(post) ?? []) : [post]));
    return { ...feed, items };
  });
}

/** Calls back when each running read of posts has its answer, which may be older than a change that arrived meanwhile. */
export function afterReads(queries: QueryClient, onAnswer: () => void): void {
  const running = queries.getQueryCache().findAll({ queryKey: rpc.forum.posts.key(), fetchStatus: 'fetching' });
  for (const { promise } of running) void promise?.then(onAnswer, () => {});
}

/** Removes a post from every cached list, and from what running reads bring. */
export function removePost(queries: QueryClient, id: string): void {
  const remove = () => patchPost(queries, id, () => null);
  remove();
  afterReads(queries, remove);
}

export function heldPost(queries: QueryClient, id: string): Post | undefined {
  for (const [, feed] of queries.getQueriesData<Feed>({ queryKey: rpc.forum.posts.key() })) {
    const post = feed?.items.find((item) => item.id === id);
    if (post) return post;
  }
  return undefined;
}

export const patchMine = (queries: QueryClient, change: (mine: Mine) => Mine): void => {
  queries.setQueriesData<Mine>({ queryKey: rpc.forum.mine.key() }, (mine) => mine && change(mine));
};

/** Message for a failure of the forum. */
export function forumFailure(error: unknown, text: TextOf<typeof forumTexts>): string {
  const code = codeOf(error);
  if (code === 'UNAUTHORIZED') return text.forum.notSignedIn;
  if (code === 'BAD_REQUEST') return text.forum.fillAll;
  return failureText(error, text);
}

/** Message for a comment that was not published. */
export const commentFailure = (error: unknown, text: TextOf<typeof forumTexts | typeof forumMemberTexts>) =>
  codeOf(error) === 'REVIEWS_FULL'
    ? { ...text.forum.toast.commentFailed, text: failureText(error, text) }
    : text.forum.toast.commentFailed;

/** Sections of the account page in which a moderator meets the requirement of each refusal. */
const SETUP = { PASSWORD_INITIAL: 'password', SECOND_FACTOR_REQUIRED: 'second-factor' } as const;

/** The requirement that a moderator does not meet yet; undefined for every other failure. */
const unmetRequirement = (error: unknown): keyof typeof SETUP | undefined => {
  const code = codeOf(error);
  return code === 'PASSWORD_INITIAL' || code === 'SECOND_FACTOR_REQUIRED' ? code : undefined;
};

/** True when a moderator's action is refused until the account meets a requirement: the dialog itself says so, and links to it. */
export const isClosedAction = (error: unknown): boolean => unmetRequirement(error) !== undefined;

/**
 * What a dialog shows instead of a moderator's action that is closed: by a refusal of the server, or from the start by what the account
 * is known to lack; undefined for every other failure, and without any.
 */
export function closedAction(
  error: unknown,
  text: TextOf<typeof forumTexts | typeof forumMemberTexts>,
  missing: Me['staffMissing'] = null,
): { title: string; text: string; link: string; to: string } | undefined {
  const code = (error === null ? undefined : unmetRequirement(error)) ?? missing;
  return code ? { ...text.forum.closed[code], to: `/account#${SETUP[code]}` } : undefined;
}

/** Refetches the session after a refusal for lack of one. */
export function refetchSessionIfRefused(queries: QueryClient, error: unknown): void {
  if (codeOf(error) === 'UNAUTHORIZED') void queries.invalidateQueries({ queryKey: rpc.auth.me.key() });
}
