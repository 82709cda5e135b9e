import { moderatorRequest } from '#contract/admin/moderators.ts';
import { role } from '#contract/domains/auth.ts';
import { boolean, int4, oneOf, orNull, text, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** The effective role: a member with an admin profile is an admin; one without a role record is a user. */
export const ROLE_TEXT = `case when a.id is not null then 'admin' when r.role = 'moderator' then 'moderator' else 'user' end`;
export const ROLE_STATUS_TEXT = `coalesce(r.moderator_request_status, 'approved')`;

const STAFF = `(select count(*)::int from user_roles r where r.role = 'moderator'
      and not exists (select 1 from admin_profiles a where a.id = r.user_id)) as moderators,
    (select count(*)::int from admin_profiles) as admins`;

/** Number of members. */
export const countMembers = statement({
  parameters: {},
  row: { total: int4, pending: int4, moderators: int4, admins: int4 },
  text: () => `select (select count(*)::int from users) as total,
    (select count(*)::int from users where confirmed_at is null) as pending, ${STAFF}`,
});

/** Number of members with each role. */
export const countByRole = statement({
  parameters: {},
  row: { total: int4, moderators: int4, admins: int4 },
  text: () => `select (select count(*)::int from users) as total, ${STAFF}`,
});

/** A member's role; the member's row is locked. */
export const lockMemberRole = statement({
  parameters: { id: uuid },
  row: { role: oneOf(role.options), status: oneOf(moderatorRequest.shape.status.options), confirmed: boolean },
  text: (at) => `
    with member as (select id, confirmed_at from users where id = ${at.id} for no key update)
    select ${ROLE_TEXT} as role, ${ROLE_STATUS_TEXT} as status, u.confirmed_at is not null as confirmed
    from member u left join user_roles r on r.user_id = u.id left join admin_profiles a on a.id = u.id`,
});

/** Unbans an account. `before`: end of the ban, in PostgreSQL's format. */
export const openAccount = statement({
  parameters: { id: uuid },
  row: { before: text },
  text: (at) => `
    update users u set banned_until = null
    from (select id, banned_until::text as before from users where id = ${at.id}) old
    where u.id = old.id and u.banned_until is not null returning coalesce(old.before, '') as before`,
});

/** Marks this transaction: the account that it adds is added by staff, for the trigger that creates its records. */
export const markAddedByStaff = statement({
  parameters: {},
  row: { mark: orNull(text) },
  text: () => `select set_config('florka.added_by_staff', 'yes', true) as mark`,
});
