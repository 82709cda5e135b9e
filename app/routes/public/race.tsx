import { HydrationBoundary, useQuery } from '@tanstack/react-query';
import { Link, type LoaderFunctionArgs, useLoaderData, useSearchParams } from 'react-router';
import { RaceView } from '#app/features/race/RaceView.tsx';
import { raceQuery, requestedRound } from '#app/features/race/race.queries.ts';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { raceTexts } from '#app/lib/messages/race.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';

export const loader = (args: LoaderFunctionArgs) =>
  prefetch(args, (queries, api) =>
    queries.fetchQuery(raceQuery(requestedRound(new URL(args.request.url).searchParams), api)),
  );
export const clientLoader = nothingToLoad;

/** /vote/race: the open round by day, or an ended one. */
export default function RacePage() {
  const { state, missing } = useLoaderData<PageData>();
  return (
    <HydrationBoundary state={state}>
      <Content missing={missing} />
    </HydrationBoundary>
  );
}

function Content({ missing }: { missing: boolean | undefined }) {
  const { race: text } = useText(raceTexts);
  const href = useHref();
  const requested = requestedRound(useSearchParams()[0]);
  const { data } = useQuery(raceQuery(requested));
  return (
    <div className="page max-w-3xl pb-10">
      <Seo
        title={text.title}
        description={text.description}
        // An ended round has days of its own.
        path={requested ? `/vote/race?round=${requested}` : '/vote/race'}
        hidden={missing === true}
      />
      <PageHead
        over={
          <Link to={href('/vote')} className="link inline-flex min-h-10 items-center">
            {text.back}
          </Link>
        }
        title={data?.round ? `${text.heading} · ${text.round(data.round)}` : text.heading}
        lead={text.lead}
      />
      <Rounds rounds={data?.rounds ?? []} shown={data?.round ?? null} />
      <RaceView key={requested} round={requested} missing={missing} />
    </div>
  );
}

/** Rounds with a stored race; renders nothing when the shown one is the only one. */
function Rounds({ rounds, shown }: { rounds: readonly number[]; shown: number | null }) {
  const { race: text } = useText(raceTexts);
  if (!rounds.some((number) => number !== shown)) return null;
  return (
    <nav aria-label={text.rounds} className="tabs-list mb-5 max-w-full overflow-x-auto">
      {rounds.map((number) => (
        <Link
          key={number}
          to={`?round=${number}`}
          className="tabs-tab whitespace-nowrap"
          aria-current={number === shown ? 'true' : undefined}
          data-state={number === shown ? 'active' : 'inactive'}
          preventScrollReset
        >
          {text.round(number)}
        </Link>
      ))}
    </nav>
  );
}
