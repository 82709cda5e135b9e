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
  isConfirmed,
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
    ['dust', { status: 'partially_paid', actuallyPaid: 0.02 }, 'partially_paid', 2_970],
    ['99 %', { status: 'partially_paid', actuallyPaid: 1.98 }, 'partially_paid', 30],
    ['99.99 %, called finished', { actuallyPaid: 1.9998 }, 'partially_paid', 0.3],
    ['the last unit missing', { actuallyPaid: 1.999999999999 }, 'partially_paid', 0.01],
    ['more than due', { actuallyPaid: 2.1 }, 'overpaid', 0],
    ['finished without amounts', { actuallyPaid: null, payAmount: null }, 'partially_paid', 3_000],
    ['another price', { priceAmount: 3 }, 'under_review', 3_000],
    ['another currency', { priceCurrency: 'eur' }, 'under_review', 3_000],
    ['another order', { orderId: 'FL-0000000002' }, 'under_review', 3_000],
    ['no order', { orderId: null }, 'under_review', 3_000],
    ['a repeated deposit', { parentId: '4', orderId: null }, 'under_review', 3_000],
    ['eight days and an hour after the start', { updatedAt: TERMS.expiresAt + DAY + 1 }, 'paid_late', 0],
    ['confirmed a day after the end', { updatedAt: TERMS.expiresAt + DAY }, 'paid', 0],
    ['a refund', { status: 'refunded' }, 'refunded', 3_000],
    ['a failure', { status: 'failed', actuallyPaid: 0 }, 'failed', 3_000],
  ])('%s', (_, over, state, missing) => {
    const result = outcome(deposit(over));
    expect([result.state, result.missingUsd]).toEqual([state, missing]);
    const knownFacts = add(EMPTY, [{ type: 'seen', deposit: deposit(over) }]);
    // Only the full price in time is delivered without a person's decision [AMB-16].
    expect(mayDeliver(knownFacts, TERMS, 3_000)).toBe(isSettled(result.state));
    expect(mayDeliver(knownFacts, TERMS, 5_000)).toBe(result.state === 'paid' || result.state === 'overpaid');
    const of = depositsWithMoney(knownFacts);
    const accepted = add(knownFacts, [{ type: 'accepted', at: START, by: 'admin', reason: 'agreed by mail', of }]);
    const acceptable = !['refunded', 'failed'].includes(state);
    expect(mayDeliver(accepted, TERMS, 5_000)).toBe(acceptable);
    // An accepted payment counts as paid, also for the payer; a part stays a part whose rest is not requested any more.
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
    it('ends when the money goes back, and does not cover what comes later', () => {
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
    it('ends the need for a look, until something else comes', () => {
      const strange = deposit({ paymentId: '6', parentId: '5', orderId: null });
      const knownFacts = add(EMPTY, [seen(deposit()), seen(strange)]);
      expect(outcomeOf(knownFacts, TERMS).attention).toEqual(['repeat_deposit']);
      const accepted = add(knownFacts, [accept(knownFacts)]);
      expect(outcomeOf(accepted, TERMS)).toMatchObject({ state: 'paid', attention: [] });
      const more = add(accepted, [seen({ ...strange, paymentId: '7' })]);
      expect(outcomeOf(more, TERMS).attention).toEqual(['repeat_deposit']);
    });
    it('of nothing counts for nothing', () => {
      const early = add(EMPTY, [accept(EMPTY), seen(short)]);
      expect(mayDeliver(early, TERMS, 3_000)).toBe(false);
    });
  });

  it('says refunded when a strange deposit went back, and review while one of them is here', () => {
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
  ])('of %j due and %j paid %j is missing', (payAmount, actuallyPaid, missing) => {
    expect(missingAmount(deposit({ payAmount, actuallyPaid }))).toBe(missing);
  });

  it('watches an order to its end, and money on its way a little longer', () => {
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

  it('shows finite figures, whatever the provider says', () => {
    const { receivedUsd } = outcome(deposit({ payAmount: 1e-300, actuallyPaid: 1e300 }));
    expect(receivedUsd).toBe(3_000_000);
  });

  it('never says expired before the provider was asked past the end', () => {
    const before = add(EMPTY, [{ type: 'polled', at: TERMS.expiresAt - 1 }]);
    expect(outcomeOf(before, TERMS).state).toBe('awaiting');
    expect(outcomeOf(add(before, [{ type: 'polled', at: TERMS.expiresAt }]), TERMS).state).toBe('expired');
  });

  it('keeps a payment, and says that a strange deposit came along', () => {
    const result = outcome(
      deposit(),
      deposit({ paymentId: '6', parentId: '5', orderId: null, status: 'partially_paid' }),
    );
    expect([result.state, result.attention]).toEqual(['paid', ['repeat_deposit']]);
  });

  it('holds what was paid for a plan that the payer had left', () => {
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

  it('gives the same in any order and however often (5,000 times)', () => {
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

  it('never takes back money that arrived for the order, but by a refund or a word that nobody knows', () => {
    fc.assert(
      fc.property(fc.array(anyFact, { maxLength: 15 }), (facts) => {
        let knownFacts = EMPTY;
        let had = false;
        for (const fact of facts) {
          knownFacts = reduce(knownFacts, fact, TERMS);
          const { state } = outcomeOf(knownFacts, TERMS);
          if (had && !isConfirmed(state)) {
            const { deposits, unknown, supersededAt, accepted } = knownFacts;
            const refunded = Object.values(deposits).some(({ status }) => status === 'refunded');
            // The last acceptance may cover less than the one before. The current observation may be such a refund, with an
            // unrecognised status.
            const odd = Object.keys(unknown).length > 0;
            expect(supersededAt !== null || refunded || odd || accepted !== null).toBe(true);
          }
          had ||= isConfirmed(state);
        }
      }),
      { numRuns: propertyRuns(5_000) },
    );
  });
});
