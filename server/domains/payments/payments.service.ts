import { createHash } from 'node:crypto';
import { and, desc, eq, inArray, isNotNull, isNull, lte, max, or, sql } from 'drizzle-orm';
import type { PaymentAnswer } from '#contract/domains/payments.ts';
import { PAYMENT_POLL_SECONDS } from '#contract/limits.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { paymentEvents, payments } from '#server/db/tables/payments.ts';
import {
  answerFrom,
  findPayments,
  lockPayment,
  type PaymentRow,
  record,
  seenDeposits,
  termsOf,
  watchUntil,
} from '#server/domains/payments/facts/record.service.ts';
import { acceptableDeposits, depositIds, isSettled, outcomeOf } from '#server/domains/payments/facts/reduce.policy.ts';
import { sentBack } from '#server/domains/payments/orders/request-stage.service.ts';
import { postValueOfRefunds } from '#server/domains/payments/posting/post-refunds.service.ts';
import { fetchDeposits, type Hint } from '#server/domains/payments/provider/fetch-deposits.ts';
import { createInvoices, type PaymentOptions } from '#server/domains/payments/provider/invoices.service.ts';
import { nextCheck } from '#server/domains/payments/provider/next-check.policy.ts';
import { reconcilePayments } from '#server/domains/payments/provider/reconcile.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import type { Actor } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { type Deposit, type PaymentProvider, ProviderError } from '#server/providers/payments/port.ts';
import { reviewEnded } from './ended.service.ts';
import type { RecordDependencies } from './order-callbacks.port.ts';
import type { PaymentService, Placing } from './payments.port.ts';
import { recordMissedReturns, type SentRefund, sentBackFact, strayMoneyFact } from './sent-back.service.ts';
import { supersedeMissed } from './superseded.service.ts';
import { lockUnplaced, settleUnplaced, storeUnplaced } from './unplaced.service.ts';

/** Limit of named deposits in one check; fetch-deposits.ts limits the total. */
const MAX_HINTS = 10;
const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };

/** Result of a check. 'unsure': answered, but the account may not list deposits, so there may be more. */
interface CheckResult {
  outcome: 'polled' | 'unsure' | 'failed';
  unreachable: boolean;
}

interface PaymentContext {
  now: () => Date;
  db: Db;
  readonly provider: PaymentProvider | null;
  warn: NonNullable<PaymentOptions['warn']>;
  /** Dependencies of the function that records changes of payments. */
  tools: RecordDependencies;
  jobs: JobQueue;
}

export function createPaymentService(options: PaymentOptions): PaymentService {
  const { db, jobs, secret, now } = options;
  const warn = options.warn ?? (() => {});
  const tools = { jobs, secret, onOrderChange: options.onOrderChange, onMoneyReturned: options.onMoneyReturned };
  const { pay } = createInvoices(options);

  // Operators may change the provider while the site runs: each action reads the current one.
  const context: PaymentContext = {
    now,
    db,
    get provider() {
      return options.provider;
    },
    warn,
    tools,
    jobs,
  };
  return {
    get mode() {
      const { provider } = options;
      return { available: provider !== null, simulation: provider?.simulation ?? false };
    },

    pay,

    check: (paymentId, hint, actor) => check(context, paymentId, hint, actor),

    poll: (paymentId, hints) => pollDeposits(context, paymentId, hints),

    receive: (rawBody, signature) => receive(context, rawBody, signature),

    processCallback: (eventId) => processCallback(context, eventId),

    reconcile: () => reconcile(context),

    place: (placing, actor, afterwards) => placeDeposit(context, placing, actor, afterwards),

    acknowledgeRefund: (tx, paymentId, actor, sent) => acknowledgeRefund(context, tx, { paymentId, sent }, actor),

    recordMissedReturns: () => recordMissedReturns(context, now()),

    supersedeMissed: () => supersedeMissed(context, now()),

    reviewEnded: () => reviewEnded(context, now()),

    accept: (paymentId, actor, reason) => accept(context, paymentId, actor, reason),
  };
}

/** Records the time of a check; false when any process checked the payment a moment ago. */
async function claim(context: PaymentContext, id: string): Promise<boolean> {
  const { now, db } = context;
  const at = now();
  const due = lte(payments.attemptedAt, new Date(at.getTime() - PAYMENT_POLL_SECONDS * 1_000));
  const { rowCount } = await db
    .update(payments)
    .set({ attemptedAt: at })
    .where(and(eq(payments.id, id), or(isNull(payments.attemptedAt), due)));
  return rowCount === 1;
}

/** Fetches the deposits from the provider and records them. */
async function poll(context: PaymentContext, row: PaymentRow, hints: Hint[], actor: Actor): Promise<CheckResult> {
  const { provider, now, warn, db, tools } = context;
  if (!provider || provider.simulation !== row.simulation) return { outcome: 'unsure', unreachable: false };
  const at = now();
  const open = await openHints(context, row);
  const { facts, complete, error } = await fetchDeposits(
    provider,
    { orderId: row.orderId, invoiceId: row.invoiceId, knownFacts: row.knownFacts, hints: [...hints, ...open] },
    at.getTime(),
    at.getTime() >= watchUntil(row),
  );
  if (error) warn({ err: error, payment: row.id }, 'payment provider not queried');
  if (facts.length > 0)
    await db.transaction(async (tx) => {
      await record(tx, tools, row.id, { facts, actor, now: now() });
      await adopt(
        tx,
        row.id,
        facts.flatMap((fact) => (fact.type === 'seen' ? [fact.deposit.paymentId] : [])),
      );
    });
  return { outcome: error ? 'failed' : complete ? 'polled' : 'unsure', unreachable: error?.unreachable ?? false };
}

/**
 * Deposits that signed callbacks named and that were never observed: the provider did not answer at the time, or they follow a
 * deposit that was not known yet. Every check fetches them until they are observed, even after the job of the callback has given
 * up.
 */
async function openHints(context: PaymentContext, row: PaymentRow): Promise<Hint[]> {
  const { db } = context;
  const known = sql.param(depositIds(row.knownFacts));
  const { id, paymentId, kind, providerPaymentId, parentProviderPaymentId } = paymentEvents;
  const rows = await db
    .select({ depositId: providerPaymentId })
    .from(paymentEvents)
    .where(
      and(
        eq(kind, 'webhook'),
        sql`${providerPaymentId} <> all(${known}::text[])`,
        or(eq(paymentId, row.id), and(isNull(paymentId), sql`${parentProviderPaymentId} = any(${known}::text[])`)),
      ),
    )
    .groupBy(providerPaymentId)
    .orderBy(desc(max(id)))
    .limit(10);
  return rows.flatMap(({ depositId }) => (depositId === null ? [] : [{ paymentId: depositId, signed: true as const }]));
}

/**
 * Assigns callbacks without an order to the order in which their deposit was observed: callbacks of repeated deposits, which name
 * no order themselves, and any callback of a deposit that a person assigned.
 */
async function adopt(tx: Tx, id: string, seen: string[], byPerson = false): Promise<void> {
  if (seen.length === 0) return;
  await tx
    .update(paymentEvents)
    .set({ paymentId: id })
    .where(
      and(
        isNull(paymentEvents.paymentId),
        eq(paymentEvents.kind, 'webhook'),
        byPerson ? undefined : isNotNull(paymentEvents.parentProviderPaymentId),
        inArray(paymentEvents.providerPaymentId, seen),
      ),
    );
}

/** Schedules the next check after one that found nothing, with growing intervals. */
async function putOff(context: PaymentContext, row: PaymentRow): Promise<void> {
  const { now, db } = context;
  const next = nextCheck(
    row.state,
    {
      now: now().getTime(),
      createdAt: row.createdAt.getTime(),
      expiresAt: row.expiresAt.getTime(),
      watchUntil: watchUntil(row),
      polledAt: row.knownFacts.polledAt,
    },
    row.knownFacts,
  );
  const nextCheckAt = next === null ? null : new Date(next);
  await db.update(payments).set({ nextCheckAt }).where(eq(payments.id, row.id));
}

/** Handles a signed callback that names no order of ours: if there is money behind it, it is stored for a person to assign. */
async function processUnmatchedCallback(context: PaymentContext, id: string): Promise<void> {
  const { provider, warn, db, now } = context;
  const deposit = await provider?.deposit(id);
  if (!provider || !deposit)
    return warn({ deposit: id }, 'signed callback for a deposit that the provider does not have');
  const [row] = await findPayments(db, sql`order_id = ${deposit.orderId} or invoice_id = ${deposit.invoiceId}`);
  if (row) await poll(context, row, [{ paymentId: id, signed: true }], SYSTEM);
  else {
    warn({ deposit: id }, 'signed callback for a deposit without an order here');
    await storeUnplaced(db, [deposit], provider, now());
  }
}

async function answerOf(context: PaymentContext, id: string): Promise<PaymentAnswer> {
  const { db } = context;
  const [row] = await findPayments(db, sql`id = ${id}`);
  return row ? answerFrom(row) : 'unknown';
}

async function check(
  context: PaymentContext,
  paymentId: string,
  hint: Hint | undefined,
  actor: Actor = SYSTEM,
): Promise<PaymentAnswer> {
  const { db } = context;
  const [row] = await findPayments(db, sql`id = ${paymentId}`);
  if (!row) return 'unknown';
  if (await claim(context, paymentId)) await poll(context, row, hint ? [hint] : [], actor);
  return answerOf(context, paymentId);
}

/** In batches, because one check is limited in the number of named deposits. */
async function pollDeposits(context: PaymentContext, paymentId: string, hints: readonly Hint[]): Promise<true> {
  const { db, now } = context;
  for (let from = 0; from < hints.length; from += MAX_HINTS) {
    const [row] = await findPayments(db, sql`id = ${paymentId}`);
    if (!row) break;
    await db.update(payments).set({ attemptedAt: now() }).where(eq(payments.id, paymentId));
    await poll(context, row, hints.slice(from, from + MAX_HINTS), SYSTEM);
  }
  return true;
}

async function receive(
  context: PaymentContext,
  rawBody: Buffer<ArrayBufferLike>,
  signature: string | undefined,
): Promise<'stored' | 'known' | 'forged'> {
  const { provider, db, now, jobs } = context;
  const callback = provider?.verifyCallback(rawBody, signature);
  if (!callback) return 'forged';
  const { paymentId, parentId, invoiceId, orderId } = callback;
  // Hash of the signature, not of the bytes: the same callback with other white space or another key order has the same signature.
  const hash = createHash('sha256')
    .update(signature ?? '')
    .digest();
  return db.transaction(async (tx) => {
    const [event] = await tx
      .insert(paymentEvents)
      .values({
        paymentId: sql`(select id from payments where order_id = ${orderId} or invoice_id = ${invoiceId}
            or (ledger -> 'deposits') ? ${paymentId} or (ledger -> 'deposits') ? ${parentId}
          order by order_id = ${orderId} desc nulls last, (ledger -> 'deposits') ? ${paymentId} desc limit 1)`,
        kind: 'webhook',
        providerPaymentId: paymentId,
        parentProviderPaymentId: parentId,
        bodyHash: hash,
        body: callback.body,
        createdAt: now(),
      })
      .onConflictDoNothing({ target: paymentEvents.bodyHash })
      .returning({ id: paymentEvents.id });
    if (!event) return 'known';
    await jobs.enqueue(tx, 'fetch-payment', { eventId: event.id });
    return 'stored';
  });
}

async function processCallback(context: PaymentContext, eventId: number): Promise<void> {
  const { db, now } = context;
  const [event] = await db
    .select({ paymentId: paymentEvents.paymentId, depositId: paymentEvents.providerPaymentId })
    .from(paymentEvents)
    .where(and(eq(paymentEvents.id, eventId), eq(paymentEvents.kind, 'webhook')));
  // Every stored callback names its deposit.
  if (!event?.depositId) return;
  const [row] = event.paymentId ? await findPayments(db, sql`id = ${event.paymentId}`) : [];
  if (!row) {
    await processUnmatchedCallback(context, event.depositId);
    return;
  }
  // Not limited by the minimum interval between checks: each change has one callback, and each callback is stored once.
  await db.update(payments).set({ attemptedAt: now() }).where(eq(payments.id, row.id));
  const { outcome } = await poll(context, row, [{ paymentId: event.depositId, signed: true }], SYSTEM);
  if (outcome === 'failed')
    throw new ProviderError('unknown', 'The payment provider could not be queried about a callback');
}

async function reconcile(context: PaymentContext): Promise<{ polled: number; unknown: number }> {
  const { provider, db, now, warn } = context;
  if (!provider) return { polled: 0, unknown: 0 };
  return reconcilePayments({
    db,
    provider,
    now,
    warn,
    claim: (id) => claim(context, id),
    putOff: (row) => putOff(context, row),
    poll: (row) => poll(context, row, [], SYSTEM),
  });
}

async function placeDeposit(
  context: PaymentContext,
  { id, version, orderId, reason }: Placing,
  actor: Actor & { id: string },
  afterwards?: (tx: Tx, paymentId: string) => Promise<void>,
): Promise<{ requestId: string }> {
  const { provider, warn, db, tools, now } = context;
  if (!provider) return fail('PAYMENT_UNAVAILABLE');
  let deposit: Deposit | null;
  try {
    deposit = await provider.deposit(id);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    warn({ err: error, deposit: id }, 'payment provider not queried');
    return fail('PAYMENT_UNAVAILABLE');
  }
  const seen = deposit ?? fail('NOT_FOUND', { what: 'deposit' });
  await pollOrderOf(context, seen, orderId);
  return db.transaction(async (tx) => {
    const [row] = await findPayments(tx, sql`order_id = ${orderId}`);
    if (!row || row.simulation !== provider.simulation) return fail('NOT_FOUND', { what: 'order' });
    await lockPayment(tx, row.id);
    await lockUnplaced(tx, { id, version });
    // A returned deposit pays for no order.
    if (seen.status === 'refunded') return fail('NOT_FOUND', { what: 'deposit' });
    await record(tx, tools, row.id, { facts: [{ type: 'seen', deposit: seen }], actor, now: now() });
    await adopt(tx, row.id, [id], true);
    await settleUnplaced(tx, { id, paymentId: row.id, reason }, actor, now());
    await afterwards?.(tx, row.id);
    return { requestId: row.submissionId };
  });
}

/**
 * Records a deposit on the order whose number it has, which may have been restored since, when it is about to be placed on another one: a
 * deposit never counts for two orders.
 *
 * @throws ALREADY_DONE, PAYMENT_UNAVAILABLE when the provider did not answer
 */
async function pollOrderOf(context: PaymentContext, deposit: Deposit, chosen: string): Promise<void> {
  if (!deposit.orderId || deposit.orderId === chosen) return;
  const [own] = await findPayments(context.db, sql`order_id = ${deposit.orderId}`);
  if (!own) return;
  const { outcome } = await poll(context, own, [{ paymentId: deposit.paymentId, signed: true }], SYSTEM);
  fail(outcome === 'failed' ? 'PAYMENT_UNAVAILABLE' : 'ALREADY_DONE');
}

async function acknowledgeRefund(
  context: PaymentContext,
  tx: Tx,
  { paymentId, sent }: { paymentId: string; sent: SentRefund | undefined },
  actor: Actor,
): Promise<void> {
  const { tools, now } = context;
  const [row] = await findPayments(tx, sql`id = ${paymentId}`);
  if (!row) return fail('NOT_FOUND', { what: 'payment' });
  // Only the returns known so far: a later one needs attention again.
  const of = seenDeposits(row).flatMap(({ paymentId: id, status }) => (status === 'refunded' ? [id] : []));
  const isSentBack = (await sentBack(tx, [paymentId])).has(paymentId);
  const back = isSentBack ? sentBackFact(row, now()) : sent ? await strayMoneyFact(tx, row, sent, now()) : null;
  const facts = [{ type: 'refund_noted' as const, of }, ...(back ? [back] : [])];
  await record(tx, tools, paymentId, { facts, actor, now: now() });
}

async function accept(
  context: PaymentContext,
  paymentId: string,
  actor: Actor & { id: string },
  reason: string,
): Promise<void> {
  const { db, now, tools } = context;
  await db.transaction(async (tx) => {
    const { row } = await lockPayment(tx, paymentId);
    // An acceptance before any money arrived would later accept any amount, however small.
    const terms = termsOf(row);
    const of = acceptableDeposits(row.knownFacts, terms);
    if (of.length === 0) return fail('NOT_FOUND', { what: 'deposit' });
    const { attention } = outcomeOf(row.knownFacts, terms);
    if (isSettled(row.state) && attention.length === 0) return fail('ALREADY_DONE');
    const facts = [{ type: 'accepted' as const, at: now().getTime(), by: actor.id, reason, of, ended: true as const }];
    await record(tx, tools, paymentId, { facts, actor, now: now(), reason });
    await postValueOfRefunds(tx, paymentId, now());
  });
}
