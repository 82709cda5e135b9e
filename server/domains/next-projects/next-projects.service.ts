import { and, asc, count, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { figureSource } from '#contract/domains/market.ts';
import type { Launch, NextProject, NextProjectPage } from '#contract/domains/next-projects.ts';
import type { Reader } from '#server/db/client.ts';
import { asOneOf, asText, orNull } from '#server/db/expressions.ts';
import { nextProjects } from '#server/db/tables/next-projects.ts';
import { marketCapFrom, marketCapSource, shownMarketCap } from '#server/domains/market/figures.service.ts';
import { asVerified, verifiedSql } from '#server/domains/ownership/verified.service.ts';
import {
  asChainProof,
  type ChainProof,
  launchProofSql,
  proofOf,
  readLaunchChanges,
} from '#server/domains/tokens/launch-facts.service.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { pageLength, rowsToRead } from '#server/lib/page-length.ts';

/** Condition for public ones: active, published or launched, not in the trash. */
const isPublic = and(
  eq(nextProjects.isActive, true),
  inArray(nextProjects.status, ['published', 'launched']),
  isNull(nextProjects.deletedAt),
);

/** Columns of a card. */
const CARD = {
  id: nextProjects.id,
  tokenName: nextProjects.tokenName,
  tokenSymbol: nextProjects.tokenSymbol,
  description: nextProjects.description,
  imageUrl: nextProjects.imageUrl,
  status: nextProjects.status,
  orderIndex: nextProjects.orderIndex,
  createdAt: nextProjects.createdAt,
  isActive: nextProjects.isActive,
  launchDate: nextProjects.launchDate,
  countdownEnd: nextProjects.countdownEnd,
  chainProof: sql.raw(launchProofSql('next_projects')).mapWith(orNull(asChainProof)),
  marketCap: sql.raw(shownMarketCap('next_projects')).mapWith(asText),
  marketCapFrom: sql.raw(marketCapSource('next_projects')).mapWith(orNull(asOneOf(figureSource.options))),
  progressPercentage: nextProjects.progressPercentage,
  isVotingWinner: nextProjects.isVotingWinner,
  verified: sql.raw(verifiedSql('next_projects', 'next_project_id')).mapWith(asVerified),
};

/** Upcoming launches by position, then newest first. */
export async function listNextProjects(
  db: Reader,
  input: { offset: number; limit?: number | undefined },
  now: Date,
): Promise<NextProjectPage> {
  const [rows, [all]] = await Promise.all([
    db
      .select(CARD)
      .from(nextProjects)
      .where(isPublic)
      .orderBy(asc(nextProjects.orderIndex), desc(nextProjects.createdAt), asc(nextProjects.id))
      .limit(rowsToRead(input.limit))
      .offset(input.offset),
    db.select({ total: count() }).from(nextProjects).where(isPublic),
  ]);
  return {
    items: rows.slice(0, pageLength(rows.length, input.limit)).map(cardOf),
    total: all?.total ?? 0,
    serverTime: now.toISOString(),
  };
}

type CardRow = Pick<
  typeof nextProjects.$inferSelect,
  Exclude<keyof typeof CARD, 'marketCapFrom' | 'verified' | 'chainProof'> & keyof typeof nextProjects.$inferSelect
> &
  Pick<NextProject, 'marketCapFrom' | 'verified'> & { chainProof: ChainProof };

const cardOf = ({ chainProof, ...row }: CardRow): NextProject => ({
  ...row,
  proof: proofOf(chainProof, row.status),
  // A scheduled one is shown in its future state.
  status: row.status === 'launched' ? 'launched' : 'published',
  marketCapFrom: marketCapFrom(row.marketCapFrom, row.marketCap),
  createdAt: row.createdAt.toISOString(),
  launchDate: row.launchDate?.toISOString() ?? null,
  countdownEnd: row.countdownEnd?.toISOString() ?? null,
});

/** A NEXT project, public or not, in the form for visitors. @throws NOT_FOUND when it does not exist, or is in the trash. */
export async function readDraftOfNextProject(
  db: Reader,
  id: string,
): Promise<{ project: NextProject; shown: boolean }> {
  const [row] = await db
    .select(CARD)
    .from(nextProjects)
    .where(and(eq(nextProjects.id, id), isNull(nextProjects.deletedAt)));
  if (!row) return fail('NOT_FOUND', { what: 'next_project' });
  return { project: cardOf(row), shown: row.isActive && row.status !== 'pending' };
}

/** Far more than a calendar can show. */
const MAX_LAUNCHES = 1_000;

/** Public launches with a time, including past ones; with too many, the latest. */
export async function listLaunches(db: Reader): Promise<Launch[]> {
  const startsAt = sql`coalesce(${nextProjects.countdownEnd}, ${nextProjects.launchDate})`.mapWith(
    nextProjects.launchDate,
  );
  const rows = await db
    .select({
      id: nextProjects.id,
      tokenName: nextProjects.tokenName,
      tokenSymbol: nextProjects.tokenSymbol,
      description: nextProjects.description,
      startsAt,
      createdAt: nextProjects.createdAt,
      updatedAt: nextProjects.updatedAt,
    })
    .from(nextProjects)
    .where(and(isPublic, sql`${startsAt} is not null`))
    .orderBy(desc(startsAt), asc(nextProjects.id))
    .limit(MAX_LAUNCHES);
  const changes = await readLaunchChanges(
    db,
    rows.map(({ id }) => id),
  );
  return rows.reverse().map((row) => {
    const changed = changes.get(row.id) ?? [];
    // The hour may also change without an edit of the record, for example by SQL.
    const updatedAt = [row.updatedAt.toISOString(), changed[0]?.at ?? ''].sort().at(-1) as string;
    return {
      ...row,
      startsAt: row.startsAt.toISOString(),
      createdAt: row.createdAt.toISOString(),
      updatedAt,
      changes: changed,
    };
  });
}
