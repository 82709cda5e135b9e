import { sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/client.ts';
import { noticeSaved } from './notices.service.ts';

interface ServiceContext {
  db: Db;
  now: Date;
}

/** Projects in one transaction. */
const AT_ONCE = 50;

/**
 * Notifies the followers of public NEXT projects what changed since they were last notified: another launch time, or the launch
 * itself; and those of a candidate that it won its round and became one. State, not events, so it does not matter who changed the project, and running twice tells once.
 *
 * @returns how many mails it comes to.
 */
export async function notifyLaunches(service: ServiceContext): Promise<number> {
  let mails = await service.db.transaction((tx) => notifyWinners(tx, service.now));
  for (;;) {
    const done = await service.db.transaction((tx) => notifyFollowers(tx, service.now));
    mails += done.mails;
    if (done.projects < AT_ONCE) return mails;
  }
}

/** Rounds close one by one: all winners at once are few. */
async function notifyWinners(tx: Tx, now: Date): Promise<number> {
  const { rows } = await tx.execute<{ next_id: string; id: string; name: string }>(sql`
    select n.id as next_id, c.id, c.token_name as name from next_projects n
    join voting_rounds r on r.id = n.voting_round_id join voting_candidates c on c.id = r.winner_candidate_id
    where not n.told_promoted and n.is_active and n.status in ('published', 'launched') and n.deleted_at is null
    order by n.id for no key update of n skip locked`);
  let mails = 0;
  for (const { next_id, id, name } of rows) {
    await tx.execute(sql`update next_projects set told_promoted = true where id = ${next_id}`);
    const about = { name, news: 'promoted', path: `/token/${next_id}`, now } as const;
    mails += await noticeSaved(tx, { kind: 'candidate', id }, about);
  }
  return mails;
}

async function notifyFollowers(tx: Tx, now: Date): Promise<{ projects: number; mails: number }> {
  const { rows } = await tx.execute<{
    id: string;
    name: string;
    moved: boolean;
    launched: boolean;
    was: boolean;
    at: string;
  }>(sql`
    with known as (
      select id, token_name, told_launched, told_launch_at, coalesce(countdown_end, launch_date) as at,
        status = 'launched' or coalesce(coalesce(countdown_end, launch_date) <= ${now.toISOString()}, false) as launched
      from next_projects where is_active and status in ('published', 'launched') and deleted_at is null
    )
    select k.id, k.token_name as name, k.launched, k.told_launched as was, coalesce(k.at::text, '') as at,
      k.at is not null and k.at is distinct from k.told_launch_at as moved
    from next_projects n join known k using (id)
    where k.at is distinct from k.told_launch_at or k.launched <> k.told_launched
    order by k.id limit ${AT_ONCE} for no key update of n skip locked`);
  let mails = 0;
  for (const { id, name, moved, launched, was, at } of rows) {
    await tx.execute(sql`update next_projects set told_launch_at = coalesce(countdown_end, launch_date), told_launched = ${launched}
      where id = ${id}`);
    const news = launched ? (was ? null : ('launched' as const)) : moved ? ('dateChanged' as const) : null;
    if (news) mails += await noticeSaved(tx, { kind: 'next', id }, { name, news, path: `/token/${id}`, of: at, now });
  }
  return { projects: rows.length, mails };
}
