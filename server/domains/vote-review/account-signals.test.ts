import { describe, expect, it } from 'vitest';
import {
  DAY,
  fresh,
  HOUR,
  MINUTE,
  member,
  NOON,
  one,
  times,
  two,
  uneven,
  vote,
} from '#tests/fixtures/votes/review-votes.ts';
import { dormantAccounts, freshAccounts } from './account-signals.policy.ts';
import type { ReviewMember } from './review-window.ts';
import { REVIEW } from './thresholds.ts';

describe('fresh_accounts', () => {
  const waited = (seconds: (i: number) => number) =>
    times(60, (i) => fresh(NOON + uneven(i) * MINUTE * 0.6, {}, seconds(i))).toSorted((a, b) => a.at - b.at);

  it('finds accounts that voted about equally long after their sign-up, not people whose delays vary', () => {
    expect(
      freshAccounts(
        waited((i) => 30 + (i % 40)),
        one,
      ),
    ).toMatchObject([{ facts: { members: 60 } }]);
    // From 15 seconds to two hours, like people.
    expect(
      freshAccounts(
        waited((i) => 15 * 1.13 ** ((i * 37) % 60)),
        one,
      ),
    ).toEqual([]);
    const alike = waited((i) => 30 + (i % 40));
    expect(freshAccounts(alike.slice(0, REVIEW.fresh.members - 1), one)).toEqual([]);
    // Also with few other candidates in the same visit; not with more, nor when the first vote was long before.
    const company = REVIEW.fresh.maxOtherCandidates;
    expect(freshAccounts(alike, { ...one, candidatesOf: () => company + 1 })).toMatchObject([
      { facts: { members: 60 } },
    ]);
    expect(freshAccounts(alike, { ...one, candidatesOf: () => company + 2 })).toEqual([]);
    const came = alike.map((cast) => ({ ...cast, at: cast.at + REVIEW.fresh.visit }));
    expect(freshAccounts(came, { ...two, firstAt: ({ at }) => at - REVIEW.fresh.visit })).toEqual([]);
  });

  it('finds them beside others: a few an hour, from many networks beside slower accounts, and without explained votes', () => {
    const rare = times(30, (i) => fresh(NOON + i * 2 * HOUR, {}, 30 + (i % 40)));
    expect(freshAccounts(rare, one)).toMatchObject([{ facts: { members: 30 } }]);
    // With 70 slower accounts neither those alone nor all together look automated.
    const slow = times(70, (i) => fresh(NOON + uneven(i) * MINUTE * 0.6, {}, 20 * 1.06 ** ((i * 37) % 70)));
    const mixed = (networks: (i: number) => string[]) =>
      [...waited((i) => 30 + (i % 40)), ...slow.map((cast, i) => ({ ...cast, networks: networks(i) }))].toSorted(
        (a, b) => a.at - b.at,
      );
    expect(
      freshAccounts(
        mixed(() => []),
        one,
      ),
    ).toEqual([]);
    expect(
      freshAccounts(
        mixed((i) => [`h${i}`, `n${i % 5}`]),
        one,
      )[0]?.facts.members,
    ).toBe(60);
    const votes = mixed(() => ['x']);
    expect(freshAccounts(votes, { ...one, isExplained: ({ networks }) => networks[0] === 'x' })[0]?.facts.members).toBe(
      60,
    );
  });
});

describe('dormant_accounts', () => {
  const lot = (over: Partial<ReviewMember> = {}) =>
    times(10, (i) =>
      vote(NOON + uneven(i) * MINUTE, { member: member({ since: NOON - 90 * DAY + i * MINUTE, ...over }) }),
    );

  it('finds accounts created in one sitting that never voted, not a community that did', () => {
    expect(dormantAccounts(lot(), one)).toMatchObject([{ facts: { members: 10 } }]);
    expect(dormantAccounts(lot({ votedBefore: NOON - 80 * DAY }), one)).toEqual([]);
    expect(dormantAccounts(lot({ active: true }), one)).toEqual([]);
    expect(dormantAccounts(lot(), two)).toEqual([]);
    const spread = times(10, (i) => vote(NOON, { member: member({ since: NOON - (20 + i) * DAY }) }));
    expect(dormantAccounts(spread, one)).toEqual([]);
  });

  it('finds many accounts created in one sitting that waited for hours, not a group of which some voted at once', () => {
    const { minCohort: lately, firstVoteDelayMs: late } = REVIEW.dormant;
    const made = (count: number, wait: (i: number) => number, networks?: string[]) =>
      times(count, (i) => {
        const since = NOON + i * 3 * MINUTE;
        return vote(since + wait(i), { member: member({ since }), networks: networks ?? [`h${i}`, `n${i}`] });
      }).toSorted((a, b) => a.at - b.at);
    const waits = (i: number) => late + MINUTE + uneven(i) * MINUTE;
    expect(dormantAccounts(made(lately, waits), one)).toMatchObject([{ facts: { members: lately } }]);
    expect(dormantAccounts(made(lately - 1, waits), one)).toEqual([]);
    expect(dormantAccounts(made(lately, waits), two)).toEqual([]);
    expect(dormantAccounts(made(lately, waits, ['address', 'net']), one)).toEqual([]);
    // A third of them voted immediately.
    expect(
      dormantAccounts(
        made(3 * lately, (i) => (i % 3 ? waits(i) : MINUTE)),
        one,
      ),
    ).toEqual([]);
  });
});
