import { eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { AdminRefund } from '#contract/admin/refunds.ts';
import type { RefundState } from '#contract/domains/refunds.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Reader } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { payments } from '#server/db/tables/payments.ts';
import { refundCases } from '#server/db/tables/refunds.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { type ListQuery, listRecords } from '#server/records/lists.ts';
import { accountOfMailbox } from '#server/records/mailbox-account.ts';
import { presentRefund, shortAddress } from './cases.service.ts';

interface RefundsQuery extends ListQuery {
  state?: RefundState | undefined;
  open?: 'yes' | undefined;
  request?: string | undefined;
}

const r = alias(refundCases, 'r');
const p = alias(payments, 'p');
const t = alias(tokenCreationSubmissions, 't');

/** The reader and the time: a confirmed address is shown only to the admin who claimed the refund. */
interface Reading {
  me: string | null;
  now: Date;
}

const nameOf = (id: typeof r.openedBy | typeof r.sentBy | typeof r.claimedBy) =>
  sql`(select coalesce(f.username, u.email) from users u left join forum_users f on f.new_auth_user_id = u.id
    where u.id = ${id})`.mapWith(orNull(asText));

const select = (db: Reader, where: SQL) =>
  db
    .select({
      row: r,
      orderId: p.orderId,
      tokenName: sql`coalesce(${t.tokenData} ->> 'tokenName', '')`.mapWith(asText),
      email: t.petitionerEmail,
      memberId: sql`coalesce(${t.userId}, ${accountOfMailbox(t.petitionerEmail)})`.mapWith(orNull(asText)),
      openedBy: nameOf(r.openedBy),
      sentBy: nameOf(r.sentBy),
      claimedBy: nameOf(r.claimedBy),
    })
    .from(r)
    .innerJoin(p, eq(p.id, r.paymentId))
    .innerJoin(t, eq(t.id, r.submissionId))
    .where(where);
type Row = Awaited<ReturnType<typeof select>>[number];

const FROM = sql.raw(`from refund_cases r join payments p on p.id = r.payment_id
  join token_creation_submissions t on t.id = r.submission_id`);

/** Refunds for the back office. */
export async function listRefunds(
  db: Reader,
  input: RefundsQuery,
  reading: Reading,
): Promise<{ rows: AdminRefund[]; total: number }> {
  const terms = cleanText(input.q, 'line').toUpperCase();
  const { rows, total } = await listRecords(
    db,
    input,
    {
      from: FROM,
      where: [
        input.state && sql`r.state = ${input.state}`,
        input.open && sql`r.state not in ('sent', 'withdrawn')`,
        input.request ? sql`r.submission_id = ${input.request}` : undefined,
        terms ? sql`(starts_with(r.number, ${terms}) or starts_with(p.order_id, ${terms}))` : undefined,
      ],
      sorts: { createdAt: sql`r.created_at`, updatedAt: sql`r.updated_at` },
      notNull: ['createdAt', 'updatedAt'],
      tieBreaker: sql`r.id`,
      id: sql`r.id`,
    },
    ({ where, orderBy }) => select(db, where).orderBy(orderBy),
  );
  return { rows: rows.map((row) => adminRefundOf(row, reading)), total };
}

/** One refund for the back office. @throws NOT_FOUND */
export async function readRefund(db: Reader, id: string, reading: Reading): Promise<AdminRefund> {
  const [row] = await select(db, sql`r.id = ${id}`);
  return row ? adminRefundOf(row, reading) : fail('NOT_FOUND', { what: 'refund' });
}

function adminRefundOf(
  { row, orderId, tokenName, email, memberId, openedBy, sentBy, claimedBy }: Row,
  { me, now }: Reading,
): AdminRefund {
  const open = row.state !== 'sent' && row.state !== 'withdrawn';
  const claim = open && row.claimedAt && row.claimUntil ? { at: row.claimedAt, until: row.claimUntil } : null;
  const mine = claim !== null && me !== null && row.claimedBy === me;
  const over = claim !== null && claim.until <= now;
  const addressShown = row.state === 'sent' || (mine && !over && row.haltedAt === null);
  return {
    ...presentRefund(row, orderId),
    address: addressShown ? row.address : shortAddress(row.address),
    addressShown,
    claim: claim && { by: claimedBy, mine, at: claim.at.toISOString(), until: claim.until.toISOString(), over },
    halted: open && row.haltedAt !== null,
    version: row.version,
    requestId: row.submissionId,
    paymentId: row.paymentId,
    tokenName,
    email: email ?? '',
    memberId,
    openedBy,
    sentBy,
  };
}
