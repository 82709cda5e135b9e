import { type SQL, sql } from 'drizzle-orm';
import { type PaymentStage, paymentStage } from '#contract/admin/payments.ts';
import { asOneOf } from '#server/db/expressions.ts';

/** A payment `p` that an admin took for enough, and none of that money went back since. */
const ACCEPTED = `(jsonb_typeof(p.ledger -> 'accepted') = 'object'
  and not exists (select 1 from jsonb_array_elements_text(p.ledger #> '{accepted,of}') taken(id)
    where p.ledger #>> array['deposits', taken.id, 'status'] = 'refunded'))`;

/** All that arrived for a payment `p` and that the provider did not send back itself, the team sent back. */
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

/** Where a payment `p` stands for the team. */
export const stageOfPayment = sql
  .raw(`case
    when p.state = 'refunded' or ${RETURNED} then 'refunded'
    when p.state in ('failed', 'expired', 'under_review') then p.state
    when p.state not in ('partially_paid', 'paid', 'overpaid', 'paid_late') then 'pending'
    when ${ACCEPTED} then 'accepted'
    when p.state = 'partially_paid' then 'part_paid'
    else 'paid' end`)
  .mapWith(asOneOf(paymentStage.options));

/** Where the payment that counts for a request `t` stands: as `effectivePayment` chooses it. */
export const stageOfRequest = sql`coalesce((
    select ${stageOfPayment} from payments p
    where p.submission_id = t.id and (p.payment_url is not null or p.state <> 'awaiting')
    order by p.state in ('partially_paid', 'paid', 'overpaid', 'paid_late') desc, p.is_current desc, p.created_at desc, p.id
    limit 1), 'pending')`.mapWith(asOneOf(paymentStage.options));

/** What the kept columns say of requests at a stage, so that only few are looked at one by one. */
const KEPT: Record<PaymentStage, string> = {
  pending: `t.payment_status = 'pending'`,
  under_review: `t.payment_status = 'pending'`,
  part_paid: `t.payment_status = 'completed'`,
  paid: `t.payment_status = 'completed'`,
  accepted: `t.payment_status = 'completed'`,
  failed: `t.payment_status = 'failed'`,
  expired: `t.payment_status = 'failed'`,
  // Sent back by the provider, or by the team of what was paid.
  refunded: `t.payment_status <> 'pending'`,
};

const withPayment = (condition: string) => `t.id in (select of.submission_id from payments of where ${condition})`;

const HAS_PART_PAYMENT = withPayment(`of.state = 'partially_paid'`);

/** What the index on a payment's state, or the sent refunds, say of requests at the rare stages. */
const INDEXED: Partial<Record<PaymentStage, string>> = {
  under_review: withPayment(`of.state = 'under_review'`),
  part_paid: HAS_PART_PAYMENT,
  failed: withPayment(`of.state = 'failed'`),
  expired: withPayment(`of.state = 'expired'`),
  refunded: `t.id in (select of.submission_id from payments of where of.state = 'refunded' union all
    select of.submission_id from refund_cases r join payments of on of.id = r.payment_id where r.state = 'sent')`,
};

/** Requests `t` whose payment stands so. */
export const isAtStage = (stage: PaymentStage): SQL =>
  sql`${sql.raw([KEPT[stage], INDEXED[stage] ?? []].flat().join(' and '))} and ${stageOfRequest} = ${stage}`;

/** Requests `t` of which only a part was paid. In this order: few have such a payment at all. */
export const IS_PART_PAID = sql`(${sql.raw(HAS_PART_PAYMENT)} and ${stageOfRequest} = 'part_paid')`;
