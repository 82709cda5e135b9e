// Mailboxes of people without an account: what they ordered and sent in, and the mails to them.
import { and, desc, eq, inArray, isNull, notExists, type SQL, sql } from 'drizzle-orm';
import type { FoundMailbox, MailboxPart, MailboxView, OlderOfMailbox } from '#contract/admin/mailboxes.ts';
import type { PersonMail, PersonOrder, PersonSubmission } from '#contract/admin/shared/person-records.ts';
import { fromUnits } from '#contract/refund-assets.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { asText } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { mails } from '#server/db/tables/mails.ts';
import { payments } from '#server/db/tables/payments.ts';
import { refundCases } from '#server/db/tables/refunds.ts';
import { projectSubmissions } from '#server/db/tables/submissions.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { isRecordNumber } from '#server/lib/text/record-number.ts';
import { numberIn, pageOfMail } from '#server/mail/resendable-mails.ts';
import { findIds, matchesTerms } from '#server/records/lists.ts';
import { orderBy, PAGE_AND_ONE, type Page, pageOf } from './keyset-pages.service.ts';

/** Maximum number of results of a search. */
const OFFERED = 20;

const request = tokenCreationSubmissions;
const submission = projectSubmissions;
const requestMailbox = sql`lower(${request.petitionerEmail})`.mapWith(asText);
const submissionMailbox = sql`lower(${submission.submitterEmail})`.mapWith(asText);

/** Orders that were placed without an account and name this mailbox. */
export const isGuestOrderOf = (address: string): SQL | undefined =>
  and(isNull(request.userId), eq(requestMailbox, address.toLowerCase()));

/**
 * Mailboxes without an account that confirmed them: by a part of the address or of what was ordered, the exact address first, or by
 * the number of an order (FL-…), a refund (RF-…) or a submission (PR-…). One that only received mails is found by its whole address.
 */
export async function findMailboxes(db: Reader, q: string): Promise<FoundMailbox[]> {
  const number = isRecordNumber(q) ? q.trim().toUpperCase() : '';
  const ofGuests = (where: SQL | undefined) =>
    db
      .selectDistinct({ address: requestMailbox })
      .from(request)
      .where(and(isNull(request.userId), where))
      .limit(OFFERED);
  const ofSenders = (where: SQL) =>
    db.selectDistinct({ address: submissionMailbox }).from(submission).where(where).limit(OFFERED);
  if (number.startsWith('FL-')) {
    const ordered = sql`${request.id} in (select submission_id from payments where order_id = ${number})`;
    return unclaimed(db, await ofGuests(ordered), 'order');
  }
  if (number.startsWith('RF-')) {
    const refunded = sql`${request.id} in (select submission_id from refund_cases where number = ${number})`;
    return unclaimed(db, await ofGuests(refunded), 'refund');
  }
  if (number.startsWith('PR-')) return unclaimed(db, await ofSenders(eq(submission.reference, number)), 'submission');
  const terms = matchesTerms(sql`token_creation_submissions t`, sql`t.id`, sql`t.search`, q);
  const ids = terms ? await findIds(db, terms) : [];
  const address = q.trim().toLowerCase();
  const found = [
    ...(await ofGuests(eq(requestMailbox, address))),
    ...(await ofSenders(eq(submissionMailbox, address))),
    ...((await receivedMails(db, address)) ? [{ address }] : []),
    ...(ids.length > 0 ? await ofGuests(inArray(request.id, ids.slice(0, 1_000))) : []),
  ];
  const mailboxes = await unclaimed(db, found, 'mailbox');
  return mailboxes.sort((a, b) => Number(b.address === address) - Number(a.address === address));
}

/**
 * True when a mail to this address is stored and no account has it, since mails to an account are on the page of its person. The address
 * is in lower case, as those of accounts are, and as the page of the mailbox reads its mails.
 */
async function receivedMails(db: Reader, address: string): Promise<boolean> {
  if (!address.includes('@')) return false;
  const [mail] = await db
    .select({ id: mails.id })
    .from(mails)
    .where(
      and(
        eq(mails.toAddress, address),
        notExists(db.select({ id: users.id }).from(users).where(eq(users.email, address))),
      ),
    )
    .limit(1);
  return mail !== undefined;
}

/** The addresses among these that no account has confirmed: the records of the others are on the page of a person. */
async function unclaimed(
  db: Reader,
  found: { address: string | null }[],
  by: FoundMailbox['by'],
): Promise<FoundMailbox[]> {
  const addresses = [...new Set(found.flatMap(({ address }) => (address ? [address] : [])))];
  if (addresses.length === 0) return [];
  const claimed = await db
    .select({ email: users.email })
    .from(users)
    .where(and(inArray(users.email, addresses), users.emailVerified));
  return addresses
    .filter((address) => !claimed.some(({ email }) => email === address))
    .slice(0, OFFERED)
    .sort()
    .map((address) => ({ address, by }));
}

/** Everything that names one mailbox; empty lists for an unknown one. Orders of a member are on the member's page alone. */
export async function readMailbox(db: Db, typed: string): Promise<MailboxView> {
  const address = typed.toLowerCase();
  return db.transaction(
    async (tx) => {
      const [account] = await tx
        .select({ id: users.id, email: users.email, username: forumUsers.username })
        .from(users)
        .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
        .where(and(eq(users.email, address), users.emailVerified));
      const orders = await readOrders(tx, isGuestOrderOf(address));
      const submissions = await readSubmissions(tx, address);
      const mails = await readMails(tx, [address]);
      return {
        address,
        account: account ? { id: account.id, name: account.username ?? account.email } : null,
        orders: orders.rows,
        submissions: submissions.rows,
        mails: mails.rows,
        older: { orders: orders.next, submissions: submissions.next, mails: mails.next },
      };
    },
    { work: 'report', snapshot: true },
  );
}

/** The records of one part that come after a cursor. */
export async function readOlderOfMailbox(
  db: Reader,
  { address, part, after }: { address: string; part: MailboxPart; after: string },
): Promise<OlderOfMailbox> {
  switch (part) {
    case 'orders':
      return { part, ...(await readOrders(db, isGuestOrderOf(address), after)) };
    case 'submissions':
      return { part, ...(await readSubmissions(db, address, after)) };
    case 'mails':
      return { part, ...(await readMails(db, [address], after)) };
  }
}

const ORDERS = orderBy(request.createdAt, request.id);
const SUBMISSIONS = orderBy(submission.createdAt, submission.id);
const MAILS = orderBy(mails.createdAt, mails.id);

/** Orders that match, each with its payments and refunds. */
export async function readOrders(
  db: Reader,
  where: SQL | undefined,
  after: string | null = null,
): Promise<Page<PersonOrder>> {
  const read = await db
    .select({ key: ORDERS.key, row: request })
    .from(request)
    .where(and(where, ORDERS.after(after)))
    .orderBy(...ORDERS.newestFirst)
    .limit(PAGE_AND_ONE);
  const { rows, next } = pageOf(read, ({ row }) => row);
  const ids = rows.map((row) => row.id);
  if (ids.length === 0) return { rows: [], next };
  const paid = await db
    .select()
    .from(payments)
    .where(inArray(payments.submissionId, ids))
    .orderBy(desc(payments.createdAt));
  const refunds = await db
    .select({
      submissionId: refundCases.submissionId,
      number: refundCases.number,
      state: refundCases.state,
      amount: refundCases.amount,
      decimals: refundCases.decimals,
      asset: refundCases.asset,
      createdAt: refundCases.createdAt,
    })
    .from(refundCases)
    .where(inArray(refundCases.submissionId, ids));
  const orders = rows.map((row) => ({
    requestId: row.id,
    tokenName: row.tokenData.tokenName ?? '',
    tokenSymbol: row.tokenData.tokenSymbol ?? '',
    plan: row.membershipType,
    asGuest: row.userId === null,
    closedAs: row.closedAs,
    createdAt: row.createdAt.toISOString(),
    payments: paid
      .filter(({ submissionId }) => submissionId === row.id)
      .map((one) => ({
        id: one.id,
        orderId: one.orderId,
        state: one.state,
        priceUsd: one.priceUsd,
        receivedUsd: one.receivedUsd,
        simulation: one.simulation,
        createdAt: one.createdAt.toISOString(),
      })),
    refunds: refunds
      .filter(({ submissionId }) => submissionId === row.id)
      .map(({ number, state, amount, decimals, asset, createdAt }) => ({
        number,
        state,
        amount: fromUnits(amount, decimals),
        asset,
        createdAt: createdAt.toISOString(),
      })),
  }));
  return { rows: orders, next };
}

/** Publication requests that name a mailbox. */
export async function readSubmissions(
  db: Reader,
  address: string,
  after: string | null = null,
): Promise<Page<PersonSubmission>> {
  const read = await db
    .select({
      key: SUBMISSIONS.key,
      id: submission.id,
      reference: submission.reference,
      status: submission.status,
      createdAt: submission.createdAt,
    })
    .from(submission)
    .where(and(eq(submissionMailbox, address.toLowerCase()), SUBMISSIONS.after(after)))
    .orderBy(...SUBMISSIONS.newestFirst)
    .limit(PAGE_AND_ONE);
  return pageOf(read, ({ key: _, ...row }) => ({ ...row, createdAt: row.createdAt.toISOString() }));
}

/** Mails to some mailboxes, in every spelling of them that a record contains. */
export async function readMails(
  db: Reader,
  addresses: readonly string[],
  after: string | null = null,
): Promise<Page<PersonMail>> {
  const lowercase = addresses.map((address) => address.toLowerCase());
  // `mails` has an index on the address as it was written.
  const written = await db
    .selectDistinct({ address: sql`${request.petitionerEmail}`.mapWith(asText) })
    .from(request)
    .where(inArray(requestMailbox, lowercase))
    .union(
      db
        .selectDistinct({ address: sql`${submission.submitterEmail}`.mapWith(asText) })
        .from(submission)
        .where(inArray(submissionMailbox, lowercase)),
    );
  const spellings = [...addresses, ...lowercase, ...written.map(({ address }) => address)];
  const read = await db
    .select({ key: MAILS.key, mail: mails })
    .from(mails)
    .where(and(inArray(mails.toAddress, spellings), MAILS.after(after)))
    .orderBy(...MAILS.newestFirst)
    .limit(PAGE_AND_ONE);
  return pageOf(read, ({ mail }) => mailOf(mail));
}

const mailOf = ({ data, status, template, ...mail }: typeof mails.$inferSelect): PersonMail => ({
  id: mail.id,
  to: mail.toAddress,
  template,
  number: numberIn(data),
  status,
  attempts: mail.attempts,
  lastError: mail.lastError,
  at: mail.createdAt.toISOString(),
  sentAt: mail.sentAt?.toISOString() ?? null,
  sentBy: mail.sentBy,
  resendable: (status === 'sent' || status === 'failed') && pageOfMail(template) !== null && numberIn(data) !== null,
});
