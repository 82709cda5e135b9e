import type { Tally } from '#contract/domains/voting.ts';
import type { Limit } from '#contract/limits.ts';

export interface Ballot {
  candidateId: string;
  userId: string;
  /** Networks of the voter, nearest first, as keyed hashes. */
  networks: readonly Buffer[];
  /** Rate limits of a member's attempts; consumed with the vote in one statement. The same for every ballot. */
  limits: { minute: Limit; day: Limit };
}

/** Casts votes. */
export interface VoteService {
  /**
   * Records one vote and publishes it to every open screen; resolves only after the commit.
   *
   * @throws NOT_FOUND when the candidate is unknown or inactive.
   * @throws ALREADY_VOTED when this member voted for it on that UTC day.
   * @throws RATE_LIMITED past 20 votes a minute or 60 a day, counting attempts.
   * @throws ROUND_ENDED when the round is over by the database's clock, and the next one follows.
   * @throws VOTING_PAUSED when no round is open, or it is over and none is to follow.
   * @throws UNAUTHORIZED when the member was removed or banned a moment ago.
   * @throws UNCONFIRMED where only confirmed members vote, and this one is confirmed neither by mail nor by an admin.
   * @throws BUSY when the service is overloaded.
   */
  cast(ballot: Ballot): Promise<Tally>;
}
