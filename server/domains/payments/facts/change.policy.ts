// Computes the consequences of new facts about a payment: pure functions; record.service.ts applies the result.
import type { PaymentState } from '#contract/domains/payments.ts';
import type { Deposit } from '#server/providers/payments/port.ts';
import {
  depositsIn,
  type Fact,
  hasMoney,
  isAccepted,
  isAtLeastPartPaid,
  isSettled,
  type KnownFacts,
  type Outcome,
  outcomeOf,
  reduce,
  type Terms,
} from './reduce.policy.ts';

/** Nothing more is owed: the full amount arrived, or the team accepted the amount that arrived. */
export const isPaid = ({ state, knownFacts }: { state: PaymentState; knownFacts: KnownFacts }): boolean =>
  isSettled(state) || (state === 'partially_paid' && isAccepted(knownFacts));

/** State of a payment before the new facts. */
interface Standing {
  state: PaymentState;
  knownFacts: KnownFacts;
  confirmedAt: Date | null;
  /** When each mail was sent to the payer; each is sent once per payment. */
  receiptAt: Date | null;
  shortNoticeAt: Date | null;
  reviewNoticeAt: Date | null;
}

/** Facts about other orders that affect this decision. */
interface Others {
  /** Our other orders that deposits of these facts belong to: a deposit never counts for two orders. */
  foreign: ReadonlySet<string>;
  /** True when another order of the same request is paid. */
  paid: boolean;
}

/** Mails to send to the payer, each once per payment. */
interface Mails {
  /** Sent when nothing more is owed. */
  receipt: boolean;
  shortNotice: boolean;
  /** Sent when money arrived that a person has to review: for a superseded payment, or not matching the order. */
  reviewNotice: boolean;
}

export interface Decision {
  /** The facts that concern this order. */
  news: Fact[];
  knownFacts: KnownFacts;
  outcome: Outcome;
  /** True when the state differs from the previous one. */
  changed: boolean;
  /** True when money for the order arrived for the first time. */
  firstConfirmed: boolean;
  mails: Mails;
}

/**
 * Adds facts to the known ones of a payment and computes the consequences.
 *
 * @returns the new state of the order and the actions that follow. A confirmed outcome has to be decided with the true
 *   `others.paid`; for any other outcome that value makes no difference.
 */
export function decideChange(row: Standing, terms: Terms, facts: readonly Fact[], others: Others): Decision {
  const news = facts.filter((fact) => fact.type !== 'seen' || !others.foreign.has(fact.deposit.orderId ?? ''));
  let knownFacts = news.reduce((known, fact) => reduce(known, fact, terms), row.knownFacts);
  if (others.paid && isAtLeastPartPaid(outcomeOf(knownFacts, terms).state))
    knownFacts = reduce(knownFacts, { type: 'paid_twice' }, terms);
  const outcome = outcomeOf(knownFacts, terms);
  const { state } = outcome;
  const paid = isPaid({ state, knownFacts });
  return {
    news,
    knownFacts,
    outcome,
    changed: state !== row.state,
    firstConfirmed: isAtLeastPartPaid(state) && !row.confirmedAt,
    mails: {
      receipt: paid && !row.receiptAt,
      shortNotice: state === 'partially_paid' && !paid && !row.shortNoticeAt,
      reviewNotice: state === 'under_review' && !row.reviewNoticeAt,
    },
  };
}

/** Deposits that had money and were returned by this change, as they were before it. */
export function newlyReturned(before: KnownFacts, after: KnownFacts): Deposit[] {
  const returned = new Set(
    depositsIn(after).flatMap(({ paymentId, status }) => (status === 'refunded' ? [paymentId] : [])),
  );
  return depositsIn(before).filter((deposit) => hasMoney(deposit) && returned.has(deposit.paymentId));
}
