// One page per person: all of their records that the team works with.
import { and, count, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import type { FoundPerson, PersonView } from '#contract/admin/people.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { forumComments, forumPosts } from '#server/db/tables/forum.ts';
import { payments } from '#server/db/tables/payments.ts';
import { refundCases } from '#server/db/tables/refunds.ts';
import { staffNotes } from '#server/db/tables/staff-notes.ts';
import { projectSubmissions } from '#server/db/tables/submissions.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { votes, votingCandidates } from '#server/db/tables/voting.ts';
import { readUser } from '#server/domains/account/users/list-users.service.ts';
import { MEMBER, membersWith } from '#server/domains/account/users/member-list.service.ts';
import { listWallets } from '#server/domains/account/wallets/wallets.service.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { cleanText } from '#server/lib/text/clean-text.ts';
import { isUuid } from '#server/lib/text/uuid.ts';
import { findIds } from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';
import { isGuestOrderOf, MAX_SHOWN, readMails, readOrders, readSubmissions } from './mailboxes.service.ts';

/** Maximum number of results of a search. */
const OFFERED = 20;
const request = tokenCreationSubmissions;

/**
 * People by part of a name or mailbox, by the id of an account, or by the number of an order (FL-…), a refund (RF-…) or a
 * submission (PR-…). A guest's order leads to the account that confirmed the same mailbox.
 */
export async function findPeople(db: Reader, q: string): Promise<FoundPerson[]> {
  const number = q.trim().toUpperCase();
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
  return people(db, await findIds(db, found), 'name');
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

async function people(db: Reader, ids: string[], by: FoundPerson['by']): Promise<FoundPerson[]> {
  if (ids.length === 0) return [];
  const { u, f } = MEMBER;
  const rows = await db
    .select({ id: u.id, email: u.email, username: f.username })
    .from(u)
    .leftJoin(f, eq(f.newAuthUserId, u.id))
    .where(inArray(u.id, ids.slice(0, 1_000)))
    .orderBy(f.username, u.email)
    .limit(OFFERED);
  return rows.map((row) => ({ ...row, by }));
}

/** All data of one person. @throws NOT_FOUND */
export async function readPerson(db: Db, id: string): Promise<PersonView> {
  return db.transaction(
    async (tx) => {
      const user = await readUser(tx, id);
      return {
        user,
        wallets: await listWallets(tx, id),
        notes: await notesOf(tx, id),
        orders: await ordersOf(tx, user),
        submissions: user.emailVerified ? await readSubmissions(tx, user.email) : [],
        votes: await votesOf(tx, id),
        posts: await postsOf(tx, id),
        comments: await commentsOf(tx, id),
        mails: await mailsOf(tx, user),
      };
    },
    { work: 'report', snapshot: true },
  );
}

async function notesOf(db: Reader, userId: string): Promise<PersonView['notes']> {
  const rows = await db
    .select({
      id: staffNotes.id,
      text: staffNotes.text,
      at: staffNotes.createdAt,
      by: sql`coalesce(${forumUsers.username}, ${users.email})`.mapWith(orNull(asText)),
    })
    .from(staffNotes)
    .leftJoin(users, eq(users.id, staffNotes.createdBy))
    .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
    .where(eq(staffNotes.userId, userId))
    .orderBy(desc(staffNotes.createdAt), staffNotes.id)
    .limit(100);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** With an unconfirmed mailbox, orders of guests may as well be another person's. */
const ordersOf = (db: Reader, { id, email, emailVerified }: { id: string; email: string; emailVerified: boolean }) =>
  readOrders(db, emailVerified ? or(eq(request.userId, id), isGuestOrderOf(email)) : eq(request.userId, id));

/** Mails to the account's mailbox, and to those that the person's own orders name. */
async function mailsOf(db: Reader, { id, email }: { id: string; email: string }): Promise<PersonView['mails']> {
  const named = await db
    .selectDistinct({ address: request.petitionerEmail })
    .from(request)
    .where(and(eq(request.userId, id), isNotNull(request.petitionerEmail)));
  return readMails(db, [email, ...named.flatMap(({ address }) => (address ? [address] : []))]);
}

async function votesOf(db: Reader, userId: string): Promise<PersonView['votes']> {
  const states = await db
    .select({ state: votes.state, n: count() })
    .from(votes)
    .where(eq(votes.userId, userId))
    .groupBy(votes.state);
  const of = (state: string) => states.find((one) => one.state === state)?.n ?? 0;
  const newest = await db
    .select({
      token: votingCandidates.tokenName,
      slug: votingCandidates.tokenSlug,
      state: votes.state,
      at: votes.createdAt,
    })
    .from(votes)
    .innerJoin(votingCandidates, eq(votingCandidates.id, votes.candidateId))
    .where(eq(votes.userId, userId))
    .orderBy(desc(votes.votedOn), desc(votes.createdAt))
    .limit(MAX_SHOWN);
  return {
    counted: of('counted'),
    underReview: of('under_review'),
    void: of('void'),
    newest: newest.map((row) => ({ ...row, at: row.at.toISOString() })),
  };
}

async function postsOf(db: Reader, userId: string): Promise<PersonView['posts']> {
  const own = sql`${forumPosts.forumUserId} = (select id from forum_users where new_auth_user_id = ${userId})`;
  const [all] = await db.select({ n: count() }).from(forumPosts).where(own);
  const newest = await db
    .select({ id: forumPosts.id, title: forumPosts.title, hidden: forumPosts.isHidden, at: forumPosts.createdAt })
    .from(forumPosts)
    .where(own)
    .orderBy(desc(forumPosts.createdAt))
    .limit(MAX_SHOWN);
  return { count: all?.n ?? 0, newest: newest.map((row) => ({ ...row, at: row.at.toISOString() })) };
}

async function commentsOf(db: Reader, userId: string): Promise<PersonView['comments']> {
  const c = forumComments;
  const [all] = await db.select({ n: count() }).from(c).where(eq(c.userId, userId));
  const newest = await db
    .select({
      id: c.id,
      postId: c.postId,
      text: sql`left(${c.content}, 200)`.mapWith(asText),
      hidden: c.isHidden,
      at: c.createdAt,
    })
    .from(c)
    .where(eq(c.userId, userId))
    .orderBy(desc(c.createdAt))
    .limit(MAX_SHOWN);
  return { count: all?.n ?? 0, newest: newest.map((row) => ({ ...row, at: row.at.toISOString() })) };
}

/** Adds a note about a person. The audit log records the note without its text. @throws NOT_FOUND, NOT_VALID */
export async function addNote(db: Db, by: Editor, userId: string, words: string): Promise<{ id: string }> {
  const text = cleanText(words, 'text');
  if (text === '') fail('NOT_VALID');
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
