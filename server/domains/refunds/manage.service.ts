import { sql } from 'drizzle-orm';
import type { AdminRefund } from '#contract/admin/refunds.ts';
import type { RefundState } from '#contract/refunds.ts';
import type { Reader } from '#server/db/client.ts';
import { cleanText } from '#server/lib/clean-text.ts';
import { fail } from '#server/lib/fail.ts';
import { readPage } from '#server/records/lists.ts';
import { presentRefund, type RefundRow } from './cases.service.ts';

interface ListQuery {
  q: string;
  page: number;
  size: number;
  sort: string;
  state?: RefundState | undefined;
  open?: 'yes' | undefined;
  request?: string | undefined;
}

/** Row of the list: `amount` as text, moments as PostgreSQL writes them. */
type Row = Record<string, unknown> & {
  orderId: string;
  tokenName: string;
  email: string;
  openedByName: string | null;
  sentByName: string | null;
};

const COLUMNS = sql.raw(`r.*, p.order_id as "orderId", coalesce(t.token_data ->> 'tokenName', '') as "tokenName",
  coalesce(t.petitioner_email, '') as email,
  (select coalesce(f.username, u.email) from users u left join forum_users f on f.new_auth_user_id = u.id
   where u.id = r.opened_by) as "openedByName",
  (select coalesce(f.username, u.email) from users u left join forum_users f on f.new_auth_user_id = u.id
   where u.id = r.sent_by) as "sentByName"`);
const FROM = sql.raw(`from refund_cases r join payments p on p.id = r.payment_id
  join token_creation_submissions t on t.id = r.submission_id`);

/** Refunds for the back office. */
export async function listRefunds(db: Reader, input: ListQuery): Promise<{ rows: AdminRefund[]; total: number }> {
  const words = cleanText(input.q, 'line').toUpperCase();
  const { rows, total } = await readPage<Row>(db, input, {
    columns: COLUMNS,
    from: FROM,
    where: [
      input.state && sql`r.state = ${input.state}`,
      input.open && sql`r.state not in ('sent', 'withdrawn')`,
      input.request ? sql`r.submission_id = ${input.request}` : undefined,
      words ? sql`(starts_with(r.number, ${words}) or starts_with(p.order_id, ${words}))` : undefined,
    ],
    sorts: { createdAt: sql`r.created_at`, updatedAt: sql`r.updated_at` },
    filled: ['createdAt', 'updatedAt'],
    tie: sql`r.id`,
    id: sql`r.id`,
  });
  return { rows: rows.map(adminRefundOf), total };
}

/** One refund for the back office. @throws NOT_FOUND */
export async function readRefund(db: Reader, id: string): Promise<AdminRefund> {
  const { rows } = await db.execute<Row>(sql`select ${COLUMNS} ${FROM} where r.id = ${id}`);
  return rows[0] ? adminRefundOf(rows[0]) : fail('NOT_FOUND', { what: 'refund' });
}

function adminRefundOf(raw: Row): AdminRefund {
  const date = (name: string) => (raw[name] === null ? null : new Date(raw[name] as string));
  const row = {
    ...raw,
    submissionId: raw['submission_id'],
    paymentId: raw['payment_id'],
    amount: BigInt(raw['amount'] as string),
    byProvider: raw['by_provider'],
    addressAt: date('address_at'),
    confirmedAt: date('confirmed_at'),
    sentAt: date('sent_at'),
    withdrawnAt: date('withdrawn_at'),
    withdrawnReason: raw['withdrawn_reason'],
    createdAt: date('created_at'),
    updatedAt: date('updated_at'),
  } as unknown as RefundRow;
  return {
    ...presentRefund(row, raw.orderId),
    version: row.version,
    requestId: row.submissionId,
    paymentId: row.paymentId,
    tokenName: raw.tokenName,
    email: raw.email,
    openedBy: raw.openedByName,
    sentBy: raw.sentByName,
  };
}
