import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { INBOX_HOURS, type InboxItem, type InboxSource, inboxSource } from '#contract/admin/inbox.ts';
import type { RemovalRule } from '#contract/domains/forum.ts';
import { ANSWER_DAYS, MANY_FOUND } from '#contract/limits.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { asMoment, asOneOf, asText, asTexts, orNull } from '#server/db/expressions.ts';
import { forumReports } from '#server/db/tables/forum.ts';
import { inboxOwners } from '#server/db/tables/inbox.ts';
import { othersDecide, requireAnothersText } from '#server/domains/forum/own-texts.service.ts';
import { hideReported, resolveReportsOf } from '#server/domains/forum/reports.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { dropMail, reviveMail } from '#server/mail/mail.ts';
import type { Editor } from '#server/records/records.ts';
import { readQueueExists } from './inbox.sql.ts';
import { personOf, titleOf } from './inbox-about.service.ts';
import { NAMED, partsOf, unionAll } from './inbox-waiting.ts';
import { isWorkOf, OF_TOKENS, type Worker } from './inbox-work.policy.ts';

/** Items per source in one response: of one source alone, and of each where all are listed, which 1,000 items made slow. */
const MAX_ITEMS = 200;
const MAX_OF_EACH = 50;

/** The queue creates its tables when it first starts; before that no job can have failed. */
async function sourcesOf(db: Reader): Promise<readonly InboxSource[]> {
  const [queue] = await readQueueExists(db, {});
  return queue?.there ? inboxSource.options : inboxSource.options.filter((source) => source !== 'job');
}

/** The reader's sources among those that exist now. */
const sourcesFor = async (db: Reader, me: Pick<Worker, 'staffRoles'>): Promise<InboxSource[]> =>
  (await sourcesOf(db)).filter((source) => isWorkOf(me, source));

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

const itemsOf = (source: InboxSource, filter: SQL, max = MAX_ITEMS) => {
  const parts = partsOf(source).map(
    (waiting) => sql`
    (select w.*, o.owner_id, o.taken_at from (${waiting}) as ${NAMED}
     left join inbox_owners o on o.source = ${source} and o.item_id = w.item_id
     where ${filter} order by w.since limit ${max})`,
  );
  return sql`
  (select ${source}::text as source, w.item_id as id, a.title, a.details, w.since, w.owner_id, w.taken_at,
     coalesce(f.username, left(u.id::text, 8)) as owner_name,
     person.person_id, person.mailbox as person_mailbox, person.name as person_name
   from (select * from (${unionAll(parts)}) parts order by since limit ${max}) w
   cross join lateral (${titleOf(source)}) a
   left join lateral (${personOf(source)}) person on true
   left join users u on u.id = w.owner_id left join forum_users f on f.new_auth_user_id = u.id)`;
};

/** Detail of a report that its reader may not decide, because the text is their own. */
const OWN_TEXT = 'own_text';

function itemOf(
  { ownerId, ownerName, takenAt, personId, personMailbox: mailbox, personName: name, ...row }: ItemRow,
  own = false,
): InboxItem {
  const since = row.since ?? new Date(0);
  const days = ANSWER_DAYS[row.source as keyof typeof ANSWER_DAYS] as number | undefined;
  return {
    ...row,
    details: [...row.details.filter(Boolean), ...(own ? [OWN_TEXT] : [])],
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
  const max = source === undefined ? MAX_OF_EACH : MAX_ITEMS;
  const [found, counts] = await Promise.all([
    wanted.length === 0 ? [] : readItems(db, unionAll(wanted.map((one) => itemsOf(one, filter, max)))),
    countBySource(db, me, there),
  ]);
  const isOwn = ({ source, personId }: ItemRow) => source === 'report' && personId === me.id;
  const others = found.some(isOwn) && (await othersDecide(db, [me.id]));
  return { items: found.map((row) => itemOf(row, others && isOwn(row))), counts };
}

/**
 * Items that have waited longer than their source permits and of which staff was not notified since then, longest first; at most
 * MAX_ITEMS of a source, so that the next call returns the rest.
 */
export async function overdueItems(
  db: Reader,
  now: Date,
): Promise<{ source: InboxSource; id: string; title: string; since: Date }[]> {
  const items = (await sourcesOf(db)).map((source) => {
    const until = new Date(now.getTime() - INBOX_HOURS[source] * 3_600_000).toISOString();
    // Notices store the time of their item without microseconds.
    const isNotified = sql`exists (select 1 from staff_notices s where s.source = ${source} and s.item_id = w.item_id
      and s.since >= date_trunc('milliseconds', w.since))`;
    return itemsOf(source, sql`w.since <= ${until} and not ${isNotified}`);
  });
  const found = items.length === 0 ? [] : await readItems(db, unionAll(items));
  return found.flatMap(({ source, id, title, since }) => (since ? [{ source, id, title, since }] : []));
}

/**
 * Drops the claims of items that do not wait any more: a later one with the same id, such as new reports of a text, is unclaimed.
 *
 * @returns their number.
 */
export async function dropEndedClaims(db: Db): Promise<number> {
  const there = await sourcesOf(db);
  const { source: of, itemId } = inboxOwners;
  return db.transaction(
    async (tx) => {
      const claimed = await tx.selectDistinct({ source: of }).from(inboxOwners);
      let dropped = 0;
      for (const source of there.filter((one) => claimed.some((claim) => claim.source === one))) {
        const ended = partsOf(source).map(
          (part) => sql`not exists (select 1 from (${part}) as ${NAMED} where w.item_id = ${itemId})`,
        );
        const { rowCount } = await tx.delete(inboxOwners).where(and(eq(of, source), ...ended));
        dropped += rowCount ?? 0;
      }
      return dropped;
    },
    { work: 'job' },
  );
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

/** Number of waiting items per source, at most MANY_FOUND + 1: beyond that the exact number is not needed. */
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

/**
 * Resolves all open reports of a post or comment.
 *
 * @throws NOT_FOUND when there are none. @throws OWN_TEXT for the author of the text, while somebody else on the team can.
 */
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
    await requireAnothersText(tx, me.id, { what, id });
    let reports = rows.length;
    if (decision === 'hidden') {
      const moderating = { jobs, by: { id: me.id, role: 'admin' as const }, now: by.now };
      await hideReported(tx, moderating, { what, id }, { rule: rule ?? fail('NOT_VALID'), reason });
      // A concurrent report locks the text until its commit, so the statement above did not see it.
      reports += await resolveReportsOf(tx, { what, id }, 'hidden', { id: me.id, now: by.now });
    }
    await audit(tx, by.actor, {
      action: `${what}.report_${decision}`,
      resourceType: what,
      resourceId: id,
      after: { reports },
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
