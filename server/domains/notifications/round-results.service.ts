import { sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/client.ts';
import { notify } from './notify.service.ts';

/** Voters in one transaction. */
const AT_ONCE = 1_000;

/**
 * Tells everybody who voted in a round how it ended, some at a time, in the order of their ids: a process that ends goes on
 * where it stopped, and nobody is notified twice.
 *
 * @returns how many were notified.
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
  await tx.execute(sql`
    insert into notified_rounds (round_id) select id from voting_rounds where status = 'closed'
    on conflict do nothing`);
  const { rows } = await tx.execute<{
    id: string;
    number: number;
    opensAt: string;
    closedAt: string;
    after: string | null;
    winner: string | null;
    nextId: string | null;
  }>(sql`
    select r.id, r.number, r.opens_at::text as "opensAt", r.closed_at::text as "closedAt", t.told_up_to as after,
      coalesce(n.token_name, c.token_name) as winner, n.id as "nextId"
    from notified_rounds t join voting_rounds r on r.id = t.round_id
    left join voting_candidates c on c.id = r.winner_candidate_id
    left join next_projects n on n.voting_round_id = r.id and n.is_active and n.deleted_at is null
      and n.status in ('published', 'launched')
    where t.done_at is null order by r.closed_at limit 1 for no key update of t skip locked`);
  const [round] = rows;
  if (!round) return { notified: 0, over: true };
  const voters = await tx.execute<{ id: string }>(sql`
    select distinct user_id as id from votes
    where created_at >= ${round.opensAt}::timestamptz and created_at < ${round.closedAt}::timestamptz
      and (${round.after}::uuid is null or user_id > ${round.after}::uuid)
    order by 1 limit ${AT_ONCE}`);
  const { members } = await notify(tx, {
    kind: 'rounds',
    detail: round.winner === null ? 'ended' : 'won',
    cause: `round:${round.id}`,
    to: voters.rows,
    data: {
      number: round.number,
      ...(round.winner === null ? {} : { title: round.winner }),
      path: round.nextId ? `/token/${round.nextId}` : '/next',
    },
    now,
  });
  const last = voters.rows.at(-1)?.id ?? round.after;
  const over = voters.rows.length < AT_ONCE;
  await tx.execute(sql`
    update notified_rounds set told_up_to = ${last}::uuid, done_at = ${over ? now.toISOString() : null}::timestamptz
    where round_id = ${round.id}`);
  return { notified: members, over: false };
}
