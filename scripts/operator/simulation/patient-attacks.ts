import { DAY, HOUR, MINUTE, type Population } from './population.ts';

/** Attacks that take their time, or look like people one by one. Only what they share gives them away. */

/** Never one of the candidates that the other attacks buy for in the same seed's first places. */
const target = ({ random, candidates }: Population): string => candidates[5 + random.int(7)] as string;

/** Six rented residential /24s: a new account now and then from each, at any hour, over days, with the waits of people. */
export function residentialDrip(population: Population): void {
  const { random, start, days } = population;
  const candidate = target(population);
  for (let range = 0; range < 6; range++) {
    const [, net] = population.ipv4() as [string, string];
    for (let i = 0; i < 72; i++) {
      const since = start + random.between(0, days - 0.2) * DAY;
      population.vote(population.member({ since }), candidate, since + 15_000 + random.logNormal(90_000, 1), [
        `${net}.${random.int(256)}`,
        net,
      ]);
    }
  }
}

/** Accounts that were bought one by one over a year and never used; all are used within an hour and a half. */
export function dormantAccountsUsed(population: Population): void {
  const { random, start, days } = population;
  const candidate = target(population);
  const begins = start + random.between(0.3, days - 1) * DAY;
  for (let i = 0; i < 220; i++)
    population.vote(
      population.member({ since: start - random.between(20, 400) * DAY }),
      candidate,
      begins + random.between(0, 90) * MINUTE,
      random.chance(0.5) ? population.ipv4() : population.ipv6(),
    );
}

/** A domain of the seller's own takes mail for every name: accounts of it from everywhere, with the waits of people. */
export function catchAllDomains(population: Population): void {
  const { random, start, days } = population;
  const candidate = target(population);
  for (let shop = 0; shop < 3; shop++) {
    const domain = `${random.letters(9)}.example`;
    for (let i = 0; i < 60; i++) {
      const since = start + random.between(0, days - 0.2) * DAY;
      population.vote(
        population.member({ since, email: `${random.letters(6)}.${random.letters(5)}@${domain}` }),
        candidate,
        since + 15_000 + random.logNormal(90_000, 1),
        population.ipv4(),
      );
    }
  }
}

/** A data centre's address with a program that votes from new accounts every few hours, and comes back every day. */
export function oneServer(population: Population): void {
  const { random, start, days } = population;
  const candidate = target(population);
  const home = population.ipv4();
  for (let i = 0; i < 60; i++) {
    const since = start + random.between(0, days - 1) * DAY;
    const member = population.member({ since });
    for (
      let at = since + random.logNormal(10 * MINUTE, 1);
      at < start + days * DAY;
      at += DAY + random.normal(0, 2) * HOUR
    )
      population.vote(member, candidate, at, home);
  }
}
