import { eq } from 'drizzle-orm';
import type { VoteTicket } from '#contract/domains/race.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { voteTickets } from '#server/db/tables/voting.ts';
import type { LedgerService } from '#server/domains/ledger/ledger.port.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { utcDay } from '#server/lib/clock.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { readTicket, readVoteForTicket } from './race.sql.ts';

/**
 * Creates the ticket of a member's vote of this UTC day, whatever the state of the vote; it does not identify the voter. No open
 * screen shows a ticket before its address is known, so no live event is published.
 *
 * @returns its id, the same when it already exists.
 * @throws NO_VOTE when the member did not vote for the candidate today.
 */
export async function keepTicket(
  db: Db,
  actor: Actor & { id: string },
  candidate: string,
  now: Date,
): Promise<{ id: string }> {
  const today = utcDay(now);
  return db.transaction(async (tx) => {
    const [vote] = await readVoteForTicket(tx, { candidate, userId: actor.id, today });
    if (!vote) return fail('NO_VOTE');
    const { voteId, number, rank, round } = vote;
    const [made] = await tx
      .insert(voteTickets)
      .values({
        voteId,
        userId: actor.id,
        candidateId: candidate,
        votedOn: today,
        number,
        rank,
        roundNumber: round,
        keptAt: now,
      })
      .onConflictDoNothing()
      .returning({ id: voteTickets.id });
    if (!made) {
      const [before] = await tx.select({ id: voteTickets.id }).from(voteTickets).where(eq(voteTickets.voteId, voteId));
      return before ?? fail('NO_VOTE');
    }
    await audit(tx, actor, { action: 'ticket.kept', resourceType: 'candidate', resourceId: candidate });
    return made;
  });
}

/**
 * A ticket in the form for everyone who has its address. It omits the leaf of its vote, because leaves of one voter share a
 * pseudonym within a round. Its number and time can still lead to that leaf, about which the voter is informed before it is stored.
 *
 * @throws NOT_FOUND
 */
export async function findTicket(db: Reader, ledger: Pick<LedgerService, 'isSigned'>, id: string): Promise<VoteTicket> {
  const [row] = await readTicket(db, { id });
  if (!row) return fail('NOT_FOUND', { what: 'ticket' });
  const { voteId, keptAt, state, stored, ...ticket } = row;
  return {
    ...ticket,
    keptAt: keptAt.toISOString(),
    state: state ?? 'withdrawn',
    signed: stored ? await ledger.isSigned(voteId) : null,
  };
}
