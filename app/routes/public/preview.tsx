import { HydrationBoundary, useQuery } from '@tanstack/react-query';
import { type LoaderFunctionArgs, useLoaderData, useParams } from 'react-router';
import { NextCard } from '#app/features/next-projects/NextCard.tsx';
import { DraftView } from '#app/features/previews/DraftView.tsx';
import { previewQuery } from '#app/features/previews/preview.queries.ts';
import { codeOf } from '#app/lib/api/failure.ts';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { previewTexts } from '#app/lib/messages/preview.ts';
import { NothingHere } from '#app/lib/page/NothingHere.tsx';
import { Seo } from '#app/lib/page/Seo.tsx';
import { SceneClosedGate } from '#app/ui/art/scenes/SceneClosedGate.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';
import { Skeleton } from '#app/ui/layout/Skeleton.tsx';
import { PREVIEW_KEY } from '#contract/limits.ts';

export const loader = (args: LoaderFunctionArgs) =>
  prefetch(args, async (queries, api) => {
    const key = args.params['key'] ?? '';
    if (!PREVIEW_KEY.test(key)) throw Object.assign(new Error('no key'), { code: 'NOT_FOUND' });
    await queries.fetchQuery(previewQuery(key, api));
  });
export const clientLoader = nothingToLoad;

/** /preview/:key: something that is not public yet, for whoever was given its address. */
export default function PreviewPage() {
  const { state, missing } = useLoaderData<PageData>();
  const { key = '' } = useParams();
  return (
    <HydrationBoundary state={state}>
      <meta name="referrer" content="no-referrer" />
      <meta name="robots" content="noindex" />
      <div className="page max-w-3xl pb-12">
        {missing || !PREVIEW_KEY.test(key) ? <Missing /> : <Content of={key} />}
      </div>
    </HydrationBoundary>
  );
}

function Missing() {
  const { preview: text } = useText(previewTexts);
  const way = { to: useHref()('/'), label: text.home };
  return <NothingHere title={text.title} heading={text.missing} text={text.missingText} way={way} />;
}

function Content({ of: key }: { of: string }) {
  const { preview: text } = useText(previewTexts);
  const { data, error, refetch, isFetching } = useQuery(previewQuery(key));
  if (error && codeOf(error) === 'NOT_FOUND') return <Missing />;
  return (
    <>
      <Seo title={text.title} hidden />
      <PageHead title={text.heading} lead={text.lead} />
      {data ? (
        <DraftView
          draft={data}
          launch={
            data.kind === 'next_project' ? <NextCard project={data.project} serverTime={data.serverTime} /> : null
          }
        />
      ) : null}
      {!data && !error ? <Skeleton className="h-72 rounded-card" /> : null}
      {error && !data ? (
        <EmptyState
          role="alert"
          scene={<SceneClosedGate />}
          title={text.error}
          action={
            <Button busy={isFetching} onClick={() => void refetch()}>
              {text.retry}
            </Button>
          }
        />
      ) : null}
    </>
  );
}
