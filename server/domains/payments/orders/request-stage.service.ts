import { inArray, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type PaymentStage, paymentStage } from '#contract/admin/payments.ts';
import type { Reader } from '#server/db/client.ts';
import { asOneOf } from '#server/db/expressions.ts';
import { payments } from '#server/db/tables/payments.ts';

/** Condition: an admin accepted payment `p`, and none of the accepted money was returned since. */
const ACCEPTED = `(jsonb_typeof(p.ledger -> 'accepted') = 'object'
  and not exists (select 1 from jsonb_array_elements_text(p.ledger #> '{accepted,of}') taken(id)
    where p.ledger #>> array['deposits', taken.id, 'status'] = 'refunded'))`;

/** Condition: the team refunded all money of payment `p` that the provider did not return itself. */
const RETURNED = `(exists (select 1 from refund_cases r where r.payment_id = p.id and r.state = 'sent' and not r.by_provider)
  and not exists (
    select 1 from jsonb_each(p.ledger -> 'deposits') seen(id, deposit)
    left join lateral (
      select sum(r.amount) as units, max(r.decimals) as decimals from refund_cases r
      where r.payment_id = p.id and r.state = 'sent' and not r.by_provider and r.asset = lower(seen.deposit ->> 'payCurrency')
    ) sent on true
    where seen.deposit ->> 'status' <> 'refunded' and coalesce((seen.deposit ->> 'actuallyPaid')::numeric, 0) > 0
    group by sent.units, sent.decimals, lower(seen.deposit ->> 'payCurrency')
    having sent.units is null or sent.units < sum(trunc(
      coalesce(seen.deposit ->> 'paidText', seen.deposit ->> 'actuallyPaid')::numeric * power(10::numeric, sent.decimals)))))`;

/**
 * Of these payments, those of which the team sent all money back. The provider does not know of it: for it they are still paid, in full or
 * in part.
 */
export async function sentBack(db: Reader, paymentIds: readonly string[]): Promise<Set<string>> {
  if (paymentIds.length === 0) return new Set();
  const p = alias(payments, 'p');
  const rows = await db
    .select({ id: p.id })
    .from(p)
    .where(sql`${inArray(p.id, [...paymentIds])} and p.state <> 'refunded' and ${sql.raw(RETURNED)}`);
  return new Set(rows.map(({ id }) => id));
}

/** Stage of a payment `p` for the team. */
export const stageOfPayment = sql
  .raw(`case
    when p.state = 'refunded' or ${RETURNED} then 'refunded'
    when p.state in ('failed', 'expired', 'under_review') then p.state
    when p.state not in ('partially_paid', 'paid', 'overpaid', 'paid_late') then 'pending'
    when ${ACCEPTED} then 'accepted'
    when p.state = 'partially_paid' then 'part_paid'
    else 'paid' end`)
  .mapWith(asOneOf(paymentStage.options));

/** Stage of the payment that counts for a request `t`, chosen as in `effectivePayment`. */
export const stageOfRequest = sql`coalesce((
    select ${stageOfPayment} from payments p
    where p.submission_id = t.id and (p.payment_url is not null or p.state <> 'awaiting')
    order by p.state in ('partially_paid', 'paid', 'overpaid', 'paid_late') desc, p.is_current desc, p.created_at desc, p.id
    limit 1), 'pending')`.mapWith(asOneOf(paymentStage.options));

/** Filters on stored columns of requests at a stage, so that the stage is computed for few rows only. */
const KEPT: Record<PaymentStage, string> = {
  pending: `t.payment_status = 'pending'`,
  under_review: `t.payment_status = 'pending'`,
  part_paid: `t.payment_status = 'completed'`,
  paid: `t.payment_status = 'completed'`,
  accepted: `t.payment_status = 'completed'`,
  failed: `t.payment_status = 'failed'`,
  expired: `t.payment_status = 'failed'`,
  // Refunded by the provider, or by the team after it was paid.
  refunded: `t.payment_status <> 'pending'`,
};

const withPayment = (condition: string) => `t.id in (select of.submission_id from payments of where ${condition})`;

const HAS_PART_PAYMENT = withPayment(`of.state = 'partially_paid'`);

const SENT_REFUNDS = `select of.submission_id from refund_cases r join payments of on of.id = r.payment_id where r.state = 'sent'`;

const ACCEPTED_OR_SENT_BACK = `select of.submission_id from payments of where jsonb_typeof(of.ledger -> 'accepted') = 'object'
  union all ${SENT_REFUNDS}`;

/**
 * For the two stages of most requests: the condition by the states of their payments alone, and the requests for which these do not
 * suffice, so that the stage has to be computed.
 */
const BY_STATE: Partial<Record<PaymentStage, { holds: string; except: string }>> = {
  pending: {
    holds: 'true',
    except: `t.id in (select of.submission_id from payments of where of.state in ('partially_paid', 'paid', 'overpaid', 'paid_late',
      'refunded', 'failed', 'expired', 'under_review') union all ${ACCEPTED_OR_SENT_BACK})`,
  },
  paid: {
    holds: withPayment(`of.state in ('paid', 'overpaid', 'paid_late')`),
    except: `t.id in (select of.submission_id from payments of where of.state = 'partially_paid' union all ${ACCEPTED_OR_SENT_BACK})`,
  },
};

/** Filters for the rare stages, by the index on the state of payments or by sent refunds. */
const INDEXED: Partial<Record<PaymentStage, string>> = {
  under_review: withPayment(`of.state = 'under_review'`),
  part_paid: HAS_PART_PAYMENT,
  accepted: `t.id in (${ACCEPTED_OR_SENT_BACK})`,
  failed: withPayment(`of.state = 'failed'`),
  expired: withPayment(`of.state = 'expired'`),
  refunded: `t.id in (select of.submission_id from payments of where of.state = 'refunded' union all ${SENT_REFUNDS})`,
};

/** Condition: requests `t` whose payment is at this stage. */
export const isAtStage = (stage: PaymentStage): SQL => {
  const byState = BY_STATE[stage];
  const stored = sql.raw([KEPT[stage], INDEXED[stage] ?? []].flat().join(' and '));
  const computed = sql`${stageOfRequest} = ${stage}`;
  // Within the case, so that the ids are read from their index into a hash table and no join reads the payments themselves.
  return byState
    ? sql`${stored} and case when ${sql.raw(byState.except)} then ${computed} else ${sql.raw(byState.holds)} end`
    : sql`${stored} and ${computed}`;
};

/** Condition: requests `t` whose money the team sent back. The condition on sent refunds is first, because few requests have one. */
export const IS_SENT_BACK = sql`(t.id in (${sql.raw(SENT_REFUNDS)}) and ${stageOfRequest} = 'refunded')`;

/** Condition: requests `t` that are paid in part. The indexed condition is first, because few requests have such a payment. */
export const IS_PART_PAID = sql`(${sql.raw(HAS_PART_PAYMENT)} and ${stageOfRequest} = 'part_paid')`;
