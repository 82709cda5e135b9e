import { eq, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { votingCandidates, votingRounds } from '#server/db/tables/voting.ts';
import { BACK_CANDIDATES, LAST_WINNER } from './candidates-back.ts';
import { type DemoCandidate, FRONT_CANDIDATES } from './candidates-front.ts';
import { countDays, countTotals, insertVotes } from './demo.sql.ts';
import { type DemoLaunch, LAUNCHES } from './launches.ts';
import { MEMBER_NAMES, memberId, memberSince } from './members.ts';
import { addressOf, idOf, randomOf } from './random.ts';
import { DAY, daysBefore, hoursFrom, linksOf, slugOf } from './text.ts';

const CANDIDATES = [...FRONT_CANDIDATES, ...BACK_CANDIDATES];
const ROUND_DAYS = 15;
const OPEN_NUMBER = 7;
const OPEN_SINCE_DAYS = 6;
/** Voting days before today. */
const HISTORY_DAYS = 20;

type EarlierWinner = DemoLaunch & { won: NonNullable<DemoLaunch['won']> };
const EARLIER_WINNERS = LAUNCHES.filter((launch): launch is EarlierWinner => launch.won !== undefined);

const candidateId = (name: string) => idOf(`candidate ${name}`);
export const roundId = (number: number): string => idOf(`round ${number}`);
export const LAST_CLOSED_ROUND = OPEN_NUMBER - 1;
/** When a closed round ended; closed rounds are consecutive, up to the open one. */
export const roundEnd = (number: number, now: Date): Date =>
  daysBefore(now, OPEN_SINCE_DAYS + (LAST_CLOSED_ROUND - number) * ROUND_DAYS);

export async function seedVoting(tx: Tx, now: Date): Promise<void> {
  await tx
    .insert(votingCandidates)
    .values([
      ...CANDIDATES.map((candidate, index) => candidateRow(candidate, index, now)),
      ...EARLIER_WINNERS.map((winner, index) => winnerRow(winner, CANDIDATES.length + index + 1, now)),
    ]);
  await seedRounds(tx, now);
  await seedVotes(tx, now);
}

function candidateRow(candidate: DemoCandidate, index: number, now: Date) {
  const { name, market } = candidate;
  const slug = slugOf(name);
  const createdAt = daysBefore(now, candidate.ageDays);
  const figures = market && {
    contractAddress: addressOf(`candidate ${name}`),
    price: market.price,
    volume24h: market.volume,
    marketCap: Math.round(market.price * market.supply),
    swapsCount: Math.round(market.volume / 37),
    maxSupply: market.supply,
    tokensInSwap: Math.round(market.supply * 0.08),
    holdersCount: market.holders,
    tokensWithHolders: Math.round(market.supply * 0.61),
    solInLiquidity: market.liquidity,
    tokensInSolPool: Math.round(market.supply * 0.12),
    lockedAmount: Math.round(market.supply * 0.15),
    lockedValue: Math.round(market.price * market.supply * 0.15),
    burntPercentage: market.burnt,
  };
  return {
    id: candidateId(name),
    tokenName: name,
    tokenSymbol: candidate.symbol,
    tokenSlug: slug,
    description: candidate.line,
    descriptionFull: candidate.text,
    ...linksOf(slug),
    ...figures,
    orderIndex: index + 1,
    isActive: !candidate.inactive,
    createdAt,
    updatedAt: createdAt,
  };
}

/** The winner of an earlier round than the last: removed from voting since then. */
function winnerRow({ name, symbol, line, text, won }: EarlierWinner, orderIndex: number, now: Date) {
  const end = roundEnd(won.round, now);
  const createdAt = daysBefore(end, ROUND_DAYS);
  const slug = slugOf(name);
  return {
    id: candidateId(name),
    tokenName: name,
    tokenSymbol: symbol,
    tokenSlug: slug,
    description: line,
    descriptionFull: text,
    ...linksOf(slug),
    orderIndex,
    isActive: false,
    createdAt,
    updatedAt: end,
  };
}

/** Updates the open round of the migration to the current time; the closed ones precede it. */
async function seedRounds(tx: Tx, now: Date): Promise<void> {
  const opensAt = daysBefore(now, OPEN_SINCE_DAYS);
  await tx
    .update(votingRounds)
    .set({
      number: OPEN_NUMBER,
      opensAt,
      closesAt: hoursFrom(opensAt, ROUND_DAYS * 24),
      createdAt: opensAt,
    })
    .where(eq(votingRounds.status, 'open'));
  await tx.insert(votingRounds).values(
    Array.from({ length: LAST_CLOSED_ROUND }, (_, index) => {
      const number = index + 1;
      const closesAt = roundEnd(number, now);
      const started = daysBefore(closesAt, ROUND_DAYS);
      return {
        id: roundId(number),
        number,
        status: 'closed' as const,
        opensAt: started,
        closesAt,
        closedAt: closesAt,
        createdAt: started,
        winnerCandidateId: candidateId(EARLIER_WINNERS.find(({ won }) => won.round === number)?.name ?? LAST_WINNER),
      };
    }),
  );
}

interface VoteRow {
  candidate: string;
  member: string;
  day: string;
  at: string;
}

async function seedVotes(tx: Tx, now: Date): Promise<void> {
  const rows = [
    ...CANDIDATES.flatMap((candidate) => votesFor(candidate, now)),
    ...EARLIER_WINNERS.flatMap((winner) => votesOfRound(winner, now)),
  ];
  const column = (key: keyof VoteRow) => rows.map((row) => row[key]);
  await insertVotes(tx, {
    candidates: column('candidate'),
    members: column('member'),
    days: column('day'),
    moments: column('at'),
  });
  await countDays(tx, {});
  await countTotals(tx, {});
  await tx
    .update(votingRounds)
    .set({ winnerVotes: sql`${votingCandidates.totalVotes}` })
    .from(votingCandidates)
    .where(eq(votingCandidates.id, votingRounds.winnerCandidateId));
}

/** Each member votes or not, day by day, with a probability that depends on the candidate's trend and the member's activity. */
function votesFor(candidate: DemoCandidate, now: Date): VoteRow[] {
  const next = randomOf(`votes ${candidate.name}`);
  const today = Math.floor(now.getTime() / DAY) * DAY;
  const passed = now.getTime() - today;
  const first = candidate.firstDay ?? HISTORY_DAYS;
  const last = candidate.lastDay ?? 0;
  const rows: VoteRow[] = [];
  for (let back = first; back >= last; back--) {
    const progress = first === last ? 1 : (first - back) / (first - last);
    const mood = 0.85 + next() * 0.3;
    // Today is not complete yet; a demo that starts just after midnight still shows some votes.
    const share = back === 0 ? Math.max(0.25, passed / DAY) : 1;
    const chance = (candidate.from + (candidate.to - candidate.from) * progress) * mood * share;
    const start = today - back * DAY;
    for (const name of MEMBER_NAMES) {
      if (next() >= chance * participationOf(name)) continue;
      const at = new Date(start + Math.floor(next() * (back === 0 ? passed : DAY)));
      const day = at.toISOString().slice(0, 10);
      rows.push({ candidate: candidateId(candidate.name), member: memberId(name), day, at: at.toISOString() });
    }
  }
  return rows;
}

/** The number of votes of an earlier winner, distributed over the days of its round, by the members of that time. */
function votesOfRound({ name, won }: EarlierWinner, now: Date): VoteRow[] {
  const next = randomOf(`votes ${name}`);
  const end = roundEnd(won.round, now).getTime();
  const start = end - ROUND_DAYS * DAY;
  const voters = [...memberSince(now)].filter(([, since]) => since.getTime() < start).map(([member]) => member);
  const rows = new Map<string, VoteRow>();
  while (rows.size < won.votes) {
    const member = voters[Math.floor(next() * voters.length)] ?? '';
    const at = new Date(start + Math.floor(next() * (end - start))).toISOString();
    const day = at.slice(0, 10);
    rows.set(`${member} ${day}`, { candidate: candidateId(name), member: memberId(member), day, at });
  }
  return [...rows.values()];
}

const participation = new Map(MEMBER_NAMES.map((name) => [name, 0.5 + randomOf(`zeal ${name}`)()]));
const participationOf = (name: string): number => participation.get(name) ?? 1;
