import { eq } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/client.ts';
import { notifiedRounds } from '#server/db/tables/notifications.ts';
import { notify } from './notify.service.ts';
import { lockEndedRound, noteEndedRounds, readVoters } from './round-results.sql.ts';

/** Voters per transaction. */
const BATCH_SIZE = 1_000;

/**
 * Notifies all voters of a round of its result, in batches by id: after an interruption it continues where it stopped, and no voter
 * is notified twice.
 *
 * @returns the number of notified voters.
 */
export async function notifyOfRounds(db: Db, now: Date): Promise<number> {
  let notified = 0;
  for (;;) {
    const step = await db.transaction((tx) => notifySome(tx, now));
    notified += step.notified;
    if (step.over) return notified;
  }
}

async function notifySome(tx: Tx, now: Date): Promise<{ notified: number; over: boolean }> {
  await noteEndedRounds(tx, {});
  const [round] = await lockEndedRound(tx, {});
  if (!round) return { notified: 0, over: true };
  const { opensAt, closedAt, after } = round;
  const voters = await readVoters(tx, { opensAt, closedAt, after, max: BATCH_SIZE });
  const { members } = await notify(tx, {
    kind: 'rounds',
    detail: round.winner === null ? 'ended' : 'won',
    cause: `round:${round.id}`,
    to: voters,
    data: {
      number: round.number,
      ...(round.winner === null ? {} : { title: round.winner }),
      path: resultPath(round),
    },
    now,
  });
  const last = voters.at(-1)?.id ?? after;
  const over = voters.length < BATCH_SIZE;
  await tx
    .update(notifiedRounds)
    .set({ notifiedUpTo: last, doneAt: over ? now : null })
    .where(eq(notifiedRounds.roundId, round.id));
  return { notified: members, over: false };
}

/**
 * The page that shows how a round ended. NEXT does not: a winner is there only once an admin graduated it, and a round without a winner
 * never leads there.
 */
function resultPath({ nextId, hasRace, number }: { nextId: string | null; hasRace: boolean; number: number }): string {
  if (nextId) return `/token/${nextId}`;
  return hasRace ? `/vote/race?round=${number}` : '/vote';
}
