/** BroadcastChannel by which the tabs of one browser share the votes of their member. */
export const MY_VOTES_CHANNEL = 'florka-my-votes';

export interface MyVote {
  candidateId: string;
  voted: boolean;
}
