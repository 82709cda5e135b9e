// One page per person: all of their records that the team works with.
import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { FoundPerson, OlderOfPerson, PersonPart, PersonView } from '#contract/admin/people.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { payments } from '#server/db/tables/payments.ts';
import { refundCases } from '#server/db/tables/refunds.ts';
import { staffNotes } from '#server/db/tables/staff-notes.ts';
import { projectSubmissions } from '#server/db/tables/submissions.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { readUser } from '#server/domains/account/users/list-users.service.ts';
import { MEMBER, membersWith } from '#server/domains/account/users/member-list.service.ts';
import { listWallets } from '#server/domains/account/wallets/wallets.service.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { isRecordNumber } from '#server/lib/text/record-number.ts';
import { isUuid } from '#server/lib/text/uuid.ts';
import { findIds } from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';
import {
  commentsOf,
  countComments,
  countPosts,
  mailsOf,
  notesOf,
  ordersOf,
  postsOf,
  submissionsOf,
  votesByState,
  votesOf,
} from './person-parts.service.ts';

/** Maximum number of results of a search. */
const OFFERED = 20;

/**
 * People by part of a name or mailbox, those with exactly this one first, by the id of an account, or by the number of an order (FL-…),
 * a refund (RF-…) or a submission (PR-…). A guest's order leads to the account that confirmed the same mailbox.
 */
export async function findPeople(db: Reader, q: string): Promise<FoundPerson[]> {
  const number = isRecordNumber(q) ? q.trim().toUpperCase() : '';
  if (isUuid(q)) return people(db, [q.toLowerCase()], 'account');
  const t = tokenCreationSubmissions;
  if (number.startsWith('FL-')) {
    const of = await db
      .select({ userId: t.userId, email: t.petitionerEmail })
      .from(payments)
      .innerJoin(t, eq(t.id, payments.submissionId))
      .where(eq(payments.orderId, number));
    return people(db, await accountsOf(db, of), 'order');
  }
  if (number.startsWith('RF-')) {
    const of = await db
      .select({ userId: t.userId, email: t.petitionerEmail })
      .from(refundCases)
      .innerJoin(t, eq(t.id, refundCases.submissionId))
      .where(eq(refundCases.number, number));
    return people(db, await accountsOf(db, of), 'refund');
  }
  if (number.startsWith('PR-')) {
    const of = await db
      .select({ userId: sql`null`.mapWith(orNull(asText)), email: projectSubmissions.submitterEmail })
      .from(projectSubmissions)
      .where(eq(projectSubmissions.reference, number));
    return people(db, await accountsOf(db, of), 'submission');
  }
  const found = membersWith(q);
  if (!found) return [];
  // Looked up separately: a search for ana@… can have more matches than are read.
  const exact = await exactly(db, cleanText(q, 'line').toLowerCase());
  return people(db, [...exact, ...(await findIds(db, found))], 'name', exact);
}

/** The accounts with this mailbox or this name. @param text in lower case. */
async function exactly(db: Reader, text: string): Promise<string[]> {
  const { newAuthUserId: id, username } = forumUsers;
  const rows = await db
    .select({ id: sql`${users.id}`.mapWith(asText) })
    .from(users)
    .where(eq(users.email, text))
    .union(
      db
        .select({ id: sql`${id}`.mapWith(asText) })
        .from(forumUsers)
        .where(and(isNotNull(id), sql`lower(${username}) = lower(${text})`)),
    );
  return rows.map((row) => row.id);
}

/** The accounts of rows that contain a member or a mailbox. */
async function accountsOf(db: Reader, rows: { userId: string | null; email: string | null }[]): Promise<string[]> {
  const mailboxes = rows.flatMap(({ userId, email }) => (userId === null && email ? [email.toLowerCase()] : []));
  const byMailbox =
    mailboxes.length === 0
      ? []
      : await db
          .select({ id: users.id })
          .from(users)
          .where(and(inArray(users.email, mailboxes), users.emailVerified));
  return [...rows.flatMap(({ userId }) => (userId ? [userId] : [])), ...byMailbox.map(({ id }) => id)];
}

/** @param first those that come before the others. */
async function people(db: Reader, ids: string[], by: FoundPerson['by'], first: string[] = []): Promise<FoundPerson[]> {
  if (ids.length === 0) return [];
  const { u, f } = MEMBER;
  const rows = await db
    .select({ id: u.id, email: u.email, username: f.username })
    .from(u)
    .leftJoin(f, eq(f.newAuthUserId, u.id))
    .where(inArray(u.id, ids.slice(0, 1_000)))
    .orderBy(...(first.length > 0 ? [desc(sql`${inArray(u.id, first)}`)] : []), f.username, u.email)
    .limit(OFFERED);
  return rows.map((row) => ({ ...row, by }));
}

/** All data of one person: of each part the newest records. @throws NOT_FOUND */
export async function readPerson(db: Db, id: string): Promise<PersonView> {
  return db.transaction(
    async (tx) => {
      const user = await readUser(tx, id);
      const notes = await notesOf(tx, user);
      const orders = await ordersOf(tx, user);
      const submissions = await submissionsOf(tx, user);
      const votes = await votesOf(tx, user);
      const posts = await postsOf(tx, user);
      const comments = await commentsOf(tx, user);
      const mails = await mailsOf(tx, user);
      return {
        user,
        wallets: await listWallets(tx, id),
        notes: notes.rows,
        orders: orders.rows,
        submissions: submissions.rows,
        votes: { ...(await votesByState(tx, id)), newest: votes.rows },
        posts: { count: await countPosts(tx, id), newest: posts.rows },
        comments: { count: await countComments(tx, id), newest: comments.rows },
        mails: mails.rows,
        older: {
          notes: notes.next,
          orders: orders.next,
          submissions: submissions.next,
          votes: votes.next,
          posts: posts.next,
          comments: comments.next,
          mails: mails.next,
        },
      };
    },
    { work: 'report', snapshot: true },
  );
}

/** The records of one part that come after a cursor. @throws NOT_FOUND */
export async function readOlderOfPerson(
  db: Reader,
  { id, part, after }: { id: string; part: PersonPart; after: string },
): Promise<OlderOfPerson> {
  const user = await readUser(db, id);
  switch (part) {
    case 'notes':
      return { part, ...(await notesOf(db, user, after)) };
    case 'orders':
      return { part, ...(await ordersOf(db, user, after)) };
    case 'submissions':
      return { part, ...(await submissionsOf(db, user, after)) };
    case 'votes':
      return { part, ...(await votesOf(db, user, after)) };
    case 'posts':
      return { part, ...(await postsOf(db, user, after)) };
    case 'comments':
      return { part, ...(await commentsOf(db, user, after)) };
    case 'mails':
      return { part, ...(await mailsOf(db, user, after)) };
  }
}

/** Adds a note about a person. The audit log records the note without its text. @throws NOT_FOUND */
export async function addNote(db: Db, by: Editor, userId: string, typed: string): Promise<{ id: string }> {
  const text = cleanText(typed, 'text');
  return db.transaction(async (tx) => {
    const [member] = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('key share');
    if (!member) return fail('NOT_FOUND', { what: 'member' });
    const [made] = await tx
      .insert(staffNotes)
      .values({ userId, text, createdAt: by.now, createdBy: by.actor.id })
      .returning({ id: staffNotes.id });
    await audit(tx, by.actor, { action: 'member.note_added', resourceType: 'member', resourceId: userId });
    return { id: made?.id ?? '' };
  });
}

/** @throws NOT_FOUND */
export async function removeNote(db: Db, by: Editor, id: string): Promise<{ ok: true }> {
  return db.transaction(async (tx) => {
    const [note] = await tx.delete(staffNotes).where(eq(staffNotes.id, id)).returning({ userId: staffNotes.userId });
    if (!note) return fail('NOT_FOUND', { what: 'note' });
    await audit(tx, by.actor, { action: 'member.note_removed', resourceType: 'member', resourceId: note.userId });
    return { ok: true };
  });
}
