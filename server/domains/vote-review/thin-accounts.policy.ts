import type { Choices, ReviewVote } from './review-window.ts';
import { REVIEW } from './thresholds.ts';

/** True when the account was new when it voted. */
export const isFresh = ({ member, at }: ReviewVote): boolean => at - member.since < REVIEW.freshFor;

/** True when the account has no other vote and no other activity than for this candidate, and is new or never voted before. */
export const isThin = (vote: ReviewVote, choices: Choices): boolean =>
  !vote.member.active && vote.member.votedBefore === null && choices.candidatesOf(vote.member) === 1;
