import { boolean, int4, orNull, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/**
 * True when a request's token needs a second admin, by the database function that also refuses the order. The signer has the right
 * to call it.
 */
export const readApprovalNeeded = statement({
  parameters: { request: uuid },
  row: { needed: boolean },
  text: (at) => `select coalesce(token_needs_approval(${at.request}), true) as needed`,
});

/**
 * The same rule with its inputs: the cost of the request, the threshold in US dollars, and the number of other admins who may
 * approve.
 */
export const readApprovalRule = statement({
  parameters: { request: uuid, admin: orNull(uuid) },
  row: { needed: boolean, amountUsd: int4, aboveUsd: orNull(int4), otherAdmins: int4 },
  text: (at) => `
    select coalesce(token_needs_approval(${at.request}), true) as needed,
      coalesce(token_request_usd(${at.request}), 0) as "amountUsd",
      (select (value #>> '{}')::numeric::integer from settings
        where key = 'creationApprovalAbove' and jsonb_typeof(value) = 'number') as "aboveUsd",
      coalesce((select count(*)::integer from admin_profiles a where a.id is distinct from ${at.admin}
        and a.staff_roles && '{owner,finance}'), 0)
        as "otherAdmins"`,
});
