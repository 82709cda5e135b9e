import { me, staffRole } from '#contract/domains/auth.ts';
import { STEP_UP_MINUTES } from '#contract/limits.ts';
import { arrayOf, boolean, oneOf, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';
import { ACTIVE_SESSION } from './session-life.service.ts';

const VIEWER = {
  id: uuid,
  email: text,
  emailVerified: boolean,
  username: orNull(text),
  role: oneOf(me.shape.role.options),
  moderatorRequestStatus: oneOf(me.shape.moderatorRequestStatus.options),
  isAdmin: boolean,
  staffRoles: arrayOf(oneOf(staffRole.options)),
  hasApp: boolean,
  hasPasskey: boolean,
  severalAdmins: boolean,
  passwordDue: boolean,
};
const COLUMNS = `u.id, u.email, u.email_verified as "emailVerified", f.username, coalesce(r.role, 'user') as role,
  coalesce(r.moderator_request_status, 'approved') as "moderatorRequestStatus", a.id is not null as "isAdmin",
  coalesce(a.staff_roles, '{}') as "staffRoles",
  sf.user_id is not null as "hasApp", exists (select 1 from passkeys p where p.user_id = u.id) as "hasPasskey",
  (select count(*) > 1 from (select 1 from admin_profiles limit 2) several) as "severalAdmins",
  (a.id is not null or coalesce(r.role = 'moderator', false)) and exists (select 1 from accounts c
    where c.user_id = u.id and c.initial_until is not null) as "passwordDue"`;
const JOINS = `left join user_roles r on r.user_id = u.id left join admin_profiles a on a.id = u.id
  left join forum_users f on f.new_auth_user_id = u.id
  left join second_factors sf on sf.user_id = u.id and sf.confirmed_at is not null`;

/** The current state of a member. */
export const readMember = statement({
  parameters: { id: uuid },
  row: VIEWER,
  text: (at) => `select ${COLUMNS} from users u ${JOINS} where u.id = ${at.id}`,
});

/** Members of these tokens; only of active sessions, and of members who are not banned. */
export const readSessions = statement({
  prepared: 'sessions_by_token',
  parameters: { tokens: arrayOf(text) },
  row: {
    token: text,
    sessionId: uuid,
    sessionUpdatedAt: timestamptz,
    sessionUsedAt: timestamptz,
    hasRecentStepUp: boolean,
    tokenDue: boolean,
    ...VIEWER,
  },
  text: (at) => `
    select coalesce(presented.token, '') as token, s.id as "sessionId", s.updated_at as "sessionUpdatedAt",
      coalesce(s.last_used_at, s.updated_at) as "sessionUsedAt",
      s.proved_at > now() - interval '${STEP_UP_MINUTES} minutes' as "hasRecentStepUp",
      coalesce(s.token_due and s.token = presented.token, false) as "tokenDue", ${COLUMNS}
    from unnest(${at.tokens}) as presented (token)
    join lateral (
      select * from sessions where token = presented.token
      union all select * from sessions where former_token = presented.token and former_until > now()
    ) s on true
    join users u on u.id = s.user_id ${JOINS}
    where ${ACTIVE_SESSION} and (u.banned_until is null or u.banned_until <= now())`,
});
