import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { moderatorRequest } from '#contract/admin/moderators.ts';
import { type Role, role as roles } from '#contract/domains/auth.ts';
import { MANY_FOUND } from '#contract/limits.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import { asOneOf } from '#server/db/expressions.ts';
import { adminProfiles, forumUsers, userRoles, users } from '#server/db/tables/accounts.ts';
import { isUuid } from '#server/lib/text/uuid.ts';
import { normalizedContains, type SearchCondition, withoutIndex } from '#server/records/lists.ts';
import { ROLE_STATUS_TEXT, ROLE_TEXT } from './manage.sql.ts';

/** Joins of a member with profile, role record and admin profile; all conditions here use these aliases. */
export const MEMBER = {
  u: alias(users, 'u'),
  f: alias(forumUsers, 'f'),
  r: alias(userRoles, 'r'),
  a: alias(adminProfiles, 'a'),
};
/** The effective role, and the state of a request to moderate. */
export const roleColumns = () => ({
  role: sql.raw(ROLE_TEXT).mapWith(asOneOf(roles.options)),
  roleStatus: sql.raw(ROLE_STATUS_TEXT).mapWith(asOneOf(moderatorRequest.shape.status.options)),
});

const JOINS = sql`left join user_roles r on r.user_id = u.id left join admin_profiles a on a.id = u.id`;
const BY_NAME = { username: sql`from forum_users f join users u on u.id = f.new_auth_user_id ${JOINS}` };

/**
 * Parts of a list of members for `listRecords`, except further conditions.
 *
 * @param few true when a further condition leaves few members: those are sorted directly, which is then faster than the order of
 *   the index on names.
 */
export const memberList = ({ q, role }: { q: string; role: Role | 'all' }, few = false) => ({
  from: sql`from users u left join forum_users f on f.new_auth_user_id = u.id ${JOINS}`,
  sorts: { createdAt: sql`u.created_at`, email: sql`u.email`, username: sql`lower(f.username)` },
  fromNotNull: few || role === 'moderator' || role === 'admin' ? undefined : BY_NAME,
  notNull: ['createdAt', 'email'],
  tieBreaker: sql`u.id`,
  id: sql`u.id`,
  searchTerms: membersWith(q),
});

/** Members whose name, e-mail, wallet or id matches these words, or with this linked wallet; each part uses its own index. */
export function membersWith(term: string): SearchCondition | undefined {
  const searchTerms = cleanText(term, 'line');
  if (!searchTerms) return undefined;
  if (isUuid(searchTerms))
    return { ids: sql`select id from users where id = ${searchTerms}`, condition: sql`u.id = ${searchTerms}` };
  const email = normalizedContains(sql`u.email`, searchTerms);
  const name = normalizedContains(sql`f.search`, searchTerms);
  const wallet = normalizedContains(sql`lower(f.wallet_address)`, searchTerms);
  const limit = sql`limit ${MANY_FOUND + 1}`;
  const profiles = (holding: SQL) => sql`(select f.new_auth_user_id from forum_users f
    where f.new_auth_user_id is not null and ${holding} ${limit})`;
  // Wallets that sign a member in, by the whole address.
  const linked = sql`(select l.user_id from linked_wallets l
    where (l.family, (case l.family when 'evm' then lower(l.address) else l.address end))
      in (('evm', lower(${searchTerms})), ('solana', ${searchTerms})))`;
  return {
    ids: sql`(select u.id from users u where ${email} ${limit}) union ${profiles(name)} union ${profiles(wallet)} union ${linked}`,
    condition: sql`(${withoutIndex(email)} or ${withoutIndex(name)} or ${withoutIndex(wallet)} or u.id in ${linked})`,
  };
}

/** Condition for members with this role; rare roles by their own tables, users by exclusion. */
export function membersAs(role: Role | 'all'): SQL | undefined {
  if (role === 'all') return undefined;
  if (role === 'admin') return sql`u.id in (select id from admin_profiles)`;
  const few = sql`select user_id from user_roles where role = 'moderator'`;
  if (role === 'moderator') return sql`u.id in (${few}) and u.id not in (select id from admin_profiles)`;
  return sql`u.id not in (${few}) and u.id not in (select id from admin_profiles)`;
}
