import type { ReviewMember } from '#server/domains/vote-review/review-window.ts';
import { DAY, HOUR, MINUTE, type Networks, type Population, wakingMoment } from './population.ts';

/** Honest people who come together: what looks most like an attack. Sign-ups keep within what the server lets a /24 do in an hour. */

const old = ({ random, start }: Population): number => start - random.between(4, 500) * DAY;

/** An office of 300 votes within one hour, most for the colleague's candidate; 24 signed up for it. */
export function officeCampaign(population: Population): void {
  const { random, start, days, candidates } = population;
  const network = population.ipv4();
  const called = start + (1 + random.int(days - 2)) * DAY + 11 * HOUR;
  for (let i = 0; i < 300; i++) {
    const at = called + random.between(0, 1) * HOUR;
    const member = population.member({
      since: i < 24 ? at - 20_000 - random.logNormal(80_000, 0.9) : old(population),
      active: random.chance(0.2),
      votedBefore: i < 24 || random.chance(0.5) ? null : start - 5 * DAY,
    });
    const candidate = random.chance(0.7) ? (candidates[4] as string) : population.popular();
    population.vote(member, candidate, at, network);
  }
}

/** A link in a large chat: 500 sign up within an hour and vote for its candidate; some come back. */
export function chatPush(population: Population): void {
  const { random, start, days, candidates } = population;
  const gates = Array.from({ length: 16 }, population.ipv4);
  const posted = start + random.between(0.5, days - 2) * DAY;
  // Some take as long as they take, others are through in minutes.
  const max = random.between(180, 600) * 1_000;
  for (let i = 0; i < 500; i++) {
    const since = posted + Math.min(random.exponential(18 * MINUTE), HOUR);
    const took = random.chance(0.5) ? 15_000 + random.logNormal(70_000, 0.9) : random.between(30_000, max);
    const home = random.chance(0.4) ? random.pick(gates) : random.chance(0.4) ? population.ipv6() : population.ipv4();
    const member = population.member({ since });
    population.vote(member, candidates[3] as string, since + took, home);
    for (let day = 1; day < days; day++)
      if (random.chance(0.25))
        population.vote(member, candidates[3] as string, since + day * DAY + random.normal(0, 2) * HOUR, home);
  }
}

/** Four lessons: 24 pupils sign up on one address and vote, most for the candidate on the blackboard. */
export function classrooms(population: Population): void {
  const { random, start, days } = population;
  for (let lesson = 0; lesson < 4; lesson++) {
    const network = population.ipv4();
    const shown = population.popular();
    const begins = start + random.int(days) * DAY + random.between(8, 15) * HOUR;
    for (let i = 0; i < 24; i++) {
      const since = begins + random.between(0, 12) * MINUTE;
      const at = since + 20_000 + random.logNormal(2 * MINUTE, 0.8);
      const member = population.member({ since });
      population.vote(member, random.chance(0.75) ? shown : population.popular(), at, network);
    }
  }
}

/** Fans who vote for the same two candidates every day, after a reminder in the evening. */
export function pairOfFavourites(population: Population): void {
  const { random, start, days, candidates } = population;
  const reminder = random.between(18, 20) * HOUR;
  for (let i = 0; i < 220; i++) {
    const member = population.member({
      since: random.chance(0.3) ? start - random.between(0, 2) * DAY : old(population),
      active: random.chance(0.3),
    });
    const home = random.chance(0.4) ? population.ipv6() : population.ipv4();
    const prompt = random.logNormal(25 * MINUTE, 0.7);
    for (let day = 0; day < days; day++) {
      if (!random.chance(0.85)) continue;
      const at = start + day * DAY + reminder + random.exponential(prompt);
      population.vote(member, candidates[1] as string, at, home);
      population.vote(member, candidates[7] as string, at + random.logNormal(9_000, 0.8), home);
    }
  }
}

/** A newsletter wakes old accounts up, some of whom never voted: they look around and vote for one or more. */
export function newsletter(population: Population): void {
  const { random, start, days } = population;
  const sent = start + random.between(0.5, days - 1.5) * DAY;
  for (let i = 0; i < 300; i++) {
    const member = population.member({
      since: old(population),
      active: random.chance(0.25),
      votedBefore: random.chance(0.5) ? start - 9 * DAY : null,
    });
    const home = random.chance(0.4) ? population.ipv6() : population.ipv4();
    let at = sent + random.exponential(5 * HOUR);
    for (let n = 0; n < 1 + random.int(3); n++) {
      population.vote(member, population.popular(), at, home);
      at += random.logNormal(12_000, 0.9);
    }
  }
}

/** Members of a club with addresses of its domain, most of them older accounts; their candidate is one of the club's. */
export function club(population: Population): void {
  const { random, start, days, candidates } = population;
  for (let i = 0; i < 70; i++) {
    const fresh = random.chance(0.35);
    const since = fresh ? start + random.between(0, days - 1) * DAY : old(population);
    const member = population.member({
      since,
      email: `${random.letters(8)}${i}@club-atletico.example`,
      active: random.chance(0.3),
    });
    const home: Networks = random.chance(0.5) ? population.ipv4() : population.ipv6();
    for (let day = 0; day < days; day++) {
      const at = start + day * DAY + wakingMoment(random);
      if (at < since + MINUTE || !random.chance(0.5)) continue;
      population.vote(member, random.chance(0.75) ? (candidates[5] as string) : population.popular(), at, home);
    }
  }
}

/** Mailboxes in other alphabets: each a person, none another spelling of the next. */
export function otherAlphabets(population: Population): void {
  const { random, start, days } = population;
  const names = ['анна', 'Μαρία', '李明', 'josé', 'şule', 'नेहा', 'محمد', 'łukasz'];
  for (let i = 0; i < 160; i++) {
    const member: ReviewMember = population.member({
      since: random.chance(0.3) ? start : old(population),
      email: `${names[i % names.length]}${Math.floor(i / names.length)}@${random.pick(['почта.рф', 'gmail.com', 'mail.example'])}`,
    });
    const home = population.ipv4();
    for (let day = 0; day < days; day++)
      if (random.chance(0.5))
        population.vote(member, population.popular(), start + day * DAY + wakingMoment(random), home);
  }
}
