import type { ReviewMember } from '#server/domains/vote-review/review-window.ts';
import { DAY, HOUR, MINUTE, type Networks, type Population, wakingMoment } from './population.ts';

/** A candidate that somebody buys votes for. */
const target = ({ random, candidates }: Population): string => candidates[5 + random.int(7)] as string;
const momentOf = ({ random, start, days }: Population): number => start + random.between(0.1, days - 1) * DAY;

/** A rented server with a /48: an account in each /64, all within minutes. */
export function siteFarm(population: Population): void {
  const { random } = population;
  const candidate = target(population);
  const [, , site] = population.ipv6() as [string, string, string];
  let at = momentOf(population);
  for (let i = 0; i < 300; i++) {
    const home = `${site}:${Math.floor(i / 256)}`;
    at += random.between(50, 1_500);
    population.vote(population.member({ since: at - random.between(2, 40) * 1_000 }), candidate, at, [
      `${home}:${i}`,
      home,
      site,
    ]);
  }
}

/** A rented IPv4 /24: each address once or twice within a quarter of an hour. */
export function rentedRange(population: Population): void {
  const { random } = population;
  const candidate = target(population);
  const [, range] = population.ipv4() as [string, string];
  const begins = momentOf(population);
  for (let i = 0; i < 180; i++) {
    const at = begins + random.between(0, 15) * MINUTE;
    population.vote(population.member({ since: at - random.logNormal(3, 1) * HOUR * 0.3 }), candidate, at, [
      `${range}.${i}`,
      range,
    ]);
  }
}

/** Rotating proxies: each vote from another network, with the configured wait between two. */
export function rotatingProxies(population: Population): void {
  const { random } = population;
  const candidate = target(population);
  let at = momentOf(population);
  for (let i = 0; i < 250; i++) {
    at += random.between(25, 75) * 1_000;
    population.vote(population.member({ since: at - random.between(8, 20) * 1_000 }), candidate, at, population.ipv4());
  }
}

/** A ring of older accounts that votes for the same three candidates, day after day. */
export function ring(population: Population): void {
  const { random, start, days } = population;
  const members = Array.from({ length: 60 }, () =>
    population.member({ since: start - random.between(20, 300) * DAY, votedBefore: start - DAY }),
  );
  const homes = members.map(population.ipv4);
  const candidates = [target(population), population.candidates[3], population.candidates[9]] as string[];
  for (let day = 0; day < days; day++) {
    const begins = start + day * DAY + wakingMoment(random);
    members.forEach((member, i) => {
      if (!random.chance(0.95)) return;
      const at = begins + random.between(0, 150) * 1_000;
      for (const [n, candidate] of candidates.entries())
        population.vote(member, candidate, at + n * random.between(2, 9) * 1_000, homes[i] as Networks);
    });
  }
}

/** A drip: a new account about four times an hour, day and night, from another place each time. */
export function slowDrip(population: Population): void {
  const { random, start, days } = population;
  const candidate = target(population);
  let at = start + random.between(0, 0.3) * DAY;
  while (at < start + days * DAY) {
    at += random.between(6, 24) * MINUTE;
    population.vote(
      population.member({ since: at - random.between(30, 70) * 1_000 }),
      candidate,
      at,
      random.chance(0.5) ? population.ipv4() : population.ipv6(),
    );
  }
}

/** Mailboxes that are thrown away, at the pace and from the places of people. */
export function disposable(population: Population): void {
  const { random } = population;
  const candidate = target(population);
  const begins = momentOf(population);
  for (let i = 0; i < 160; i++) {
    const at = begins + random.exponential(2 * HOUR);
    const email = `${random.letters(9)}@${random.pick(['mailinator.com', 'yopmail.com', 'guerrillamail.com', '10minutemail.com', 'temp-mail.org'])}`;
    population.vote(
      population.member({ since: at - random.logNormal(90_000, 1), email }),
      candidate,
      at,
      population.ipv4(),
    );
  }
}

/** A few mailboxes with many spellings. */
export function spellings(population: Population): void {
  const { random, start, days } = population;
  const candidate = target(population);
  for (let box = 0; box < 5; box++) {
    const name = random.letters(10);
    for (let i = 0; i < 30; i++) {
      const dotted = i % 2 ? name : `${name.slice(0, 1 + (i % 8))}.${name.slice(1 + (i % 8))}`;
      const at = start + random.between(0.2, days) * DAY;
      population.vote(
        population.member({ since: at - random.logNormal(HOUR, 1), email: `${dotted}+${i}@gmail.com` }),
        candidate,
        at,
        population.ipv4(),
      );
    }
  }
}

/** Accounts bought in lots: made in one sitting months ago, used now, over a day and from many places. */
export function agedLots(population: Population): void {
  const { random, start } = population;
  const candidate = target(population);
  for (let lot = 0; lot < 4; lot++) {
    let made = start - random.between(30, 300) * DAY;
    const begins = momentOf(population);
    for (let i = 0; i < 40; i++) {
      made += random.between(0.5, 5) * MINUTE;
      population.vote(
        population.member({ since: made }),
        candidate,
        begins + random.between(0, 20) * HOUR,
        random.chance(0.5) ? population.ipv4() : population.ipv6(),
      );
    }
  }
}

/** Accounts that also vote for others as cover, in the order of the program and faster than clicks. */
export function coverVotes(population: Population): void {
  const { random } = population;
  const candidate = target(population);
  let at = momentOf(population);
  for (let i = 0; i < 90; i++) {
    at += random.exponential(6 * MINUTE);
    const member = population.member({ since: at - random.logNormal(2 * HOUR, 1) });
    const home = population.ipv4();
    const choices = [candidate, ...Array.from({ length: 5 }, population.popular)].toSorted(() => random.next() - 0.5);
    let moment = at;
    for (const choice of choices) {
      population.vote(member, choice, moment, home);
      moment += random.between(60, 280);
    }
  }
}

/** One person at home with fifteen accounts, one after the other, every evening. */
export function homeFarm(population: Population): void {
  const { random, start, days } = population;
  for (let farm = 0; farm < 4; farm++) {
    const candidate = target(population);
    const home = population.ipv4();
    const members: ReviewMember[] = Array.from({ length: 15 }, () =>
      population.member({
        since: start - random.between(1, 60) * DAY,
        votedBefore: random.chance(0.5) ? start - DAY : null,
      }),
    );
    for (let day = 0; day < days; day++) {
      let at = start + day * DAY + wakingMoment(random);
      for (const member of members) {
        population.vote(member, candidate, at, home);
        at += random.between(8, 22) * 1_000;
      }
    }
  }
}

/**
 * Not found, and not part of the figures: people who are paid for one vote each, with a phone, a mailbox and a time of their
 * own, spread over days. Nothing in what they leave behind is different from fans (docs/vote-review.md).
 */
export function paidPeople(population: Population): void {
  const { random, start, days } = population;
  const candidate = population.apart[9] as string;
  for (let i = 0; i < 200; i++) {
    const since = start + random.between(0, days - 0.2) * DAY;
    const at = since + 15_000 + random.logNormal(90_000, 1);
    population.vote(
      population.member({ since }),
      candidate,
      at,
      random.chance(0.5) ? population.ipv4() : population.ipv6(),
    );
  }
}
