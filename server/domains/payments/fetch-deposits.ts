import type { Deposit, PaymentProvider } from '#server/providers/payments/port.ts';
import { ProviderError } from '#server/providers/payments/port.ts';
import { depositIds, type Fact, isOutcomeKnown, knownOf, type Ledger } from './reduce.policy.ts';

/** A deposit that somebody named: the provider in a signed callback, or a payer on the way back. */
export interface Hint {
  paymentId: string;
  signed: boolean;
}

export interface Question {
  orderId: string;
  invoiceId: string | null;
  ledger: Ledger;
  hints: Hint[];
}

export interface Answer {
  facts: Fact[];
  /** False: something could not be asked, so nobody knows whether there is more. */
  complete: boolean;
  /** What went wrong, when something did. */
  error?: ProviderError;
}

/** Deposits that one question asks about one by one: whoever pays can begin as many as they like. */
const MAX_FETCHES = 25;

/** Final for the provider as well; a list entry that still says the same needs no second question. */
export function isKnown(ledger: Ledger, listed: Deposit): boolean {
  const known = knownOf(ledger, listed);
  return (
    known !== undefined &&
    known.status === listed.status &&
    known.rawStatus === listed.rawStatus &&
    known.actuallyPaid === listed.actuallyPaid &&
    isOutcomeKnown(ledger, listed)
  );
}

/**
 * Asks the provider about one order: its list of deposits, then each deposit that is new, changed or not in the list. What
 * is in a callback or a list never counts by itself, only the answer about the deposit itself.
 *
 * @param last nobody will ask again: an empty answer then counts as 'there is nothing', even where lists are not allowed.
 */
export async function fetchDeposits(
  provider: PaymentProvider,
  { orderId, invoiceId, ledger, hints }: Question,
  now: number,
  last = false,
): Promise<Answer> {
  const facts: Fact[] = [];
  const ids = new Set<string>(hints.map(({ paymentId }) => paymentId));
  const signed = new Set(hints.filter((hint) => hint.signed).map(({ paymentId }) => paymentId));
  let error: ProviderError | undefined;
  let whole = last;
  const guard = async <T>(work: Promise<T>): Promise<T | null> => {
    try {
      return await work;
    } catch (failure) {
      if (!(failure instanceof ProviderError)) throw failure;
      error ??= failure;
      return null;
    }
  };

  const listed = await guard(provider.deposits({ invoiceId, orderId }));
  const inList = new Map(listed?.map((deposit) => [deposit.paymentId, deposit]));
  if (listed) whole = true;
  for (const deposit of listed ?? []) if (!isKnown(ledger, deposit)) ids.add(deposit.paymentId);
  // Where there are too many, each minute begins with another one.
  const seen = new Set(depositIds(ledger));
  const unlisted = [...seen].filter((id) => !inList.has(id));
  const first = unlisted.length > 0 ? Math.floor(now / 60_000) % unlisted.length : 0;
  for (const id of [...unlisted.slice(first), ...unlisted.slice(0, first)]) ids.add(id);
  if (ids.size > MAX_FETCHES && !last) whole = false;

  for (const id of [...ids].slice(0, MAX_FETCHES)) {
    const deposit = await guard(provider.deposit(id));
    if (!deposit) continue;
    const mine =
      deposit.orderId === orderId ||
      (deposit.invoiceId !== null && deposit.invoiceId === invoiceId) ||
      (deposit.parentId !== null && (ids.has(deposit.parentId) || seen.has(deposit.parentId))) ||
      seen.has(id);
    if (mine || signed.has(id)) facts.push({ type: 'seen', deposit });
  }
  const knowsAll = whole || (ids.size <= MAX_FETCHES && seen.size > 0);
  const complete = error === undefined && knowsAll;
  if (complete) facts.push({ type: 'asked', at: now });
  return { facts, complete, ...(error ? { error } : {}) };
}
