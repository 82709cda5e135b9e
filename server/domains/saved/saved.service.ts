import { and, desc, eq, sql } from 'drizzle-orm';
import type { SavedRef, SavedToken } from '#contract/domains/saved.ts';
import { type TokenKind, tokenKind } from '#contract/fields/schemas.ts';
import { SAVED_MAX } from '#contract/limits.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asOneOf, asText } from '#server/db/expressions.ts';
import { users } from '#server/db/tables/accounts.ts';
import { savedTokens } from '#server/db/tables/saved.ts';
import { signStop, unsubscribePath } from '#server/domains/notifications/unsubscribe-tokens.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { carrySaved, dropSavedMails, readSavedTokens, readSuccessors } from './saved.sql.ts';

/** The column of the table for references of each kind. */
const FIELD = { project: 'projectId', candidate: 'candidateId', next: 'nextProjectId' } as const satisfies Record<
  TokenKind,
  keyof typeof savedTokens.$inferInsert
>;

/** Condition: a row of saved_tokens is about this token. */
export const isAbout = ({ kind, id }: SavedRef) => eq(savedTokens[FIELD[kind]], id);

/** The same for one member's row. */
export const isSaved = (userId: string, ref: SavedRef) => and(eq(savedTokens.userId, userId), isAbout(ref));

/** Kind and id of a row of saved_tokens. */
export const REF = {
  kind: sql`case when project_id is not null then 'project' when candidate_id is not null then 'candidate' else 'next' end`.mapWith(
    asOneOf(tokenKind.options),
  ),
  // A check constraint guarantees that one of them is set.
  id: sql`coalesce(project_id, candidate_id, next_project_id)`.mapWith(asText),
};

/** A member's saved tokens, newest first. */
export const savedList = (db: Reader, userId: string): Promise<SavedRef[]> =>
  db
    .select(REF)
    .from(savedTokens)
    .where(eq(savedTokens.userId, userId))
    .orderBy(desc(savedTokens.savedAt), REF.id)
    .limit(SAVED_MAX)
    .execute();

/**
 * Deletes the mails about these tokens that are queued for a member and were not sent yet: the mail server may have been away for
 * hours. They are found by the paths that unsubscribe from them.
 */
export async function dropQueuedMails(
  tx: Tx,
  secret: string,
  member: string,
  refs: readonly SavedRef[],
): Promise<void> {
  const tokens = refs.map(({ kind, id }) => signStop(secret, [member, kind, id]));
  const paths = tokens.flatMap((one) => (['es', 'en'] as const).map((locale) => unsubscribePath(locale, one)));
  await dropSavedMails(tx, { member, paths });
}

/**
 * Saves or removes one token; idempotent. Queued mails about a removed one are deleted.
 *
 * @throws NOT_FOUND when the token is not public (only when saving).
 * @throws TOO_MANY_SAVED past 500 tokens.
 */
export async function setSaved(
  { db, secret }: { db: Db; secret: string },
  actor: Actor & { id: string },
  ref: SavedRef,
  saved: boolean,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (saved) {
      if ((await resolveRefs(tx, [ref])).length === 0) fail('NOT_FOUND', { what: 'token' });
      await lockList(tx, actor.id);
    }
    const { rowCount } = saved
      ? await tx
          .insert(savedTokens)
          .values({ userId: actor.id, [FIELD[ref.kind]]: ref.id })
          .onConflictDoNothing()
      : await tx.delete(savedTokens).where(isSaved(actor.id, ref));
    if (saved && rowCount) await checkRoom(tx, actor.id);
    if (!saved && rowCount) await dropQueuedMails(tx, secret, actor.id, [ref]);
    if (rowCount)
      await audit(tx, actor, {
        action: saved ? 'token.saved' : 'token.forgotten',
        resourceType: ref.kind,
        resourceId: ref.id,
      });
  });
}

/**
 * Adds the tokens that a browser stored before signing in; of candidates that graduated, their NEXT projects. References to tokens
 * that no longer exist are dropped.
 *
 * @returns the whole list, newest first.
 * @throws TOO_MANY_SAVED past 500 tokens.
 */
export async function mergeSaved(db: Db, actor: Actor & { id: string }, refs: SavedRef[]): Promise<SavedRef[]> {
  return db.transaction(async (tx) => {
    await lockList(tx, actor.id);
    const known = await resolveRefs(tx, await replaceGraduated(tx, refs));
    const before = await savedList(tx, actor.id);
    const fresh = [...new Set(known)].filter(
      (token) => !before.some((ref) => ref.kind === token.kind && ref.id === token.id),
    );
    if (fresh.length > 0) {
      // A microsecond apart, which preserves their order.
      for (const [i, { kind, id }] of fresh.entries())
        await tx
          .insert(savedTokens)
          .values({
            userId: actor.id,
            [FIELD[kind]]: id,
            savedAt: sql`now() - make_interval(secs => ${i} * 0.000001)`,
          })
          .onConflictDoNothing();
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

/** The member's row is the lock, so that concurrent tabs can't exceed the limit together. */
const lockList = (tx: Tx, userId: string) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');

async function checkRoom(tx: Tx, userId: string): Promise<void> {
  if ((await tx.$count(savedTokens, eq(savedTokens.userId, userId))) > SAVED_MAX) fail('TOO_MANY_SAVED');
}

/** Replaces a saved candidate with the NEXT project that it became, for all members; idempotent. Part of the transaction of its graduation. */
export const moveToSuccessor = async (tx: Tx, candidateId: string, nextId: string): Promise<void> => {
  await carrySaved(tx, { candidate: candidateId, next: nextId });
};

/** These references, with those to graduated candidates replaced by their NEXT projects; without duplicates. */
async function replaceGraduated(db: Reader, refs: readonly SavedRef[]): Promise<SavedRef[]> {
  const successors = await successorsOf(db, refs);
  const replaced = refs.map((ref): SavedRef => {
    const next = ref.kind === 'candidate' ? successors.get(ref.id) : undefined;
    return next ? { kind: 'next', id: next } : ref;
  });
  return [...new Map(replaced.map((ref) => [`${ref.kind}:${ref.id}`, ref])).values()];
}

/** Ids of the NEXT projects that the candidates among these became, by candidate. */
export async function successorsOf(db: Reader, refs: readonly SavedRef[]): Promise<Map<string, string>> {
  const candidates = refs.flatMap(({ kind, id }) => (kind === 'candidate' ? [id] : []));
  if (candidates.length === 0) return new Map();
  const rows = await readSuccessors(db, { candidates });
  return new Map(rows.map(({ candidateId, nextId }) => [candidateId, nextId]));
}

/** Like `resolveRefs`, with the NEXT projects of graduated candidates, each with the candidate that it was. */
export async function resolveSaved(
  db: Reader,
  refs: SavedRef[],
): Promise<(SavedToken & { candidateId: string | null })[]> {
  const successors = await successorsOf(db, refs);
  const candidates = new Map([...successors].map(([candidate, next]) => [next, candidate]));
  const tokens = await resolveRefs(db, await replaceGraduated(db, refs));
  return tokens.map((token) => ({
    ...token,
    candidateId: (token.kind === 'next' && candidates.get(token.id)) || null,
  }));
}

/** Public data of these tokens, in the requested order; others are omitted. */
export async function resolveRefs(db: Reader, refs: SavedRef[]): Promise<SavedToken[]> {
  if (refs.length === 0) return [];
  const ids = (kind: TokenKind) => refs.filter((ref) => ref.kind === kind).map((ref) => ref.id);
  const rows = await readSavedTokens(db, {
    projects: ids('project'),
    candidates: ids('candidate'),
    nextProjects: ids('next'),
  });
  const found = new Map(rows.map((row) => [`${row.kind}:${row.id}`, row]));
  return refs.flatMap((ref) => found.get(`${ref.kind}:${ref.id}`) ?? []);
}
