// What the provider credited for deposits, and which of them it completed or failed: rule by rule.
import { describe, expect, it } from 'vitest';
import { type Deposit, PROVIDER_STATUSES, type ProviderStatus } from '#server/providers/payments/port.ts';
import { deposit, START } from '#tests/fixtures/deposits.ts';
import { addEnd, addOutcome, hasCounted } from './credited.policy.ts';
import { EMPTY, type KnownFacts } from './reduce.policy.ts';

const COMPLETED: readonly ProviderStatus[] = ['finished', 'partially_paid'];
const FAILED: readonly ProviderStatus[] = ['failed', 'expired'];
const STATUSES: readonly ProviderStatus[] = [...PROVIDER_STATUSES, 'unknown'];
const OTHERS = STATUSES.filter((status) => !COMPLETED.includes(status) && !FAILED.includes(status));

describe('a deposit that the provider ended', () => {
  const known: KnownFacts = { ...EMPTY, completed: ['3', '7'], failed: ['2', '8'] };

  it.each(COMPLETED)('is completed when the provider reports it as %s', (status) => {
    expect(addEnd(known, deposit({ status }))).toEqual({ ...known, completed: ['3', '5', '7'] });
  });

  it.each(FAILED)('is failed when the provider reports it as %s', (status) => {
    expect(addEnd(known, deposit({ status }))).toEqual({ ...known, failed: ['2', '5', '8'] });
  });

  it.each(OTHERS)('is neither when the provider reports it as %s', (status) => {
    expect(addEnd(known, deposit({ status }))).toBe(known);
  });

  it('is recorded once, however often the provider reports it', () => {
    expect(addEnd(known, deposit({ paymentId: '3' }))).toEqual(known);
    expect(addEnd(known, deposit({ paymentId: '8', status: 'failed' }))).toEqual(known);
  });

  it('is recorded in an order that does not depend on the order of the reports', () => {
    const ids = ['9', '10', '5'];
    const completedAfter = (order: string[]) =>
      order.reduce((facts, paymentId) => addEnd(facts, deposit({ paymentId })), EMPTY).completed;
    expect(completedAfter(ids)).toEqual(['10', '5', '9']);
    expect(completedAfter(ids.toReversed())).toEqual(['10', '5', '9']);
  });

  it('stays completed when the provider reports it as failed later', () => {
    const completed = addEnd(EMPTY, deposit());
    expect(addEnd(completed, deposit({ status: 'failed' }))).toEqual({ ...EMPTY, completed: ['5'], failed: ['5'] });
  });
});

describe('a deposit that the provider returned', () => {
  const counted = (completed: string[], failed: string[], status: ProviderStatus = 'refunded') =>
    hasCounted({ ...EMPTY, completed, failed }, deposit({ status }));

  it('had counted before if the provider had completed it, even if it also reported it as failed', () => {
    expect(counted(['5'], [])).toBe(true);
    expect(counted(['5'], ['5'])).toBe(true);
  });

  it('had counted before if only its return was reported', () => {
    expect(counted([], [])).toBe(true);
  });

  it('had not counted before if the provider had only reported it as failed', () => {
    expect(counted([], ['5'])).toBe(false);
  });

  it('is judged independently of other deposits', () => {
    expect(counted([], ['6'])).toBe(true);
    expect(counted(['6'], ['5'])).toBe(false);
  });

  it.each(STATUSES.filter((status) => status !== 'refunded'))('is not a deposit in status %s', (status) => {
    expect(counted([], [], status)).toBe(false);
    expect(counted(['5'], [], status)).toBe(false);
  });
});

describe('of two answers about the credited amount', () => {
  const answer = (amount: string, updatedAt: number): Deposit =>
    deposit({ updatedAt, outcome: { amount, currency: 'usdt', payinHash: null, payoutHash: null, fee: null } });
  const stored = ({ outcome, updatedAt }: Deposit) => ({ ...outcome, at: updatedAt });

  it.each<[string, Deposit, Deposit]>([
    ['the later one counts although its text is smaller', answer('1', START + 1), answer('2', START)],
    ['the later one counts although its text is larger', answer('2', START + 1), answer('1', START)],
    ['the one with the larger text counts when both have the same time', answer('2', START), answer('1', START)],
  ])('%s', (_, counts, other) => {
    const expected = { ...EMPTY, outcomes: { 5: stored(counts) } };
    expect(addOutcome(addOutcome(EMPTY, other), counts)).toEqual(expected);
    const known = addOutcome(EMPTY, counts);
    expect(addOutcome(known, other)).toBe(known);
    expect(known).toEqual(expected);
  });

  it('the second changes nothing when it is equal to the first', () => {
    const known = addOutcome(EMPTY, answer('1', START));
    expect(addOutcome(known, answer('1', START))).toBe(known);
  });

  it('the first is kept when the second has no amount', () => {
    const known = addOutcome(EMPTY, answer('1', START));
    expect(addOutcome(known, deposit({ updatedAt: START + 1 }))).toBe(known);
  });
});
