import { isOutcomeKnown } from '#server/domains/payments/facts/credited.policy.ts';
import { depositIds, type Fact, type KnownFacts, knownOf } from '#server/domains/payments/facts/reduce.policy.ts';
import type { Deposit, PaymentProvider } from '#server/providers/payments/port.ts';
import { ProviderError } from '#server/providers/payments/port.ts';

/** The id of a deposit that the provider named in a signed callback, or that the payer's browser brought back from the payment page. */
export interface Hint {
  paymentId: string;
  signed: boolean;
}

export interface Question {
  orderId: string;
  invoiceId: string | null;
  knownFacts: KnownFacts;
  hints: Hint[];
}

export interface Answer {
  facts: Fact[];
  /** False when a request failed or a list was incomplete, so that there may be more deposits. */
  complete: boolean;
  /** The first error of the provider, if any. */
  error?: ProviderError;
}

/** Limit of deposits that one check fetches individually: a payer can start any number of deposits. */
const MAX_FETCHES = 25;

/**
 * True when the stored observation equals the list entry in status, amount and outcome, so that the deposit need not be fetched
 * again.
 */
export function isKnown(knownFacts: KnownFacts, listed: Deposit): boolean {
  const known = knownOf(knownFacts, listed);
  return (
    known !== undefined &&
    known.status === listed.status &&
    known.rawStatus === listed.rawStatus &&
    known.actuallyPaid === listed.actuallyPaid &&
    isOutcomeKnown(knownFacts, listed)
  );
}

/**
 * Fetches the deposits of one order from the provider: first its list, then each deposit that is new, changed or missing from the
 * list. Data of a callback or of a list is never trusted; only the response about the deposit itself counts.
 *
 * @param last this is the final check: an empty response then means that there are no deposits, even where the account may not list
 *   them.
 */
export async function fetchDeposits(
  provider: PaymentProvider,
  { orderId, invoiceId, knownFacts, hints }: Question,
  now: number,
  last = false,
): Promise<Answer> {
  const facts: Fact[] = [];
  const ids = new Set<string>(hints.map(({ paymentId }) => paymentId));
  const signed = new Set(hints.filter((hint) => hint.signed).map(({ paymentId }) => paymentId));
  let error: ProviderError | undefined;
  let whole = last;
  const unlessProviderFails = async <T>(work: Promise<T>): Promise<T | null> => {
    try {
      return await work;
    } catch (failure) {
      if (!(failure instanceof ProviderError)) throw failure;
      error ??= failure;
      return null;
    }
  };

  const listed = await unlessProviderFails(provider.deposits({ invoiceId, orderId }));
  const inList = new Map(listed?.deposits.map((deposit) => [deposit.paymentId, deposit]));
  if (listed) whole = listed.complete;
  for (const deposit of listed?.deposits ?? []) if (!isKnown(knownFacts, deposit)) ids.add(deposit.paymentId);
  // With more deposits than the limit, the start rotates every minute so that each one is fetched in turn.
  const seen = new Set(depositIds(knownFacts));
  const unlisted = [...seen].filter((id) => !inList.has(id));
  const first = unlisted.length > 0 ? Math.floor(now / 60_000) % unlisted.length : 0;
  for (const id of [...unlisted.slice(first), ...unlisted.slice(0, first)]) ids.add(id);
  if (ids.size > MAX_FETCHES && !last) whole = false;

  for (const id of [...ids].slice(0, MAX_FETCHES)) {
    const deposit = await unlessProviderFails(provider.deposit(id));
    if (!deposit) continue;
    const mine =
      deposit.orderId === orderId ||
      (deposit.invoiceId !== null && deposit.invoiceId === invoiceId) ||
      (deposit.parentId !== null && (ids.has(deposit.parentId) || seen.has(deposit.parentId))) ||
      seen.has(id);
    if (mine || signed.has(id)) facts.push({ type: 'seen', deposit });
  }
  // An unreadable entry of this order may be money.
  const knowsAll = listed?.complete !== false && (whole || (ids.size <= MAX_FETCHES && seen.size > 0));
  const complete = error === undefined && knowsAll;
  if (complete) facts.push({ type: 'polled', at: now });
  return { facts, complete, ...(error ? { error } : {}) };
}
