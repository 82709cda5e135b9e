import type { Choices, ReviewVote } from './review-window.policy.ts';
import { REVIEW } from './thresholds.ts';

/** Whether the account was new when it voted. */
export const isFresh = ({ member, at }: ReviewVote): boolean => at - member.since < REVIEW.freshFor;

/** Nothing but this one candidate: no other vote, nothing else done here, and new or never seen voting before. */
export const isThin = (vote: ReviewVote, choices: Choices): boolean =>
  !vote.member.active && vote.member.votedBefore === null && choices.candidatesOf(vote.member) === 1;
