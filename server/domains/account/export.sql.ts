/**
 * Queries of the export by its parts, whose rows leave as JSON; `me` is the member's id. Columns are listed explicitly,
 * so that no hash, token or secret of the server is included. A confirmed address of a refund is shortened until it was
 * sent, as on the order's page.
 */
export const EXPORT_QUERIES = {
  account: `select id, email, email_verified, name, confirmed_at, created_at, updated_at,
      exists (select 1 from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as second_factor
    from users u where id = me`,
  profile: `select id, username, wallet_address, hide_presence, migration_status, created_at from forum_users
    where new_auth_user_id = me`,
  roles: `select role, moderator_request_status, requested_at, assigned_at from user_roles where user_id = me`,
  votes: `select v.id, v.candidate_id, c.token_name, c.token_symbol, v.voted_on, v.created_at, v.state,
      not v.generation = any(c.generations) as taken_by_reset
    from votes v join voting_candidates c on c.id = v.candidate_id where v.user_id = me order by v.created_at`,
  resetVotes: `select r.candidate_id, a.voted_on, a.created_at, a.state from archived_votes a
    join vote_resets r on r.id = a.reset_id where a.user_id = me order by a.created_at`,
  tickets: `select id, candidate_id, voted_on, number, rank, round_number, kept_at from vote_tickets
    where user_id = me order by kept_at`,
  votingWeeks: `select week from voter_weeks where user_id = me order by week`,
  ledgerSalts: `select round, encode(salt, 'hex') as salt from ledger_salts where user_id = me order by round`,
  posts: `select p.id, p.title, p.content, p.category, p.created_at, p.edited_at, p.deleted_at,
      array(select t.tag from forum_post_tags t where t.post_id = p.id order by t.tag) as tags,
      (select k.token_id from forum_post_tokens k where k.post_id = p.id) as about,
      (select json_agg(json_build_object('url', i.url, 'alt', i.alt) order by i.position)
        from forum_post_images i where i.post_id = p.id) as images
    from forum_posts p join forum_users f on f.id = p.forum_user_id where f.new_auth_user_id = me order by p.created_at`,
  comments: `select c.id, c.post_id, c.content, c.created_at, c.edited_at, c.deleted_at,
      (select q.quoted_id from forum_quotes q where q.comment_id = c.id) as quoted
    from forum_comments c where c.user_id = me order by c.created_at`,
  edits: `select e.post_id, e.comment_id, e.title, e.content, e.replaced_at from forum_edits e
    where e.post_id in (select p.id from forum_posts p join forum_users f on f.id = p.forum_user_id where f.new_auth_user_id = me)
      or e.comment_id in (select id from forum_comments where user_id = me) order by e.replaced_at`,
  removals: `select r.what, r.text_id, r.rule, r.removed_at, r.outcome, r.decided_alone, n.title, n.content, n.reason, n.appeal, n.appealed_at, n.answer
    from forum_removal_notices n join forum_removals r on r.id = n.removal_id where n.author_id = me order by r.removed_at`,
  reviews: `select what, text_id, why, since, state, decided_at from forum_reviews where author_id = me order by since`,
  reports: `select post_id, comment_id, reason, note, created_at, resolved_at, resolution from forum_reports
    where reporter_id = me order by created_at`,
  trust: `select c.cause, c.from_level, c.to_level, c.days, c.texts, c.removals, c.changed_at from member_trust_changes c
    where c.user_id = me order by c.number`,
  trustLevel: `select level, held, changed_at from member_trust where user_id = me`,
  images: `select bucket, name, status, width, height, bytes, created_at from media where owner_user_id = me order by created_at`,
  reactions: `select post_id, emoji_type, created_at from post_reactions where user_id = me order by created_at`,
  saved: `select project_id, candidate_id, next_project_id, notify, saved_at from saved_tokens
    where user_id = me order by saved_at`,
  notifications: `select n.kind, n.detail, n.data - 'submissionId' as data, n.post_id, n.gathered, n.created_at, n.changed_at, n.read_at
    from notifications n where n.user_id = me order by n.created_at`,
  notificationSettings: `select kind, in_app, mail, push, telegram from notification_settings where user_id = me order by kind`,
  notificationHours: `select locale, zone, quiet_from, quiet_to from notification_readers where user_id = me`,
  pushedBrowsers: `select id, split_part(endpoint, '/', 3) as service, created_at from push_subscriptions
    where user_id = me order by created_at`,
  telegramChat: `select bot_id, chat_id, name, linked_at from telegram_chats where user_id = me`,
  publicPage: `select show_page, show_votes, show_follows, show_created, changed_at from profile_settings where user_id = me`,
  restrictions: `select f.username, r.level, r.since from member_restrictions r
    left join forum_users f on f.new_auth_user_id = r.other_id where r.member_id = me order by r.since`,
  requests: `select id, membership_type, token_data, status, payment_status, owner_wallet_address, petitioner_email,
      petitioner_telegram, selected_network, plan_price_usd, furthest_step, delivered_address, created_at, updated_at
    from token_creation_submissions where user_id = me order by created_at`,
  payments: `select p.id, p.submission_id, p.order_id, p.plan, p.price_usd, p.state, p.pay_address, p.pay_amount, p.pay_currency,
      p.actually_paid, p.received_usd, p.simulation, p.created_at, p.confirmed_at
    from payments p join token_creation_submissions s on s.id = p.submission_id where s.user_id = me order by p.created_at`,
  refunds: `select r.number, r.submission_id, r.payment_id, r.cause, r.asset, r.decimals, r.amount, r.state,
      case when r.confirmed_at is null or r.state = 'sent' then r.address else left(r.address, 6) || '…' || right(r.address, 4) end
        as address, r.address_at, r.confirmed_at, r.transaction, r.sent_at, r.withdrawn_at, r.simulation, r.created_at
    from refund_cases r join token_creation_submissions s on s.id = r.submission_id where s.user_id = me order by r.created_at`,
  deliverables: `select d.submission_id, d.item, d.due_at, d.state, d.evidence_kind, d.evidence, d.done_at, d.withdrawn_at
    from deliverables d join token_creation_submissions s on s.id = d.submission_id where s.user_id = me
    order by d.submission_id, d.position`,
  proposals: `select p.submission_id, p.state, p.proposed_at, p.answered_at
    from token_proposals p join token_creation_submissions s on s.id = p.submission_id where s.user_id = me order by p.proposed_at`,
  publicationRequests: `select reference, status, answer, submitter_name, submitter_email, project_data, created_at, reviewed_at
    from project_submissions where lower(submitter_email) = (select email from users where id = me and email_verified) order by created_at`,
  submittedTokens: `select 'project' as kind, id, created_at from projects where submitted_by_user_id = me
    union all select 'next', id, created_at from next_projects where submitted_by_user_id = me order by created_at`,
  mails: `select template, locale, status, created_at, sent_at from mails
    where to_address = (select email from users where id = me and email_verified) order by created_at`,
  ownershipProofs: `select project_id, candidate_id, next_project_id, method, subject, state, started_at, proven_at, ended_at, end_reason
    from ownership_proofs where started_by = me order by started_at`,
  passkeys: `select id, name, backed_up, created_at, last_used_at from passkeys where user_id = me order by created_at`,
  wallets: `select id, family, address, linked_at, last_used_at from linked_wallets where user_id = me order by linked_at`,
  sessions: `select id, ip_address, user_agent, created_at, updated_at, last_used_at, expires_at from sessions
    where user_id = me order by created_at`,
  activity: `select at, action, resource_type, resource_id, before, after from audit_events
    where actor_id = me order by id`,
} as const;
