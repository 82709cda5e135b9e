import { HydrationBoundary, useQuery } from '@tanstack/react-query';
import { type LoaderFunctionArgs, useLoaderData, useParams, useRouteLoaderData } from 'react-router';
import { ticketQuery } from '#app/features/race/race.queries.ts';
import { StoredTicket } from '#app/features/race/StoredTicket.tsx';
import { ShareButton } from '#app/features/tokens/ShareButton.tsx';
import { codeOf } from '#app/lib/api/failure.ts';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { raceTexts } from '#app/lib/messages/race.ts';
import { InvalidAddress } from '#app/lib/page/InvalidAddress.tsx';
import { Seo } from '#app/lib/page/Seo.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { FailedState } from '#app/ui/layout/FailedState.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';
import { Skeleton } from '#app/ui/layout/Skeleton.tsx';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const loader = (args: LoaderFunctionArgs) =>
  prefetch(args, async (queries, api) => {
    const id = args.params['id'] ?? '';
    if (!UUID.test(id)) throw Object.assign(new Error('no id'), { code: 'NOT_FOUND' });
    await queries.fetchQuery(ticketQuery(id, api));
  });
export const clientLoader = nothingToLoad;

/** /ticket/:id: the ticket of a vote, for anyone with its link. */
export default function TicketPage() {
  const { state, missing } = useLoaderData<PageData>();
  const { id = '' } = useParams();
  return (
    <HydrationBoundary state={state}>
      <div className="page max-w-2xl pb-10">
        {missing || !UUID.test(id) ? <Missing /> : <Content key={id} id={id} />}
      </div>
    </HydrationBoundary>
  );
}

function Missing() {
  const { ticket: text } = useText(raceTexts);
  const backLink = { to: useHref()('/vote'), label: text.vote };
  return <InvalidAddress title={text.title} heading={text.missing} text={text.missingText} link={backLink} />;
}

/** The share card for other sites; the page itself excludes search engines. */
function Card({ id, title }: { id: string; title: string }) {
  const root = useRouteLoaderData<{ origin: string; assets: string }>('root');
  const locale = useLocale();
  const href = useHref();
  const { ticket: text, brand } = useText(raceTexts);
  const { origin = '', assets = '' } = root ?? {};
  return (
    <>
      <meta property="og:site_name" content={brand.name} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={text.lead} />
      <meta property="og:url" content={origin + href(`/ticket/${id}`)} />
      <meta property="og:image" content={`${assets || origin}/og/${locale}/ticket/${id}.png`} />
      <meta property="og:image:alt" content={title} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

function Content({ id }: { id: string }) {
  const { ticket: text, race, brand } = useText(raceTexts);
  const href = useHref();
  const { data, error, isError, refetch, isFetching } = useQuery(ticketQuery(id));
  // Reached within the site, or gone with the account of its voter while it is open.
  if (error && codeOf(error) === 'NOT_FOUND') return <Missing />;
  return (
    <>
      <Seo
        title={data ? `${text.heading}: ${data.tokenName} · ${brand.name}` : text.title}
        description={text.lead}
        hidden
      />
      {data ? <Card id={id} title={`${text.heading}: ${data.tokenName}`} /> : null}
      <PageHead title={text.heading} lead={text.lead} />
      {data ? <StoredTicket ticket={data} /> : null}
      {!data && !isError ? <Skeleton className="h-72 rounded-card" /> : null}
      {isError && !data ? (
        <FailedState title={text.error} retryLabel={race.retry} onRetry={() => void refetch()} busy={isFetching} />
      ) : null}
      <div className="mt-6 flex flex-wrap gap-2.5">
        {data ? <ShareButton title={`${text.heading}: ${data.tokenName}`} /> : null}
        <ButtonLink to={href('/vote')} variant="primary">
          {text.vote}
        </ButtonLink>
      </div>
    </>
  );
}
