import type { PaymentState } from '#contract/domains/payments.ts';
import { shareOf, toFixedPoint } from '#server/lib/fixed-point.ts';
import type { Deposit, Outcome as ProviderOutcome, ProviderStatus } from '#server/providers/payments/port.ts';
import { type Acceptance, isAbout, laterAcceptance } from './acceptance.policy.ts';
import { addEnd, addOutcome } from './credited.policy.ts';
import { isLeftover, isStranded, isStuck } from './ended-deposits.policy.ts';
import { addSentBack, hasGrown, isBack, type SentBackFact } from './sent-back.policy.ts';

/** Terms of an order, fixed at its creation. */
export interface Terms {
  orderId: string;
  priceUsd: number;
  /** Milliseconds. */
  expiresAt: number;
}

/** All known facts about one order: what the provider reported, and what admins decided. Plain data, stored as JSON. All times in milliseconds. */
export interface KnownFacts {
  /** The best observation of each deposit in a recognised state. */
  deposits: Record<string, Deposit>;
  /** Separately, the last observation of each deposit in a state that this code does not recognise. */
  unknown: Record<string, Deposit>;
  /** The amount that the provider credited for each deposit, with the time of that answer. */
  outcomes: Record<string, ProviderOutcome & { at: number }>;
  /** `completed`: deposits that matched the order when the provider reported them as finished or partially paid; `failed`: as failed or expired. */
  completed: string[];
  failed: string[];
  /** The last time at which the provider answered completely. */
  polledAt: number;
  /** When a newer order replaced this one because the plan or its price changed. */
  supersededAt: number | null;
  /** An admin's acceptance of the deposits with these ids; it holds as long as none of them is refunded. */
  accepted: Acceptance | null;
  /** Another order of the same request is paid as well. */
  paidTwice: boolean;
  /** Deposits whose refund the team is aware of. */
  refundsNoted: string[];
  /** Deposits whose money the team sent back, all of it. The provider does not report that. */
  sentBack: string[];
  /** The same for deposits that do not pay for the order, while other money does. */
  straysBack: string[];
  /** The arrived amount of each of them at the time of that refund; facts of earlier versions have no amounts. */
  sentBackAmounts: Record<string, string>;
  /** The last time at which a refund of all money was recorded. */
  sentBackAt: number;
}

/** Terms of a row of `payments`. */
export const termsOf = (row: { orderId: string; priceUsd: number; expiresAt: Date }): Terms => ({
  orderId: row.orderId,
  priceUsd: row.priceUsd,
  expiresAt: row.expiresAt.getTime(),
});

export type Fact =
  | { type: 'seen'; deposit: Deposit }
  | { type: 'polled'; at: number }
  | { type: 'superseded'; at: number }
  | ({ type: 'accepted' } & Acceptance)
  | { type: 'paid_twice' }
  | { type: 'refund_noted'; of: string[] }
  | ({ type: 'sent_back' } & SentBackFact);

export const EMPTY: KnownFacts = {
  deposits: {},
  unknown: {},
  outcomes: {},
  completed: [],
  failed: [],
  polledAt: 0,
  supersededAt: null,
  accepted: null,
  paidTwice: false,
  refundsNoted: [],
  sentBack: [],
  straysBack: [],
  sentBackAmounts: {},
  sentBackAt: 0,
};

const UNDER_WAY: readonly ProviderStatus[] = ['confirming', 'confirmed', 'sending'];
export const isUnderWayStatus = (status: ProviderStatus): boolean => UNDER_WAY.includes(status);
/** True when money is on its way to an order, in addition to any that arrived before. */
export const isUnderWay = (knownFacts: KnownFacts): boolean =>
  depositsIn(knownFacts).some(({ status }) => UNDER_WAY.includes(status));

/** Progress of a deposit, which never decreases. A late deposit ranks above an expired one. */
const RANK: Record<ProviderStatus, number> = {
  waiting: 0,
  expired: 1,
  confirming: 2,
  confirmed: 3,
  sending: 4,
  unknown: 5,
  failed: 5,
  partially_paid: 6,
  finished: 7,
  refunded: 8,
};

/** How long the confirmation of a deposit made in time may take. Milliseconds. */
const CONFIRMATION_GRACE = 24 * 3_600_000;

/** True when the deposit is for this order at its price; any other deposit pays for it only when an admin accepted it. */
export const isSound = (deposit: Deposit, terms: Terms) =>
  deposit.parentId === null &&
  deposit.orderId === terms.orderId &&
  deposit.priceAmount === terms.priceUsd &&
  deposit.priceCurrency === 'usd';

/**
 * The more advanced of two observations of one deposit. A total order, so the result depends neither on the order nor on the number
 * of observations.
 */
function better(a: Deposit, b: Deposit, terms: Terms): Deposit {
  const finished = a.status === 'finished' || a.status === 'refunded';
  // For finished deposits the earliest time counts: later updates of the record do not make a deposit late.
  const time = finished ? b.updatedAt - a.updatedAt : a.updatedAt - b.updatedAt;
  const difference =
    Number(isSound(a, terms)) - Number(isSound(b, terms)) ||
    RANK[a.status] - RANK[b.status] ||
    (a.actuallyPaid ?? 0) - (b.actuallyPaid ?? 0) ||
    time ||
    (JSON.stringify(a) > JSON.stringify(b) ? 1 : -1);
  return difference > 0 ? a : b;
}

/** The later of two observations in unrecognised states. Also a total order. */
function newer(a: Deposit, b: Deposit): Deposit {
  const difference =
    a.updatedAt - b.updatedAt ||
    (a.actuallyPaid ?? 0) - (b.actuallyPaid ?? 0) ||
    (JSON.stringify(a) > JSON.stringify(b) ? 1 : -1);
  return difference > 0 ? a : b;
}

/** The stored observation of a deposit in the same kind of state, for comparison with a new one. */
export const knownOf = ({ deposits, unknown }: KnownFacts, { paymentId, status }: Deposit): Deposit | undefined =>
  (status === 'unknown' ? unknown : deposits)[paymentId];

/** Ids of all deposits that were ever observed. */
export const depositIds = ({ deposits, unknown }: KnownFacts): string[] => [
  ...new Set([...Object.keys(deposits), ...Object.keys(unknown)]),
];

/** An unrecognised state holds until the provider reports a recognised one; if both have the same time, only a final one. */
function holds(unknown: Deposit, known: Deposit | undefined): boolean {
  if (!known || known.updatedAt < unknown.updatedAt) return true;
  return known.updatedAt === unknown.updatedAt && RANK[known.status] < RANK.failed;
}

/** The current observation of each deposit. */
export function depositsIn(knownFacts: KnownFacts): Deposit[] {
  return depositIds(knownFacts).flatMap((id) => {
    const [known, unknown] = [knownFacts.deposits[id], knownFacts.unknown[id]];
    const standing = unknown && holds(unknown, known) ? unknown : known;
    return standing ? [standing] : [];
  });
}

/** Adds one fact. Commutative and idempotent: the same facts give the same result in any order and number. */
export function reduce(knownFacts: KnownFacts, fact: Fact, terms: Terms): KnownFacts {
  switch (fact.type) {
    case 'seen': {
      const { outcome: _, description: __, ...deposit } = fact.deposit;
      const credited = addOutcome(knownFacts, fact.deposit);
      const informed = isSound(deposit, terms) ? addEnd(credited, deposit) : credited;
      if (deposit.status === 'unknown') {
        const last = knownFacts.unknown[deposit.paymentId];
        return {
          ...informed,
          unknown: { ...knownFacts.unknown, [deposit.paymentId]: last ? newer(last, deposit) : deposit },
        };
      }
      const known = knownFacts.deposits[deposit.paymentId];
      const best = known ? better(known, deposit, terms) : deposit;
      return { ...informed, deposits: { ...knownFacts.deposits, [deposit.paymentId]: best } };
    }
    case 'polled':
      return { ...knownFacts, polledAt: Math.max(knownFacts.polledAt, fact.at) };
    case 'superseded':
      return { ...knownFacts, supersededAt: Math.min(knownFacts.supersededAt ?? fact.at, fact.at) };
    case 'accepted':
      return { ...knownFacts, accepted: laterAcceptance(knownFacts.accepted, fact) };
    case 'paid_twice':
      return { ...knownFacts, paidTwice: true };
    case 'refund_noted':
      return { ...knownFacts, refundsNoted: [...new Set([...knownFacts.refundsNoted, ...fact.of])].toSorted() };
    case 'sent_back':
      return addSentBack(knownFacts, fact);
  }
}

/** Reasons for a review of an order. */
type Attention =
  | 'repeat_deposit'
  | 'wrong_order'
  | 'ended_with_money'
  | 'superseded'
  | 'several_deposits'
  | 'late'
  | 'paid_twice'
  | 'partially_paid'
  | 'unknown_status'
  | 'after_refund'
  | 'refunded';

export interface Outcome {
  state: PaymentState;
  /** The deposit to show. */
  main: Deposit | null;
  /** US dollars at the rate of each deposit, rounded down to cents per deposit. One that does not match the order counts once accepted. */
  receivedUsd: number;
  /** Missing part of the price in US dollars, at least one cent when anything is missing. */
  missingUsd: number;
  attention: Attention[];
}

export const isFull = ({ status, actuallyPaid, payAmount }: Deposit) =>
  status === 'finished' && actuallyPaid !== null && payAmount !== null && payAmount > 0 && actuallyPaid >= payAmount;
export const isShort = (deposit: Deposit) =>
  deposit.status === 'partially_paid' || (deposit.status === 'finished' && !isFull(deposit));
/** True when money arrived and was not returned. */
export const hasMoney = ({ status, actuallyPaid }: Deposit) =>
  status === 'partially_paid' || status === 'finished' || (status !== 'refunded' && (actuallyPaid ?? 0) > 0);

/** Arrived amount of a deposit's coin, in units of 10^-18. */
export const arrivedUnits = ({ paidText, actuallyPaid }: Deposit): bigint =>
  toFixedPoint(paidText ?? String(actuallyPaid ?? 0));
/** US cents at the rate of the deposit, rounded down. @param price in cents. */
export function centsOf(deposit: Deposit, price: bigint): bigint {
  const due = toFixedPoint(deposit.payText ?? String(deposit.payAmount ?? 0));
  // A due amount below the smallest unit counts as one unit.
  return shareOf(price, arrivedUnits(deposit), due === 0n && (deposit.payAmount ?? 0) > 0 ? 1n : due);
}

/** Value in US cents of a deposit that an acceptance covers: at its own price, because it may not match its order. */
export const acceptedCents = (deposit: Deposit): bigint =>
  deposit.priceCurrency === 'usd' ? centsOf(deposit, toFixedPoint(String(deposit.priceAmount), 2)) : 0n;

/** Ids of deposits that have money now, which an acceptance covers. */
export const depositsWithMoney = (knownFacts: KnownFacts): string[] =>
  depositsIn(knownFacts)
    .filter(hasMoney)
    .map(({ paymentId }) => paymentId);

/** A deposit for this order that ended, or waits, with too little money: no payment, with or without an acceptance. */
const isNoPayment = (deposit: Deposit, terms: Terms) => isSound(deposit, terms) && isLeftover(deposit);

/**
 * Ids of deposits that an acceptance covers now. Money on its way is not accepted yet, because the provider may still fail it, unless it has
 * been on its way for too long. Money that does not pay for the order and was sent back can be accepted only once more of it arrives.
 */
export function acceptableDeposits(knownFacts: KnownFacts, terms: Terms): string[] {
  const msAfterExpiry = knownFacts.polledAt - terms.expiresAt;
  const isOpen = (status: ProviderStatus) => isUnderWayStatus(status) || (status === 'waiting' && msAfterExpiry < 0);
  const isGone = (one: Deposit) =>
    knownFacts.straysBack.includes(one.paymentId) && !hasGrown(one, knownFacts.sentBackAmounts);
  const ended = depositsIn(knownFacts).filter((one) => !isOpen(one.status) && !isNoPayment(one, terms) && !isGone(one));
  const stuck = depositsIn(knownFacts).filter((one) => isUnderWayStatus(one.status) && isStuck(one, msAfterExpiry));
  return [...ended, ...stuck].filter(hasMoney).map(({ paymentId }) => paymentId);
}

/** True when an admin accepted the payment and all accepted deposits still have money; for an earlier version's, at least one has to count. */
export function isAccepted(knownFacts: KnownFacts): boolean {
  const { accepted } = knownFacts;
  if (!accepted || accepted.of.length === 0) return false;
  const there = depositsIn(knownFacts).filter(hasMoney);
  const counts = accepted.ended || there.some((one) => isAbout(accepted, one) && !isLeftover(one));
  return counts && accepted.of.every((id) => there.some(({ paymentId }) => paymentId === id));
}

/** True when the acceptance of a payment covers one of its deposits. */
export const isCovered = (knownFacts: KnownFacts, deposit: Deposit, terms: Terms): boolean =>
  knownFacts.accepted !== null &&
  isAbout(knownFacts.accepted, deposit) &&
  isAccepted(knownFacts) &&
  !isNoPayment(deposit, terms);

/**
 * State of an order from all facts. It is expired once the provider answered completely after the expiry, or as soon as the provider
 * reports the deposit as expired and no other one waits.
 */
export function outcomeOf(knownFacts: KnownFacts, terms: Terms): Outcome {
  const all = depositsIn(knownFacts);
  const unknown = all.filter(({ status }) => status === 'unknown');
  const sound = all.filter((deposit) => isSound(deposit, terms));
  const mismatched = all.filter((deposit) => !isSound(deposit, terms) && hasMoney(deposit));
  const expiredWhenPolled = knownFacts.polledAt >= terms.expiresAt;
  const stranded = sound.filter((deposit) => hasMoney(deposit) && isStranded(deposit, expiredWhenPolled));
  const msAfterExpiry = knownFacts.polledAt - terms.expiresAt;
  const underWay = sound.filter(({ status }) => isUnderWayStatus(status));
  const stuck = underWay.filter((one) => hasMoney(one) && isStuck(one, msAfterExpiry));
  const full = sound.filter(isFull);
  const short = sound.filter(isShort);
  const refunded = all.filter(({ status }) => status === 'refunded');
  const accepted = isAccepted(knownFacts);
  const covered = (deposit: Deposit) => isCovered(knownFacts, deposit, terms);
  const late = full.length > 0 && full.every(({ updatedAt }) => updatedAt > terms.expiresAt + CONFIRMATION_GRACE);

  const state = ((): PaymentState => {
    // An unrecognised state is never paid and never expired until a person has reviewed this deposit.
    if (!unknown.every(covered)) return 'under_review';
    if (full.length > 0) {
      if (knownFacts.supersededAt !== null) return accepted ? 'paid' : 'under_review';
      if (late) return 'paid_late';
      const over =
        full.length > 1 || full.some(({ actuallyPaid, payAmount }) => (actuallyPaid ?? 0) > (payAmount ?? 0));
      return over ? 'overpaid' : 'paid';
    }
    if (short.length > 0)
      return knownFacts.supersededAt === null ? 'partially_paid' : accepted ? 'paid' : 'under_review';
    // Money that is held needs a review, even when other money was returned, or accepted.
    const odd = [...mismatched, ...stranded, ...unknown, ...stuck.filter(covered)];
    if (odd.length > 0) return odd.some(covered) ? 'paid' : 'under_review';
    // A payer who pays again after a return must not read that everything was returned, and pay a third time.
    if (underWay.length > 0) return 'confirming';
    if (refunded.length > 0) return 'refunded';
    const waits = sound.some(({ status }) => status === 'waiting');
    if (!waits && sound.some(({ status }) => status === 'failed')) return 'failed';
    if (expiredWhenPolled || (!waits && sound.some(({ status }) => status === 'expired'))) return 'expired';
    return 'awaiting';
  })();

  const taken = all.filter(covered);
  const odd = taken.filter((one) => !full.includes(one) && !short.includes(one));
  const values = [
    ...[...full, ...short].map((one) => centsOf(one, BigInt(terms.priceUsd) * 100n)),
    ...odd.map(acceptedCents),
  ];
  const received = Number(values.reduce((sum, cents) => sum + cents, 0n));
  const counts = full.length > 0 || short.length > 0;
  const isOnePart = short.length === 1 && odd.length === 0;
  const missing = full.length > 0 ? 0 : Math.max(isOnePart ? 1 : 0, terms.priceUsd * 100 - received);
  // Deposits that an admin reviewed need no second review; later ones do.
  const acceptable = acceptableDeposits(knownFacts, terms);
  const seen = accepted && all.every((one) => !acceptable.includes(one.paymentId) || covered(one));
  // When the team sent back all of the money, there is nothing left to review.
  const back = (deposit: Deposit) => isBack(knownFacts, deposit);
  const held = all.filter(hasMoney);
  const allBack = held.length > 0 && held.every(back) && unknown.every(back);
  const strays = mismatched.filter((one) => !back(one));
  const reasons: [Attention, boolean][] = [
    ['repeat_deposit', strays.some(({ parentId }) => parentId !== null)],
    ['wrong_order', strays.some(({ parentId }) => parentId === null)],
    ['ended_with_money', ![...stranded, ...stuck].every(back)],
    ['superseded', counts && knownFacts.supersededAt !== null],
    ['several_deposits', full.length + short.length > 1],
    ['late', late],
    ['paid_twice', knownFacts.paidTwice && held.length > 0],
    // The rest of a payment that the team sent back is not expected any more.
    ['partially_paid', state === 'partially_paid' && !short.every(back)],
    ['unknown_status', unknown.length > 0],
  ];
  // An acceptance from before the refund is not about money that arrived since.
  const acceptedSince = seen && (knownFacts.accepted?.at ?? 0) > knownFacts.sentBackAt;
  const grown = !acceptedSince && all.some((one) => hasMoney(one) && hasGrown(one, knownFacts.sentBackAmounts));
  // An acceptance covers money that is held; for returned money the team confirms separately that it is aware of it.
  const returned = refunded.some(({ paymentId }) => !knownFacts.refundsNoted.includes(paymentId));
  return {
    state,
    main: furthest([full, short, underWay, sound].find((group) => group.length > 0) ?? []),
    receivedUsd: received / 100,
    missingUsd: missing / 100,
    attention: [
      ...(seen || allBack ? [] : reasons.flatMap(([reason, holds]) => (holds ? [reason] : []))),
      ...(grown ? (['after_refund'] as const) : []),
      ...(returned ? (['refunded'] as const) : []),
    ],
  };
}

/** The most advanced deposit; of equal ones, the one updated last. Also a total order. */
function furthest(deposits: readonly Deposit[]): Deposit | null {
  const isFurther = (one: Deposit, other: Deposit) =>
    (RANK[one.status] - RANK[other.status] ||
      one.updatedAt - other.updatedAt ||
      (one.paymentId > other.paymentId ? 1 : -1)) > 0;
  return deposits.reduce<Deposit | null>((best, one) => (best && isFurther(best, one) ? best : one), null);
}

/** True once money that counts arrived, even a part of the price. */
export const isAtLeastPartPaid = (state: PaymentState): boolean =>
  state === 'paid' || state === 'overpaid' || state === 'paid_late' || state === 'partially_paid';

/** Nothing more is owed: a receipt is due. */
export const isSettled = (state: PaymentState): boolean =>
  state === 'paid' || state === 'overpaid' || state === 'paid_late';

/**
 * True when the operator may deliver the plan. A short, odd or superseded payment needs an admin's acceptance, and so does a late
 * one after a change of price.
 */
export function mayDeliver(knownFacts: KnownFacts, terms: Terms, priceNow: number): boolean {
  const { state } = outcomeOf(knownFacts, terms);
  if (state === 'paid' || state === 'overpaid') return true;
  if (state === 'paid_late' && priceNow === terms.priceUsd) return true;
  return isAccepted(knownFacts) && isAtLeastPartPaid(state);
}
