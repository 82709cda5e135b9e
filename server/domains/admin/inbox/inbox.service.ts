import { and, eq, isNull, or, SQL, sql } from 'drizzle-orm';
import { INBOX_HOURS, type InboxItem, type InboxSource, inboxSource } from '#contract/admin/inbox.ts';
import type { RemovalRule } from '#contract/domains/forum.ts';
import { ANSWER_DAYS, MANY_FOUND } from '#contract/limits.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { asMoment, asOneOf, asText, asTexts, orNull } from '#server/db/expressions.ts';
import { forumReports } from '#server/db/tables/forum.ts';
import { hideReported } from '#server/domains/forum/reports.service.ts';
import { IS_PART_PAID_OR_BACK } from '#server/domains/payments/orders/request-stage.service.ts';
import { UNPLACED } from '#server/domains/payments/unplaced.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { dropMail, reviveMail } from '#server/mail/mail.ts';
import type { Editor } from '#server/records/records.ts';
import { readQueueExists } from './inbox.sql.ts';
import { personOf, titleOf } from './inbox-about.service.ts';
import { isWorkOf, OF_TOKENS, type Worker } from './inbox-work.policy.ts';

/** Items per source in one response. */
const MAX_ITEMS = 200;

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
  // Stopped creations: not of a closed request, nor unsigned ones whose money is back, which nobody can resume.
  creation: sql`
    select c.submission_id::text, (c.snapshot ->> 'name') || ' (' || (c.snapshot ->> 'symbol') || ')',
      array_remove(array[c.state, c.network, c.problem], null), c.updated_at
    from token_creations c join token_creation_submissions t on t.id = c.submission_id where c.state in ('held', 'failed')
      and ${IS_OPEN} and (t.payment_stage <> 'refunded' or exists (select 1 from creation_attempts a where a.creation_id = c.id))`,
  // Problems that the signer reports for a network, and a signer that is offline while a token waits for it.
  chain: sql`
    select q.network, q.network, array[q.why], q.since
    from (
      select n.network,
        case when l.network is null then 'not_configured'
          when l.seen_at < now() - interval '60 seconds' then 'signer_offline'
          when l.state <> 'ready' then l.state
          when l.enough_for < n.unsigned then 'low_balance' end as why,
        n.waiting, coalesce(n.first, l.seen_at) as since
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
  // Each text by its oldest open report: these are read in the order of an index, only as many as are shown or counted.
  report: sql`
    select coalesce(q.post_id, q.comment_id)::text,
      left(coalesce((select title from forum_posts where id = q.post_id),
        (select content from forum_comments where id = q.comment_id), ''), 120),
      array[case when q.post_id is null then 'comment' else 'post' end, (
        select count(*) from forum_reports r
        where r.resolved_at is null and (r.post_id = q.post_id or r.comment_id = q.comment_id))::text] || array(
        select distinct r.reason from forum_reports r
        where r.resolved_at is null and (r.post_id = q.post_id or r.comment_id = q.comment_id)),
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
  // An unexplained difference between the money ledger and the provider.
  settlement: sql`
    select s.id::text, s.subject, array[s.kind, s.ours, s.theirs, s.asset], s.found_at
    from settlement_differences s where s.gone_at is null and s.explained_at is null`,
  // The token on the chain, or its files in the storage, differ from what was created; ends when a later reading is equal.
  reading: sql`
    select c.submission_id::text, (c.snapshot ->> 'name') || ' (' || (c.snapshot ->> 'symbol') || ')',
      array[c.network] || (select array_agg(distinct d) from unnest(n.differences) d), n.since
    from token_creations c join lateral (
      select array_agg(d) as differences, min(newest.read_at) as since
      from (select distinct on (r.what) r.what, r.outcome, r.differences, r.read_at from token_readings r
        where r.creation_id = c.id and r.outcome <> 'unanswered' order by r.what, r.read_at desc, r.id desc) newest,
        unnest(newest.differences) d
      where newest.outcome = 'different') n on n.differences is not null
    where c.state = 'completed'`,
  // The block explorer refuses the source of a contract, or has not answered in ten attempts (about 15 hours).
  source: sql`
    select c.submission_id::text, (c.snapshot ->> 'name') || ' (' || (c.snapshot ->> 'symbol') || ')',
      array[c.network, s.state], s.updated_at
    from contract_sources s join token_creations c on c.id = s.creation_id
    where s.state = 'refused' or (s.state in ('waiting', 'submitted') and s.tries >= 10)`,
};

/** The queue creates its tables when it first starts; before that no job can have failed. */
async function sourcesOf(db: Reader): Promise<readonly InboxSource[]> {
  const [queue] = await readQueueExists(db, {});
  return queue?.there ? inboxSource.options : inboxSource.options.filter((source) => source !== 'job');
}

/** The reader's sources among those that exist now. */
const sourcesFor = async (db: Reader, me: Pick<Worker, 'staffRoles'>): Promise<InboxSource[]> =>
  (await sourcesOf(db)).filter((source) => isWorkOf(me, source));

const NAMED = sql`w (item_id, title, details, since)`;

const partsOf = (source: InboxSource): readonly SQL[] => {
  const waiting = WAITING[source];
  return waiting instanceof SQL ? [waiting] : waiting;
};
const unionAll = (selects: readonly SQL[]) => sql.join([...selects], sql` union all `);

/** Columns of `itemsOf`. */
const ITEM = {
  source: sql`source`.mapWith(asOneOf(inboxSource.options)),
  id: sql`id`.mapWith(asText),
  title: sql`title`.mapWith(asText),
  details: sql`details`.mapWith(asTexts),
  /** Null for requests from before this time was stored. */
  since: sql`since`.mapWith(orNull(asMoment)),
  ownerId: sql`owner_id`.mapWith(orNull(asText)),
  ownerName: sql`owner_name`.mapWith(orNull(asText)),
  takenAt: sql`taken_at`.mapWith(orNull(asMoment)),
  personId: sql`person_id`.mapWith(orNull(asText)),
  personMailbox: sql`person_mailbox`.mapWith(orNull(asText)),
  personName: sql`person_name`.mapWith(orNull(asText)),
};
const readItems = (db: Reader, items: SQL) => db.select(ITEM).from(sql`(${items}) items`).orderBy(sql`since`, sql`id`);
type ItemRow = Awaited<ReturnType<typeof readItems>>[number];

const itemsOf = (source: InboxSource, filter: SQL) => {
  const parts = partsOf(source).map(
    (waiting) => sql`
    (select w.*, o.owner_id, o.taken_at from (${waiting}) as ${NAMED}
     left join inbox_owners o on o.source = ${source} and o.item_id = w.item_id
     where ${filter} order by w.since limit ${MAX_ITEMS})`,
  );
  return sql`
  (select ${source}::text as source, w.item_id as id, a.title, a.details, w.since, w.owner_id, w.taken_at,
     coalesce(f.username, left(u.id::text, 8)) as owner_name,
     person.person_id, person.mailbox as person_mailbox, person.name as person_name
   from (select * from (${unionAll(parts)}) parts order by since limit ${MAX_ITEMS}) w
   cross join lateral (${titleOf(source)}) a
   left join lateral (${personOf(source)}) person on true
   left join users u on u.id = w.owner_id left join forum_users f on f.new_auth_user_id = u.id)`;
};

function itemOf({
  ownerId,
  ownerName,
  takenAt,
  personId,
  personMailbox: mailbox,
  personName: name,
  ...row
}: ItemRow): InboxItem {
  const since = row.since ?? new Date(0);
  const days = ANSWER_DAYS[row.source as keyof typeof ANSWER_DAYS] as number | undefined;
  return {
    ...row,
    details: row.details.filter(Boolean),
    since: since.toISOString(),
    dueAt: days === undefined ? null : new Date(since.getTime() + days * 86_400_000).toISOString(),
    owner: ownerId === null ? null : { id: ownerId, name: ownerName ?? '', since: (takenAt ?? since).toISOString() },
    person: name ? { id: personId, mailbox, name } : null,
  };
}

/** Waiting items of the reader's work, oldest first. */
export async function listInbox(
  db: Reader,
  me: Worker,
  { source, mine }: { source?: InboxSource | undefined; mine: 'yes' | 'no' | 'all' },
): Promise<{ items: InboxItem[]; counts: Counts }> {
  const filter = mine === 'yes' ? sql`o.owner_id = ${me.id}` : mine === 'no' ? sql`o.item_id is null` : sql`true`;
  const there = await sourcesFor(db, me);
  const wanted = there.filter((one) => source === undefined || one === source);
  const [found, counts] = await Promise.all([
    wanted.length === 0 ? [] : readItems(db, unionAll(wanted.map((one) => itemsOf(one, filter)))),
    countBySource(db, me, there),
  ]);
  return { items: found.map(itemOf), counts };
}

/** Items that have waited longer than their source permits, longest first. */
export async function overdueItems(
  db: Reader,
  now: Date,
): Promise<{ source: InboxSource; id: string; title: string; since: Date }[]> {
  const items = (await sourcesOf(db)).map((source) => {
    const until = new Date(now.getTime() - INBOX_HOURS[source] * 3_600_000).toISOString();
    return itemsOf(source, sql`w.since <= ${until}`);
  });
  const found = items.length === 0 ? [] : await readItems(db, unionAll(items));
  return found.flatMap(({ source, id, title, since }) => (since ? [{ source, id, title, since }] : []));
}

type Counts = Partial<Record<InboxSource, number>>;

/** Number of waiting items per source of the reader, at most MANY_FOUND + 1. */
export const inboxCounts = async (db: Reader, me: Pick<Worker, 'staffRoles'>): Promise<Counts> =>
  countBySource(db, me, await sourcesFor(db, me));

async function countBySource(
  db: Reader,
  me: Pick<Worker, 'staffRoles'>,
  there: readonly InboxSource[],
): Promise<Counts> {
  if (there.length === 0) return {};
  const counts = await countWaiting(db, there, 'all');
  const theirs = inboxSource.options.filter((source) => isWorkOf(me, source));
  return Object.fromEntries(theirs.map((source) => [source, counts[source] ?? 0]));
}

/** Number of waiting items per source, at most MANY_FOUND + 1: beyond that nobody has to know how many wait. */
async function countWaiting(db: Reader, sources: readonly InboxSource[], which: 'all' | 'unclaimed'): Promise<Counts> {
  const condition = (source: InboxSource) =>
    which === 'all'
      ? sql`true`
      : sql`not exists (select 1 from inbox_owners o where o.source = ${source} and o.item_id = w.item_id)`;
  const waiting = sources.flatMap((source) =>
    partsOf(source).map(
      (part) => sql`select ${source}::text as source, count(*) as n from (select 1 from (${part}) as ${NAMED}
        where ${condition(source)} limit ${MANY_FOUND + 1}) bounded`,
    ),
  );
  const rows = await db
    .select({ source: ITEM.source, n: sql`least(sum(n), ${MANY_FOUND + 1}::int)`.mapWith(Number) })
    .from(sql`(${unionAll(waiting)}) counts`)
    .groupBy(sql`source`);
  return Object.fromEntries(rows.map(({ source, n }) => [source, n]));
}

/**
 * Number of waiting items of the reader's work, how many of them are unclaimed, and how many are about token orders. Each is exact up
 * to MANY_FOUND; a larger one only says that there are more.
 */
export async function countInbox(
  db: Reader,
  me: Pick<Worker, 'staffRoles'>,
): Promise<{ all: number; free: number; tokens: number }> {
  const there = await sourcesFor(db, me);
  if (there.length === 0) return { all: 0, free: 0, tokens: 0 };
  const [all, free] = await Promise.all([countWaiting(db, there, 'all'), countWaiting(db, there, 'unclaimed')]);
  const sum = (counts: Counts, of = there) => of.reduce((n, source) => n + (counts[source] ?? 0), 0);
  return {
    all: sum(all),
    free: sum(free),
    tokens: sum(
      all,
      OF_TOKENS.filter((source) => there.includes(source)),
    ),
  };
}

/** One item that waits. @throws NOT_FOUND when it does not (any more). */
export async function findItem(db: Reader, source: InboxSource, id: string): Promise<InboxItem> {
  if (!(await sourcesOf(db)).includes(source)) return fail('NOT_FOUND', { what: 'item' });
  const [row] = await readItems(db, itemsOf(source, sql`w.item_id = ${id}`));
  return row ? itemOf(row) : fail('NOT_FOUND', { what: 'item' });
}

/** Resolves all open reports of a post or comment. @throws NOT_FOUND when there are none. */
export async function resolveReport(
  db: Db,
  jobs: JobQueue,
  by: Editor,
  me: { id: string },
  {
    id,
    decision,
    rule,
    reason,
  }: { id: string; decision: 'kept' | 'hidden'; rule?: RemovalRule | undefined; reason: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await tx
      .update(forumReports)
      .set({ resolvedAt: by.now, resolvedBy: me.id, resolution: decision })
      .where(and(isNull(forumReports.resolvedAt), or(eq(forumReports.postId, id), eq(forumReports.commentId, id))))
      .returning({ postId: forumReports.postId });
    const [first] = rows;
    if (!first) return fail('NOT_FOUND', { what: 'report' });
    const what = first.postId ? 'post' : 'comment';
    if (decision === 'hidden') {
      const moderating = { jobs, by: { id: me.id, role: 'admin' as const }, now: by.now };
      await hideReported(tx, moderating, { what, id }, { rule: rule ?? fail('NOT_VALID'), reason });
    }
    await audit(tx, by.actor, {
      action: `${what}.report_${decision}`,
      resourceType: what,
      resourceId: id,
      after: { reports: rows.length },
      ...(reason ? { reason } : {}),
    });
  });
}

/**
 * Retries a failed job, or gives it up. The mail of a failed job is then sent, or deleted with its content.
 *
 * @throws NOT_FOUND when the job is not failed (any more), or its mail was deleted with the account.
 * @throws MAIL_EXPIRED when the mail's link or code has expired.
 */
export async function settleJob(
  db: Db,
  jobs: JobQueue,
  by: Editor,
  { id, decision }: { id: string; decision: 'retry' | 'discard' },
): Promise<void> {
  await jobs.start();
  await db.transaction(async (tx) => {
    const [job] = await tx
      .select({ name: sql`name`.mapWith(asText), mail: sql`data ->> 'mailId'`.mapWith(orNull(asText)) })
      .from(sql`jobs.job`)
      .where(sql`id = ${id} and state = 'failed'`)
      .for('update');
    const { name, mail } = job ?? fail('NOT_FOUND', { what: 'job' });
    if (name === 'send-mail' && mail) {
      if (decision === 'discard') await dropMail(tx, mail);
      else await reviveMail(tx, mail, by.now);
    }
    await jobs.settle(tx, name, id, decision);
    await audit(tx, by.actor, {
      action: decision === 'retry' ? 'job.retried' : 'job.discarded',
      resourceType: 'job',
      resourceId: id,
      before: { name },
    });
  });
}
