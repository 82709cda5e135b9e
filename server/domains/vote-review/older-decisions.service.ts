import type { Tx } from '#server/db/client.ts';
import { BANNED } from '#server/domains/voting/banned-votes.service.ts';
import { VOIDED } from './decide.service.ts';
import { decideHeld } from './decide.sql.ts';

/**
 * Sets the decided state as the one without the ban, for votes of a banned member that are under review without the ban although
 * their cluster was decided. An earlier version left them so; decisions now do this themselves. The votes stay void, so counters
 * are unaffected until the ban ends.
 *
 * The caller holds the locks of the candidates.
 */
export async function decideHeldWithoutBan(tx: Tx, userId: string): Promise<void> {
  await decideHeld(tx, { member: userId, banned: BANNED, voided: VOIDED });
}
