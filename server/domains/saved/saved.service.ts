import { sql } from 'drizzle-orm';
import type { TokenKind } from '#contract/fields.ts';
import { SAVED_MAX } from '#contract/limits.ts';
import type { SavedRef, SavedToken } from '#contract/saved.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/fail.ts';

/** Column that holds a reference of each kind. */
export const COLUMN: Record<TokenKind, string> = {
  project: 'project_id',
  candidate: 'candidate_id',
  next: 'next_project_id',
};

/** Kind and id of a row of saved_tokens. */
export const refColumns = sql.raw(
  `case when project_id is not null then 'project' when candidate_id is not null then 'candidate' else 'next' end as kind,
  coalesce(project_id, candidate_id, next_project_id) as id`,
);

/** A member's saved tokens, newest first. */
export async function savedList(db: Reader, userId: string): Promise<SavedRef[]> {
  const { rows } = await db.execute<{ kind: TokenKind; id: string }>(sql`
    select ${refColumns}
    from saved_tokens where user_id = ${userId} order by saved_at desc, 2 limit ${SAVED_MAX}`);
  return rows.map(({ kind, id }) => ({ kind, id }));
}

/**
 * Saves or forgets one token; doing it twice changes nothing.
 *
 * @throws NOT_FOUND when the token is not public (only when saving).
 * @throws TOO_MANY_SAVED past 500 tokens.
 */
export async function setSaved(db: Db, actor: Actor & { id: string }, ref: SavedRef, saved: boolean): Promise<void> {
  const column = sql.raw(COLUMN[ref.kind]);
  await db.transaction(async (tx) => {
    if (saved) {
      if ((await resolveRefs(tx, [ref])).length === 0) fail('NOT_FOUND', { what: 'token' });
      await lockList(tx, actor.id);
    }
    const { rowCount } = saved
      ? await tx.execute(
          sql`insert into saved_tokens (user_id, ${column}) values (${actor.id}, ${ref.id}) on conflict do nothing`,
        )
      : await tx.execute(sql`delete from saved_tokens where user_id = ${actor.id} and ${column} = ${ref.id}`);
    if (saved && rowCount) await checkRoom(tx, actor.id);
    if (rowCount)
      await audit(tx, actor, {
        action: saved ? 'token.saved' : 'token.forgotten',
        resourceType: ref.kind,
        resourceId: ref.id,
      });
  });
}

/**
 * Adds what a browser kept while nobody was signed in. References to tokens that are gone are dropped.
 *
 * @returns the whole list, newest first.
 * @throws TOO_MANY_SAVED past 500 tokens.
 */
export async function mergeSaved(db: Db, actor: Actor & { id: string }, refs: SavedRef[]): Promise<SavedRef[]> {
  return db.transaction(async (tx) => {
    await lockList(tx, actor.id);
    const known = new Set(await resolveRefs(tx, refs));
    const before = await savedList(tx, actor.id);
    const fresh = [...known].filter((token) => !before.some((ref) => ref.kind === token.kind && ref.id === token.id));
    if (fresh.length > 0) {
      // A microsecond apart, so that they keep their order.
      for (const [i, { kind, id }] of fresh.entries())
        await tx.execute(sql`insert into saved_tokens (user_id, ${sql.raw(COLUMN[kind])}, saved_at)
          values (${actor.id}, ${id}, now() - make_interval(secs => ${i} * 0.000001)) on conflict do nothing`);
      await checkRoom(tx, actor.id);
      await audit(tx, actor, {
        action: 'saved.merged',
        resourceType: 'member',
        resourceId: actor.id,
        after: { saved: fresh.length },
      });
    }
    return savedList(tx, actor.id);
  });
}

/** The member's row as a lock: two tabs can't pass the limit together. */
const lockList = (tx: Reader, userId: string) =>
  tx.execute(sql`select 1 from users where id = ${userId} for no key update`);

async function checkRoom(tx: Reader, userId: string): Promise<void> {
  const { rows } = await tx.execute<{ n: number }>(
    sql`select count(*)::int as n from saved_tokens where user_id = ${userId}`,
  );
  if ((rows[0]?.n ?? 0) > SAVED_MAX) fail('TOO_MANY_SAVED');
}

/** What the public may see of these tokens, in the order asked for; others are left out. */
export async function resolveRefs(db: Reader, refs: SavedRef[]): Promise<SavedToken[]> {
  if (refs.length === 0) return [];
  const ids = (kind: TokenKind) =>
    sql`${sql.param(refs.filter((ref) => ref.kind === kind).map((ref) => ref.id))}::uuid[]`;
  const shared = sql.raw(
    'id, token_name as "tokenName", token_symbol as "tokenSymbol", description, image_url as "imageUrl"',
  );
  const { rows } = await db.execute<SavedToken & Record<string, unknown>>(sql`
    select 'project' as kind, ${shared}, token_slug as "tokenSlug" from projects
      where id = any(${ids('project')}) and status in ('published_home', 'approved') and deleted_at is null
    union all
    select 'candidate', ${shared}, token_slug from voting_candidates
      where id = any(${ids('candidate')}) and is_active and deleted_at is null
    union all
    select 'next', ${shared}, null from next_projects
      where id = any(${ids('next')}) and is_active and status in ('published', 'launched') and deleted_at is null`);
  const found = new Map(rows.map((row) => [`${row.kind}:${row.id}`, row]));
  return refs.flatMap((ref) => found.get(`${ref.kind}:${ref.id}`) ?? []);
}
