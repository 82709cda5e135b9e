import { and, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type PaymentStage, paymentStage } from '#contract/admin/payments.ts';
import type { Reader } from '#server/db/client.ts';
import { asBoolean, asOneOf } from '#server/db/expressions.ts';
import { payments } from '#server/db/tables/payments.ts';
import type { KnownFacts } from '#server/domains/payments/facts/reduce.policy.ts';
import { toStoredFacts } from '#server/domains/payments/facts/stored-facts.ts';

// The stages are defined by functions of the database (migrations 20261129023500 and 20261130210500); a trigger stores that of a request in a
// column.

/**
 * Of these payments, those of which the team sent all money back, or all but less than a hundredth of the amount due for a deposit. The
 * provider does not report that: there they are still paid, in full or in part.
 */
export async function sentBack(db: Reader, paymentIds: readonly string[]): Promise<Set<string>> {
  if (paymentIds.length === 0) return new Set();
  const p = alias(payments, 'p');
  const rows = await db
    .select({ id: p.id })
    .from(p)
    .where(sql`${inArray(p.id, [...paymentIds])} and p.state <> 'refunded' and payment_sent_back(p.id, p.ledger)`);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Of these payments, those of which all received money is in refunds that were sent or claimed, at least one of them claimed. A claimed
 * refund may have been paid at any moment since.
 */
export async function claimedBack(db: Reader, paymentIds: readonly string[]): Promise<Set<string>> {
  if (paymentIds.length === 0) return new Set();
  const p = alias(payments, 'p');
  const claimed = sql.raw(`r.payment_id = p.id and r.state = 'ready' and r.claimed_at is not null`);
  const notOut = sql.raw(`
    select 1 from jsonb_each(p.ledger -> 'deposits') seen(id, deposit)
    left join lateral (select sum(r.amount) as units, max(r.decimals) as decimals from refund_cases r
      where r.payment_id = p.id and not r.by_provider and (r.state = 'sent' or (r.state = 'ready' and r.claimed_at is not null))
        and r.asset = lower(seen.deposit ->> 'payCurrency')) refunds on true
    where seen.deposit ->> 'status' <> 'refunded' and coalesce((seen.deposit ->> 'actuallyPaid')::numeric, 0) > 0
      and not deposit_is_dust(seen.deposit, p.ledger)
    group by lower(seen.deposit ->> 'payCurrency'), refunds.units, refunds.decimals
    having refunds.units is null or refunds.units < sum(trunc(
      coalesce(seen.deposit ->> 'paidText', seen.deposit ->> 'actuallyPaid')::numeric * power(10::numeric, refunds.decimals)))`);
  const rows = await db
    .select({ id: p.id })
    .from(p)
    .where(
      sql`${inArray(p.id, [...paymentIds])} and p.state <> 'refunded' and exists (select 1 from refund_cases r where ${claimed})
        and not exists (${notOut})`,
    );
  return new Set(rows.map(({ id }) => id));
}

/** True when all money of a payment was sent back by the team, as it would be with these facts. */
export async function isSentBackWith(db: Reader, paymentId: string, facts: KnownFacts): Promise<boolean> {
  const stored = JSON.stringify(toStoredFacts(facts));
  const [row] = await db
    .select({ back: sql`payment_sent_back(${payments.id}, ${stored}::jsonb)`.mapWith(asBoolean) })
    .from(payments)
    .where(and(eq(payments.id, paymentId), ne(payments.state, 'refunded')));
  return row?.back ?? false;
}

/** Stage of a payment `p` for the team. */
export const stageOfPayment = sql.raw('payment_stage(p.id, p.state, p.ledger)').mapWith(asOneOf(paymentStage.options));

/** Condition: requests `t` whose payment is at this stage. */
export const isAtStage = (stage: PaymentStage): SQL => sql`t.payment_stage = ${stage}`;

/** Condition: requests `t` of which no money is held as payment in full: they are paid in part, or it went back. */
export const IS_PART_PAID_OR_BACK = sql.raw(`t.payment_stage in ('part_paid', 'refunded')`);
