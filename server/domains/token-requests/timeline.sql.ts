import { arrayOf, int4, jsonb, oneOf, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** A JSON document whose shape depends on the action. */
const anything = jsonb((value: unknown) => value);

/** Audited actions on a request, its payments, deliverables and refunds, callbacks, and observations of deposits; newest first. */
export const readTimeline = statement({
  parameters: { request: uuid, payments: arrayOf(uuid), max: int4 },
  row: {
    id: text,
    at: timestamptz,
    kind: oneOf(['act', 'webhook', 'seen']),
    what: text,
    about: orNull(text),
    by: orNull(text),
    byId: orNull(uuid),
    reason: orNull(text),
    before: orNull(anything),
    after: orNull(anything),
  },
  text: (at) => `
    (select 'a' || e.id as id, e.at, 'act' as kind, e.action as what, e.resource_id as about,
       coalesce(f.username, u.email) as by,
       u.id as "byId", e.reason, e.before, e.after
     from audit_events e left join users u on u.id = e.actor_id left join forum_users f on f.new_auth_user_id = u.id
     where (e.resource_type = 'token_request' and e.resource_id = ${at.request}::text)
        or (e.resource_type = 'payment' and e.resource_id = any(${at.payments}::text[]))
        or (e.resource_type = 'deliverable'
          and e.resource_id in (select d.id::text from deliverables d where d.submission_id = ${at.request}))
        or (e.resource_type = 'refund'
          and e.resource_id in (select r.id::text from refund_cases r where r.submission_id = ${at.request}))
     order by e.id desc limit ${at.max})
    union all
    (select 'p' || v.id, v.created_at, v.kind,
       coalesce(v.body ->> 'rawStatus', v.body ->> 'status', v.body ->> 'payment_status', ''), v.payment_id::text, null, null, null, null,
       jsonb_strip_nulls(jsonb_build_object('deposit', v.provider_payment_id,
         'amount', coalesce(v.body -> 'actuallyPaid', v.body -> 'actually_paid'),
         'currency', coalesce(v.body ->> 'payCurrency', v.body ->> 'pay_currency')))
     from payment_events v where v.payment_id = any(${at.payments}) and v.kind in ('webhook', 'seen')
     order by v.id desc limit ${at.max})
    order by 2 desc, 1 desc limit ${at.max}`,
});
