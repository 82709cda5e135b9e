import { desc, eq, getTableColumns, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { SettlementDifference, SettlementRun } from '#contract/admin/settlement.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { payments } from '#server/db/tables/payments.ts';
import { settlementDifferences, settlementRuns } from '#server/db/tables/settlement.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { type ListQuery, listRecords } from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';

/** Maximum number of runs in a response. */
const MAX_RUNS = 30;
const nameOf = sql`coalesce(${forumUsers.username}, ${users.email})`.mapWith(orNull(asText));
const iso = (moment: Date | null) => moment?.toISOString() ?? null;

async function nameOfMember(tx: Reader, id: string): Promise<string | null> {
  const [row] = await tx
    .select({ name: nameOf })
    .from(users)
    .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
    .where(eq(users.id, id));
  return row?.name ?? null;
}

/** The last runs, newest first. */
export async function listRuns(db: Reader): Promise<SettlementRun[]> {
  const rows = await db
    .select({ run: settlementRuns, name: nameOf })
    .from(settlementRuns)
    .leftJoin(users, eq(users.id, settlementRuns.requestedBy))
    .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
    .orderBy(desc(settlementRuns.startedAt), desc(settlementRuns.id))
    .limit(MAX_RUNS);
  return rows.map(({ run: { id, state, deposits, found, differences, startedAt, finishedAt }, name }) => ({
    id,
    state,
    deposits,
    found,
    differences,
    startedAt: startedAt.toISOString(),
    finishedAt: iso(finishedAt),
    requestedBy: name,
  }));
}

interface DifferencesQuery extends ListQuery {
  state?: 'open' | 'explained' | 'gone' | undefined;
}

const STATES = {
  open: sql`d.gone_at is null and d.explained_at is null`,
  explained: sql`d.gone_at is null and d.explained_at is not null`,
  gone: sql`d.gone_at is not null`,
};

/** Differences, for the back office; `q` is the beginning of their subject, or of the number of their order. */
export function listDifferences(
  db: Reader,
  input: DifferencesQuery,
): Promise<{ rows: SettlementDifference[]; total: number }> {
  const terms = cleanText(input.q, 'line');
  return listRecords(
    db,
    input,
    {
      from: sql`from settlement_differences d`,
      where: [
        input.state && STATES[input.state],
        terms
          ? sql`(starts_with(d.subject, ${terms}) or d.payment_id in
              (select p.id from payments p where starts_with(p.order_id, ${terms.toUpperCase()})))`
          : undefined,
      ],
      sorts: { foundAt: sql`d.found_at` },
      notNull: ['foundAt'],
      tieBreaker: sql`d.id`,
      id: sql`d.id`,
    },
    async ({ where, orderBy }) => {
      const d = alias(settlementDifferences, 'd');
      const rows = await db
        .select({ row: getTableColumns(d), orderId: payments.orderId, name: nameOf })
        .from(d)
        .leftJoin(payments, eq(payments.id, d.paymentId))
        .leftJoin(users, eq(users.id, d.explainedBy))
        .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
        .where(where)
        .orderBy(orderBy);
      return rows.map(({ row, orderId, name }) => ({
        id: row.id,
        version: row.version,
        kind: row.kind,
        subject: row.subject,
        orderId,
        asset: row.asset,
        ours: row.ours,
        theirs: row.theirs,
        foundAt: row.foundAt.toISOString(),
        seenAt: row.seenAt.toISOString(),
        goneAt: iso(row.goneAt),
        explainedAt: iso(row.explainedAt),
        explainedBy: name,
        reason: row.reason,
      }));
    },
  );
}

/** Queues a settlement run in the background. */
export const requestSettlementRun = (db: Db, jobs: JobQueue, by: Editor, me: { id: string }): Promise<void> =>
  db.transaction(async (tx) => {
    await jobs.enqueue(tx, 'settle-money', { by: me.id });
    await audit(tx, by.actor, { action: 'settlement.asked', resourceType: 'settlement', resourceId: null });
  });

/**
 * Stores the explanation of a difference.
 *
 * @throws NOT_FOUND, VERSION_CONFLICT when it changed or was explained meanwhile, ALREADY_DONE when it no longer exists
 */
export const explainDifference = (
  db: Db,
  by: Editor,
  me: { id: string },
  { id, version, reason }: { id: string; version: number; reason: string },
): Promise<void> =>
  db.transaction(async (tx) => {
    const [row] = await tx.select().from(settlementDifferences).where(eq(settlementDifferences.id, id)).for('update');
    if (!row) return fail('NOT_FOUND', { what: 'difference' });
    if (row.goneAt) return fail('ALREADY_DONE');
    if (row.version !== version)
      return fail('VERSION_CONFLICT', {
        version: row.version,
        current: { reason: row.reason ?? '', ours: row.ours, theirs: row.theirs },
        by: row.explainedBy && (await nameOfMember(tx, row.explainedBy)),
        at: (row.explainedAt ?? row.seenAt).toISOString(),
        byProvider: !row.explainedAt,
      });
    await tx
      .update(settlementDifferences)
      .set({ explainedAt: by.now, explainedBy: me.id, reason: cleanText(reason, 'text'), version: row.version + 1 })
      .where(eq(settlementDifferences.id, id));
    await publishChange(tx, 'tokenRequests');
    const { kind, subject, ours, theirs } = row;
    await audit(tx, by.actor, {
      action: 'settlement.explained',
      resourceType: 'settlement',
      resourceId: id,
      after: { cause: kind, what: subject, ours, theirs },
      reason,
    });
  });
