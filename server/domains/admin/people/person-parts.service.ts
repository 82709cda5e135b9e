// The parts of the page of a person: the records that name their account or, once it is confirmed, their mailbox. Each is read in pages.
import { and, count, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import type {
  PersonComment,
  PersonMail,
  PersonNote,
  PersonOrder,
  PersonPost,
  PersonSubmission,
  PersonVote,
} from '#contract/admin/shared/person-records.ts';
import type { Reader } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { forumComments, forumPosts } from '#server/db/tables/forum.ts';
import { staffNotes } from '#server/db/tables/staff-notes.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { votes, votingCandidates } from '#server/db/tables/voting.ts';
import { orderBy, PAGE_AND_ONE, type Page, pageOf } from './keyset-pages.service.ts';
import { isGuestOrderOf, readMails, readOrders, readSubmissions } from './mailboxes.service.ts';

const request = tokenCreationSubmissions;

interface Account {
  id: string;
  email: string;
  emailVerified: boolean;
}
type Cursor = string | null;

/** The row without its cursor, and with its time as text. */
const timed = <Row extends { key: string; at: Date }>({ key: _, ...row }: Row) => ({
  ...row,
  at: row.at.toISOString(),
});

const NOTES = orderBy(staffNotes.createdAt, staffNotes.id);

export async function notesOf(db: Reader, { id }: Account, after: Cursor = null): Promise<Page<PersonNote>> {
  const read = await db
    .select({
      key: NOTES.key,
      id: staffNotes.id,
      text: staffNotes.text,
      at: staffNotes.createdAt,
      by: sql`coalesce(${forumUsers.username}, ${users.email})`.mapWith(orNull(asText)),
    })
    .from(staffNotes)
    .leftJoin(users, eq(users.id, staffNotes.createdBy))
    .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
    .where(and(eq(staffNotes.userId, id), NOTES.after(after)))
    .orderBy(...NOTES.newestFirst)
    .limit(PAGE_AND_ONE);
  return pageOf(read, timed);
}

/** With an unconfirmed mailbox, orders of guests may as well be another person's. */
export const ordersOf = (
  db: Reader,
  { id, email, emailVerified }: Account,
  after: Cursor = null,
): Promise<Page<PersonOrder>> =>
  readOrders(db, emailVerified ? or(eq(request.userId, id), isGuestOrderOf(email)) : eq(request.userId, id), after);

/** The same for submissions, which name a mailbox only. */
export const submissionsOf = async (
  db: Reader,
  { email, emailVerified }: Account,
  after: Cursor = null,
): Promise<Page<PersonSubmission>> => (emailVerified ? readSubmissions(db, email, after) : { rows: [], next: null });

/** Mails to the account's mailbox, and to those that the person's own orders name. */
export async function mailsOf(db: Reader, { id, email }: Account, after: Cursor = null): Promise<Page<PersonMail>> {
  const named = await db
    .selectDistinct({ address: request.petitionerEmail })
    .from(request)
    .where(and(eq(request.userId, id), isNotNull(request.petitionerEmail)));
  return readMails(db, [email, ...named.flatMap(({ address }) => (address ? [address] : []))], after);
}

/** Number of votes in each state. */
export async function votesByState(
  db: Reader,
  userId: string,
): Promise<{ counted: number; underReview: number; void: number }> {
  const states = await db
    .select({ state: votes.state, n: count() })
    .from(votes)
    .where(eq(votes.userId, userId))
    .groupBy(votes.state);
  const of = (state: string) => states.find((one) => one.state === state)?.n ?? 0;
  return { counted: of('counted'), underReview: of('under_review'), void: of('void') };
}

const VOTES = orderBy(votes.createdAt, votes.id);

export async function votesOf(db: Reader, { id }: Account, after: Cursor = null): Promise<Page<PersonVote>> {
  const read = await db
    .select({
      key: VOTES.key,
      token: votingCandidates.tokenName,
      slug: votingCandidates.tokenSlug,
      state: votes.state,
      at: votes.createdAt,
    })
    .from(votes)
    .innerJoin(votingCandidates, eq(votingCandidates.id, votes.candidateId))
    .where(and(eq(votes.userId, id), VOTES.after(after)))
    .orderBy(...VOTES.newestFirst)
    .limit(PAGE_AND_ONE);
  return pageOf(read, timed);
}

const POSTS = orderBy(forumPosts.createdAt, forumPosts.id);
const isPostOf = (userId: string): SQL =>
  sql`${forumPosts.forumUserId} = (select id from forum_users where new_auth_user_id = ${userId})`;

export async function countPosts(db: Reader, userId: string): Promise<number> {
  const [all] = await db.select({ n: count() }).from(forumPosts).where(isPostOf(userId));
  return all?.n ?? 0;
}

export async function postsOf(db: Reader, { id }: Account, after: Cursor = null): Promise<Page<PersonPost>> {
  const p = forumPosts;
  const read = await db
    .select({ key: POSTS.key, id: p.id, title: p.title, hidden: p.isHidden, at: p.createdAt })
    .from(p)
    .where(and(isPostOf(id), POSTS.after(after)))
    .orderBy(...POSTS.newestFirst)
    .limit(PAGE_AND_ONE);
  return pageOf(read, timed);
}

const COMMENTS = orderBy(forumComments.createdAt, forumComments.id);

export async function countComments(db: Reader, userId: string): Promise<number> {
  const [all] = await db.select({ n: count() }).from(forumComments).where(eq(forumComments.userId, userId));
  return all?.n ?? 0;
}

export async function commentsOf(db: Reader, { id }: Account, after: Cursor = null): Promise<Page<PersonComment>> {
  const c = forumComments;
  const read = await db
    .select({
      key: COMMENTS.key,
      id: c.id,
      postId: c.postId,
      text: sql`left(${c.content}, 200)`.mapWith(asText),
      hidden: c.isHidden,
      at: c.createdAt,
    })
    .from(c)
    .where(and(eq(c.userId, id), COMMENTS.after(after)))
    .orderBy(...COMMENTS.newestFirst)
    .limit(PAGE_AND_ONE);
  return pageOf(read, timed);
}
