import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { integer } from '#app/lib/format/format.ts';
import { VerifiedMark } from '#app/lib/format/VerifiedMark.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { voteTexts } from '#app/lib/messages/vote.ts';
import { useSignInReturn } from '#app/lib/session/sign-in-return.ts';
import { SceneEmptyStage } from '#app/ui/art/scenes/SceneEmptyStage.tsx';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { Sparkline } from '#app/ui/charts/Sparkline.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { fragment } from '#app/ui/fragment.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { FailedState } from '#app/ui/layout/FailedState.tsx';
import { RankList, RankRow, RankRowContent } from '#app/ui/layout/RankList.tsx';
import { RankRowSkeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { Candidate } from '#contract/domains/voting.ts';
import { RANKING_MAX, RANKING_PAGE } from '#contract/limits.ts';
import { rankingQuery } from './ranking.queries.ts';

interface CandidateContentProps {
  candidate: Candidate;
  rank: number;
  /** The votes of the leader. */
  max: number;
}

const CandidateContent = fragment(({ candidate, rank, max }: CandidateContentProps) => {
  const text = useText(voteTexts);
  const locale = useLocale();
  const href = useHref();
  return (
    <RankRowContent
      rank={rank}
      to={href(`/token/${candidate.tokenSlug || candidate.id}/candidate`)}
      image={
        <TokenImage
          id={candidate.id}
          symbol={candidate.tokenSymbol}
          src={candidate.imageUrl}
          alt=""
          size={56}
          eager={rank <= 4}
        />
      }
      title={candidate.tokenName}
      mark={<VerifiedMark proofs={candidate.verified} />}
      subtitle={`$${candidate.tokenSymbol}`}
      share={{
        value: (candidate.totalVotes / max) * 100,
        label: text.vote.totalVotes(integer(candidate.totalVotes, locale)),
      }}
      spark={
        <Sparkline
          values={candidate.trend}
          unfinished
          label={text.vote.trend(candidate.tokenName, candidate.trend.length)}
        />
      }
      votes={integer(candidate.totalVotes, locale)}
      votesLabel={text.vote.today(integer(candidate.votesToday, locale))}
    />
  );
});

/** The candidates by votes; rows are animated to their new position while votes arrive. `action` is the vote control of a row. */
export function RankingList({ action }: { action: (candidate: Candidate) => ReactNode }) {
  const text = useText(voteTexts);
  const [limit, setLimit] = useState<number>(RANKING_PAGE);
  const { data: requested, isPending, isFetching, isPlaceholderData, refetch } = useQuery(rankingQuery(limit));
  // What was shown before "more" stays when the longer list cannot be read.
  const { data: before } = useQuery({
    ...rankingQuery(Math.max(RANKING_PAGE, limit - RANKING_PAGE)),
    enabled: false,
    placeholderData: undefined,
  });
  const data = requested ?? before;
  const voteFor = useSignInReturn()?.voteFor;
  // A visitor who returns to vote sees the candidate, however far down.
  const hidden = Boolean(
    voteFor && requested && !isPlaceholderData && !requested.items.some(({ id }) => id === voteFor),
  );
  const further = Boolean(data && data.items.length < data.total && limit < RANKING_MAX);
  useEffect(() => {
    if (hidden && further) setLimit((shown) => shown + RANKING_PAGE);
  }, [hidden, further]);

  if (isPending)
    return (
      <SkeletonGroup label={text.vote.loading} className="grid gap-2.5">
        {Array.from({ length: 8 }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity.
          <RankRowSkeleton key={i} />
        ))}
      </SkeletonGroup>
    );
  if (!data) return <FailedState title={text.vote.error} retryLabel={text.vote.retry} onRetry={() => void refetch()} />;
  if (data.items.length === 0)
    return <EmptyState scene={<SceneEmptyStage />} title={text.vote.empty} text={text.vote.emptyHint} />;

  const max = Math.max(1, data.items[0]?.totalVotes ?? 1);
  return (
    <>
      <RankList
        label={text.vote.ranking}
        items={data.items.map((candidate, i) => ({
          key: candidate.id,
          node: (
            <RankRow rank={i + 1} action={action(candidate)}>
              <CandidateContent candidate={candidate} rank={i + 1} max={max} />
            </RankRow>
          ),
        }))}
      />
      {further || !requested ? (
        <div className="mt-6 grid justify-items-center gap-3">
          <p role="status" className="text-sm text-quiet">
            {requested ? '' : text.vote.error}
          </p>
          {requested ? (
            <Button
              busy={isPlaceholderData}
              busyLabel={text.vote.loading}
              onClick={() => setLimit(limit + RANKING_PAGE)}
            >
              {text.vote.more}
            </Button>
          ) : (
            <Button busy={isFetching} busyLabel={text.vote.loading} onClick={() => void refetch()}>
              {text.vote.retry}
            </Button>
          )}
        </div>
      ) : null}
    </>
  );
}
