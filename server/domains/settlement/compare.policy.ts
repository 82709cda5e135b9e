// Differences between the money ledger and the provider about one deposit.
import { fromFixedPoint, toFixedPoint } from '#server/lib/fixed-point.ts';
import type { Deposit } from '#server/providers/payments/port.ts';

/** The money ledger's amounts of a deposit, in units of 10^-18. */
interface Ours {
  asset: string;
  received: bigint;
  returned: bigint;
  credited: ReadonlyMap<string, bigint>;
}

export interface Difference {
  kind: 'missing_here' | 'missing_there' | 'amount' | 'returned' | 'outcome' | 'over_returned' | 'totals';
  subject: string;
  asset: string;
  /** Decimals; empty for nothing. */
  ours: string;
  theirs: string;
}

/** @param ours null when the money ledger has nothing. */
export function compareDeposit(deposit: Deposit, ours: Ours | null): Difference[] {
  const { paymentId: subject, status, outcome } = deposit;
  // Same name as in the money ledger for a coin without one from the provider.
  const asset = deposit.payCurrency?.toLowerCase().slice(0, 40) || 'unnamed';
  const paid = toFixedPoint(deposit.paidText ?? String(deposit.actuallyPaid ?? 0));
  const theirs = fromFixedPoint(paid);
  if (!ours || ours.received === 0n)
    return paid === 0n ? [] : [{ kind: 'missing_here', subject, asset, ours: '', theirs }];
  const found: Difference[] = [];
  if (ours.received !== paid || ours.asset !== asset)
    found.push({ kind: 'amount', subject, asset, ours: fromFixedPoint(ours.received), theirs });
  const back = status === 'refunded' ? paid : 0n;
  if (ours.returned !== back)
    found.push({ kind: 'returned', subject, asset, ours: fromFixedPoint(ours.returned), theirs: fromFixedPoint(back) });
  return [...found, ...compareOutcome(deposit, outcome, ours)];
}

function compareOutcome(
  { paymentId: subject, status }: Deposit,
  outcome: Deposit['outcome'],
  ours: Ours,
): Difference[] {
  // After a return nothing is credited any more, in the ledger either.
  if (status === 'refunded') return [];
  const credited = [...ours.credited].filter(([, amount]) => amount !== 0n);
  // Nothing is credited before a deposit is completed, nor once the provider reports a completed one as failed.
  if (!outcome || (status !== 'finished' && status !== 'partially_paid'))
    return credited.map(([asset, amount]) => ({
      kind: 'outcome',
      subject,
      asset,
      ours: fromFixedPoint(amount),
      theirs: '',
    }));
  const wanted = toFixedPoint(outcome.amount);
  const [first] = credited;
  if (credited.length === 1 && first?.[0] === outcome.currency && first[1] === wanted) return [];
  return [
    {
      kind: 'outcome',
      subject,
      asset: outcome.currency,
      ours: first ? `${fromFixedPoint(first[1])} ${first[0]}` : '',
      theirs: `${fromFixedPoint(wanted)} ${outcome.currency}`,
    },
  ];
}
