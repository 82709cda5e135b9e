import { DAY, HOUR, MINUTE, type NewMember, type Population, wakingMoment } from './population.ts';

const years = ({ random, start }: Population) => start - random.between(1, 700) * DAY;

/** Somebody who was here before the round; half of them do more than vote. */
const regular = (population: Population): NewMember => {
  const since = years(population);
  const { random, start } = population;
  const voted = start - since > 20 * DAY && random.chance(0.6);
  return { since, active: random.chance(0.5), votedBefore: voted ? start - random.between(1, 20) * DAY : null };
};

/** Returning daily voters: each at an hour of their own, most days, for one to four candidates. */
export function returningVoters(population: Population): void {
  const { random, start, days } = population;
  for (let i = 0; i < 1_200; i++) {
    const member = population.member(regular(population));
    const home = random.chance(0.4) ? population.ipv6() : population.ipv4();
    const favourites = Array.from({ length: 1 + random.int(4) }, population.popular);
    const hour = wakingMoment(random);
    const eager = random.between(0.2, 0.95);
    for (let day = 0; day < days; day++) {
      if (!random.chance(eager)) continue;
      let at = start + day * DAY + hour + random.normal(0, 35 * MINUTE);
      for (const candidate of favourites) {
        population.vote(member, candidate, at, home);
        at += random.logNormal(6_000, 0.8);
      }
    }
  }
}

/** An office: one IPv4, 180 colleagues, around lunch, several candidates. */
export function office(population: Population): void {
  const { random, start, days } = population;
  const network = population.ipv4();
  for (let i = 0; i < 180; i++) {
    const fresh = random.chance(0.15);
    const since = start + random.between(0, days - 1) * DAY + 9 * HOUR + random.between(0, 8) * HOUR;
    const member = population.member(fresh ? { since, active: random.chance(0.2) } : regular(population));
    for (let day = 0; day < days; day++) {
      if (!random.chance(0.5)) continue;
      const at = start + day * DAY + random.normal(13.5, 0.6) * HOUR;
      if (at > member.since + 30_000) population.vote(member, population.popular(), at, network);
    }
  }
}

/** A mobile carrier: 900 members behind twelve IPv4 addresses that change under them. */
export function carrier(population: Population): void {
  const { random, start, days } = population;
  const gates = Array.from({ length: 12 }, population.ipv4);
  for (let i = 0; i < 900; i++) {
    const member = population.member(
      random.chance(0.2)
        ? { since: start + random.between(0, days) * DAY, active: random.chance(0.2) }
        : regular(population),
    );
    for (let day = 0; day < days; day++) {
      if (!random.chance(0.45)) continue;
      let at = start + day * DAY + wakingMoment(random);
      if (at < member.since) continue;
      const gate = random.pick(gates);
      for (let n = 0; n < 1 + random.int(3); n++) {
        population.vote(member, population.popular(), at, gate);
        at += random.logNormal(7_000, 0.9);
      }
    }
  }
}

/** A phone carrier's IPv6: each phone a /64 of its own, hundreds of them in one /48. */
export function phones(population: Population): void {
  const { random, start, days } = population;
  const site = '6:0a0b0c0d';
  for (let i = 0; i < 350; i++) {
    const home = `${site}:${random.int(256).toString(16)}`;
    const member = population.member(
      random.chance(0.15)
        ? { since: start + random.between(0, days) * DAY, active: random.chance(0.2) }
        : regular(population),
    );
    for (let day = 0; day < days; day++) {
      const at = start + day * DAY + wakingMoment(random);
      if (at < member.since || !random.chance(0.5)) continue;
      population.vote(member, population.popular(), at, [`${home}${random.int(256).toString(16)}`, home, site]);
    }
  }
}

/** Families: two to five on one address, mostly for the same candidate, after dinner. */
export function families(population: Population): void {
  const { random, start, days } = population;
  for (let f = 0; f < 60; f++) {
    const home = random.chance(0.5) ? population.ipv6() : population.ipv4();
    const favourite = population.popular();
    const dinner = random.normal(21, 0.7) * HOUR;
    const members = Array.from({ length: 2 + random.int(4) }, () =>
      population.member(random.chance(0.4) ? { since: start + random.between(0, 1) * DAY } : regular(population)),
    );
    for (let day = 0; day < days; day++) {
      const evening = start + day * DAY + dinner + random.normal(0, 15 * MINUTE);
      for (const member of members) {
        const at = evening + random.exponential(4 * MINUTE);
        if (random.chance(0.75) && at > member.since + 20_000)
          population.vote(member, random.chance(0.85) ? favourite : population.popular(), at, home);
      }
    }
  }
}

/**
 * Fans who follow a link in a chat: most sign up for it, each in their own time, and come in a rush that fades. Some of them
 * follow the reminder on the days after.
 */
export function fanRaid(population: Population): void {
  const { random, start, days } = population;
  const gates = Array.from({ length: 8 }, population.ipv4);
  for (const candidate of [population.candidates[1], population.candidates[6]] as string[]) {
    const posted = start + random.between(0.2, days - 3) * DAY;
    const reminder = random.between(17, 21) * HOUR;
    for (let i = 0; i < 260; i++) {
      const arrives = posted + random.exponential(25 * MINUTE);
      const fresh = random.chance(0.65);
      const member = population.member(fresh ? { since: arrives, active: random.chance(0.12) } : regular(population));
      const home = random.chance(0.35)
        ? random.pick(gates)
        : random.chance(0.5)
          ? population.ipv6()
          : population.ipv4();
      // The form, a mail to confirm, a look around.
      population.vote(
        member,
        candidate,
        arrives + (fresh ? 15_000 + random.logNormal(70_000, 0.95) : random.logNormal(15_000, 0.8)),
        home,
      );
      const eager = random.next() ** 2;
      for (let day = 1; day < days; day++) {
        const at = Math.floor(posted / DAY) * DAY + day * DAY + reminder + random.exponential(30 * MINUTE);
        if (random.chance(eager)) population.vote(member, candidate, at, home);
      }
    }
  }
}

/** A night shift: forty members who vote in the same break, most nights. */
export function nightShift(population: Population): void {
  const { random, start, days } = population;
  const network = population.ipv4();
  for (let i = 0; i < 40; i++) {
    const member = population.member(regular(population));
    const favourite = population.popular();
    for (let day = 0; day < days; day++) {
      const at = start + day * DAY + 3 * HOUR + random.normal(30, 8) * MINUTE;
      if (random.chance(0.7)) population.vote(member, favourite, at, random.chance(0.5) ? network : population.ipv4());
    }
  }
}

/** Real fans of one candidate: nothing else interests them, some are new, most come back. */
export function singleFans(population: Population): void {
  const { random, start, days } = population;
  for (let i = 0; i < 450; i++) {
    const fresh = random.chance(0.5);
    const since = fresh ? start + random.between(0, days - 0.5) * DAY : years(population);
    const member = population.member({
      since,
      active: random.chance(0.15),
      votedBefore: fresh || random.chance(0.5) ? null : start - 5 * DAY,
    });
    const candidate = population.candidates[2 + (i % 4)] as string;
    const home = random.chance(0.4) ? population.ipv6() : population.ipv4();
    const hour = wakingMoment(random);
    if (fresh) population.vote(member, candidate, since + 12_000 + random.logNormal(80_000, 1), home);
    for (let day = 0; day < days; day++) {
      const at = start + day * DAY + hour + random.normal(0, 80 * MINUTE);
      if (at > since + MINUTE && random.chance(0.6)) population.vote(member, candidate, at, home);
    }
  }
}

/** A campus: one /48, many /64s, half of the students for the candidate of their own. */
export function campus(population: Population): void {
  const { random, start, days } = population;
  const site = '6:ca0ca0ca';
  const own = population.candidates[4] as string;
  for (let i = 0; i < 320; i++) {
    const fresh = random.chance(0.3);
    const since = start + random.between(0, days - 1) * DAY + 15 * HOUR;
    const member = population.member(fresh ? { since, active: random.chance(0.2) } : regular(population));
    for (let day = 0; day < days; day++) {
      const at = start + day * DAY + random.normal(16, 2.5) * HOUR;
      if (at < member.since + 25_000 || !random.chance(0.45)) continue;
      const hall = `${site}:${(i % 40).toString(16)}`;
      population.vote(member, random.chance(0.5) ? own : population.popular(), at, [
        `${hall}${random.int(12)}`,
        hall,
        site,
      ]);
    }
  }
}

/** Plus-addresses and dots of real people, one account each, and some who have two. */
export function plusAddresses(population: Population): void {
  const { random, start, days } = population;
  for (let i = 0; i < 120; i++) {
    const name = `${random.letters(7)}${i}`;
    const accounts = random.chance(0.1) ? 2 : 1;
    for (let n = 0; n < accounts; n++) {
      const member = population.member({ ...regular(population), email: `${name}+florka${n}@gmail.com` });
      const home = population.ipv4();
      for (let day = 0; day < days; day++)
        if (random.chance(0.4))
          population.vote(member, population.popular(), start + day * DAY + wakingMoment(random), home);
    }
  }
}

/** Exits of a VPN that strangers share, and people who click through the whole ranking within half a minute. */
export function quickClickers(population: Population): void {
  const { random, start, days } = population;
  const exits = Array.from({ length: 5 }, population.ipv4);
  for (let i = 0; i < 220; i++) {
    const fresh = random.chance(0.15);
    const member = population.member(fresh ? { since: start + random.between(0, days) * DAY } : regular(population));
    for (let day = 0; day < days; day++) {
      if (!random.chance(0.4)) continue;
      let at = start + day * DAY + wakingMoment(random);
      if (at < member.since + 30_000) continue;
      const exit = random.pick(exits);
      // After a stall all clicks arrive at once.
      const stalled = random.chance(0.04);
      for (const candidate of population.candidates.slice(0, 2 + random.int(9))) {
        population.vote(member, candidate, at, exit);
        at += stalled ? random.between(5, 80) : 450 + random.logNormal(900, 0.6);
      }
    }
  }
}
