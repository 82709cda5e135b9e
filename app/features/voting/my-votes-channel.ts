/** Between the tabs of one browser: what its member just did. */
export const MY_VOTES_CHANNEL = 'florka-my-votes';

export interface MyVote {
  candidateId: string;
  voted: boolean;
}
