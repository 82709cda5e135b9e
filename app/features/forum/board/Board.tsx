import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowUp } from 'lucide-react';
import { memo, useEffect, useRef, useState } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { integer } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { useBlocksSome, useRestrictions } from '#app/lib/session/restrictions.ts';
import { SceneEmptyStage } from '#app/ui/art/scenes/SceneEmptyStage.tsx';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { useLoadMore } from '#app/ui/controls/useLoadMore.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { English } from '#app/ui/layout/English.tsx';
import { FailedState } from '#app/ui/layout/FailedState.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { Me } from '#contract/domains/auth.ts';
import { type Feed, feedQuery, forumFailure, type PostFilter, postFeedQuery, useMine } from '../forum.queries.ts';
import { PostNote } from '../posts/PostNote.tsx';
import { useReactions } from '../useReactions.ts';
import { useLiveBoard } from './useLiveBoard.ts';

interface BoardProps {
  /** Filter of the posts; empty for the whole board. */
  filter: PostFilter;
  /** Text of an empty list. */
  empty?: { title: string; text: string };
  /** Id of the only post to show, on its own page. */
  only?: string;
  /** Null for a visitor, undefined while it is loading. */
  me: Me | null | undefined;
  /** Ids of posts that the member published on this page: shown at once. */
  own: readonly string[];
}

/** Loads the page after a cursor and appends it to the feed. */
function useNextPage(filter: PostFilter) {
  const text = useText(forumTexts);
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (cursor: string) => rpc.forum.posts.call({ ...filter, cursor }),
    onSuccess: (page) =>
      queries.setQueryData<Feed>(feedQuery(filter).queryKey, (old) => {
        if (!old) return old;
        const known = new Set(old.items.map((post) => post.id));
        return {
          items: [...old.items, ...page.items.filter((post) => !known.has(post.id))],
          nextCursor: page.nextCursor,
        };
      }),
    onError: (error) => notify.error({ title: text.forum.error, text: forumFailure(error, text) }),
  });
}

/** The posts, newest first. New posts of others wait behind a button, so that nothing moves while the user reads. */
export const Board = memo(function Board({ filter, empty, only, me, own }: BoardProps) {
  const searchTerm = filter.q ?? '';
  const narrowed = Boolean(filter.q || filter.tag || filter.category || filter.by);
  const text = useText(forumTexts);
  const locale = useLocale();
  const top = useRef<HTMLElement>(null);
  const query = only ? postFeedQuery(only) : feedQuery(filter);
  const { data: feed, isPending, isError, isFetching, refetch } = useQuery(query);
  const reactions = useReactions();
  const levelOf = useRestrictions(me?.id);
  const isBlocked = (username: string | null) => levelOf(username) === 'block';
  const { announced, forget } = useLiveBoard({
    isBusy: reactions.isBusy,
    announce: !narrowed && !only && (filter.about ?? true),
    hidesSome: useBlocksSome(me?.id),
    isHidden: isBlocked,
  });
  const publishing = useIsMutating({ mutationKey: rpc.forum.create.mutationKey() }) > 0;
  /** Time of the newest post that the user has chosen to show. */
  const [horizon, setHorizon] = useState<string | null>(null);

  const newest = feed?.items[0]?.createdAt;
  useEffect(() => {
    if (horizon === null && newest !== undefined && !isFetching) setHorizon(newest);
  }, [horizon, newest, isFetching]);

  const mine = useMine(me?.id, feed?.items.map((post) => post.id) ?? []);
  const isOwn = (id: string) => own.includes(id) || mine?.posts.includes(id) === true;
  const shown = feed?.items.filter(
    (post) =>
      (horizon === null || post.createdAt <= horizon || narrowed || isOwn(post.id)) &&
      // Without posts of blocked members, except on the post's own page, where a placeholder says so.
      (only || filter.by || !isBlocked(post.author.username)),
  );
  const held = new Set(feed?.items.map((post) => post.id));
  const waiting =
    feed?.items.filter((post) => shown?.includes(post) === false && !isBlocked(post.author.username)).length ?? 0;
  const unread = announced.filter((id) => !held.has(id) && !isOwn(id)).length;
  // While the user's own post is being sent, its live event arrives before the response.
  const fresh = waiting + (publishing ? 0 : unread);

  const more = useNextPage(filter);

  const further = useLoadMore<HTMLOListElement>(shown?.length ?? 0, more.isPending, ':scope > li > article', () => {
    if (feed?.nextCursor) more.mutate(feed.nextCursor);
  });

  async function showFresh() {
    const { data, isError: failed } = await refetch();
    if (failed) return notify.error({ title: text.forum.error });
    setHorizon(data?.items[0]?.createdAt ?? null);
    forget();
    top.current?.focus({ preventScroll: true });
    top.current?.scrollIntoView({ block: 'start' });
  }

  return (
    <section
      ref={top}
      id="posts"
      data-region
      tabIndex={-1}
      aria-label={text.forum.posts}
      className="relative min-w-0 scroll-mt-20 rounded-[20px] border border-line bg-raised bg-[radial-gradient(light-dark(#dccfb4,#2d3150)_1px,transparent_1.5px)] bg-[size:14px_14px] p-3 sm:p-5"
    >
      <div className="pointer-events-none sticky top-20 z-20 flex h-0 justify-center" role="status">
        {fresh > 0 ? (
          <Button
            variant="primary"
            size="sm"
            busy={isFetching}
            className="pointer-events-auto flex-none rounded-badge shadow-float"
            onClick={() => void showFresh()}
          >
            <ArrowUp aria-hidden="true" />
            {fresh === 1 ? text.forum.freshOne : text.forum.fresh(integer(fresh, locale))}
          </Button>
        ) : null}
      </div>
      {searchTerm && shown ? <h2 className="mb-4 px-1 text-xl wrap-anywhere">{text.forum.found(searchTerm)}</h2> : null}
      {isPending ? (
        <SkeletonGroup label={text.forum.loading} className="grid gap-5">
          {[0, 1, 2].map((key) => (
            <Skeleton key={key} className="h-80 rounded-card" />
          ))}
        </SkeletonGroup>
      ) : null}
      {isError && !feed ? (
        <FailedState
          title={<English>{text.forum.error}</English>}
          retryLabel={text.forum.retry}
          onRetry={() => void refetch()}
        />
      ) : null}
      {shown?.length === 0 && !feed?.nextCursor ? <NoPosts narrowed={narrowed} empty={empty} /> : null}
      {shown && shown.length > 0 ? (
        <ol ref={further.list} className="grid grid-cols-1 gap-5">
          {shown.map((post) => (
            <li key={post.id} className="min-w-0">
              <PostNote
                {...{ post, me, mine, levelOf }}
                about={filter.about}
                onReact={reactions.toggle}
                brief={!only && !searchTerm}
              />
            </li>
          ))}
        </ol>
      ) : null}
      {feed?.nextCursor ? (
        <div className="mt-6 flex justify-center">
          <Button {...further.button} busyLabel={text.forum.loading}>
            {text.forum.more}
          </Button>
        </div>
      ) : null}
    </section>
  );
});

/** Shown instead of a list without posts. */
function NoPosts({ narrowed, empty }: { narrowed: boolean; empty: BoardProps['empty'] }) {
  const { forum: text } = useText(forumTexts);
  const href = useHref();
  return (
    <EmptyState
      scene={narrowed ? <SceneNotFound /> : <SceneEmptyStage />}
      title={empty?.title ?? (narrowed ? text.notFound : <English>{text.empty}</English>)}
      text={empty?.text ?? (narrowed ? text.notFoundText : <English>{text.emptyText}</English>)}
      {...(narrowed && !empty ? { action: <ButtonLink to={href('/forum')}>{text.whole}</ButtonLink> } : {})}
    />
  );
}
