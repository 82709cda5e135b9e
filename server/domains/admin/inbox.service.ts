import { type SQL, sql } from 'drizzle-orm';
import type { AuditAction } from '#contract/admin/audit-actions.ts';
import { type InboxItem, type InboxSource, inboxSource } from '#contract/admin/inbox.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { hideReported } from '#server/domains/forum/reports.service.ts';
import { UNPLACED } from '#server/domains/payments/unplaced.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type AuditFields, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/fail.ts';
import { dropMail, reviveMail } from '#server/mail/mail.ts';
import { iso } from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';

/** Items of one source in one answer. */
const MAX_ITEMS = 200;

/**
 * What waits, by source: item_id, title, details, since. An item is there as long as its cause is, so nothing here can be
 * forgotten open or closed by mistake.
 */
const WAITING: Record<InboxSource, SQL> = {
  payment: sql`
    select p.id::text as item_id, p.order_id as title, array[p.state] || p.attention as details, p.updated_at as since
    from payments p where p.attention <> '{}'`,
  unplaced: sql`
    select u.provider_payment_id, coalesce(u.order_id, u.provider_payment_id), array_remove(array[
        (u.deposit ->> 'actuallyPaid') || ' ' || upper(coalesce(u.deposit ->> 'payCurrency', ''))], null), u.first_seen_at
    from unplaced_payments u where ${UNPLACED}`,
  // A creation takes its request out: it is done, under way, or waits as an item of its own. So does closing it, until money
  // comes afterwards.
  request: sql`
    select t.id::text, coalesce(nullif(t.token_data->>'tokenName', ''), upper(t.membership_type)),
      array_remove(array[upper(t.membership_type), t.selected_network], null), t.updated_at
    from token_creation_submissions t where t.payment_status = 'completed'
      and (t.closed_at is null or exists (select 1 from payments p where p.submission_id = t.id
        and greatest(p.confirmed_at, p.receipt_at) > t.closed_at))
      and not exists (select 1 from token_creations c where c.submission_id = t.id)`,
  creation: sql`
    select c.submission_id::text, (c.snapshot ->> 'name') || ' (' || (c.snapshot ->> 'symbol') || ')',
      array_remove(array[c.state, c.network, c.problem], null), c.updated_at
    from token_creations c where c.state in ('held', 'failed')`,
  // What the signer says of a network, and that it says nothing while somebody's token waits for it.
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
          union all select network, seen_at, false, false from chain_lanes) all_networks
        group by network) n
      left join chain_lanes l on l.network = n.network
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
  report: sql`
    select coalesce(q.post_id, q.comment_id)::text,
      left(coalesce((select title from forum_posts where id = q.post_id),
        (select content from forum_comments where id = q.comment_id), ''), 120),
      array[case when q.post_id is null then 'comment' else 'post' end, q.reports::text] || array(
        select distinct r.reason from forum_reports r
        where r.resolved_at is null and (r.post_id = q.post_id or r.comment_id = q.comment_id)),
      q.since
    from (select post_id, comment_id, count(*) as reports, min(created_at) as since from forum_reports
      where resolved_at is null group by post_id, comment_id) q`,
  job: sql`
    select j.id::text, j.name, array_remove(array[coalesce(left(j.output->>'message', 200), ''), m.why], null),
      coalesce(j.completed_on, j.created_on)
    from jobs.job j left join lateral (
      select case when status = 'expired' or (data ->> 'until')::timestamptz <= now() then 'mail_expired' end as why
      from mails where j.name = 'send-mail' and id::text = j.data ->> 'mailId') m on true
    where j.state = 'failed'`,
  // Past its date and not done.
  deliverable: sql`
    select d.id::text, p.order_id, array[d.item, p.plan], d.due_at
    from deliverables d join payments p on p.id = d.payment_id where d.state = 'open' and d.due_at <= now()`,
  // Its payer confirmed where it goes: somebody has to send it.
  refund: sql`
    select r.id::text, r.number, array[r.state, p.order_id], r.updated_at
    from refund_cases r join payments p on p.id = r.payment_id where r.state = 'ready'`,
};

/** The queue makes its tables when it first starts; before that no job can have failed. */
async function sourcesOf(db: Reader): Promise<readonly InboxSource[]> {
  const { rows } = await db.execute<{ there: boolean }>(sql`select to_regclass('jobs.job') is not null as there`);
  return rows[0]?.there ? inboxSource.options : inboxSource.options.filter((source) => source !== 'job');
}

const NAMED = sql`w (item_id, title, details, since)`;

interface ItemRow extends Record<string, unknown> {
  source: InboxSource;
  id: string;
  title: string;
  details: string[];
  since: string;
  owner_id: string | null;
  owner_name: string | null;
  taken_at: string | null;
}

const itemsOf = (source: InboxSource, filter: SQL) => sql`
  (select ${source}::text as source, w.item_id as id, w.title, w.details, w.since, o.owner_id, o.taken_at,
     coalesce(f.username, u.email) as owner_name
   from (${WAITING[source]}) as ${NAMED}
   left join inbox_owners o on o.source = ${source} and o.item_id = w.item_id
   left join users u on u.id = o.owner_id left join forum_users f on f.new_auth_user_id = u.id
   where ${filter} order by w.since limit ${MAX_ITEMS})`;

const itemOf = (row: ItemRow): InboxItem => ({
  source: row.source,
  id: row.id,
  title: row.title,
  details: row.details.filter(Boolean),
  since: iso(row.since),
  owner:
    row.owner_id === null
      ? null
      : { id: row.owner_id, name: row.owner_name ?? '', since: iso(row.taken_at ?? row.since) },
});

/** What waits, oldest first. */
export async function listInbox(
  db: Reader,
  me: { id: string },
  { source, mine }: { source?: InboxSource | undefined; mine: 'yes' | 'no' | 'all' },
): Promise<{ items: InboxItem[]; counts: Record<InboxSource, number> }> {
  const filter = mine === 'yes' ? sql`o.owner_id = ${me.id}` : mine === 'no' ? sql`o.item_id is null` : sql`true`;
  const there = await sourcesOf(db);
  const wanted = there.filter((one) => source === undefined || one === source);
  const [found, counts] = await Promise.all([
    wanted.length === 0
      ? []
      : db
          .execute<ItemRow>(
            sql`select * from (${sql.join(
              wanted.map((one) => itemsOf(one, filter)),
              sql` union all `,
            )}) items order by since, id`,
          )
          .then(({ rows }) => rows),
    countBySource(db, there),
  ]);
  return { items: found.map(itemOf), counts };
}

async function countBySource(db: Reader, there: readonly InboxSource[]): Promise<Record<InboxSource, number>> {
  const { rows } = await db.execute<{ source: InboxSource; n: number }>(
    sql.join(
      there.map(
        (source) => sql`select ${source}::text as source, count(*)::int as n from (${WAITING[source]}) as ${NAMED}`,
      ),
      sql` union all `,
    ),
  );
  const counts = Object.fromEntries(rows.map(({ source, n }) => [source, n]));
  return Object.fromEntries(inboxSource.options.map((source) => [source, counts[source] ?? 0])) as Record<
    InboxSource,
    number
  >;
}

/** What waits of the orders of tokens: money to look at, paid requests without a token, creations that stopped. */
const OF_TOKENS: readonly InboxSource[] = ['payment', 'unplaced', 'request', 'creation', 'deliverable', 'refund'];

/** How many items wait, how many of them nobody took, and how many are about orders of tokens. */
export async function countInbox(db: Reader): Promise<{ all: number; free: number; tokens: number }> {
  const there = await sourcesOf(db);
  const { rows } = await db.execute<{ all: number; free: number; tokens: number }>(sql`
    select count(*)::int as all, (count(*) filter (where o.owner_id is null))::int as free,
      (count(*) filter (where i.source = any (${sql.param([...OF_TOKENS])})))::int as tokens from (${sql.join(
        there.map((source) => sql`select ${source}::text as source, w.item_id from (${WAITING[source]}) as ${NAMED}`),
        sql` union all `,
      )}) i left join inbox_owners o on o.source = i.source and o.item_id = i.item_id`);
  return rows[0] ?? { all: 0, free: 0, tokens: 0 };
}

async function findItem(db: Reader, source: InboxSource, id: string): Promise<InboxItem> {
  if (!(await sourcesOf(db)).includes(source)) return fail('NOT_FOUND', { what: 'item' });
  const { rows } = await db.execute<ItemRow>(itemsOf(source, sql`w.item_id = ${id}`));
  return rows[0] ? itemOf(rows[0]) : fail('NOT_FOUND', { what: 'item' });
}

/**
 * Takes an item; taking one's own again changes nothing.
 *
 * @throws NOT_FOUND when it does not wait (any more). @throws TAKEN by a colleague, of two at once the later one.
 */
export function takeItem(db: Db, by: Editor, me: { id: string }, source: InboxSource, id: string): Promise<InboxItem> {
  return db.transaction(async (tx) => {
    const item = await findItem(tx, source, id);
    if (item.owner?.id === me.id) return item;
    const { rowCount } = await tx.execute(sql`
      insert into inbox_owners (source, item_id, owner_id, taken_at)
      values (${source}, ${id}, ${me.id}, ${by.now.toISOString()}) on conflict do nothing`);
    const taken = await findItem(tx, source, id);
    if (rowCount === 0) fail('TAKEN', { by: taken.owner?.name ?? '' });
    await note(tx, by, 'inbox.taken', source, id);
    return taken;
  });
}

/** Lets go of an item, also of a colleague's who is away. @throws NOT_FOUND */
export function releaseItem(db: Db, by: Editor, source: InboxSource, id: string): Promise<InboxItem> {
  return db.transaction(async (tx) => {
    await findItem(tx, source, id);
    const { rows } = await tx.execute<{ owner_id: string }>(
      sql`delete from inbox_owners where source = ${source} and item_id = ${id} returning owner_id`,
    );
    const free = await findItem(tx, source, id);
    if (rows[0]) await note(tx, by, 'inbox.released', source, id, { ownerId: rows[0].owner_id });
    return free;
  });
}

const note = (tx: Tx, by: Editor, action: AuditAction, source: InboxSource, id: string, before?: AuditFields) =>
  audit(tx, by.actor, { action, resourceType: source, resourceId: id, before });

/** Answers all open reports of a post or comment. @throws NOT_FOUND when there are none. */
export async function resolveReport(
  db: Db,
  by: Editor,
  me: { id: string },
  { id, decision, reason }: { id: string; decision: 'kept' | 'hidden'; reason: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ post_id: string | null }>(sql`
      update forum_reports set resolved_at = ${by.now.toISOString()}, resolved_by = ${me.id}, resolution = ${decision}
      where resolved_at is null and (post_id = ${id} or comment_id = ${id}) returning post_id`);
    const [first] = rows;
    if (!first) return fail('NOT_FOUND', { what: 'report' });
    const what = first.post_id ? 'post' : 'comment';
    if (decision === 'hidden') await hideReported(tx, what, id, me.id, by.now);
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
 * Runs a failed job once more, or gives it up. A mail that was given up is sent then, or forgotten with what it says.
 *
 * @throws NOT_FOUND when it did not fail, or no longer, or its mail is gone with the account.
 * @throws MAIL_EXPIRED when the mail's link or code has ended.
 */
export async function settleJob(
  db: Db,
  jobs: JobQueue,
  by: Editor,
  { id, decision }: { id: string; decision: 'retry' | 'discard' },
): Promise<void> {
  await jobs.start();
  await db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ name: string; mail: string | null }>(
      sql`select name, data ->> 'mailId' as mail from jobs.job where id = ${id} and state = 'failed' for update`,
    );
    const { name, mail } = rows[0] ?? fail('NOT_FOUND', { what: 'job' });
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
