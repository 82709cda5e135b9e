import type { useText } from '#app/lib/i18n/i18n.tsx';
import type { adminVoteReviewTexts } from '#app/lib/messages/admin/vote-review.ts';
import type { VoteCluster } from '#contract/admin/vote-review.ts';

export type ClusterTexts = ReturnType<typeof useText<[typeof adminVoteReviewTexts]>>['voteReview'];

/** Display name of a cluster: its signal and its candidate. */
export const nameOf = ({ signal, candidateName }: VoteCluster, messages: ClusterTexts): string =>
  `${messages.signals[signal]}, ${candidateName ?? messages.anyCandidate}`;
