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
  const remaining = new Map(open.map(({ id, amount }) => [id, amount]));
  const take = (ids: readonly string[], units: bigint): void => {
    let left = units;
    for (const id of ids) {
      const amount = remaining.get(id) ?? 0n;
      const taken = amount < left ? amount : left;
      remaining.set(id, amount - taken);
      left -= taken;
    }
  };
  const candidates = open.filter(({ mayBe }) => mayBe);
  const same = candidates.find(({ amount }) => amount === returned);
  take(
    (same ? [same] : candidates).map(({ id }) => id),
    returned,
  );
  const total = [...remaining.values()].reduce((sum, amount) => sum + amount, sent);
  if (total > arrived)
    take(
      open.map(({ id }) => id),
      total - arrived,
    );
  return remaining;
}

/** A refund of the same payment and coin as money that the provider returned. Amounts in the smallest unit of the coin. */
export interface ReturnUse {
  amount: bigint;
  openedAt: Date;
  /** When it was recorded as sent by the provider. */
  sentByProviderAt: Date | null;
  /** When it was withdrawn because of a return; what was left of it continues in refunds that were opened at that moment. */
  withdrawnAt: Date | null;
  /** The return that halted it while it was claimed, and what of it remains. */
  halted: { at: Date; left: bigint } | null;
}

/**
 * The part of the amount that the provider returned since a moment which no refund accounts for yet. Otherwise one return could end several
 * refunds, and payers would read that money was returned which was not.
 */
export function unusedReturn(returned: bigint, refunds: readonly ReturnUse[], since: Date): bigint {
  const used = refunds.reduce((sum, { amount, sentByProviderAt, withdrawnAt, halted }) => {
    if (sentByProviderAt && sentByProviderAt >= since) return sum + amount;
    if (withdrawnAt && withdrawnAt >= since) return sum + amount;
    return halted && halted.at >= since ? sum + amount - halted.left : sum;
  }, 0n);
  const withdrawals = new Set(
    refunds.flatMap(({ withdrawnAt }) => (withdrawnAt && withdrawnAt >= since ? [withdrawnAt.getTime()] : [])),
  );
  const continued = refunds
    .filter(({ openedAt }) => withdrawals.has(openedAt.getTime()))
    .reduce((sum, { amount }) => sum + amount, 0n);
  return returned - used + continued;
}
