import { HydrationBoundary, useQuery } from '@tanstack/react-query';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { RaceView } from '#app/features/race/RaceView.tsx';
import { raceQuery } from '#app/features/race/race.queries.ts';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { raceTexts } from '#app/lib/messages/race.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';

export const loader = (args: LoaderFunctionArgs) =>
  prefetch(args, (queries, api) => queries.fetchQuery(raceQuery(api)));
export const clientLoader = nothingToLoad;

/** /vote/race: the open round by day. */
export default function RacePage() {
  const { state } = useLoaderData<PageData>();
  return (
    <HydrationBoundary state={state}>
      <Content />
    </HydrationBoundary>
  );
}

function Content() {
  const { race: text } = useText(raceTexts);
  const href = useHref();
  const { data } = useQuery(raceQuery());
  return (
    <div className="page max-w-3xl pb-10">
      <Seo title={text.title} description={text.description} />
      <PageHead
        over={
          <Link to={href('/vote')} className="link inline-flex min-h-10 items-center">
            {text.back}
          </Link>
        }
        title={data?.round ? `${text.heading} · ${text.round(data.round)}` : text.heading}
        lead={text.lead}
      />
      <RaceView />
    </div>
  );
}
