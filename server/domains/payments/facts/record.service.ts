import { and, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import type { PartPayment, PaymentAnswer, PaymentState, Plan } from '#contract/domains/payments.ts';
import { PAYMENT_WATCH_DAYS } from '#contract/limits.ts';
import type { Reader, Tx } from '#server/db/client.ts';
import { paymentEvents, payments } from '#server/db/tables/payments.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { notifyOfPayment } from '#server/domains/notifications/member-events.service.ts';
import type { RecordDependencies } from '#server/domains/payments/order-callbacks.port.ts';
import { orderLink } from '#server/domains/payments/orders/order-link.service.ts';
import { isSentBackWith } from '#server/domains/payments/orders/request-stage.service.ts';
import { postPayment } from '#server/domains/payments/posting/post-payment.service.ts';
import { nextCheck } from '#server/domains/payments/provider/next-check.policy.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';
import type { Deposit } from '#server/providers/payments/port.ts';
import { type Decision, decideChange, isPaid, newlyReturned } from './change.policy.ts';
import { isOutcomeKnown } from './credited.policy.ts';
import {
  depositsIn,
  type Fact,
  isAtLeastPartPaid,
  type KnownFacts,
  knownOf,
  type Outcome,
  outcomeOf,
  termsOf,
} from './reduce.policy.ts';
import { requestStatusOf } from './request-status.policy.ts';
import { fromStoredFacts, toStoredFacts } from './stored-facts.ts';

export { isPaid, termsOf };

/** A row of `payments`. */
export interface PaymentRow {
  id: string;
  submissionId: string;
  orderId: string;
  plan: Plan;
  priceUsd: number;
  locale: MailLocale;
  simulation: boolean;
  manualDays: number | null;
  agreed: string | null;
  isCurrent: boolean;
  invoiceId: string | null;
  paymentUrl: string | null;
  creatingUntil: Date | null;
  knownFacts: KnownFacts;
  state: PaymentState;
  confirmedAt: Date | null;
  receiptAt: Date | null;
  shortNoticeAt: Date | null;
  reviewNoticeAt: Date | null;
  expiresAt: Date;
  attemptedAt: Date | null;
  polledAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = {
  id: payments.id,
  submissionId: payments.submissionId,
  orderId: payments.orderId,
  plan: payments.plan,
  priceUsd: payments.priceUsd,
  locale: payments.locale,
  simulation: payments.simulation,
  manualDays: payments.manualDays,
  agreed: payments.agreed,
  isCurrent: payments.isCurrent,
  invoiceId: payments.invoiceId,
  paymentUrl: payments.paymentUrl,
  creatingUntil: payments.creatingUntil,
  knownFacts: payments.knownFacts,
  state: payments.state,
  confirmedAt: payments.confirmedAt,
  receiptAt: payments.receiptAt,
  shortNoticeAt: payments.shortNoticeAt,
  reviewNoticeAt: payments.reviewNoticeAt,
  expiresAt: payments.expiresAt,
  attemptedAt: payments.attemptedAt,
  polledAt: payments.polledAt,
  createdAt: payments.createdAt,
  updatedAt: payments.updatedAt,
};

/** Payments that match a condition, newest first; locked for update when `lock` is set. */
export async function findPayments(db: Reader, where: SQL, lock = false): Promise<PaymentRow[]> {
  const found = db.select(COLUMNS).from(payments).where(where).orderBy(desc(payments.createdAt), payments.id);
  const rows = await (lock ? found.for('update') : found);
  return rows.map((row) => ({ ...row, knownFacts: fromStoredFacts(row.knownFacts) }));
}

/** The current observation of each deposit of a payment. */
export const seenDeposits = (row: PaymentRow): Deposit[] => depositsIn(row.knownFacts);

/** Amount of a partial payment and the missing rest; null for any other payment, and after the team accepted it. */
export function partPaymentOf(row: PaymentRow | null | undefined): PartPayment | null {
  if (row?.state !== 'partially_paid' || isPaid(row)) return null;
  const { receivedUsd, missingUsd } = outcomeOf(row.knownFacts, termsOf(row));
  return { receivedUsd, missingUsd };
}

/** Answer about whether an order is paid, from stored data without a request to the provider. */
export function answerFrom(row: PaymentRow | null): PaymentAnswer {
  if (!row) return 'not_paid';
  if (isPaid(row)) return 'paid';
  if (row.state === 'partially_paid') return 'part_paid';
  return isAnswered(row) ? 'not_paid' : 'unknown';
}

/** True when the last request to the provider was answered completely and no later request failed. */
export const isAnswered = (row: PaymentRow | null): boolean =>
  Boolean(row?.polledAt && row.attemptedAt && row.polledAt >= row.attemptedAt);

/** End of the period in which the provider is polled about an order. */
export const watchUntil = (row: PaymentRow): number => row.expiresAt.getTime() + PAYMENT_WATCH_DAYS * 86_400_000;

/** Changes of a payment other than the provider's observations. */
interface Change {
  facts: Fact[];
  actor: Actor;
  now: Date;
  /** Reason of an admin's action, for the audit log. */
  reason?: string;
}

/**
 * The only function that changes the state of a payment and the columns of its request that show it: adds facts to the known ones,
 * computes the new state, and publishes the change in the same transaction.
 *
 * @returns the state before and after.
 */
export async function record(
  tx: Tx,
  tools: RecordDependencies,
  paymentId: string,
  change: Change,
): Promise<{ before: PaymentState; after: PaymentState }> {
  const { row, email } = await lockPayment(tx, paymentId);
  const foreign = await ordersOfOthers(tx, row, change.facts);
  const decide = (paid: boolean) => decideChange(row, termsOf(row), change.facts, { foreign, paid });
  let decision = decide(false);
  // Queried only where the result matters.
  if (isAtLeastPartPaid(decision.outcome.state) && (await othersPaid(tx, row))) decision = decide(true);
  await applyDecision(tx, tools, row, email, decision, change);
  return { before: row.state, after: decision.outcome.state };
}

/**
 * Locks a payment and its request until the end of the transaction. The request is locked first: all writers of a request or its
 * payments use this lock order.
 *
 * @throws NOT_FOUND
 */
export async function lockPayment(tx: Tx, paymentId: string): Promise<{ row: PaymentRow; email: string | null }> {
  const request = tx.select({ id: payments.submissionId }).from(payments).where(eq(payments.id, paymentId));
  const [locked] = await tx
    .select({ email: tokenCreationSubmissions.petitionerEmail })
    .from(tokenCreationSubmissions)
    .where(eq(tokenCreationSubmissions.id, request))
    .for('update');
  const [row] = locked ? await findPayments(tx, sql`id = ${paymentId}`, true) : [];
  if (!locked || !row) return fail('NOT_FOUND', { what: 'payment' });
  return { row, email: locked.email };
}

/** Stores a decision and publishes it: rows, live event, mails; the audit entry last, because other transactions wait for its lock. */
async function applyDecision(
  tx: Tx,
  { jobs, secret, onOrderChange, onMoneyReturned }: RecordDependencies,
  row: PaymentRow,
  email: string | null,
  decided: Decision,
  { actor, now, reason }: Change,
): Promise<void> {
  const { outcome, changed, news } = decided;
  const isBack = (facts: KnownFacts) =>
    row.knownFacts.sentBack.length > 0 ? isSentBackWith(tx, row.id, facts) : Promise.resolve(false);
  const wasBack = await isBack(row.knownFacts);
  const staysBack = wasBack && (await isBack(decided.knownFacts));
  // While all money remains sent back, neither a receipt nor a notice of a missing rest is mailed: the team reviews new money.
  const decision = staysBack
    ? { ...decided, mails: { ...decided.mails, receipt: false, shortNotice: false } }
    : decided;
  const noted = await recordDeposits(tx, row, news, now);
  const { attention } = outcomeOf(row.knownFacts, termsOf(row));
  const isNoted = changed || noted > 0 || String(attention) !== String(outcome.attention);
  // A check without new information changes neither a screen nor the time since which the payment waits in the inbox.
  const isNews = isNoted || news.some(({ type }) => type === 'refund_noted' || type === 'sent_back');
  await save(tx, row, decision, now, isNews);
  await postPayment(tx, row, decision.knownFacts, now);
  if (isNews) await publishChange(tx, 'tokenRequests');
  if (changed) {
    const body = { before: row.state, after: outcome.state };
    await tx.insert(paymentEvents).values({ paymentId: row.id, kind: 'state', body, createdAt: now });
    await showOnRequest(tx, row.submissionId, now);
  }
  if (email) await queueMails(tx, { jobs, secret }, row, email, decision);
  const paid = isPaid({ state: outcome.state, knownFacts: decision.knownFacts });
  const goesBack = news.some((fact) => fact.type === 'sent_back' && !fact.stray);
  const returned = outcome.state === 'refunded' || goesBack;
  // The team had sent the money back, and other money makes it paid.
  const paidAgain = wasBack && paid && !returned && !staysBack;
  if ((paid !== isPaid(row) && !staysBack) || paidAgain || goesBack || (returned && changed)) {
    const { id: paymentId, submissionId: requestId, plan, manualDays } = row;
    await onOrderChange(tx, { requestId, paymentId, plan, manualDays, paid, returned, at: now });
  }
  const deposits = newlyReturned(row.knownFacts, decision.knownFacts);
  if (deposits.length > 0) await onMoneyReturned(tx, { jobs, secret }, { paymentId: row.id, deposits, actor, at: now });
  await notifyOfPayment(tx, row, decision.mails, now);
  if (changed || reason !== undefined) await auditChange(tx, actor, row, row.state, outcome, reason);
}

async function queueMails(
  tx: Tx,
  { jobs, secret }: Pick<RecordDependencies, 'jobs' | 'secret'>,
  row: PaymentRow,
  email: string,
  { knownFacts, outcome, mails }: Decision,
): Promise<void> {
  const { orderId, priceUsd, plan, simulation, locale } = row;
  const { receivedUsd, missingUsd } = outcome;
  // The link is only created for a mail, because handing it out counts as a use of it.
  if (!mails.receipt && !mails.shortNotice && !mails.reviewNotice) return;
  const path = await orderLink(tx, secret, row.submissionId, locale);
  const data = { orderId, priceUsd, path, simulation, receivedUsd, missingUsd };
  const mail = { to: email, locale };
  if (mails.receipt) await queueMail(tx, jobs, { ...mail, template: 'orderPaid', data });
  if (mails.shortNotice) await queueMail(tx, jobs, { ...mail, template: 'orderShort', data });
  if (mails.reviewNotice) {
    const replaced = knownFacts.supersededAt !== null;
    await queueMail(tx, jobs, { ...mail, template: 'orderReview', data: { ...data, plan, replaced } });
  }
}

const auditChange = (
  tx: Tx,
  actor: Actor,
  row: PaymentRow,
  before: PaymentState,
  outcome: Outcome,
  reason: string | undefined,
) =>
  audit(tx, actor, {
    action: reason === undefined ? 'payment.changed' : 'payment.accepted',
    resourceType: 'payment',
    resourceId: row.id,
    before: { state: before },
    after: {
      state: outcome.state,
      orderId: row.orderId,
      requestId: row.submissionId,
      providerPaymentId: outcome.main?.paymentId,
      receivedUsd: outcome.receivedUsd,
      missingUsd: outcome.missingUsd,
      attention: outcome.attention,
    },
    ...(reason === undefined ? {} : { reason }),
  });

/** Locks a token request. @returns the mailbox of its buyer; null while none was entered. @throws NOT_FOUND */
export async function lockRequest(tx: Tx, id: string): Promise<{ email: string | null }> {
  const [request] = await tx
    .select({ email: tokenCreationSubmissions.petitionerEmail })
    .from(tokenCreationSubmissions)
    .where(eq(tokenCreationSubmissions.id, id))
    .for('update');
  return request ?? fail('NOT_FOUND', { what: 'request' });
}

/** Our other orders that these deposits belong to: a deposit never counts for two orders. */
async function ordersOfOthers(tx: Tx, row: PaymentRow, facts: Fact[]): Promise<Set<string>> {
  const claimed = facts.flatMap((fact) =>
    fact.type === 'seen' && fact.deposit.orderId && fact.deposit.orderId !== row.orderId ? [fact.deposit.orderId] : [],
  );
  if (claimed.length === 0) return new Set();
  const rows = await tx
    .select({ orderId: payments.orderId })
    .from(payments)
    .where(and(inArray(payments.orderId, claimed), ne(payments.id, row.id)));
  return new Set(rows.map(({ orderId }) => orderId));
}

async function othersPaid(tx: Tx, row: PaymentRow): Promise<boolean> {
  const withMoney = inArray(payments.state, ['paid', 'overpaid', 'paid_late', 'partially_paid']);
  const others = and(eq(payments.submissionId, row.submissionId), ne(payments.id, row.id), withMoney);
  return (await tx.$count(payments, others)) > 0;
}

async function save(
  tx: Tx,
  row: PaymentRow,
  { knownFacts, outcome, mails, firstConfirmed }: Decision,
  now: Date,
  isNews: boolean,
): Promise<void> {
  const { state, main, receivedUsd, attention } = outcome;
  const next = nextCheck(
    state,
    {
      now: now.getTime(),
      createdAt: row.createdAt.getTime(),
      expiresAt: row.expiresAt.getTime(),
      watchUntil: watchUntil(row),
      polledAt: knownFacts.polledAt,
    },
    knownFacts,
  );
  const lastReadAt = knownFacts.polledAt > 0 ? new Date(knownFacts.polledAt).toISOString() : null;
  await tx
    .update(payments)
    .set({
      knownFacts: toStoredFacts(knownFacts),
      state,
      providerPaymentId: main?.paymentId ?? null,
      providerStatus: main?.status ?? null,
      payAddress: main?.payAddress ?? null,
      payAmount: main?.payAmount ?? null,
      payCurrency: main?.payCurrency ?? null,
      actuallyPaid: main?.actuallyPaid ?? null,
      receivedUsd,
      attention,
      ...(firstConfirmed ? { confirmedAt: now } : {}),
      ...(mails.receipt ? { receiptAt: now } : {}),
      ...(mails.shortNotice ? { shortNoticeAt: now } : {}),
      ...(mails.reviewNotice ? { reviewNoticeAt: now } : {}),
      polledAt: sql`greatest(${payments.polledAt}, ${lastReadAt}::timestamptz)`,
      bookedAt: sql`coalesce(${payments.bookedAt}, ${now.toISOString()}::timestamptz)`,
      nextCheckAt: next === null ? null : new Date(next),
      ...(isNews ? { updatedAt: now } : {}),
    })
    .where(eq(payments.id, row.id));
}

/** Stores observations of the provider that differ from the stored ones. @returns the number of entries written. */
async function recordDeposits(tx: Tx, row: PaymentRow, facts: Fact[], now: Date): Promise<number> {
  let noted = 0;
  for (const fact of facts) {
    if (fact.type === 'polled' || fact.type === 'refund_noted' || fact.type === 'sent_back') continue;
    const deposit = fact.type === 'seen' ? fact.deposit : null;
    if (deposit) {
      const known = knownOf(row.knownFacts, deposit);
      if (
        known?.status === deposit.status &&
        known.rawStatus === deposit.rawStatus &&
        known.actuallyPaid === deposit.actuallyPaid &&
        isOutcomeKnown(row.knownFacts, deposit)
      )
        continue;
    }
    await tx.insert(paymentEvents).values({
      paymentId: row.id,
      kind: deposit ? 'seen' : 'act',
      providerPaymentId: deposit?.paymentId ?? null,
      parentProviderPaymentId: deposit?.parentId ?? null,
      body: deposit ?? fact,
      createdAt: now,
    });
    noted++;
  }
  return noted;
}

/** Updates the columns of a request that show its orders (AMB-46); no other code writes them. */
export async function showOnRequest(tx: Tx, requestId: string, now: Date): Promise<void> {
  const rows = await findPayments(
    tx,
    sql`submission_id = ${requestId} and (payment_url is not null or state <> 'awaiting')`,
  );
  const { status, paymentStatus } = requestStatusOf(rows.map(({ state }) => state));
  const paid = rows.find(({ state }) => isAtLeastPartPaid(state));
  const shown = paid ?? rows[0];
  const main = shown ? outcomeOf(shown.knownFacts, termsOf(shown)).main : null;
  const paymentId = main?.paymentId ?? shown?.invoiceId ?? null;
  await tx
    .update(tokenCreationSubmissions)
    .set({ status, paymentStatus, paymentId, updatedAt: now })
    .where(eq(tokenCreationSubmissions.id, requestId));
  // The delivered plan is the paid one, even if another plan was chosen meanwhile.
  if (paid) await setPlan(tx, requestId, paid.plan, paid.priceUsd);
}

/** Stores the plan of a request, in its columns and in its form. @param priceUsd whole US dollars. */
export async function setPlan(tx: Tx, requestId: string, plan: Plan, priceUsd: number): Promise<void> {
  const form = JSON.stringify({ selectedPlan: plan });
  await tx
    .update(tokenCreationSubmissions)
    .set({
      membershipType: plan,
      planPriceUsd: priceUsd,
      tokenData: sql`${tokenCreationSubmissions.tokenData} || ${form}::jsonb`,
    })
    .where(eq(tokenCreationSubmissions.id, requestId));
}
