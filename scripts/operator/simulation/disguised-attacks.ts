import { DAY, HOUR, MINUTE, type Networks, type Population, wakingMoment } from './population.ts';

/** Attacks that imitate what the signals accept: earlier activity, other voters on the network, other votes, time. */

const target = ({ random, candidates }: Population): string => candidates[5 + random.int(7)] as string;
const anywhere = (population: Population): Networks =>
  population.random.chance(0.5) ? population.ipv4() : population.ipv6();

/** The addresses of a carrier, with members of its own, that `hiddenInCarrier` shares. */
const GATES: readonly Networks[] = Array.from({ length: 6 }, (_, i) => [`4:9a9b9${i}.${i}`, `4:9a9b9${i}`]);

/** The members of that carrier. */
export function sharedCarrier(population: Population): void {
  const { random, start, days } = population;
  for (let i = 0; i < 400; i++) {
    const member = population.member({
      since: start - random.between(2, 500) * DAY,
      active: random.chance(0.5),
      votedBefore: random.chance(0.6) ? start - 5 * DAY : null,
    });
    for (let day = 0; day < days; day++)
      if (random.chance(0.45))
        population.vote(member, population.popular(), start + day * DAY + wakingMoment(random), random.pick(GATES));
  }
}

/** New accounts behind the addresses of a carrier, beside its members, over days. */
export function hiddenInCarrier(population: Population): void {
  const { random, start, days } = population;
  const candidate = target(population);
  for (let i = 0; i < 200; i++) {
    const since = start + random.between(0, days - 0.2) * DAY;
    population.vote(
      population.member({ since }),
      candidate,
      since + random.between(20, 50) * 1_000,
      random.pick(GATES),
    );
  }
}

/** Accounts of any age with votes in earlier rounds, bought one by one: all vote for the same candidate within three hours. */
export function agedWithPast(population: Population): void {
  const { random, start, days } = population;
  const candidate = population.apart[0] as string;
  const begins = start + random.between(0.3, days - 1) * DAY;
  for (let i = 0; i < 150; i++)
    population.vote(
      population.member({
        since: start - random.between(20, 400) * DAY,
        votedBefore: start - random.between(2, 60) * DAY,
      }),
      candidate,
      begins + random.between(0, 180) * MINUTE,
      anywhere(population),
    );
}

/** New accounts, each with as many votes for the favourites as for whom it is paid for, at the pace of people, in one afternoon. */
export function halfHonest(population: Population): void {
  const { random } = population;
  const candidate = target(population);
  let at = population.start + random.between(0.2, population.days - 1) * DAY;
  for (let i = 0; i < 120; i++) {
    at += random.exponential(3 * MINUTE);
    const since = at - random.between(35, 80) * 1_000;
    const member = population.member({ since });
    const home = anywhere(population);
    let moment = at;
    for (const one of [candidate, population.popular()].toSorted(() => random.next() - 0.5)) {
      population.vote(member, one, moment, home);
      moment += random.logNormal(7_000, 0.8);
    }
  }
}

/** The same accounts are sold to six candidates: each votes for three of them within a minute, every day at another hour. */
export function manyCandidates(population: Population): void {
  const { random, start, days, apart } = population;
  const bought = apart.slice(3, 9);
  for (let i = 0; i < 120; i++) {
    const member = population.member({ since: start - random.between(5, 200) * DAY });
    const home = anywhere(population);
    for (let day = 0; day < days; day++) {
      let at = start + day * DAY + random.between(0, 24) * HOUR;
      for (const one of bought.toSorted(() => random.next() - 0.5).slice(0, 3)) {
        population.vote(member, one, at, home);
        at += random.logNormal(8_000, 0.8);
      }
    }
  }
}

/** Accounts made in one sitting some days before they vote: neither fresh nor dormant. */
export function lotOfLastWeek(population: Population): void {
  const { random, start, days } = population;
  const candidate = target(population);
  for (let lot = 0; lot < 3; lot++) {
    let made = start - random.between(3, 9) * DAY;
    const begins = start + random.between(0.5, days - 1) * DAY;
    for (let i = 0; i < 50; i++) {
      made += random.between(0.3, 4) * MINUTE;
      population.vote(
        population.member({ since: made }),
        candidate,
        begins + random.between(0, 20) * HOUR,
        anywhere(population),
      );
    }
  }
}

/** Accounts made in one sitting on one day of the round, which vote over the three days after it. */
export function freshLotLater(population: Population): void {
  const { random, start } = population;
  const candidate = target(population);
  for (let lot = 0; lot < 3; lot++) {
    let made = start + random.between(0.2, 2) * DAY;
    const begins = made + 8 * HOUR;
    for (let i = 0; i < 50; i++) {
      made += random.between(0.3, 4) * MINUTE;
      population.vote(
        population.member({ since: made }),
        candidate,
        begins + random.between(0, 60) * HOUR,
        anywhere(population),
      );
    }
  }
}

/** Each mailbox in a subdomain of its own of a seller's domain that takes everything. */
export function subdomains(population: Population): void {
  const { random, start, days } = population;
  const candidate = target(population);
  const domain = `${random.letters(9)}.example`;
  for (let i = 0; i < 120; i++) {
    const since = start + random.between(0, days - 0.2) * DAY;
    population.vote(
      population.member({ since, email: `${random.letters(6)}@${random.letters(5)}.${domain}` }),
      candidate,
      since + 15_000 + random.logNormal(90_000, 1),
      population.ipv4(),
    );
  }
}

/** Small homes: five accounts in each /64 of thirty providers, below what a burst needs, with the waits of one program. */
export function smallHomes(population: Population): void {
  const { random, start, days } = population;
  const candidate = target(population);
  for (let home = 0; home < 30; home++) {
    const network = population.ipv6();
    for (let i = 0; i < 5; i++) {
      const since = start + random.between(0, days - 0.5) * DAY;
      population.vote(population.member({ since }), candidate, since + random.between(25, 60) * 1_000, network);
    }
  }
}

/** Accounts from before the round that come every day at any hour, each from its home, for one candidate. */
export function dailyFarm(population: Population): void {
  const { random, start, days } = population;
  const candidate = population.apart[1] as string;
  for (let i = 0; i < 80; i++) {
    const member = population.member({ since: start - random.between(1, 90) * DAY });
    const home = anywhere(population);
    for (let day = 0; day < days; day++)
      population.vote(member, candidate, start + day * DAY + random.between(0, 24) * HOUR, home);
  }
}

/** A drip that lasts the whole round with waits from a wide range. */
export function wideDrip(population: Population): void {
  const { random, start, days } = population;
  const candidate = population.apart[2] as string;
  let at = start;
  while (at < start + days * DAY) {
    at += random.exponential(20 * MINUTE);
    population.vote(
      population.member({ since: at - random.between(20, 300) * 1_000 }),
      candidate,
      at,
      anywhere(population),
    );
  }
}
