import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { AdminPayment, PaymentStage } from '#contract/admin/payments.ts';
import type { AdminTokenRequestRow } from '#contract/admin/token-requests.ts';
import type { PaymentAnswer } from '#contract/domains/payments.ts';
import { PLANS } from '#contract/limits.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { payments } from '#server/db/tables/payments.ts';
import { refundCases } from '#server/db/tables/refunds.ts';
import { readMoneyBack } from '#server/domains/money/returned.service.ts';
import {
  findPayments,
  isAnswered,
  lockRequest,
  type PaymentRow,
  termsOf,
} from '#server/domains/payments/facts/record.service.ts';
import {
  acceptableDeposits,
  depositsIn,
  depositsWithMoney,
  isAccepted,
  isAtLeastPartPaid,
  isSettled,
  mayDeliver,
  outcomeOf,
} from '#server/domains/payments/facts/reduce.policy.ts';
import type { AgreedToken } from '#server/domains/payments/orders/agreed-token.service.ts';
import {
  depositsOf,
  effectivePayment,
  offeredPayments,
  presentPayment,
} from '#server/domains/payments/orders/request-payments.service.ts';
import { sentBack, stageOfPayment } from '#server/domains/payments/orders/request-stage.service.ts';
import { readAcceptances, statementOf } from '#server/domains/payments/proof/acceptances.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { iso } from '#server/records/lists.ts';
import type { Editor } from '#server/records/records.ts';
import type { PaymentService } from './payments.port.ts';

/** Payment columns in a row of the list of requests. */
export type RequestMoney = Pick<
  AdminTokenRequestRow,
  | 'orderId'
  | 'paymentState'
  | 'orderedUsd'
  | 'receivedUsd'
  | 'missingUsd'
  | 'returned'
  | 'acceptedBy'
  | 'acceptedAt'
  | 'attention'
>;
/** Values of a request without an order. */
export const NO_MONEY: RequestMoney = {
  orderId: null,
  paymentState: null,
  orderedUsd: null,
  receivedUsd: null,
  missingUsd: null,
  returned: null,
  acceptedBy: null,
  acceptedAt: null,
  attention: false,
};

/**
 * Condition for payments that need a person's attention: money that does not match its order, or a partial payment that was not
 * accepted nor sent back.
 */
export const NEEDS_ATTENTION = sql.raw(
  `(p.attention <> '{}' or (p.state = 'under_review' and coalesce(jsonb_array_length(p.ledger -> 'sentBack'), 0) = 0))`,
);

/** Payment columns of these requests: of the payment that counts, and whether any of their payments needs attention. */
export async function readRequestMoney(db: Reader, requestIds: string[]): Promise<Map<string, RequestMoney>> {
  const offered = await offeredPayments(db, requestIds);
  const names = await namesOf(db, offered);
  const p = alias(payments, 'p');
  const rows = await db
    .selectDistinct({ id: p.submissionId })
    .from(p)
    .where(and(inArray(p.submissionId, requestIds), NEEDS_ATTENTION));
  const needingAttention = new Set(rows.map(({ id }) => id));
  const ids = offered.map(({ id }) => id);
  const [back, returned] = await Promise.all([sentBack(db, ids), readMoneyBack(db, ids)]);
  return new Map(
    requestIds.flatMap((id) => {
      const counts = effectivePayment(
        offered.filter(({ submissionId }) => submissionId === id),
        back,
      );
      if (!counts) return [];
      const { state, receivedUsd, missingUsd } = outcomeOf(counts.knownFacts, termsOf(counts));
      const accepted = isAccepted(counts.knownFacts) ? counts.knownFacts.accepted : null;
      const money: RequestMoney = {
        orderId: counts.orderId,
        paymentState: state,
        orderedUsd: counts.priceUsd,
        receivedUsd,
        missingUsd: back.has(counts.id) ? 0 : missingUsd,
        returned: returned.get(counts.id) ?? null,
        acceptedBy: accepted && (names.get(accepted.by) ?? null),
        acceptedAt: accepted && iso(new Date(accepted.at)),
        attention: needingAttention.has(id),
      };
      return [[id, money] as const];
    }),
  );
}

/** Names of the admins who accepted these payments. */
async function namesOf(db: Reader, rows: PaymentRow[]): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ knownFacts }) => (knownFacts.accepted ? [knownFacts.accepted.by] : []));
  if (ids.length === 0) return new Map();
  const people = await db
    .select({ id: users.id, email: users.email, username: forumUsers.username })
    .from(users)
    .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
    .where(inArray(users.id, ids));
  return new Map(people.map(({ id, email, username }) => [id, username ?? email]));
}

/** The stage of each of these payments for the team. */
async function readStages(db: Reader, rows: PaymentRow[]): Promise<Map<string, PaymentStage>> {
  const p = alias(payments, 'p');
  const found = await db
    .select({ id: p.id, stage: stageOfPayment })
    .from(p)
    .where(
      inArray(
        p.id,
        rows.map(({ id }) => id),
      ),
    );
  return new Map(found.map(({ id, stage }) => [id, stage]));
}

/**
 * Payments of a request as the back office shows them.
 *
 * @param services.simulation true when payments are simulated on this site. @param token the token that would be created for them.
 */
export async function presentForAdmin(
  db: Reader,
  payments: PaymentRow[],
  services: { simulation: boolean },
  token: AgreedToken,
): Promise<AdminPayment[]> {
  const names = await namesOf(db, payments);
  const stages = await readStages(db, payments);
  const ids = payments.map(({ id }) => id);
  const [signatures, returned] = await Promise.all([readAcceptances(db, ids), readMoneyBack(db, ids)]);
  return payments.map((payment) => ({
    ...presentOne(payment, services, names),
    ...(stages.get(payment.id) === 'refunded' && payment.state !== 'refunded' ? afterSendingBack(payment) : null),
    stage: stages.get(payment.id) ?? 'pending',
    returned: returned.get(payment.id) ?? null,
    statement: statementOf(payment, token),
    signatures: signatures.get(payment.id) ?? [],
  }));
}

/** The differing values once the team sent all money back: nothing is missing or paid for; only money that arrived later can be accepted. */
function afterSendingBack(row: PaymentRow): Partial<AdminPayment> {
  const { attention } = outcomeOf(row.knownFacts, termsOf(row));
  const isLater =
    attention.includes('after_refund') ||
    depositsWithMoney(row.knownFacts).some((id) => !row.knownFacts.sentBack.includes(id));
  return {
    missingUsd: 0,
    missingAmount: null,
    attention: attention.filter((reason) => reason !== 'partially_paid'),
    delivers: false,
    ...(isLater ? {} : { acceptable: false }),
  };
}

function presentOne(
  row: PaymentRow,
  services: { simulation: boolean },
  names: Map<string, string>,
): Omit<AdminPayment, 'stage' | 'returned' | 'statement' | 'signatures'> {
  const terms = termsOf(row);
  const { state, attention } = outcomeOf(row.knownFacts, terms);
  const { accepted } = row.knownFacts;
  const arrived = acceptableDeposits(row.knownFacts, terms).length > 0;
  const real = row.simulation === services.simulation;
  return {
    ...presentPayment(row),
    id: row.id,
    isCurrent: row.isCurrent,
    invoiceId: row.invoiceId,
    confirmedAt: row.confirmedAt?.toISOString() ?? null,
    attention,
    accepted:
      accepted && isAccepted(row.knownFacts)
        ? { by: names.get(accepted.by) ?? null, at: iso(new Date(accepted.at)), reason: accepted.reason }
        : null,
    delivers: real && mayDeliver(row.knownFacts, terms, PLANS[row.plan].priceUsd),
    acceptable:
      arrived &&
      !(isSettled(state) && attention.length === 0 && mayDeliver(row.knownFacts, terms, PLANS[row.plan].priceUsd)) &&
      !(isAccepted(row.knownFacts) && attention.length === 0 && isAtLeastPartPaid(state)),
    deposits: depositsOf(row),
  };
}

/** The request that a payment belongs to. @throws NOT_FOUND */
export async function requestOfPayment(db: Reader, paymentId: string): Promise<{ requestId: string }> {
  const [row] = await findPayments(db, sql`id = ${paymentId}`);
  return row ? { requestId: row.submissionId } : fail('NOT_FOUND', { what: 'payment' });
}

/**
 * Fetches the state of a payment from the provider, unless it was fetched a moment ago. The check is audited; changes that result
 * from it have audit entries of their own.
 *
 * @throws NOT_FOUND
 */
export async function checkPayment(
  db: Db,
  service: PaymentService,
  actor: Actor,
  paymentId: string,
): Promise<{ answer: PaymentAnswer; answered: boolean }> {
  const { requestId } = await requestOfPayment(db, paymentId);
  const answer = await service.check(paymentId, undefined, actor);
  await db.transaction((tx) =>
    audit(tx, actor, {
      action: 'payment.asked',
      resourceType: 'payment',
      resourceId: paymentId,
      after: { requestId, answer },
    }),
  );
  const [row] = await findPayments(db, sql`id = ${paymentId}`);
  return { answer, answered: isAnswered(row ?? null) };
}

/**
 * Adds an admin's note to the history of a payment. If the provider returned money, also records that the team is aware of the
 * return, unless an open refund in that coin will record it.
 *
 * @throws NOT_FOUND
 */
export function addPaymentNote(
  db: Db,
  service: PaymentService,
  by: Editor,
  { paymentId, note }: { paymentId: string; note: string },
): Promise<void> {
  return db.transaction(async (tx) => {
    const { requestId } = await requestOfPayment(tx, paymentId);
    await lockRequest(tx, requestId);
    const [row] = await findPayments(tx, sql`id = ${paymentId}`);
    const returned = row ? depositsIn(row.knownFacts).filter(({ status }) => status === 'refunded') : [];
    const coins = returned.flatMap(({ payCurrency }) => payCurrency?.toLowerCase() ?? []);
    if (returned.length > 0 && !(await hasOpenRefund(tx, paymentId, coins)))
      await service.acknowledgeRefund(tx, paymentId, by.actor);
    await audit(tx, by.actor, {
      action: 'payment.noted',
      resourceType: 'payment',
      resourceId: paymentId,
      after: { requestId },
      reason: cleanText(note, 'text'),
    });
  });
}

async function hasOpenRefund(tx: Tx, paymentId: string, assets: string[]): Promise<boolean> {
  const [found] = await tx
    .select({ id: refundCases.id })
    .from(refundCases)
    .where(
      and(
        eq(refundCases.paymentId, paymentId),
        inArray(refundCases.asset, assets),
        notInArray(refundCases.state, ['sent', 'withdrawn']),
      ),
    )
    .limit(1);
  return found !== undefined;
}
