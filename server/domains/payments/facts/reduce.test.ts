import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextCheck } from '#server/domains/payments/provider/next-check.policy.ts';
import { type Deposit, PROVIDER_STATUSES, type ProviderStatus } from '#server/providers/payments/port.ts';
import { add, DAY, deposit, HOUR, START, TERMS } from '#tests/fixtures/deposits.ts';
import { propertyRuns } from '#tests/support/runner/property-runs.ts';
import { missingAmount } from './missing-amount.policy.ts';
import {
  depositsWithMoney,
  EMPTY,
  type Fact,
  isAtLeastPartPaid,
  isSettled,
  type KnownFacts,
  mayDeliver,
  outcomeOf,
  reduce,
} from './reduce.policy.ts';

const outcome = (...deposits: Deposit[]) =>
  outcomeOf(
    add(
      EMPTY,
      deposits.map((one) => ({ type: 'seen', deposit: one })),
    ),
    TERMS,
  );

describe('the reducer', () => {
  it.each<[string, Partial<Deposit>, string, number]>([
    ['a full payment', {}, 'paid', 0],
    ['a hundredth of the price', { status: 'partially_paid', actuallyPaid: 0.02 }, 'partially_paid', 2_970],
    ['99 % of the price', { status: 'partially_paid', actuallyPaid: 1.98 }, 'partially_paid', 30],
    ['99.99 %, reported as finished', { actuallyPaid: 1.9998 }, 'partially_paid', 0.3],
    ['all but the last unit', { actuallyPaid: 1.999999999999 }, 'partially_paid', 0.01],
    ['more than due', { actuallyPaid: 2.1 }, 'overpaid', 0],
    ['a finished deposit without amounts', { actuallyPaid: null, payAmount: null }, 'partially_paid', 3_000],
    ['a deposit for another price', { priceAmount: 3 }, 'under_review', 3_000],
    ['a deposit priced in another currency', { priceCurrency: 'eur' }, 'under_review', 3_000],
    ['a deposit for another order', { orderId: 'FL-0000000002' }, 'under_review', 3_000],
    ['a deposit without an order', { orderId: null }, 'under_review', 3_000],
    ['a repeated deposit', { parentId: '4', orderId: null }, 'under_review', 3_000],
    ['a payment a day and a millisecond after the end', { updatedAt: TERMS.expiresAt + DAY + 1 }, 'paid_late', 0],
    ['a payment a day after the end', { updatedAt: TERMS.expiresAt + DAY }, 'paid', 0],
    ['a refund', { status: 'refunded' }, 'refunded', 3_000],
    ['a failure', { status: 'failed', actuallyPaid: 0 }, 'failed', 3_000],
  ])('computes state and missing amount after %s', (_, over, state, missing) => {
    const result = outcome(deposit(over));
    expect([result.state, result.missingUsd]).toEqual([state, missing]);
    const knownFacts = add(EMPTY, [{ type: 'seen', deposit: deposit(over) }]);
    // Only a full payment is delivered without an acceptance, and a late one only at an unchanged price [AMB-16].
    expect(mayDeliver(knownFacts, TERMS, 3_000)).toBe(isSettled(result.state));
    expect(mayDeliver(knownFacts, TERMS, 5_000)).toBe(result.state === 'paid' || result.state === 'overpaid');
    const of = depositsWithMoney(knownFacts);
    const accepted = add(knownFacts, [{ type: 'accepted', at: START, by: 'admin', reason: 'agreed by mail', of }]);
    const acceptable = !['refunded', 'failed'].includes(state);
    expect(mayDeliver(accepted, TERMS, 5_000)).toBe(acceptable);
    // An accepted payment that was under review counts as paid; a partial one keeps its state.
    expect(outcomeOf(accepted, TERMS).state).toBe(state === 'under_review' ? 'paid' : state);
  });

  describe('an acceptance', () => {
    const short = deposit({ status: 'partially_paid', actuallyPaid: 0.5 });
    const accept = (knownFacts: KnownFacts, at = START): Fact => ({
      type: 'accepted',
      at,
      by: 'admin',
      reason: 'x',
      of: depositsWithMoney(knownFacts),
    });
    const seen = (one: Deposit): Fact => ({ type: 'seen', deposit: one });
    it('ends when the money is refunded, and does not cover later deposits', () => {
      const knownFacts = add(EMPTY, [seen(short)]);
      const accepted = add(knownFacts, [accept(knownFacts)]);
      expect(mayDeliver(accepted, TERMS, 3_000)).toBe(true);
      const refunded = add(accepted, [seen({ ...short, status: 'refunded' })]);
      expect(outcomeOf(refunded, TERMS).state).toBe('refunded');
      expect(mayDeliver(refunded, TERMS, 3_000)).toBe(false);
      // A tiny amount after the refund is no reason to deliver.
      const dust = add(refunded, [seen(deposit({ paymentId: '6', status: 'partially_paid', actuallyPaid: 0.001 }))]);
      expect(outcomeOf(dust, TERMS).state).toBe('partially_paid');
      expect(mayDeliver(dust, TERMS, 3_000)).toBe(false);
      // Until it is accepted again.
      expect(mayDeliver(add(dust, [accept(dust, START + 1)]), TERMS, 3_000)).toBe(true);
    });
    it('ends the review, until another deposit arrives', () => {
      const strange = deposit({ paymentId: '6', parentId: '5', orderId: null });
      const knownFacts = add(EMPTY, [seen(deposit()), seen(strange)]);
      expect(outcomeOf(knownFacts, TERMS).attention).toEqual(['repeat_deposit']);
      const accepted = add(knownFacts, [accept(knownFacts)]);
      expect(outcomeOf(accepted, TERMS)).toMatchObject({ state: 'paid', attention: [] });
      const more = add(accepted, [seen({ ...strange, paymentId: '7' })]);
      expect(outcomeOf(more, TERMS).attention).toEqual(['repeat_deposit']);
    });
    it('made before any deposit does not cover later ones', () => {
      const early = add(EMPTY, [accept(EMPTY), seen(short)]);
      expect(mayDeliver(early, TERMS, 3_000)).toBe(false);
    });
  });

  it('reports refunded when a mismatched deposit was refunded, and under review while another one is held', () => {
    const strange = deposit({ paymentId: '6', priceAmount: 3 });
    expect(outcome({ ...strange, status: 'refunded' }).state).toBe('refunded');
    expect(outcome(deposit({ status: 'refunded' }), strange).state).toBe('under_review');
  });

  it.each<[number | null, number | null, string | null]>([
    [0.3, 0.1, '0.2'],
    [2, 1.9998, '0.0002'],
    [1500, 600, '900'],
    [0.00000012, 1e-8, '0.00000011'],
    [1e21, 1, '999999999999999999999'],
    [5, null, '5'],
    [5, 5, null],
    [5, 6, null],
    [null, 1, null],
  ])('of %j due and %j paid computes %j as missing', (payAmount, actuallyPaid, missing) => {
    expect(missingAmount(deposit({ payAmount, actuallyPaid }))).toBe(missing);
  });

  it('plans polls until the end of the watch, and for money on its way up to a week longer', () => {
    const end = TERMS.expiresAt + 7 * DAY;
    const times = { createdAt: START, expiresAt: TERMS.expiresAt, watchUntil: end };
    const next = (state: Parameters<typeof nextCheck>[0], now: number, underWay = false, polledAt = end) =>
      nextCheck(
        state,
        { ...times, now, polledAt },
        underWay ? add(EMPTY, [{ type: 'seen', deposit: deposit({ status: 'confirming' }) }]) : EMPTY,
      );
    expect(next('awaiting', TERMS.expiresAt - 1)).toBe(TERMS.expiresAt);
    expect(next('expired', end - HOUR)).toBe(end);
    expect(next('expired', end)).toBeNull();
    for (const state of ['confirming', 'paid', 'partially_paid'] as const) {
      expect(next(state, end, true)).toBe(end + 6 * HOUR);
      expect(next(state, end + 7 * DAY, true)).toBeNull();
    }
    expect(next('refunded', START)).toBe(START + DAY);
    expect(next('paid', end)).toBeNull();
    // The last poll was not answered: it is repeated.
    expect(next('paid', end, false, end - 1)).toBe(end + 6 * HOUR);
    expect(next('awaiting', end + 7 * DAY, false, 0)).toBeNull();
  });

  it('computes finite amounts from extreme values of the provider', () => {
    const { receivedUsd } = outcome(deposit({ payAmount: 1e-300, actuallyPaid: 1e300 }));
    expect(receivedUsd).toBe(3_000_000);
  });

  it('reports expired only after a poll at or after the end of the order', () => {
    const before = add(EMPTY, [{ type: 'polled', at: TERMS.expiresAt - 1 }]);
    expect(outcomeOf(before, TERMS).state).toBe('awaiting');
    expect(outcomeOf(add(before, [{ type: 'polled', at: TERMS.expiresAt }]), TERMS).state).toBe('expired');
  });

  it('keeps a paid order paid after a repeated deposit, which needs a review', () => {
    const result = outcome(
      deposit(),
      deposit({ paymentId: '6', parentId: '5', orderId: null, status: 'partially_paid' }),
    );
    expect([result.state, result.attention]).toEqual(['paid', ['repeat_deposit']]);
  });

  it('puts money for a superseded order under review', () => {
    const knownFacts = add(EMPTY, [
      { type: 'superseded', at: START },
      { type: 'seen', deposit: deposit() },
    ]);
    expect(outcomeOf(knownFacts, TERMS)).toMatchObject({ state: 'under_review', attention: ['superseded'] });
  });

  const anyDeposit = fc.record({
    paymentId: fc.constantFrom('5', '6', '7'),
    parentId: fc.constantFrom(null, null, null, '5'),
    orderId: fc.constantFrom(TERMS.orderId, TERMS.orderId, TERMS.orderId, 'FL-0000000009', null),
    invoiceId: fc.constant('77'),
    status: fc.constantFrom<ProviderStatus>(...PROVIDER_STATUSES, 'unknown'),
    priceAmount: fc.constantFrom(3_000, 3_000, 3_000, 1),
    priceCurrency: fc.constant('usd'),
    payAddress: fc.constant(null),
    payAmount: fc.constantFrom(2, 2, null),
    payCurrency: fc.constant('eth'),
    actuallyPaid: fc.constantFrom(0, 0.5, 1.9999, 2, 3, null),
    updatedAt: fc.integer({ min: START, max: START + 12 * DAY }),
  });
  const anyFact: fc.Arbitrary<Fact> = fc.oneof(
    { weight: 8, arbitrary: anyDeposit.map((one): Fact => ({ type: 'seen', deposit: one })) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: START, max: START + 12 * DAY }).map((at): Fact => ({ type: 'polled', at })),
    },
    { weight: 1, arbitrary: fc.constantFrom<Fact>({ type: 'superseded', at: START }, { type: 'paid_twice' }) },
    { weight: 1, arbitrary: fc.subarray(['5', '6', '7']).map((of): Fact => ({ type: 'refund_noted', of })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.subarray(['5', '6', '7']),
          fc.constantFrom('0.5', '0.50', '2'),
          fc.constantFrom(START, START + DAY),
          fc.constantFrom<{ stray?: true }>({}, { stray: true }),
        )
        .map(([of, amount, at, stray]): Fact => {
          const amounts = Object.fromEntries(of.map((id) => [id, amount]));
          return { type: 'sent_back', at, of, amounts, ...stray };
        }),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.constantFrom('a', 'b'),
          fc.subarray(['5', '6', '7']),
          fc.constantFrom<{ ended?: true }>({}, { ended: true }),
        )
        .map(([by, of, ended]): Fact => ({ type: 'accepted', at: START, by, reason: 'x', of, ...ended })),
    },
  );

  it('computes the same result from facts in any order, and with duplicates', () => {
    fc.assert(
      fc.property(fc.array(anyFact, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (facts, random) => {
        const noise = [...random.take(facts.length * 2)];
        const again = [...facts, ...facts]
          .map((fact, i) => ({ fact, place: noise[i] ?? 0 }))
          .sort((a, b) => a.place - b.place)
          .map(({ fact }) => fact);
        const sorted = (knownFacts: KnownFacts) => ({
          ...knownFacts,
          deposits: Object.fromEntries(Object.entries(knownFacts.deposits).sort(([a], [b]) => (a < b ? -1 : 1))),
          unknown: Object.fromEntries(Object.entries(knownFacts.unknown).sort(([a], [b]) => (a < b ? -1 : 1))),
        });
        const [one, other] = [add(EMPTY, facts), add(EMPTY, again)];
        expect(sorted(other)).toEqual(sorted(one));
        expect(outcomeOf(other, TERMS)).toEqual(outcomeOf(one, TERMS));
      }),
      { numRuns: propertyRuns(5_000) },
    );
  });

  it('keeps confirmed money confirmed, except after a refund, unknown status, superseding or acceptance', () => {
    fc.assert(
      fc.property(fc.array(anyFact, { maxLength: 15 }), (facts) => {
        let knownFacts = EMPTY;
        let had = false;
        for (const fact of facts) {
          knownFacts = reduce(knownFacts, fact, TERMS);
          const { state } = outcomeOf(knownFacts, TERMS);
          if (had && !isAtLeastPartPaid(state)) {
            const { deposits, unknown, supersededAt, accepted } = knownFacts;
            const refunded = Object.values(deposits).some(({ status }) => status === 'refunded');
            // The last acceptance may cover less than the one before. The current observation may be such a refund, with an
            // unrecognised status.
            const odd = Object.keys(unknown).length > 0;
            expect(supersededAt !== null || refunded || odd || accepted !== null).toBe(true);
          }
          had ||= isAtLeastPartPaid(state);
        }
      }),
      { numRuns: propertyRuns(5_000) },
    );
  });
});
