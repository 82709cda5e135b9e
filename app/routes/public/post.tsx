import { HydrationBoundary, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useParams } from 'react-router';
import { useMe } from '#app/features/auth/auth.queries.ts';
import { Board } from '#app/features/forum/board/Board.tsx';
import { postFeedQuery } from '#app/features/forum/forum.queries.ts';
import { codeOf } from '#app/lib/api/failure.ts';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const loader = (args: LoaderFunctionArgs) =>
  prefetch(args, async (queries, api) => {
    const id = args.params['id'] ?? '';
    if (!UUID.test(id)) throw Object.assign(new Error('no id'), { code: 'NOT_FOUND' });
    await queries.fetchQuery(postFeedQuery(id, api));
  });
export const clientLoader = nothingToLoad;

/** /forum/:id: one post with its comments, where searches and notifications lead. */
export default function PostPage() {
  const { state, missing } = useLoaderData<PageData>();
  const { id = '' } = useParams();
  return (
    <HydrationBoundary state={state}>
      <Content key={id} id={id} missing={missing === true || !UUID.test(id)} />
    </HydrationBoundary>
  );
}

function Content({ id, missing }: { id: string; missing: boolean }) {
  const text = useText(forumTexts);
  const href = useHref();
  const me = useMe();
  const reader = useDeferredValue(me);
  const { data, error } = useQuery({ ...postFeedQuery(id), enabled: !missing });
  // Also one that is removed while it is read.
  if (missing || data?.items.length === 0 || (error && codeOf(error) === 'NOT_FOUND'))
    return (
      // Takes the focus of who has just deleted it, as the board does.
      <div id="posts" tabIndex={-1} className="page py-10 outline-none">
        <Seo title={text.forum.title} hidden />
        <EmptyState
          level={1}
          scene={<SceneNotFound />}
          title={text.forum.postMissing}
          text={text.forum.postMissingText}
          action={<ButtonLink to={href('/forum')}>{text.forum.whole}</ButtonLink>}
        />
      </div>
    );
  const title = data?.items[0]?.title;
  return (
    <>
      <Seo title={title ? `${title} · ${text.forum.title}` : text.forum.title} description={text.forum.description} />
      <div className="page max-w-3xl pb-10">
        <PageHead
          title={text.forum.heading}
          over={
            <Link to={href('/forum')} className="link inline-flex min-h-10 items-center">
              {text.forum.whole}
            </Link>
          }
        />
        <Board only={id} filter={{}} me={reader} own={[]} />
      </div>
    </>
  );
}
