import { HydrationBoundary } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useNavigate, useSearchParams } from 'react-router';
import { useMe } from '#app/features/auth/auth.queries.ts';
import { Board } from '#app/features/forum/board/Board.tsx';
import { Categories, tagsQuery } from '#app/features/forum/board/Categories.tsx';
import { SearchBox } from '#app/features/forum/board/SearchBox.tsx';
import { feedQuery, type PostFilter } from '#app/features/forum/forum.queries.ts';
import { JoinPrompt } from '#app/features/forum/JoinPrompt.tsx';
import { MemberStatus } from '#app/features/forum/MemberStatus.tsx';
import { MyWaiting } from '#app/features/forum/moderation/MyWaiting.tsx';
import { NewPost } from '#app/features/forum/posts/NewPost.tsx';
import { isCategory } from '#app/features/forum/posts/post-draft.ts';
import { ForumImage } from '#app/features/media/forum-image.tsx';
import { OnlinePanel } from '#app/features/presence/OnlinePanel.tsx';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';
import { SEARCH_MAX, TAG_MAX } from '#contract/limits.ts';

/** The filter of an address: search words, else a tag, else a category. */
function filterOf(parameters: URLSearchParams): PostFilter {
  const parameterOf = (name: string, max: number) => (parameters.get(name) ?? '').trim().slice(0, max);
  const q = parameterOf('q', SEARCH_MAX);
  const tag = parameterOf('tag', TAG_MAX);
  const category = parameterOf('category', TAG_MAX);
  if (q) return { q };
  if (tag) return { tag };
  return isCategory(category) ? { category } : {};
}

export const loader = (args: LoaderFunctionArgs) =>
  prefetch(args, (queries, api) =>
    Promise.all([
      queries.fetchQuery(feedQuery(filterOf(new URL(args.request.url).searchParams), api)),
      queries.fetchQuery(tagsQuery(api)),
    ]),
  );
export const clientLoader = nothingToLoad;

export default function ForumPage() {
  const { state } = useLoaderData<PageData>();
  const text = useText(forumTexts);
  const me = useMe();
  // Loading the session changes every post of the board: rendered at low priority, so that the page stays responsive.
  const reader = useDeferredValue(me);
  const [parameters] = useSearchParams();
  const filter = filterOf(parameters);
  const searchTerm = filter.q ?? '';
  const address = JSON.stringify(filter);
  const [own, setOwn] = useState<string[]>([]);
  const navigate = useNavigate();
  const href = useHref();
  function showOwn(postId: string) {
    setOwn((ids) => [...ids, postId]);
    if (address !== '{}') void navigate(href('/forum'), { preventScrollReset: true });
  }
  return (
    <HydrationBoundary state={state}>
      <Seo title={text.forum.title} description={text.forum.description} />
      <div className="page pb-10">
        <PageHead title={text.forum.heading} lead={text.forum.lead} actions={<SearchBox searchTerm={searchTerm} />} />
        <div className="grid grid-cols-1 gap-5 lg:grid-cols-[minmax(0,1fr)_21rem] lg:items-start lg:gap-7">
          {/* On small screens the board comes before purely informative parts. */}
          <aside className="contents min-w-0 grid-cols-1 gap-5 lg:col-start-2 lg:row-start-1 lg:grid">
            {me ? null : <JoinPrompt />}
            <NewPost me={me} imageField={ForumImage} onCreated={showOwn} />
            {me === null ? null : <MemberStatus me={me} />}
            <OnlinePanel me={me} />
          </aside>
          <div className="order-1 min-w-0 lg:col-start-1 lg:row-start-1">
            <Categories filter={filter} />
            <MyWaiting me={reader} />
            <Board key={address} filter={filter} me={reader} own={own} />
          </div>
        </div>
      </div>
    </HydrationBoundary>
  );
}
