// Which open refunds end when the provider gives money back by itself: decided here without any effect.

/** A refund that was not sent. Amounts in the smallest unit of the coin. */
export interface OpenRefund {
  id: string;
  amount: bigint;
  /** It stands for this very deposit, as far as anybody can tell: it was opened about the payment while the deposit was there. */
  mayBe: boolean;
}

interface Money {
  /** What arrived for the payment in this coin and is still there. */
  arrived: bigint;
  /** What the team sent of it. */
  sent: bigint;
  /** What the provider gave back just now. */
  returned: bigint;
}

/**
 * What stays open of each refund, in their order. What came back is taken from refunds that may be about it first, one of the very
 * amount before all others, and then from the newest until no more is open than is there.
 *
 * @param open newest first.
 */
export function openAfterReturn(open: readonly OpenRefund[], { arrived, sent, returned }: Money): Map<string, bigint> {
  const kept = new Map(open.map(({ id, amount }) => [id, amount]));
  const take = (ids: readonly string[], units: bigint): void => {
    let left = units;
    for (const id of ids) {
      const amount = kept.get(id) ?? 0n;
      const taken = amount < left ? amount : left;
      kept.set(id, amount - taken);
      left -= taken;
    }
  };
  const candidates = open.filter(({ mayBe }) => mayBe);
  const same = candidates.find(({ amount }) => amount === returned);
  take(
    (same ? [same] : candidates).map(({ id }) => id),
    returned,
  );
  const total = [...kept.values()].reduce((sum, amount) => sum + amount, sent);
  if (total > arrived)
    take(
      open.map(({ id }) => id),
      total - arrived,
    );
  return kept;
}
