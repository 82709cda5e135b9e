import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Plan } from '#contract/domains/payments.ts';
import { type Limit, PAYMENT_DAYS, PLANS } from '#contract/limits.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { payments } from '#server/db/tables/payments.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import {
  findPayments,
  lockRequest,
  type PaymentRow,
  record,
  setPlan,
  showOnRequest,
} from '#server/domains/payments/facts/record.service.ts';
import { EMPTY, isAtLeastPartPaid } from '#server/domains/payments/facts/reduce.policy.ts';
import { toStoredFacts } from '#server/domains/payments/facts/stored-facts.ts';
import type {
  OnMoneyReturned,
  OnOrderChange,
  RecordDependencies,
} from '#server/domains/payments/order-callbacks.port.ts';
import {
  type AgreedToken,
  agreementHash,
  requestedToken,
} from '#server/domains/payments/orders/agreed-token.service.ts';
import { orderLink } from '#server/domains/payments/orders/order-link.service.ts';
import { postPayment } from '#server/domains/payments/posting/post-payment.service.ts';
import { isClosed } from '#server/domains/payments/proof/delivery-check.service.ts';
import { invoiceDescription } from '#server/domains/payments/proof/signer-evidence.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { privatePath } from '#server/lib/crypto/page-secrets.ts';
import { fail, failure } from '#server/lib/errors/fail.ts';
import { consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { newRecordNumber } from '#server/lib/text/record-number.ts';
import { publishChange } from '#server/live/publish.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';
import { type PaymentProvider, ProviderError } from '#server/providers/payments/port.ts';

const DAY = 86_400_000;
/** Lease of one process for the creation of one invoice; the timeout of the provider is shorter. Milliseconds. */
const CREATION_MS = 30_000;
/** How long a concurrent request waits for the invoice that another one creates. Milliseconds. */
const TIMEOUT_MS = 6_000;

export interface PayOrder {
  requestId: string;
  plan: Plan;
  locale: MailLocale;
  actor: Actor;
  /** Rate limit for orders of one request. */
  limit: Limit;
  /** Tokens that this one could be taken for and that the payer was shown; recorded in the audit log. */
  resembled?: string | undefined;
  /** Version of the form that the payer saw; without it, the current version is used. */
  version?: number | undefined;
}

/** Access of payments to the requests that they pay for; implemented by token-requests. */
export interface PayableRequests {
  /**
   * Checks in the caller's transaction that every field is filled that the delivery needs.
   *
   * @returns days within which the team promises to deliver by hand; null without such a promise.
   * @throws DRAFT_INCOMPLETE, PLAN_OFF_SALE
   */
  check(tx: Tx, requestId: string, plan: Plan): Promise<{ manualDays: number | null }>;
}

/** Dependencies of the payment service. */
export interface PaymentOptions {
  db: Db;
  jobs: JobQueue;
  provider: PaymentProvider | null;
  requests: PayableRequests;
  onOrderChange: OnOrderChange;
  onMoneyReturned: OnMoneyReturned;
  secret: string;
  publicUrl: string;
  /** URL of our webhook for the provider's callbacks. */
  callbackUrl: () => string;
  now: () => Date;
  /** Logs a message for operators. */
  warn?: (about: Record<string, unknown>, message: string) => void;
}

interface InvoiceContext {
  db: Db;
  now: () => Date;
  requests: PayableRequests;
  provider: PaymentProvider | null;
  /** Dependencies of the function that records changes of payments. */
  tools: RecordDependencies;
  options: PaymentOptions;
  secret: string;
  warn: NonNullable<PaymentOptions['warn']>;
  jobs: JobQueue;
}

/**
 * Creates the payment page of an order at the provider: at most one open invoice per request, however often and from however many
 * clients it is requested. The errors of `pay` are those of the interface (payments.port.ts).
 */
export function createInvoices(options: PaymentOptions) {
  const { db, jobs, requests, secret, now } = options;
  const warn = options.warn ?? (() => {});
  const tools = { jobs, secret, onOrderChange: options.onOrderChange, onMoneyReturned: options.onMoneyReturned };

  return {
    async pay(order: PayOrder): Promise<PaymentRow> {
      // The provider is read once, so that one action uses the same one throughout.
      const { provider } = options;
      const context: InvoiceContext = { db, now, requests, provider, tools, options, secret, warn, jobs };
      if (!provider) return fail('PAYMENT_UNAVAILABLE');
      const { row, claim } = await prepare(context, order);
      if (claim === 'ready') return row;
      if (claim === 'mine') return createInvoice(context, row, order);
      return (await awaitOthers(context, row.id)) ?? fail('BUSY', { retryAfter: 3 });
    },
  };
}

/** The payment to use, and its claim: `ready` with an invoice, `mine` to create one, or `theirs` while another process creates it. */
async function prepare(
  context: InvoiceContext,
  order: PayOrder,
): Promise<{ row: PaymentRow; claim: 'ready' | 'mine' | 'theirs' }> {
  const { db, now, requests, provider } = context;
  return db.transaction(async (tx) => {
    const at = now();
    await lockRequest(tx, order.requestId);
    await refuseClosed(tx, order.requestId);
    const [current] = await findPayments(tx, sql`submission_id = ${order.requestId} and is_current`, true);
    const paid = await paidRow(tx, order.requestId);
    if (paid) {
      if (paid.plan !== order.plan) fail('LOCKED');
      return { row: paid, claim: 'ready' };
    }
    await refuseChanged(tx, order);
    const { manualDays } = await requests.check(tx, order.requestId, order.plan);
    const price = PLANS[order.plan].priceUsd;
    const agreed = agreementHash(await readRequested(tx, order.requestId));
    const sameDeal =
      current?.plan === order.plan &&
      current.priceUsd === price &&
      current.simulation === provider?.simulation &&
      // An invoice at the provider is immutable: another token needs another invoice, unless money is already on its way.
      (current.agreed === agreed || current.state !== 'awaiting');
    const over =
      current !== undefined &&
      (['expired', 'failed', 'refunded'].includes(current.state) ||
        (current.state === 'awaiting' && current.expiresAt <= at));
    if (current && sameDeal && !over) return claimInvoice(tx, current, at);
    const row = await openOrder(context, tx, { ...order, price, manualDays, agreed }, at, current);
    return { row, claim: 'mine' };
  });
}

/** The token that the request describes now. */
async function readRequested(tx: Tx, requestId: string): Promise<AgreedToken> {
  const t = tokenCreationSubmissions;
  const [row] = await tx.select({ data: t.tokenData }).from(t).where(eq(t.id, requestId));
  return requestedToken((row ?? fail('NOT_FOUND', { what: 'request' })).data);
}

/** The token that is paid for cannot be changed later, so nobody should pay for one that they did not see. @throws VERSION_CONFLICT */
async function refuseChanged(tx: Tx, { requestId, version }: PayOrder): Promise<void> {
  const t = tokenCreationSubmissions;
  const [row] = await tx.select({ version: t.version }).from(t).where(eq(t.id, requestId));
  if (row && version !== undefined && row.version !== version)
    throw failure('VERSION_CONFLICT', { version: row.version, current: {} });
}

async function refuseClosed(tx: Tx, requestId: string): Promise<void> {
  if (await isClosed(tx, requestId)) fail('LOCKED');
}

async function paidRow(tx: Tx, requestId: string): Promise<PaymentRow | undefined> {
  const rows = await findPayments(tx, sql`submission_id = ${requestId}`);
  return rows.find(({ state }) => isAtLeastPartPaid(state));
}

async function claimInvoice(
  tx: Tx,
  row: PaymentRow,
  at: Date,
): Promise<{ row: PaymentRow; claim: 'ready' | 'mine' | 'theirs' }> {
  if (row.paymentUrl) return { row, claim: 'ready' };
  if (row.creatingUntil && row.creatingUntil > at) return { row, claim: 'theirs' };
  const creatingUntil = new Date(at.getTime() + CREATION_MS);
  await tx.update(payments).set({ creatingUntil }).where(eq(payments.id, row.id));
  return { row, claim: 'mine' };
}

async function openOrder(
  context: InvoiceContext,
  tx: Tx,
  order: PayOrder & { price: number; manualDays: number | null; agreed: string },
  at: Date,
  old: PaymentRow | undefined,
): Promise<PaymentRow> {
  const { provider } = context;
  // The terms that the payer sees now are stored with this payment and do not change with later offers.
  const { price, manualDays, agreed } = order;
  await consumeRateLimits(tx, [{ key: `order:${order.requestId}`, limit: order.limit }], at);
  if (old) await tx.update(payments).set({ isCurrent: false }).where(eq(payments.id, old.id));
  await supersedeOthers(context, tx, order, at);
  await setPlan(tx, order.requestId, order.plan, price);
  const [made] = await tx
    .insert(payments)
    .values({
      submissionId: order.requestId,
      orderId: newRecordNumber('FL'),
      plan: order.plan,
      priceUsd: price,
      locale: order.locale,
      simulation: provider?.simulation ?? false,
      manualDays,
      agreed,
      knownFacts: toStoredFacts(EMPTY),
      creatingUntil: new Date(at.getTime() + CREATION_MS),
      expiresAt: new Date(at.getTime() + PAYMENT_DAYS * DAY),
      createdAt: at,
      updatedAt: at,
      bookedAt: at,
    })
    .returning({ id: payments.id });
  const [row] = await findPayments(tx, sql`id = ${made?.id ?? null}`);
  if (!row) return fail('NOT_FOUND', { what: 'payment' });
  await postPayment(tx, row, EMPTY, at);
  return row;
}

/**
 * An expired order may still be paid late; money on an order of another plan or price, which its payer replaced, needs a decision of the
 * operator. Every earlier order of the request, not only the newest: the payment pages of all of them can still be open.
 */
async function supersedeOthers(
  { tools }: InvoiceContext,
  tx: Tx,
  { requestId, plan, price, actor }: PayOrder & { price: number },
  at: Date,
): Promise<void> {
  const earlier = await findPayments(tx, sql`submission_id = ${requestId}`);
  for (const row of earlier)
    if (row.knownFacts.supersededAt === null && (row.plan !== plan || row.priceUsd !== price))
      await record(tx, tools, row.id, { facts: [{ type: 'superseded', at: at.getTime() }], actor, now: at });
}

const withoutInvoice = ({ id }: PaymentRow) => and(eq(payments.id, id), isNull(payments.paymentUrl));

/** Runs outside of any transaction, so that no lock or connection is held during the provider's request. */
async function createInvoice(
  context: InvoiceContext,
  row: PaymentRow,
  { actor, resembled }: Pick<PayOrder, 'actor' | 'resembled'>,
): Promise<PaymentRow> {
  const { provider, options, secret, warn, db, now, jobs } = context;
  if (!provider) return fail('PAYMENT_UNAVAILABLE');
  // URL without the key: the provider must not receive it, and the payer's browser has it already.
  const page = options.publicUrl + (privatePath(secret, 'order', row.submissionId, row.locale).split('#')[0] ?? '');
  let invoice: { invoiceId: string; url: string };
  try {
    invoice = await provider.createInvoice({
      orderId: row.orderId,
      priceUsd: row.priceUsd,
      description: invoiceDescription(row.plan, row.orderId, row.submissionId, row.agreed ?? ''),
      callbackUrl: options.callbackUrl(),
      returnUrl: page,
    });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    warn({ err: error, payment: row.id }, 'no invoice from the payment provider');
    // Refused, or outcome unknown: the next attempt uses the same order number and may begin immediately.
    await db.update(payments).set({ creatingUntil: null }).where(withoutInvoice(row));
    throw failure('PAYMENT_UNAVAILABLE');
  }
  return db.transaction(async (tx) => {
    const request = await lockRequest(tx, row.submissionId);
    // A slower process created a second invoice with the same order number; payments on either invoice count.
    const { rowCount } = await tx
      .update(payments)
      .set({
        invoiceId: invoice.invoiceId,
        paymentUrl: invoice.url,
        creatingUntil: null,
        nextCheckAt: new Date(now().getTime() + 60_000),
        updatedAt: now(),
      })
      .where(withoutInvoice(row));
    const [saved] = await findPayments(tx, sql`id = ${row.id}`);
    if (!saved) return fail('NOT_FOUND', { what: 'payment' });
    if (!rowCount) return saved;
    await showOnRequest(tx, row.submissionId, now());
    const others = await findPayments(
      tx,
      sql`submission_id = ${row.submissionId} and id <> ${row.id} and payment_url is not null`,
    );
    if (request.email && others.length === 0)
      await queueMail(tx, jobs, {
        to: request.email,
        locale: row.locale,
        template: 'orderOpened',
        data: {
          orderId: row.orderId,
          priceUsd: row.priceUsd,
          path: await orderLink(tx, secret, row.submissionId, row.locale),
          simulation: row.simulation,
        },
      });
    await publishChange(tx, 'tokenRequests');
    await audit(tx, actor, {
      action: 'payment.created',
      resourceType: 'payment',
      resourceId: row.id,
      after: {
        requestId: row.submissionId,
        orderId: row.orderId,
        plan: row.plan,
        priceUsd: row.priceUsd,
        ...(resembled ? { resemblanceAccepted: resembled } : {}),
      },
    });
    return saved;
  });
}

/** Waits for the invoice that another process creates; null when it was not created in time. */
async function awaitOthers(context: InvoiceContext, id: string): Promise<PaymentRow | null> {
  const { db } = context;
  const end = performance.now() + TIMEOUT_MS;
  while (performance.now() < end) {
    await sleep(100);
    const [row] = await findPayments(db, sql`id = ${id}`);
    if (row?.paymentUrl) return row;
    if (!row?.creatingUntil) return null;
  }
  return null;
}
