import { actorOf } from '#server/http/context.ts';
import { member, onlyMyself, open } from '#server/http/procedures.ts';
import { candidateHistory, rankCandidates } from './candidates.service.ts';
import { votesOfToday, withdrawVote } from './votes.service.ts';

export const votingApi = {
  ranking: open.voting.ranking.handler(({ input, context }) => rankCandidates(context.db, input.limit, context.now())),
  history: open.voting.history.handler(({ input, context }) =>
    candidateHistory(context.db, input.candidateId, context.now()),
  ),
  mine: open.voting.mine.handler(async ({ context }) => {
    const viewer = await context.viewer();
    return viewer ? votesOfToday(context.db, viewer.id, context.now()) : [];
  }),
  votedToday: member.voting.votedToday.handler(async ({ input, context }) => {
    onlyMyself(input.userId, context.me);
    return (await votesOfToday(context.db, context.me.id, context.now())).includes(input.candidateId);
  }),
  cast: member.voting.cast.handler(({ input, context }) => {
    onlyMyself(input.userId, context.me);
    return context.votes.cast({
      candidateId: input.candidateId,
      userId: context.me.id,
      ipHash: context.ipHash,
      at: context.now(),
    });
  }),
  withdraw: member.voting.withdraw.handler(({ input, context }) => {
    onlyMyself(input.userId, context.me);
    const actor = { ...actorOf(context, context.me), id: context.me.id };
    return withdrawVote(context.db, actor, input.candidateId, context.now());
  }),
};
