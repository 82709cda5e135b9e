import { LIMITS } from '#contract/limits.ts';
import { limit, limitedByService, ownIdsOnly, perMember } from '#server/http/api/guarantees.ts';
import { member, open } from '#server/http/api/procedures.ts';
import { actorOf } from '#server/http/context.ts';
import { candidateHistory, rankCandidates } from './candidates.service.ts';
import { uncountedVotesOf } from './own-votes.service.ts';
import { votesOfToday, withdrawVote } from './votes.service.ts';

const ownIds = ownIdsOnly(({ userId }: { userId?: string | undefined }) => [userId]);

export const votingApi = {
  ranking: open.voting.ranking.handler(({ input, context }) =>
    rankCandidates(context.db, input.limit, {
      fixedNow: context.fixedNow(),
      confirmedOnly: context.voteConfirmedOnly,
    }),
  ),
  history: open.voting.history.handler(({ input, context }) =>
    candidateHistory(context.db, input.candidateId, context.fixedNow()),
  ),
  mine: open.voting.mine.handler(async ({ context }) => {
    const viewer = await context.viewer();
    return viewer ? votesOfToday(context.db, viewer.id, context.fixedNow()) : [];
  }),
  uncounted: open.voting.uncounted.handler(async ({ context }) => {
    const viewer = await context.viewer();
    return viewer ? uncountedVotesOf(context.db, viewer.id) : [];
  }),
  votedToday: member.voting.votedToday.use(ownIds).handler(async ({ input, context }) => {
    return (await votesOfToday(context.db, context.me.id, context.fixedNow())).includes(input.candidateId);
  }),
  // The rate limits are passed to the statement that casts a group of votes, which checks them without an additional query.
  cast: member.voting.cast
    .use(ownIds)
    .use(limitedByService({ minute: LIMITS.voteAccountMinute, day: LIMITS.voteAccountDay }))
    .handler(({ input, context }) => {
      return context.votes.cast({
        candidateId: input.candidateId,
        userId: context.me.id,
        networks: context.networks(),
        limits: {
          minute: { ...context.limits.minute, hits: context.settings.get('votesPerMinute') },
          day: { ...context.limits.day, hits: context.settings.get('votesPerDay') },
        },
      });
    }),
  withdraw: member.voting.withdraw
    .use(ownIds)
    .use(
      limit(
        perMember('unvote', LIMITS.voteWithdrawCandidateDay, (input: { candidateId: string }) => input.candidateId),
      ),
    )
    .handler(({ input, context }) => {
      const actor = { ...actorOf(context, context.me), id: context.me.id };
      return withdrawVote(context.db, actor, input.candidateId, context.fixedNow());
    }),
};
