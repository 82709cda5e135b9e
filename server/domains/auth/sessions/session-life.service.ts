/** Maximum lifetime of a session, however much it is used; staff have the shorter one from the moment they become staff. */
const MEMBER_SESSION_MAX_AGE = "interval '30 days'";
const STAFF_LIFE = "interval '12 hours'";
/** Condition: session `s` of a member with role `r` and admin profile `a` is active. */
export const ACTIVE_SESSION = `s.expires_at > now() and s.created_at > now() -
  case when a.id is not null or r.role = 'moderator' then ${STAFF_LIFE} else ${MEMBER_SESSION_MAX_AGE} end`;
