import { describe, expect, it } from 'vitest';
import {
  DAY,
  fresh,
  HOUR,
  MINUTE,
  member,
  NOON,
  one,
  SECOND,
  times,
  two,
  uneven,
  vote,
} from '#tests/fixtures/votes/review-votes.ts';
import { randomOf } from '#tests/support/ledger/test-ledger.ts';
import { dormantAccounts, freshAccounts } from './account-signals.policy.ts';
import { loadDisposableDomains } from './disposable-domains.ts';
import { lockstep } from './lockstep.policy.ts';
import { disposableMail, sharedDomain, sharedMailbox } from './mailbox-signals.policy.ts';
import { networkBurst, networkCapacity, networkDrip } from './network-signals.policy.ts';
import { impossiblePace, regularPace, votesAtSignUp } from './pace-signals.policy.ts';
import { type ReviewMember, type ReviewVote, ReviewWindow } from './review-window.ts';
import { findSuspects } from './signals.policy.ts';
import { REVIEW } from './thresholds.ts';

describe('network_burst', () => {
  const needed = REVIEW.burst.members.ipv6_48;
  const site = (i: number) => [`h${i}`, `b${i}`, 'site'];

  it('finds fresh accounts of one /48 within ten minutes, from the required number on', () => {
    const votes = times(needed, (i) => fresh(NOON + i * SECOND, { networks: site(i) }));
    expect(networkBurst(votes, one)).toMatchObject([
      { signal: 'network_burst', key: 'A:ipv6_48:site', facts: { members: needed, size: 'ipv6_48' } },
    ]);
    expect(networkBurst(votes.slice(1), one)).toEqual([]);
  });

  it('ignores a company network: older accounts, voters for several candidates, or the same number over hours', () => {
    const make = (over: (i: number) => ReviewVote) => times(60, over);
    expect(
      networkBurst(
        make((i) => vote(NOON + i * SECOND, { networks: ['a', 'n'] })),
        one,
      ),
    ).toEqual([]);
    expect(
      networkBurst(
        make((i) => fresh(NOON + i * SECOND, { networks: ['a', 'n'] })),
        two,
      ),
    ).toEqual([]);
    expect(
      networkBurst(
        make((i) => fresh(NOON + i * MINUTE, { networks: ['a', 'n'] })),
        one,
      ),
    ).toEqual([]);
    const mixed = make((i) => (i % 2 ? fresh : vote)(NOON + i * SECOND, { networks: ['a', 'n'] }));
    expect(networkBurst(mixed, one)).toEqual([]);
  });
});

describe('the minutes around midnight, in which a member may vote twice', () => {
  const midnight = NOON + 12 * HOUR;
  const ahead = (minutes: number) => midnight - minutes * MINUTE;

  it('do not make a burst of a family', () => {
    const needed = REVIEW.burst.members.ipv6_64;
    const people = (count: number) => times(count, (i) => member({ since: ahead(90 + 7 * i) }));
    const cast = (at: number, who: ReviewMember[]) =>
      who.map((person, i) => vote(at + i * SECOND, { member: person, networks: ['home', 'street', 'site'] }));
    const family = people(needed / 2);
    expect(networkBurst([...cast(ahead(4), family), ...cast(ahead(-2), family)], one)).toEqual([]);
    const farm = people(needed);
    expect(networkBurst([...cast(ahead(4), farm), ...cast(ahead(-2), farm)], one)).toMatchObject([
      { key: 'A:ipv6_64:home', facts: { members: needed } },
    ]);
  });

  it('do not hide accounts that wake up together', () => {
    const asleep = times(REVIEW.dormant.woken, (i) => member({ since: NOON - 20 * DAY - i * 3 * DAY }));
    const firsts = asleep.map((who, i) => vote(i === asleep.length - 1 ? ahead(-45) : ahead(40 - i), { member: who }));
    const again = asleep.slice(0, -1).map((who, i) => vote(ahead(-2) + i * SECOND, { member: who }));
    const votes = [...firsts, ...again].toSorted((a, b) => a.at - b.at);
    expect(dormantAccounts(votes, { ...one, isFirst: (cast) => firsts.includes(cast) })).toMatchObject([
      { facts: { members: asleep.length } },
    ]);
  });
});

describe('network_capacity', () => {
  it('holds the votes of members beyond the daily capacity of a shared IPv4 address, and no others', () => {
    const capacity = REVIEW.capacity.ipv4;
    const votes = times(capacity + 5, (i) => vote(NOON + i * SECOND, { networks: ['a', 'n'] }));
    expect(networkCapacity('ipv4:a', votes.slice(0, capacity))).toEqual([]);
    const [found] = networkCapacity('ipv4:a', votes);
    expect(found?.votes).toEqual(votes.slice(capacity));
    // Members who were among the first continue voting.
    const again = vote(NOON + DAY / 3, { member: votes[0]?.member as ReviewMember, candidateId: 'B' });
    expect(networkCapacity('ipv4:a', [...votes, again])[0]?.votes).toEqual(votes.slice(capacity));
    const overTwoDays = votes.map((one, i) => ({ ...one, day: one.day + (i % 2) }));
    expect(networkCapacity('ipv4:a', overTwoDays)).toEqual([]);
  });
});

describe('lockstep', () => {
  const days = 4;
  const ringOf = (size: number, spread = 2 * MINUTE) => {
    const members = times(size, () => member());
    return times(days, (day) =>
      members.map((who, i) => vote(NOON + day * (DAY + 77 * MINUTE) + (i * spread) / size, { member: who })),
    ).flat();
  };
  const others = () => {
    const members = times(150, () => member());
    return times(days, (day) =>
      members.map((who, i) => vote(NOON + day * DAY + uneven(i * 31 + day * 577) * MINUTE * 0.6, { member: who })),
    ).flat();
  };
  const inOrder = (votes: ReviewVote[]) => votes.toSorted((a, b) => a.at - b.at);

  it('finds a ring among other voters, all of it and nobody else', () => {
    const ring = ringOf(20);
    const [found, ...more] = lockstep(inOrder([...ring, ...others()]));
    expect(more).toEqual([]);
    expect(found?.facts).toEqual({ members: 20, days });
    expect(new Set(found?.votes)).toEqual(new Set(ring));
  });

  it('finds nothing among voters with habits, in a ring that is too small, or before the third day', () => {
    expect(lockstep(inOrder(others()))).toEqual([]);
    expect(lockstep(inOrder([...ringOf(REVIEW.lockstep.members - 1), ...others()]))).toEqual([]);
    const begun = ringOf(20).slice(0, 40);
    expect(lockstep(inOrder([...begun, ...others()]))).toEqual([]);
  });

  it('has the same result for a chat with a daily reminder in the third month of a round as in the first days', () => {
    const random = randomOf(5);
    const members = times(200, () => member());
    const chat = times(7, (day) =>
      members.map((who) => {
        const reminded = random() < 0.45;
        return vote(NOON + day * DAY + random() * (reminded ? 3 : 700) * MINUTE, { member: who });
      }),
    ).flat();
    expect(lockstep(inOrder(chat))).toEqual([]);
    expect(lockstep(inOrder([vote(NOON - 60 * DAY), ...chat]))).toEqual([]);
    const ring = ringOf(20);
    expect(lockstep(inOrder([vote(NOON - 60 * DAY), ...ring]))).toMatchObject([{ facts: { members: 20 } }]);
  });
});

describe('mailbox signals', () => {
  it('recognize disposable mail domains and their subdomains', async () => {
    const isDisposableDomain = await loadDisposableDomains();
    expect(['mailinator.com', 'a.yopmail.com'].map(isDisposableDomain)).toEqual([true, true]);
    expect(['gmail.com', 'example.org', 'com', ''].map(isDisposableDomain)).toEqual([false, false, false, false]);
    const votes = [vote(NOON, { member: member({ mailDomain: 'mailinator.com', disposable: true }) })];
    expect(disposableMail(votes)).toMatchObject([{ facts: { domain: 'mailinator.com' } }]);
    expect(disposableMail([vote(NOON)])).toEqual([]);
  });

  it('hold the third account of one mailbox with the first two, and ignore two alone', () => {
    const votes = times(3, (i) => vote(NOON + i, { member: member({ mailbox: 'ana@gmail.com' }) }));
    expect(sharedMailbox(votes.slice(1))).toEqual([]);
    expect(sharedMailbox(votes)).toMatchObject([{ votes, facts: { members: 3 } }]);
    expect(sharedMailbox(votes.map((one, i) => ({ ...one, candidateId: String(i) })))).toEqual([]);
  });
});

describe('pace signals', () => {
  it('find clicks that are too fast for a person, of new members only', () => {
    const clicks = (between: number, over: Partial<ReviewMember> = {}) => {
      const who = member({ since: NOON - DAY, ...over });
      return times(3, (i) => vote(NOON + i * between, { member: who, candidateId: String(i) }));
    };
    expect(impossiblePace(clicks(200))).toMatchObject([{ facts: { votes: 3, why: 'clicks' } }]);
    expect(impossiblePace(clicks(400))).toEqual([]);
    expect(impossiblePace(clicks(200, { active: true }))).toEqual([]);
    expect(impossiblePace(clicks(200, { since: NOON - 30 * DAY }))).toEqual([]);
  });

  it('find eight accounts that vote right after their sign-up, and neither seven nor slower ones', () => {
    const votes = (seconds: number) => times(8, (i) => fresh(NOON + i * 1_000, {}, seconds));
    expect(votesAtSignUp(votes(2))).toMatchObject([{ facts: { members: 8, why: 'sign_up' } }]);
    expect(votesAtSignUp(votes(2).slice(1))).toEqual([]);
    expect(votesAtSignUp(votes(4))).toEqual([]);
    expect(votesAtSignUp(times(8, (i) => fresh(NOON + i * 10 * 60_000, {}, 2)))).toEqual([]);
  });

  it('find a program by its regular intervals', () => {
    const program = times(30, (i) => vote(NOON + i * 40 * SECOND + uneven(i) * 20));
    expect(regularPace(program, one)).toMatchObject([{ facts: { members: 30 } }]);
    expect(regularPace(program, two)).toEqual([]);
    expect(regularPace(program.slice(0, REVIEW.pace.run), one)).toEqual([]);
    const pauses = times(60, (i) => -Math.log(((i * 37) % 61) / 61 + 0.008) * MINUTE);
    const people = pauses.map((_, i) => vote(NOON + pauses.slice(0, i).reduce((sum, pause) => sum + pause, 0)));
    expect(regularPace(people, one)).toEqual([]);
  });
});

describe('people who vote for one candidate every day', () => {
  const daily = (count: number, hour: number) => {
    const who = member();
    return times(count, (day) => vote(NOON + day * DAY + hour * HOUR + uneven(day) * 10 * SECOND, { member: who }));
  };
  const alone = daily(60, 0);
  const both = [...alone, ...daily(60, 10)].toSorted((a, b) => a.at - b.at);

  it('are not taken for a program, however regular they are', () => {
    for (const votes of [alone, both]) {
      expect(regularPace(votes, one)).toEqual([]);
      // As after a restart, when all votes of the round are read together.
      const window = new ReviewWindow(1_000);
      expect([...findSuspects(window, window.add(votes))].flat()).toEqual([]);
    }
  });
});

describe('signals over several days or of shared properties', () => {
  const slow = (count: number, over: (i: number) => Partial<ReviewVote> = () => ({})) =>
    times(count, (i) => fresh(NOON + i * 2 * HOUR, { networks: [`h${i}`, 'n'], ...over(i) }, 30 + uneven(i)));

  it('find fresh accounts of one network over days, from the required number on, where hardly any others vote', () => {
    const needed = REVIEW.drip.members.ipv4_24;
    const votes = slow(needed);
    const since = votes.at(-1)?.at ?? 0;
    expect(networkDrip('ipv4_24:n', votes, one, since)).toMatchObject([
      { signal: 'network_burst', key: 'A:ipv4_24:n', facts: { members: needed, size: 'ipv4_24', days: 3 } },
    ]);
    expect(networkDrip('ipv4_24:n', votes.slice(1), one, since)).toEqual([]);
    expect(networkDrip('ipv4_24:n', votes, two, since)).toEqual([]);
    // A carrier: others of the network vote for another candidate, have older accounts, or other activity.
    const others = times(needed / 2, (i) => vote(NOON + i * 3 * HOUR, { candidateId: 'B' }));
    expect(
      networkDrip(
        'ipv4_24:n',
        [...votes, ...others].toSorted((a, b) => a.at - b.at),
        one,
        since,
      ),
    ).toEqual([]);
    expect(
      networkDrip(
        'ipv4_24:n',
        slow(needed, () => ({ member: member() })),
        one,
        since,
      ),
    ).toEqual([]);
    // Too slow for any three days.
    const rare = times(needed, (i) => fresh(NOON + i * 4 * HOUR, { networks: ['h', 'n'] }));
    expect(networkDrip('ipv4_24:n', rare, one, NOON)).toEqual([]);
    // Earlier windows are evaluated where their votes are new.
    const later = [...votes, vote(NOON + 29.5 * DAY, { candidateId: 'B' })];
    expect(networkDrip('ipv4_24:n', later, one, NOON)[0]?.votes).toHaveLength(needed);
    expect(networkDrip('ipv4_24:n', later, one, NOON + 29 * DAY)).toEqual([]);
  });

  it('find fresh accounts of one mail domain, not of a public mail service or of a club with older members', () => {
    const needed = REVIEW.domain.members;
    const of = (mailDomain: string, since?: number) => (i: number) =>
      vote(NOON + i * HOUR, { member: member({ mailDomain, since: since ?? NOON + i * HOUR - MINUTE }) });
    const votes = times(needed, of('shop.example'));
    expect(sharedDomain(votes, one)).toMatchObject([
      { signal: 'shared_mailbox', key: 'A:@shop.example', facts: { members: needed, domain: 'shop.example' } },
    ]);
    expect(sharedDomain(votes.slice(1), one)).toEqual([]);
    expect(sharedDomain(votes, two)).toEqual([]);
    // The owner of a domain owns its subdomains.
    const window = new ReviewWindow(100);
    const below = times(needed, (i) => of(`x${i}.shop.example`)(i));
    expect([...findSuspects(window, window.add(below))].flat()).toMatchObject([{ key: 'A:@shop.example' }]);
    for (const service of ['gmail.com', 'yahoo.es', 'hotmail.co.uk'])
      expect(sharedDomain(times(50, of(service)), one)).toEqual([]);
    const older = times(Math.ceil(needed / 3), of('shop.example', NOON - 99 * DAY));
    expect(sharedDomain([...votes, ...older], one)).toEqual([]);
  });

  it('find accounts of different ages that wake up together, not too few, among other voters or over a day', () => {
    const { woken } = REVIEW.dormant;
    const asleep = (i: number, pause: number) =>
      vote(NOON + i * pause, { member: member({ since: NOON - 20 * DAY - i * 3 * DAY }) });
    const votes = times(woken, (i) => asleep(i, 2 * MINUTE));
    expect(dormantAccounts(votes, one)).toMatchObject([{ facts: { members: woken } }]);
    expect(dormantAccounts(votes.slice(1), one)).toEqual([]);
    expect(
      dormantAccounts(
        times(woken, (i) => asleep(i, 30 * MINUTE)),
        one,
      ),
    ).toEqual([]);
    // An office of members who never voted: one address.
    const office = votes.map((cast) => ({ ...cast, networks: ['address', 'net'] }));
    expect(dormantAccounts(office, one)).toEqual([]);
    const others = times(woken, (i) =>
      vote(NOON + i * 2 * MINUTE, { member: member({ votedBefore: NOON - 9 * DAY }) }),
    );
    expect(
      dormantAccounts(
        [...votes, ...others].toSorted((a, b) => a.at - b.at),
        one,
      ),
    ).toEqual([]);
  });

  it('ignore new members who all vote within minutes: their delays tail off, those of a program end abruptly', () => {
    // Between half a minute and five, evenly: nearly seven of ten in the densest band.
    const people = times(300, (i) => fresh(NOON + i * 5 * SECOND, {}, 30 + (uneven(i) / 997) * 270));
    expect(freshAccounts(people, one)).toEqual([]);
    const program = times(60, (i) => fresh(NOON + i * 25 * SECOND, {}, 30 + (uneven(i) / 997) * 40));
    expect(freshAccounts(program, one)).toMatchObject([{ facts: { members: 60 } }]);
    const both = [
      ...people.slice(0, 100),
      ...times(300, (i) => fresh(NOON + i * 5 * SECOND, {}, 60 + (uneven(i) / 997) * 10)),
    ];
    expect(
      freshAccounts(
        both.toSorted((a, b) => a.at - b.at),
        one,
      )[0]?.votes.length,
    ).toBeGreaterThan(300);
  });
});

describe('the window of a round', () => {
  it('counts a vote that was withdrawn and cast again once', () => {
    const window = new ReviewWindow(10);
    const who = member();
    window.add([vote(NOON, { member: who })]);
    const again = vote(NOON + 5, { member: who });
    expect(window.add([again]).candidates.get('A')).toEqual([again]);
    expect([window.size, window.isFirst(again)]).toEqual([1, true]);
  });

  it('contains the newest votes, in order, and returns what new ones affect', () => {
    const window = new ReviewWindow(3);
    const who = member();
    const votes = times(4, (i) => vote(NOON + i, { member: who, candidateId: String(i), networks: ['a', 'n'] }));
    const touched = window.add([votes[1], votes[0]] as ReviewVote[]);
    expect([...touched.candidates.keys()].toSorted()).toEqual(['0', '1']);
    expect(touched.networks.get('ipv4_24:n')).toEqual([votes[0], votes[1]]);
    expect(window.candidatesOf(who)).toBe(2);
    expect(window.add([votes[0] as ReviewVote]).candidates.size).toBe(0);
    window.add(votes.slice(2));
    expect([window.size, window.candidatesOf(who), window.has(votes[1]?.id ?? 0)]).toEqual([3, 3, false]);
    window.add([vote(NOON + 5), vote(NOON + 6), vote(NOON + 7)]);
    expect([window.size, window.candidatesOf(who)]).toEqual([3, 0]);
  });

  it('passes what new votes affect to the signals', () => {
    const window = new ReviewWindow(1_000);
    const votes = times(20, (i) =>
      fresh(NOON + i * SECOND, {
        networks: [`h${i}`, `b${i}`, 'site'],
        member: member({ since: NOON - MINUTE, mailDomain: 'yopmail.com', disposable: true }),
      }),
    );
    const found = [...findSuspects(window, window.add(votes))].flat();
    // Their times would be equal too, but the mailboxes explain that.
    expect(new Set(found.map(({ signal }) => signal))).toEqual(
      new Set(['disposable_mail', 'shared_mailbox', 'network_burst']),
    );
    const apart = new ReviewWindow(1_000);
    const alike = times(20, (i) =>
      fresh(NOON + i * SECOND, {
        networks: [`p${i}`, `q${i}`],
        member: member({ since: NOON - MINUTE, mailDomain: `d${i}.example` }),
      }),
    );
    expect([...findSuspects(apart, apart.add(alike))].flat()).toMatchObject([{ signal: 'fresh_accounts' }]);
    expect([...findSuspects(window, window.add([]))].flat()).toEqual([]);
  });

  const quick = member({ since: NOON - DAY });
  const ring = times(20, () => member());
  const inStep = (day: number) => ring.map((who, i) => vote(NOON + day * 25 * HOUR + i * SECOND, { member: who }));
  const asleep = (i: number) => ({ member: member({ since: NOON - (20 + 3 * i) * DAY }) });
  it.each<[string, object, ReviewVote[]]>([
    ['network_burst', { days: 3 }, times(26, (i) => fresh(NOON + i * 2 * HOUR, { networks: [`h${i}`, 'n'] }))],
    ['network_capacity', { most: 600 }, times(605, (i) => vote(NOON + i * SECOND, { networks: ['a', 'n'] }))],
    ['impossible_pace', { why: 'clicks' }, times(3, (i) => vote(NOON + i, { member: quick, candidateId: String(i) }))],
    ['impossible_pace', { why: 'sign_up' }, times(8, (i) => fresh(NOON + i * SECOND, {}, 2))],
    ['regular_pace', { members: 30 }, times(30, (i) => vote(NOON + i * 40 * SECOND))],
    ['lockstep', { members: 20, days: 3 }, times(3, inStep).flat()],
    ['dormant_accounts', { members: 30 }, times(30, (i) => vote(NOON + i * 2 * MINUTE, asleep(i)))],
  ])('passes what new votes affect to every other signal: %s finds %j', (signal, facts, votes) => {
    const window = new ReviewWindow(1_000);
    const found = [...findSuspects(window, window.add(votes))].flat();
    expect(found.filter((finding) => finding.signal === signal)).toMatchObject([{ facts }]);
  });
});
