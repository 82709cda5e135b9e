import { and, asc, eq, inArray, isNull, lte, not, notExists, sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/client.ts';
import { deliverables } from '#server/db/tables/deliverables.ts';
import { payments } from '#server/db/tables/payments.ts';
import { tokenCreations } from '#server/db/tables/token-creations.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { findPayments, isPaid, lockRequest } from '#server/domains/payments/facts/record.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { audit } from '#server/lib/audit.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import { publishChange } from '#server/live/publish.ts';
import {
  createOrEndDeliverables,
  deliverTokenItems,
  SYSTEM,
  setTokenDates,
  TOKEN_ITEMS,
} from './deliverables.service.ts';
import { notifyOfDeliverables } from './mails.ts';
import { settlePlaces } from './places.service.ts';

interface ServiceContext {
  db: Db;
  jobs: JobQueue;
  secret: string;
  now: Date;
}

/** Requests per run of each part. */
const BATCH_SIZE = 50;

/**
 * Updates that no user action triggers: deliverables of orders that were paid before deliverables existed, tokens that the signer created, ended
 * sold places, and missed dates.
 *
 * A request that fails blocks neither the others nor the next part.
 *
 * @returns the number of requests, and places, that each part changed.
 * @throws the failures, after all were processed.
 */
export async function watchDeliverables(
  context: ServiceContext,
): Promise<{ begun: number; made: number; ended: number; late: number }> {
  const done = { begun: 0, made: 0, ended: 0, late: 0 };
  await runEachSettled(
    [
      async () => {
        done.begun = await beginOlder(context);
      },
      async () => {
        done.made = await updateForCreatedTokens(context);
      },
      async () => {
        done.ended = await settlePlaces(context);
      },
      async () => {
        done.late = await notifyLate(context);
      },
    ],
    (part) => part(),
  );
  return done;
}

/**
 * Condition: all money of a payment is one deposit, not more than its price, and version 0.2.0 noted its refund: the team sent it back by hand,
 * as the provider does not report it as returned. Later versions note only deposits that the provider returned.
 */
const IS_BACK_BY_HAND = sql`(${payments.state} <> 'overpaid' and (
  select count(*) = 1 and bool_and(coalesce((${payments.knownFacts} -> 'refundsNoted') ? seen.id, false))
  from jsonb_each(${payments.knownFacts} -> 'deposits') seen(id, deposit)
  where coalesce((seen.deposit ->> 'actuallyPaid')::numeric, 0) > 0))`;

/** Creates deliverables for orders that an earlier version recorded as paid, or that were paid while their request was closed. */
async function beginOlder({ db, now }: ServiceContext): Promise<number> {
  const found = await db
    .select({ id: payments.id, requestId: payments.submissionId })
    .from(payments)
    .innerJoin(tokenCreationSubmissions, eq(tokenCreationSubmissions.id, payments.submissionId))
    .where(
      and(
        inArray(payments.state, ['paid', 'overpaid', 'paid_late', 'partially_paid']),
        isNull(tokenCreationSubmissions.closedAt),
        // Nothing is owed for money that the team sent back, nor for a part that nobody accepted.
        sql`payment_stage(${payments.id}, ${payments.state}, ${payments.knownFacts}) in ('paid', 'accepted')`,
        not(IS_BACK_BY_HAND),
        // Deliverables that ended because their money went back do not count: what was paid since needs new ones.
        notExists(
          db
            .select({ one: sql`1` })
            .from(deliverables)
            .where(
              and(
                eq(deliverables.submissionId, payments.submissionId),
                sql`${deliverables.withdrawnCause} is distinct from 'refunded'`,
              ),
            ),
        ),
      ),
    )
    .orderBy(asc(payments.createdAt))
    .limit(BATCH_SIZE);
  let begun = 0;
  await runEachSettled(found, async ({ id, requestId }) => {
    begun += await db.transaction(async (tx) => {
      await lockRequest(tx, requestId);
      const [row] = await findPayments(tx, sql`id = ${id}`, true);
      if (!row || !isPaid(row)) return 0;
      const { plan, manualDays } = row;
      const at = row.receiptAt ?? row.confirmedAt ?? now;
      await createOrEndDeliverables(tx, {
        requestId,
        paymentId: id,
        plan,
        manualDays,
        paid: true,
        returned: false,
        at,
      });
      await markPassedDates(tx, requestId, now);
      return 1;
    });
  });
  return begun;
}

/**
 * Excludes dates that had passed before the deliverables of an order were created from the mails about late ones: an earlier version recorded
 * no delivery, so what is due may have been delivered long ago. The inbox has these deliverables. Dates that count from a token are set first.
 */
async function markPassedDates(tx: Tx, requestId: string, now: Date): Promise<void> {
  const [creation] = await tx
    .select({ completedAt: tokenCreations.completedAt })
    .from(tokenCreations)
    .where(and(eq(tokenCreations.submissionId, requestId), eq(tokenCreations.state, 'completed')));
  if (creation) await setTokenDates(tx, requestId, creation.completedAt ?? now);
  await tx
    .update(deliverables)
    .set({ lateNoticeAt: now })
    .where(and(eq(deliverables.submissionId, requestId), eq(deliverables.state, 'open'), lte(deliverables.dueAt, now)));
}

/** For tokens that are on their chain now: items delivered with them are completed, and those that depend on them get a date. */
async function updateForCreatedTokens({ db, now }: ServiceContext): Promise<number> {
  const found = await db
    .selectDistinct({
      requestId: deliverables.submissionId,
      transaction: tokenCreations.transaction,
      address: tokenCreations.address,
      completedAt: tokenCreations.completedAt,
    })
    .from(deliverables)
    .innerJoin(tokenCreations, eq(tokenCreations.submissionId, deliverables.submissionId))
    .where(
      and(
        eq(deliverables.state, 'open'),
        eq(tokenCreations.state, 'completed'),
        sql`(${inArray(deliverables.item, TOKEN_ITEMS)} or (${deliverables.dueFrom} = 'token' and ${deliverables.dueAt} is null))`,
      ),
    )
    .limit(BATCH_SIZE);
  await runEachSettled(found, ({ requestId, transaction, address, completedAt }) =>
    db.transaction(async (tx) => {
      await lockRequest(tx, requestId);
      const at = completedAt ?? now;
      await setTokenDates(tx, requestId, at);
      const done = await deliverTokenItems(tx, requestId, {
        evidenceKind: 'creation',
        evidence: transaction ?? address ?? requestId,
        doneAt: at,
        by: null,
        now,
      });
      await publishChange(tx, 'deliverables');
      // Its payer gets a mail about the token itself.
      if (done.length > 0)
        await audit(tx, SYSTEM, {
          action: 'deliverable.delivered',
          resourceType: 'token_request',
          resourceId: requestId,
          after: { items: done.length, evidenceKind: 'creation', evidence: transaction },
        });
    }),
  );
  return found.length;
}

/**
 * Notifies payers of missed dates: one notification and mail per order with all late deliverables that were not notified. Of a request
 * that the team cancelled nothing is late.
 */
async function notifyLate({ db, jobs, secret, now }: ServiceContext): Promise<number> {
  const t = tokenCreationSubmissions;
  const cancelled = db
    .select({ one: sql`1` })
    .from(t)
    .where(and(eq(t.id, deliverables.submissionId), eq(t.closedAs, 'cancelled')));
  const late = and(
    eq(deliverables.state, 'open'),
    lte(deliverables.dueAt, now),
    isNull(deliverables.lateNoticeAt),
    notExists(cancelled),
  );
  const found = await db
    .selectDistinct({ requestId: deliverables.submissionId })
    .from(deliverables)
    .where(late)
    .limit(BATCH_SIZE);
  const notify = async (tx: Tx, requestId: string) => {
    await lockRequest(tx, requestId);
    const rows = await tx
      .update(deliverables)
      .set({ lateNoticeAt: now })
      .where(and(eq(deliverables.submissionId, requestId), late))
      .returning();
    await publishChange(tx, 'deliverables');
    await notifyOfDeliverables(
      tx,
      { jobs, secret },
      'late',
      rows.toSorted((a, b) => a.position - b.position),
      now,
    );
  };
  await runEachSettled(found, ({ requestId }) => db.transaction((tx) => notify(tx, requestId)));
  return found.length;
}
