// Decides which open refunds end when the provider returns money on its own initiative: pure functions.

/** A refund that was not sent. Amounts in the smallest unit of the coin. */
export interface OpenRefund {
  id: string;
  amount: bigint;
  /** True when it may be about the returned deposit: it was opened for the payment while that deposit existed. */
  mayBe: boolean;
}

interface Money {
  /** Amount that arrived for the payment in this coin and was not returned. */
  arrived: bigint;
  /** The part of it that the team sent. */
  sent: bigint;
  /** Amount that the provider has just returned. */
  returned: bigint;
}

/**
 * The amount of each refund that stays open, in their order. The returned amount is subtracted first from refunds that may be about
 * it, starting with one of exactly that amount, and then from the newest ones until no more is open than is held.
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
