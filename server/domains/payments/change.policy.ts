// What follows from facts about a payment: decided here without any effect, and applied by ledger.service.ts.
import type { PaymentState } from '#contract/domains/payments.ts';
import type { Deposit } from '#server/providers/payments/port.ts';
import {
  depositsIn,
  type Fact,
  hasMoney,
  isAccepted,
  isConfirmed,
  isSettled,
  type Ledger,
  type Outcome,
  outcomeOf,
  reduce,
  type Terms,
} from './reduce.policy.ts';

/** Nothing more is owed: all of it arrived, or the team took what arrived for enough. */
export const isPaid = ({ state, ledger }: { state: PaymentState; ledger: Ledger }): boolean =>
  isSettled(state) || (state === 'partially_paid' && isAccepted(ledger));

/** A payment as it stands before the facts. */
interface Standing {
  state: PaymentState;
  ledger: Ledger;
  confirmedAt: Date | null;
  /** When the payer got each mail; each is sent once for a payment. */
  receiptAt: Date | null;
  shortNoticeAt: Date | null;
  reviewNoticeAt: Date | null;
}

/** What is known of other orders. */
interface Others {
  /** Orders of ours that a deposit of these facts belongs to instead: a deposit never counts for two. */
  foreign: ReadonlySet<string>;
  /** Another order of the same request is paid. */
  paid: boolean;
}

/** What the payer is to be told by mail, each once for a payment. */
interface Mails {
  /** Nothing more is owed. */
  receipt: boolean;
  shortNotice: boolean;
  /** Money arrived that a person has to look at: on a payment that was replaced, or not as agreed. */
  reviewNotice: boolean;
}

export interface Decision {
  /** Facts about this order alone. */
  news: Fact[];
  ledger: Ledger;
  outcome: Outcome;
  /** The state is another one than before. */
  changed: boolean;
  /** Money for the order arrived for the first time. */
  firstConfirmed: boolean;
  mails: Mails;
}

/**
 * Adds facts to the ledger of a payment and says what follows.
 *
 * @returns where the order stands, and what there is to do about it. Confirmed, it has to be decided with the true
 *   `others.paid`; for any other outcome that makes no difference.
 */
export function decideChange(row: Standing, terms: Terms, facts: readonly Fact[], others: Others): Decision {
  const news = facts.filter((fact) => fact.type !== 'seen' || !others.foreign.has(fact.deposit.orderId ?? ''));
  let ledger = news.reduce((known, fact) => reduce(known, fact, terms), row.ledger);
  if (others.paid && isConfirmed(outcomeOf(ledger, terms).state))
    ledger = reduce(ledger, { type: 'paid_twice' }, terms);
  const outcome = outcomeOf(ledger, terms);
  const { state } = outcome;
  const paid = isPaid({ state, ledger });
  return {
    news,
    ledger,
    outcome,
    changed: state !== row.state,
    firstConfirmed: isConfirmed(state) && !row.confirmedAt,
    mails: {
      receipt: paid && !row.receiptAt,
      shortNotice: state === 'partially_paid' && !paid && !row.shortNoticeAt,
      reviewNotice: state === 'under_review' && !row.reviewNoticeAt,
    },
  };
}

/** Deposits that had money and went back with this change, as they stood before it. */
export function newlyReturned(before: Ledger, after: Ledger): Deposit[] {
  const returned = new Set(
    depositsIn(after).flatMap(({ paymentId, status }) => (status === 'refunded' ? [paymentId] : [])),
  );
  return depositsIn(before).filter((deposit) => hasMoney(deposit) && returned.has(deposit.paymentId));
}
