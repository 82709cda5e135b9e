import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { isLost } from '#app/lib/api/lost-answer.ts';
import { retryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { notify } from '#app/lib/notices/notify.ts';
import type { Token } from '#contract/domains/tokens.ts';
import type { Ranking, Tally } from '#contract/domains/voting.ts';
import { TIMING } from '#contract/limits.ts';
import { applyTally, type ExploredList, syncCounts } from './live-counts.ts';
import { MY_VOTES_CHANNEL, type MyVote } from './my-votes-channel.ts';

/** Candidates the member voted for today; queried for signed-in users only. */
export const useMyVotes = (signedIn: boolean) =>
  useQuery(rpc.voting.mine.queryOptions({ staleTime: TIMING.voteStatusFresh, enabled: signedIn }));

/** The member's uncounted votes of the open round; queried for signed-in users only. */
export const useUncountedVotes = (signedIn: boolean) =>
  useQuery(rpc.voting.uncounted.queryOptions({ staleTime: TIMING.voteStatusFresh, enabled: signedIn }));

function sendToOtherTabs(vote: MyVote): void {
  const channel = new BroadcastChannel(MY_VOTES_CHANNEL);
  channel.postMessage(vote);
  channel.close();
}

/** Marks a candidate as voted for today by this member, or not. */
const markMine = (queries: QueryClient, { candidateId, voted }: MyVote) =>
  queries.setQueryData(rpc.voting.mine.queryKey(), (old) => {
    const others = (old ?? []).filter((id) => id !== candidateId);
    return voted ? [...others, candidateId] : others;
  });

/** Keeps the counts on this page in sync with the server, and its buttons with the member's votes in other tabs. */
export function useLiveTallies(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const channel = new BroadcastChannel(MY_VOTES_CHANNEL);
    channel.onmessage = ({ data }: MessageEvent<MyVote>) => markMine(queries, data);
    return () => channel.close();
  }, [queries]);
  useEffect(() => syncCounts(queries), [queries]);
}

/** The refusal of a second vote is also recognised by its message, whatever its code (ERR-35). */
export const isAlreadyVoted = (error: unknown): boolean =>
  /ya has votado|already voted/i.test((error as { message?: string }).message ?? '');

/** Shared by both vote mutations: optimistic update, the server's counts on success, refetch on error. */
function useVoteMutation(kind: 'cast' | 'withdraw') {
  const queries = useQueryClient();
  const text = useText();
  const mine = rpc.voting.mine.queryKey();
  const cachedTally = (candidateId: string): Tally | undefined => {
    for (const [, ranking] of queries.getQueriesData<Ranking>({ queryKey: rpc.voting.ranking.key() })) {
      const candidate = ranking?.items.find((item) => item.id === candidateId);
      if (candidate) {
        const { totalVotes, votesToday, reachedAt } = candidate;
        return { candidateId, totalVotes, votesToday, reachedAt };
      }
    }
    for (const [, token] of queries.getQueriesData<Token>({ queryKey: rpc.tokens.find.key() }))
      if (token?.id === candidateId)
        return { candidateId, totalVotes: token.totalVotes, votesToday: token.votesToday, reachedAt: null };
    for (const [, list] of queries.getQueriesData<ExploredList>({ queryKey: rpc.tokens.explore.key() })) {
      const token = list?.pages.flatMap(({ items }) => items).find(({ id }) => id === candidateId);
      if (token)
        return { candidateId, totalVotes: token.totalVotes ?? 0, votesToday: token.votesToday ?? 0, reachedAt: null };
    }
    return undefined;
  };
  const step = kind === 'cast' ? 1 : -1;
  function succeed(candidateId: string): void {
    sendToOtherTabs({ candidateId, voted: kind === 'cast' });
    notify.success(kind === 'cast' ? text.toast.voteCast : text.toast.voteWithdrawn);
  }
  /** After a lost response: checks whether the vote arrived, as soon as the server can be reached. */
  async function verifyAfterLostAnswer(candidateId: string): Promise<void> {
    const voted = await queries.fetchQuery(rpc.voting.mine.queryOptions({ staleTime: 0 }));
    if (voted.includes(candidateId) === (kind === 'cast')) succeed(candidateId);
  }
  return {
    mutationFn: (input: { candidateId: string }) =>
      retryAfterLostAnswer(
        () => client.voting[kind](input),
        (refusal) => {
          const known = kind === 'cast' ? isAlreadyVoted(refusal) : codeOf(refusal) === 'NO_VOTE';
          if (!known) return undefined;
          // The counts are refetched; until then the ones on screen include this vote.
          void queries.invalidateQueries({ queryKey: rpc.voting.ranking.key() });
          for (const lists of [rpc.tokens.find.key(), rpc.tokens.explore.key()])
            void queries.invalidateQueries({ queryKey: lists });
          return cachedTally(input.candidateId);
        },
      ),
    onMutate: async ({ candidateId }: { candidateId: string }) => {
      const known = queries.getQueryData(mine);
      await queries.cancelQueries({ queryKey: mine });
      markMine(queries, { candidateId, voted: kind === 'cast' });
      const before = cachedTally(candidateId);
      if (!before) return { known, counts: null };
      const expected = {
        candidateId,
        totalVotes: Math.max(0, before.totalVotes + step),
        votesToday: Math.max(0, before.votesToday + step),
        // A higher total is reached now; the time of a lower one is in the server's response.
        reachedAt: kind === 'cast' ? new Date().toISOString() : before.reachedAt,
      };
      applyTally(queries, expected);
      return { known, counts: { before, expected } };
    },
    onSuccess: (tally: Tally, _: unknown, { known }: { known: unknown }) => {
      applyTally(queries, tally);
      succeed(tally.candidateId);
      // Clicked before the votes of the day were loaded: the list has this one only.
      if (!known) void queries.invalidateQueries({ queryKey: mine });
    },
    onError: (
      error: unknown,
      { candidateId }: { candidateId: string },
      context: { counts: { before: Tally; expected: Tally } | null } | undefined,
    ) => {
      const counts = context?.counts;
      const code = isAlreadyVoted(error) ? 'ALREADY_VOTED' : codeOf(error);
      const voted = code === 'ALREADY_VOTED' || (kind === 'withdraw' && code !== 'NO_VOTE');
      markMine(queries, { candidateId, voted });
      // Without a network the query below fails too. Counts that arrived meanwhile are newer than ours and stay.
      if (counts && cachedTally(candidateId)?.totalVotes === counts.expected.totalVotes)
        applyTally(queries, counts.before);
      void queries.invalidateQueries({ queryKey: rpc.voting.ranking.key() });
      for (const lists of [rpc.tokens.find.key(), rpc.tokens.explore.key()])
        void queries.invalidateQueries({ queryKey: lists });
      if (isLost(error)) void verifyAfterLostAnswer(candidateId).catch(() => {});
      else void queries.invalidateQueries({ queryKey: mine });
      // Put under review or voided since it was read.
      if (code === 'VOTE_UNCOUNTED') void queries.invalidateQueries({ queryKey: rpc.voting.uncounted.key() });
      if (code === 'UNAUTHORIZED') void queries.invalidateQueries({ queryKey: rpc.auth.me.key() });
      if (code === 'ALREADY_VOTED') notify.error({ title: text.toast.alreadyVoted, text: text.failure.ALREADY_VOTED });
      else if (code === 'NO_VOTE') notify.error({ title: text.toast.noVote, text: text.failure.NO_VOTE });
      // The control itself shows how to get confirmed.
      else if (code !== 'UNCONFIRMED')
        notify.error({
          title: kind === 'cast' ? text.toast.voteFailed : text.toast.withdrawFailed,
          text: kind === 'cast' && code === 'UNAUTHORIZED' ? text.toast.voteSignedOut : failureText(error, text),
        });
    },
  };
}

export const useCastVote = () => useMutation(rpc.voting.cast.mutationOptions(useVoteMutation('cast')));
export const useWithdrawVote = () => useMutation(rpc.voting.withdraw.mutationOptions(useVoteMutation('withdraw')));
