import { HydrationBoundary } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useNavigate, useSearchParams } from 'react-router';
import { useMe } from '#app/features/auth/auth.queries.ts';
import { Board } from '#app/features/forum/Board.tsx';
import { feedQuery } from '#app/features/forum/forum.queries.ts';
import { JoinPrompt } from '#app/features/forum/JoinPrompt.tsx';
import { MemberStatus } from '#app/features/forum/MemberStatus.tsx';
import { NewPost } from '#app/features/forum/NewPost.tsx';
import { SearchBox } from '#app/features/forum/SearchBox.tsx';
import { OnlinePanel } from '#app/features/presence/OnlinePanel.tsx';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';
import { SEARCH_MAX } from '#contract/limits.ts';

const searchTermOf = (parameters: URLSearchParams) => (parameters.get('q') ?? '').trim().slice(0, SEARCH_MAX);

export const loader = (args: LoaderFunctionArgs) =>
  prefetch(args, (queries, api) =>
    queries.fetchQuery(feedQuery(searchTermOf(new URL(args.request.url).searchParams), api)),
  );
export const clientLoader = nothingToLoad;

export default function ForumPage() {
  const { state } = useLoaderData<PageData>();
  const text = useText(forumTexts);
  const me = useMe();
  // Who is here changes every note of the board: that may take its time, in pieces, while the page answers.
  const reader = useDeferredValue(me);
  const [parameters] = useSearchParams();
  const searchTerm = searchTermOf(parameters);
  const [own, setOwn] = useState<string[]>([]);
  const navigate = useNavigate();
  const href = useHref();
  function showOwn(postId: string) {
    setOwn((ids) => [...ids, postId]);
    if (searchTerm) void navigate(href('/forum'), { preventScrollReset: true });
  }
  return (
    <HydrationBoundary state={state}>
      <Seo title={text.forum.title} description={text.forum.description} />
      <div className="page pb-10">
        <PageHead
          title={text.forum.heading}
          lead={text.forum.lead}
          actions={<SearchBox key={searchTerm} searchTerm={searchTerm} />}
        />
        <div className="grid grid-cols-1 gap-5 lg:grid-cols-[minmax(0,1fr)_21rem] lg:items-start lg:gap-7">
          {/* On small screens the board comes before what only informs. */}
          <aside className="contents min-w-0 grid-cols-1 gap-5 lg:order-2 lg:grid">
            {me ? null : <JoinPrompt />}
            <NewPost me={me} onCreated={showOwn} />
            <OnlinePanel me={me} />
            {me ? (
              <div className="order-2">
                <MemberStatus me={me} />
              </div>
            ) : null}
          </aside>
          <div className="order-1 min-w-0">
            <Board key={searchTerm} searchTerm={searchTerm} me={reader} own={own} />
          </div>
        </div>
      </div>
    </HydrationBoundary>
  );
}
