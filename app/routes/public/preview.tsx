import { useQuery } from '@tanstack/react-query';
import { useLocation, useParams } from 'react-router';
import { NextCard } from '#app/features/next-projects/NextCard.tsx';
import { DraftView } from '#app/features/previews/DraftView.tsx';
import { previewQuery } from '#app/features/previews/preview.queries.ts';
import { codeOf } from '#app/lib/api/failure.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import { previewTexts } from '#app/lib/messages/preview.ts';
import { InvalidAddress } from '#app/lib/page/InvalidAddress.tsx';
import { Seo } from '#app/lib/page/Seo.tsx';
import { FailedState } from '#app/ui/layout/FailedState.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';
import { Skeleton } from '#app/ui/layout/Skeleton.tsx';
import { PREVIEW_KEY } from '#contract/limits.ts';

/** /preview#key: an unpublished record, for anyone with its link. Links made by earlier versions have the key in the path. */
export default function PreviewPage() {
  const { key: inPath } = useParams();
  const { hash } = useLocation();
  const mounted = useMounted();
  const key = inPath ?? hash.slice(1);
  return (
    <>
      <meta name="referrer" content="no-referrer" />
      <meta name="robots" content="noindex" />
      <div className="page max-w-3xl pb-12">
        {!mounted ? <Waiting /> : PREVIEW_KEY.test(key) ? <Content of={key} /> : <Missing />}
      </div>
    </>
  );
}

/** Shown until the browser has read the key, which the server does not receive. */
function Waiting() {
  const { preview: text } = useText(previewTexts);
  return (
    <>
      <Seo title={text.title} hidden />
      <PageHead title={text.heading} lead={text.lead} />
      <Skeleton className="h-72 rounded-card" />
    </>
  );
}

function Missing() {
  const { preview: text } = useText(previewTexts);
  const backLink = { to: useHref()('/'), label: text.home };
  return <InvalidAddress title={text.title} heading={text.missing} text={text.missingText} link={backLink} />;
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
        <FailedState title={text.error} retryLabel={text.retry} onRetry={() => void refetch()} busy={isFetching} />
      ) : null}
    </>
  );
}
