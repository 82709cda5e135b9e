// What waits for a person, as a query for each source of the inbox.
import { SQL, sql } from 'drizzle-orm';
import type { InboxSource } from '#contract/admin/inbox.ts';
import { IS_PART_PAID_OR_BACK } from '#server/domains/payments/orders/request-stage.service.ts';
import { UNPLACED } from '#server/domains/payments/unplaced.service.ts';
import { MANY_ATTEMPTS } from '#server/domains/token-creation/sources.service.ts';

/** Requests `t` that the team did not close, or for which money arrived afterwards. */
const IS_OPEN = sql`(t.closed_at is null or exists (select 1 from payments p where p.submission_id = t.id and greatest(p.confirmed_at, p.receipt_at) > t.closed_at))`;

/** Open paid requests `t` without a token: neither a creation, nor a part payment that waits for the rest or an acceptance, nor money sent back. */
const IS_TO_MAKE = sql`t.payment_status = 'completed' and not ${IS_PART_PAID_OR_BACK} and ${IS_OPEN}
  and not exists (select 1 from token_creations c where c.submission_id = t.id)`;

/**
 * Waiting items, by source: item_id, title, details, since. An item exists as long as its cause does, so it can be neither
 * forgotten nor closed by mistake. A source may have several parts without an item in common.
 */
const WAITING: Record<InboxSource, SQL | readonly SQL[]> = {
  payment: sql`
    select p.id::text as item_id, p.order_id as title, array[p.state] || p.attention as details, p.updated_at as since
    from payments p where p.attention <> '{}'`,
  unplaced: sql`
    select u.provider_payment_id, coalesce(u.order_id, u.provider_payment_id),
      array_remove(array[coalesce(u.deposit ->> 'actuallyPaid', '0'), u.deposit ->> 'payCurrency'], null), u.first_seen_at
    from unplaced_payments u where ${UNPLACED}`,
  // There can be many paid requests: title and details are read afterwards, and those without a proposal, nearly all, are read in the order
  // of an index, only as many as are shown or counted.
  request: [
    sql`
    select t.id::text, null::text, null::text[], t.updated_at
    from token_creation_submissions t
    where ${IS_TO_MAKE}
      and not exists (select 1 from token_proposals r where r.submission_id = t.id and r.state <> 'replaced')`,
    sql`
    select t.id::text, null::text, null::text[], proposal.at
    from (select submission_id, max(greatest(proposed_at, answered_at)) as at from token_proposals
      where state <> 'replaced' group by submission_id) proposal
    join token_creation_submissions t on t.id = proposal.submission_id
    where ${IS_TO_MAKE}`,
  ],
  // Stopped creations of open requests. With returned money, only those with a signed transaction: others can't be resumed.
  creation: sql`
    select c.submission_id::text, (c.snapshot ->> 'name') || ' (' || (c.snapshot ->> 'symbol') || ')',
      array_remove(array[c.state, c.network, c.problem], null), c.updated_at
    from token_creations c join token_creation_submissions t on t.id = c.submission_id where c.state in ('held', 'failed')
      and ${IS_OPEN} and (t.payment_stage <> 'refunded' or exists (select 1 from creation_attempts a where a.creation_id = c.id))`,
  // Problems that the signer reports for a network, and a signer that is offline while a token waits for it, since the oldest such token.
  // A low balance and a reached cap are listed without a waiting token too, since the signer's first report.
  chain: sql`
    select q.network, q.network, array[q.why], q.since
    from (
      select n.network,
        case when l.network is null then 'not_configured'
          when l.seen_at < now() - interval '60 seconds' then 'signer_offline'
          when l.state <> 'ready' then l.state
          when l.enough_for < n.unsigned then 'low_balance' end as why,
        n.waiting, case when l.state in ('low_balance', 'cap_reached') then l.state_since else n.first end as since
      from (
        select network, count(*) filter (where open) as waiting, count(*) filter (where open and not signed) as unsigned,
          min(at) filter (where open) as first
        from (
          select c.network, c.ordered_at as at, true as open,
            exists (select 1 from creation_attempts a where a.creation_id = c.id) as signed
          from token_creations c where c.state in ('queued', 'working')
          union all select network, seen_at, false, false from signer_workers) all_networks
        group by network) n
      left join signer_workers l on l.network = n.network
    ) q
    where q.why is not null and (q.waiting > 0 or q.why in ('low_balance', 'cap_reached'))`,
  submission: sql`
    select s.id::text, coalesce(nullif(s.project_data->>'projectName', ''), s.reference, s.submitter_name, ''),
      array_remove(array[s.reference, s.submitter_name], null), s.created_at
    from project_submissions s where s.status = 'new'`,
  moderator: sql`
    select r.user_id::text, coalesce(f.username, left(r.user_id::text, 8)), '{}'::text[], r.requested_at
    from user_roles r left join forum_users f on f.new_auth_user_id = r.user_id
    where r.moderator_request_status = 'pending'`,
  // Each text by its oldest open report: these are read in the order of an index, only as many as are shown or counted. The team's hiding of a
  // text resolves its reports, so a hidden one was deleted by its author.
  report: sql`
    select coalesce(q.post_id, q.comment_id)::text,
      left(coalesce((select title from forum_posts where id = q.post_id),
        (select content from forum_comments where id = q.comment_id), ''), 120),
      array[case when q.post_id is null then 'comment' else 'post' end, (
        select count(*) from forum_reports r
        where r.resolved_at is null and (r.post_id = q.post_id or r.comment_id = q.comment_id))::text] || array(
        select distinct r.reason from forum_reports r
        where r.resolved_at is null and (r.post_id = q.post_id or r.comment_id = q.comment_id))
        || case when coalesce((select is_hidden from forum_posts where id = q.post_id),
          (select is_hidden from forum_comments where id = q.comment_id)) then array['author_deleted'] else '{}'::text[] end,
      q.created_at
    from forum_reports q where q.resolved_at is null
      and not exists (select 1 from forum_reports e where e.resolved_at is null and e.post_id = q.post_id
        and (e.created_at, e.id) < (q.created_at, q.id))
      and not exists (select 1 from forum_reports e where e.resolved_at is null and e.comment_id = q.comment_id
        and (e.created_at, e.id) < (q.created_at, q.id))`,
  // An author's appeal against a removal.
  appeal: sql`
    select r.id::text, left(coalesce(nullif(n.title, ''), n.content), 120), array[r.what, r.rule], n.appealed_at
    from forum_removals r join forum_removal_notices n on n.removal_id = r.id
    where r.outcome is null and n.appealed_at is not null`,
  // A text that waits for the review by a moderator.
  review: sql`
    select v.text_id::text, left(coalesce((select c.content from forum_comments c where c.id = v.comment_id),
      (select p.title from forum_posts p where p.id = v.post_id), ''), 120), array[v.what, v.why], v.since
    from forum_reviews v where v.state = 'waiting'`,
  vote_cluster: sql`
    select r.id::text, coalesce(c.token_name, ''), array[r.signal, r.votes::text, r.members::text], r.found_at
    from vote_review_clusters r left join voting_candidates c on c.id = r.candidate_id where r.state = 'open'`,
  job: sql`
    select j.id::text, j.name, array_remove(array[coalesce(left(j.output->>'message', 200), ''), m.why], null),
      coalesce(j.completed_on, j.created_on)
    from jobs.job j left join lateral (
      select case when status = 'expired' or (data ->> 'until')::timestamptz <= now() then 'mail_expired' end as why
      from mails where j.name = 'send-mail' and id::text = j.data ->> 'mailId') m on true
    where j.state = 'failed'`,
  // Past its date and not delivered.
  deliverable: sql`
    select d.id::text, p.order_id, array[d.item, p.plan], d.due_at
    from deliverables d join payments p on p.id = d.payment_id where d.state = 'open' and d.due_at <= now()`,
  // Its payer confirmed the address: the team has to send it, or somebody claimed it and its outcome is open.
  refund: sql`
    select r.id::text, r.number, array[case when r.halted_at is not null then 'halted'
      when r.claim_until <= now() then 'unresolved' when r.claimed_at is not null then 'claimed' else r.state end, p.order_id],
      coalesce(r.halted_at, r.updated_at)
    from refund_cases r join payments p on p.id = r.payment_id where r.state = 'ready'`,
  // An unexplained difference between the money ledger and the provider; a dash stands for an empty value.
  settlement: sql`
    select s.id::text, s.subject, array[s.kind] || array_replace(array[s.asset, s.ours, s.theirs], '', '-'), s.found_at
    from settlement_differences s where s.gone_at is null and s.explained_at is null`,
  // The token on the chain, or its files in the storage, differ from what was created, since the first reading with a difference after the last
  // equal one: a token that differs is read again each hour. Ends when a later reading is equal.
  reading: sql`
    select c.submission_id::text, (c.snapshot ->> 'name') || ' (' || (c.snapshot ->> 'symbol') || ')',
      array[c.network] || (select array_agg(distinct d) from unnest(n.differences) d), n.since
    from token_creations c join lateral (
      select array_agg(d) as differences, min(begun.at) as since
      from (select distinct on (r.what) r.what, r.outcome, r.differences from token_readings r
        where r.creation_id = c.id and r.outcome <> 'unanswered' order by r.what, r.read_at desc, r.id desc) newest
      cross join lateral (select min(r.read_at) as at from token_readings r
        where r.creation_id = c.id and r.what = newest.what and r.outcome = 'different' and r.read_at >= coalesce((
          select max(equal.read_at) from token_readings equal
          where equal.creation_id = c.id and equal.what = newest.what and equal.outcome = 'same'), '-infinity')) begun,
        unnest(newest.differences) d
      where newest.outcome = 'different') n on n.differences is not null
    where c.state = 'completed'`,
  // The block explorer refuses the source of a contract, or has not answered in many attempts.
  source: sql`
    select c.submission_id::text, (c.snapshot ->> 'name') || ' (' || (c.snapshot ->> 'symbol') || ')',
      array[c.network, s.state], s.updated_at
    from contract_sources s join token_creations c on c.id = s.creation_id
    where s.state = 'refused' or (s.state in ('waiting', 'submitted') and s.tries >= ${MANY_ATTEMPTS})`,
};

/** Alias and columns of a part of `partsOf`. */
export const NAMED = sql`w (item_id, title, details, since)`;

/** The queries of a source, which have no item in common. */
export const partsOf = (source: InboxSource): readonly SQL[] => {
  const waiting = WAITING[source];
  return waiting instanceof SQL ? [waiting] : waiting;
};
export const unionAll = (selects: readonly SQL[]) => sql.join([...selects], sql` union all `);
