import { describe, expect, it } from 'vitest';
import { openAfterReturn } from './returned.policy.ts';

/** Deterministic pseudo-random integers. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

describe('open refunds after a return', () => {
  it('never exceed the remaining money, nor their own amounts', () => {
    for (let seed = 1; seed <= 2_000; seed++) {
      const source = numbers(seed);
      const below = (limit: number) => BigInt(Math.floor(source.next().value * limit));
      const open = Array.from({ length: Number(below(5)) }, (_, index) => ({
        id: String(index),
        amount: below(50) + 1n,
        mayBe: below(2) === 1n,
      }));
      const money = { arrived: below(120), sent: below(60), returned: below(60) };
      const kept = openAfterReturn(open, money);
      const total = [...kept.values()].reduce((sum, amount) => sum + amount, 0n);
      const room = money.arrived - money.sent;
      expect(total <= (room > 0n ? room : 0n), `seed ${seed}`).toBe(true);
      for (const { id, amount } of open) {
        const left = kept.get(id) ?? -1n;
        expect(left >= 0n && left <= amount, `seed ${seed}`).toBe(true);
      }
    }
  });

  const money = { arrived: 100n, sent: 0n, returned: 30n };
  it.each([
    ['first the one of exactly the returned amount', [40n, true, 30n, true], [40n, 0n]],
    ['otherwise the newest first', [40n, true, 20n, true], [10n, 20n]],
    ['none about other money while enough is left', [40n, false, 30n, false], [40n, 30n]],
  ] as const)('are reduced: %s', (_, [first, firstMay, second, secondMay], expected) => {
    const open = [
      { id: 'new', amount: first, mayBe: firstMay },
      { id: 'old', amount: second, mayBe: secondMay },
    ];
    expect([...openAfterReturn(open, money).values()]).toEqual(expected);
  });
});
