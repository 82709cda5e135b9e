// What the items of the inbox are about: read for the items that are shown, after they were found.
import { type SQL, sql } from 'drizzle-orm';
import type { InboxSource } from '#contract/admin/inbox.ts';
import { accountOfMailbox } from '#server/records/mailbox-account.ts';

type About = Partial<Record<InboxSource, (id: SQL) => SQL>>;

/** Title and details of an item, for sources whose search query omits them. */
const TITLE: About = {
  request: (id) => sql`
    select coalesce(nullif(t.token_data->>'tokenName', ''), upper(t.membership_type)) as title,
      array_remove(array[upper(t.membership_type), t.selected_network,
        case when proposal.state = 'confirmed' and token_needs_approval(t.id)
            and not exists (select 1 from token_approvals a where a.proposal_id = proposal.id) then 'approval_missing'
          else 'payer_' || proposal.state end], null) as details
    from token_creation_submissions t left join lateral (
      select p.id, p.state from token_proposals p
      where p.submission_id = t.id and p.state <> 'replaced' order by p.proposed_at desc, p.id desc limit 1) proposal on true
    where t.id = ${id}::uuid`,
};

/** Account, mailbox and name of the customer; the mailbox only without an account. */
const buyerOf = (request: SQL) => sql`
  select a.id as person_id, case when a.id is null then t.petitioner_email end as mailbox,
    coalesce(f.username, t.petitioner_email, a.email) as name
  from token_creation_submissions t
  left join users a on a.id = coalesce(t.user_id, ${accountOfMailbox(sql`t.petitioner_email`)})
  left join forum_users f on f.new_auth_user_id = a.id
  where t.id = ${request}`;

/** A member by the public name: moderators may not see the mailbox. */
const memberOf = (account: SQL) => sql`
  select f.new_auth_user_id as person_id, null::text as mailbox, f.username as name
  from forum_users f where f.new_auth_user_id = ${account}`;

const ofRequest = (id: SQL) => buyerOf(sql`${id}::uuid`);

/** The person that an item is about: buyer, sender or author. */
const PERSON: About = {
  request: ofRequest,
  creation: ofRequest,
  reading: ofRequest,
  source: ofRequest,
  payment: (id) => buyerOf(sql`(select submission_id from payments where id = ${id}::uuid)`),
  deliverable: (id) =>
    buyerOf(
      sql`(select p.submission_id from deliverables d join payments p on p.id = d.payment_id where d.id = ${id}::uuid)`,
    ),
  refund: (id) => buyerOf(sql`(select submission_id from refund_cases where id = ${id}::uuid)`),
  // The name of the sender is among the details.
  submission: (id) => sql`
    select q.person_id, case when q.person_id is null then q.name end as mailbox, q.name
    from (select ${accountOfMailbox(sql`s.submitter_email`)} as person_id, s.submitter_email as name
      from project_submissions s where s.id = ${id}::uuid) q`,
  // The public name is the title.
  moderator: (id) =>
    sql`select u.id as person_id, null::text as mailbox, u.email as name from users u where u.id = ${id}::uuid`,
  report: (id) =>
    memberOf(sql`coalesce(
    (select f.new_auth_user_id from forum_posts p join forum_users f on f.id = p.forum_user_id where p.id = ${id}::uuid),
    (select c.user_id from forum_comments c where c.id = ${id}::uuid))`),
  appeal: (id) => memberOf(sql`(select n.author_id from forum_removal_notices n where n.removal_id = ${id}::uuid)`),
  review: (id) => memberOf(sql`(select v.author_id from forum_reviews v where v.text_id = ${id}::uuid)`),
};

/** Title and details of an item `w`. */
export const titleOf = (source: InboxSource): SQL => TITLE[source]?.(sql`w.item_id`) ?? sql`select w.title, w.details`;

/** The person of an item `w`: person_id, mailbox, name; no row for an item that is about nobody. */
export const personOf = (source: InboxSource): SQL =>
  PERSON[source]?.(sql`w.item_id`) ??
  sql`select null::uuid as person_id, null::text as mailbox, null::text as name where false`;
