import { useInfiniteQuery } from '@tanstack/react-query';
import { Columns2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { itemsOf } from '#app/lib/api/pages.ts';
import { day, integer } from '#app/lib/format/format.ts';
import { LaunchProofLine } from '#app/lib/format/LaunchProof.tsx';
import { LocalTime } from '#app/lib/format/When.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { exploreTexts } from '#app/lib/messages/explore.ts';
import { tokenTexts } from '#app/lib/messages/token.ts';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { buttonClass } from '#app/ui/controls/button-class.ts';
import { useLoadMore } from '#app/ui/controls/useLoadMore.ts';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { FailedState } from '#app/ui/layout/FailedState.tsx';
import { GridSkeleton } from '#app/ui/layout/GridSkeleton.tsx';
import { TicketGrid } from '#app/ui/layout/Page.tsx';
import { Stat } from '#app/ui/layout/Stat.tsx';
import { TokenTicket } from '#app/ui/layout/TokenTicket.tsx';
import type { ExploredToken, ExploreFilter } from '#contract/domains/tokens.ts';
import { explorePath, exploreQuery, type FilteredPage } from './explore.queries.ts';

interface ExploreListProps {
  filter: ExploreFilter;
  page?: FilteredPage;
  /** Slug or id of the token that is to be compared with one of the list. */
  comparing?: string | null;
  /** Renders the follow button of a token. */
  follow: (token: ExploredToken) => ReactNode;
  /** Renders the vote control of a candidate. */
  vote?: ((token: ExploredToken) => ReactNode) | undefined;
}

/** The tokens of a filtered list, paginated. */
export function ExploreList({ filter, page = '/tokens', comparing = null, follow, vote }: ExploreListProps) {
  const { explore: text } = useText(exploreTexts);
  const href = useHref();
  const list = useInfiniteQuery(exploreQuery(filter));
  const { data, isPending, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const tokens = itemsOf(data?.pages);
  const further = useLoadMore<HTMLDivElement>(tokens.length, isFetchingNextPage, ':scope > article', fetchNextPage);
  if (isError && !data)
    return <FailedState title={text.error} retryLabel={text.retry} onRetry={() => void refetch()} />;
  if (isPending) return <GridSkeleton label={text.loading} />;
  if (tokens.length === 0)
    return (
      <EmptyState
        scene={<SceneNotFound />}
        title={text.empty}
        text={text.emptyText}
        action={
          <ButtonLink to={href(explorePath({ kind: filter.kind }, { page, comparing }))}>{text.clear}</ButtonLink>
        }
      />
    );
  return (
    <>
      <h2 className="visually-hidden">{text.results}</h2>
      <TicketGrid ref={further.list}>
        {tokens.map((token) => (
          <ExploredCard
            key={token.id}
            token={token}
            comparing={comparing}
            follow={follow(token)}
            vote={vote?.(token)}
          />
        ))}
      </TicketGrid>
      {hasNextPage ? (
        <div className="mt-8 grid justify-items-center gap-3">
          {list.isFetchNextPageError && !isFetchingNextPage ? <p role="alert">{text.error}</p> : null}
          <Button {...further.button} busyLabel={text.loading}>
            {text.more}
          </Button>
        </div>
      ) : null}
    </>
  );
}

interface ExploredCardProps {
  token: ExploredToken;
  comparing: string | null;
  follow: ReactNode;
  vote: ReactNode;
}

function ExploredCard({ token, comparing, follow, vote }: ExploredCardProps) {
  const text = useText(tokenTexts, exploreTexts);
  const href = useHref();
  const locale = useLocale();
  const name = token.tokenSlug ?? token.id;
  const proof =
    token.launched && token.proof ? (
      <span className="block whitespace-normal text-xs">
        <LaunchProofLine proof={token.proof} />
      </span>
    ) : null;
  return (
    <TokenTicket
      to={href(`/token/${name}${token.kind === 'candidate' ? '/candidate' : ''}`)}
      image={<TokenImage id={token.id} symbol={token.tokenSymbol} src={token.imageUrl} alt="" size="fill" />}
      title={token.tokenName}
      symbol={`$${token.tokenSymbol}`}
      badge={
        <>
          {token.network ? <Badge tone="sky">{text.token.networks[token.network]}</Badge> : null}
          {token.hasContract ? <Badge>{text.explore.contract}</Badge> : null}
          {token.launched ? <Badge tone="mint">{text.explore.launched}</Badge> : null}
        </>
      }
      description={<TextInItsLanguage>{token.description || text.shared.defaultDescription}</TextInItsLanguage>}
      stats={
        token.totalVotes === null ? null : (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <dl className="flex gap-6">
              <Stat label={text.explore.votes} value={integer(token.totalVotes, locale)} />
              <Stat label={text.explore.today} value={integer(token.votesToday ?? 0, locale)} />
            </dl>
            {vote ? <span className="above">{vote}</span> : null}
          </div>
        )
      }
      stub={
        token.kind === 'next' ? (
          token.startsAt ? (
            <>
              <span className="block whitespace-normal">
                {text.explore.starts} <LocalTime iso={token.startsAt} />
              </span>
              {proof}
            </>
          ) : (
            <>
              {text.explore.noDate}
              {proof}
            </>
          )
        ) : (
          `${text.explore.since} ${day(token.createdAt, locale)}`
        )
      }
      stubEnd={
        <span className="above flex items-center">
          {comparing === name ? null : (
            <Link
              to={href(compareWith(comparing, name))}
              className={buttonClass({ variant: 'ghost', icon: true })}
              title={text.explore.compare(token.tokenName)}
              aria-label={text.explore.compare(token.tokenName)}
            >
              <Columns2 aria-hidden="true" />
            </Link>
          )}
          {follow}
        </span>
      }
    />
  );
}

const compareWith = (one: string | null, other: string) =>
  one ? `/compare?a=${encodeURIComponent(one)}&b=${other}` : `/compare?a=${other}`;
