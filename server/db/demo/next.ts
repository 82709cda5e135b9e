import type { Tx } from '#server/db/client.ts';
import { nextProjects } from '#server/db/tables/next-projects.ts';
import { LAST_WINNER } from './candidates-back.ts';
import { LAUNCHES } from './launches.ts';
import { addressOf, idOf } from './random.ts';
import { daysBefore, hoursFrom, linksOf, slugOf, textsOf } from './text.ts';
import { LAST_CLOSED_ROUND, roundEnd, roundId } from './voting.ts';

/** Called after the rounds, which the winners refer to. */
export async function seedNext(tx: Tx, now: Date): Promise<void> {
  await tx.insert(nextProjects).values(
    LAUNCHES.map((launch, index) => {
      const launchDate = launch.inHours === undefined ? null : hoursFrom(now, launch.inHours);
      const launched = launchDate !== null && launchDate < now;
      const round = launch.won?.round ?? (launch.name === LAST_WINNER ? LAST_CLOSED_ROUND : null);
      const createdAt = round === null ? daysBefore(now, launch.ageDays ?? 0) : roundEnd(round, now);
      return {
        id: idOf(`next ${launch.name}`),
        tokenName: launch.name,
        tokenSymbol: launch.symbol,
        tokenAddress: addressOf(`next ${launch.name}`),
        contractAddress: launched ? addressOf(`next ${launch.name}`) : null,
        ...textsOf(launch),
        ...linksOf(slugOf(launch.name)),
        launchDate,
        countdownEnd: launchDate,
        status: launched ? ('launched' as const) : ('published' as const),
        isFeatured: round === LAST_CLOSED_ROUND,
        isActive: !launch.inactive,
        isVotingWinner: round !== null,
        votingRoundId: round === null ? null : roundId(round),
        orderIndex: index + 1,
        progressPercentage: launch.progress,
        price: launch.price,
        marketCap: launch.cap ?? 'TBD',
        createdAt,
        updatedAt: createdAt,
      };
    }),
  );
}
