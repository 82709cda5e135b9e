import { ORPCError } from '@orpc/server';
import { z } from 'zod';
import type { ExploredToken, ExploreFilter, ExploreOrder } from '#contract/domains/tokens.ts';
import { EXPLORE_ORDERS } from '#contract/explore.ts';
import type { Reader } from '#server/db/client.ts';
import { utcDay } from '#server/lib/clock.ts';
import {
  exploreCandidates,
  exploreCandidatesByToday,
  exploreCandidatesByVotes,
  exploreLaunched,
  exploreLaunches,
  exploreNext,
  exploreProjects,
  exploreProjectsByPlace,
} from './explore.sql.ts';
import { type ChainProof, proofOf } from './launch-facts.service.ts';

const DAY_MS = 86_400_000;
/** Ranges of the filters for new tokens and soon launches. Days. */
const NEW_DAYS = 30;
const SOON_DAYS = 7;

/** The database would refuse an invalid calendar day. */
const isDay = (text: string) => {
  const day = new Date(text);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
};
/** A timestamp in PostgreSQL's format, to the microsecond, including its infinities. */
const moment = z.union([
  z.literal(['infinity', '-infinity']),
  z
    .string()
    .regex(/^[1-9]\d{3}-\d\d-\d\d ([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,6})?[+-](0\d|1[0-4])(:[0-5]\d)?$/)
    .refine((text) => isDay(text.slice(0, 10))),
]);
/** Cursor of a page in each order. */
const CURSORS = {
  new: z.tuple([moment, z.uuid()]),
  place: z.tuple([z.int32(), moment, z.uuid()]),
  votes: z.tuple([z.int32(), moment, moment, z.uuid()]),
  today: z.tuple([z.int32(), z.int32(), z.uuid()]),
  launch: z.tuple([moment, z.uuid()]),
} as const satisfies Record<ExploreOrder, z.ZodType>;

function readCursor<Order extends ExploreOrder>(
  order: Order,
  cursor: string | null | undefined,
): z.infer<(typeof CURSORS)[Order]> | null {
  if (!cursor) return null;
  try {
    return CURSORS[order].parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))) as z.infer<
      (typeof CURSORS)[Order]
    >;
  } catch {
    throw new ORPCError('BAD_REQUEST', { message: 'Unreadable cursor' });
  }
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const MAX_INT = 2_147_483_647;

interface Row
  extends Omit<ExploredToken, 'kind' | 'createdAt' | 'startsAt' | 'launched' | 'proof' | 'totalVotes' | 'votesToday'> {
  createdAt: Date;
  at: string;
  totalVotes?: number;
  votesToday?: number;
  startsAt?: Date | null;
  launched?: boolean;
  chainProof?: ChainProof;
}
/** A row, and the cursor of a page that ends with it. */
type Read = { row: Row; place: unknown }[];

/**
 * A page of one of the three lists, filtered and ordered.
 *
 * @throws BAD_REQUEST when the cursor is invalid, or of another order.
 */
export async function explore(
  db: Reader,
  input: ExploreFilter & { cursor?: string | null | undefined; limit: number },
  now: Date,
): Promise<{ items: ExploredToken[]; nextCursor: string | null }> {
  const order = input.order ?? EXPLORE_ORDERS[input.kind][0];
  const rows = await readRows(db, input, order, now);
  const shown = rows.slice(0, input.limit);
  const last = shown.at(-1);
  return {
    items: shown.map(({ row }) => tokenOf(input.kind, row)),
    nextCursor:
      rows.length > input.limit && last ? Buffer.from(JSON.stringify(last.place)).toString('base64url') : null,
  };
}

const tokenOf = (kind: ExploreFilter['kind'], row: Row): ExploredToken => ({
  kind,
  id: row.id,
  tokenName: row.tokenName,
  tokenSymbol: row.tokenSymbol,
  tokenSlug: row.tokenSlug,
  description: row.description,
  imageUrl: row.imageUrl,
  network: row.network,
  hasContract: row.hasContract,
  createdAt: row.createdAt.toISOString(),
  totalVotes: row.totalVotes ?? null,
  votesToday: row.votesToday ?? null,
  startsAt: row.startsAt?.toISOString() ?? null,
  launched: row.launched ?? false,
  proof: kind === 'next' ? proofOf(row.chainProof ?? null, row.launched ? 'launched' : 'published') : null,
});

const since = (days: number, now: Date) => new Date(now.getTime() - days * DAY_MS);

async function readRows(
  db: Reader,
  input: ExploreFilter & { cursor?: string | null | undefined; limit: number },
  order: ExploreOrder,
  now: Date,
): Promise<Read> {
  const filters = {
    network: input.network ?? null,
    contract: input.contract === 'yes',
    since: input.since ? since(NEW_DAYS, now) : new Date(0),
    max: input.limit + 1,
  };
  if (input.kind === 'project') return readProjects(db, filters, order, input.cursor);
  if (input.kind === 'candidate') return readCandidates(db, { ...filters, today: utcDay(now) }, order, input.cursor);
  const week = input.launch === 'week';
  return readNext(
    db,
    {
      ...filters,
      status: input.status ?? null,
      from: week ? now.toISOString() : '-infinity',
      until: week ? since(-SOON_DAYS, now).toISOString() : 'infinity',
    },
    { order, now },
    input.cursor,
  );
}

interface Filters {
  network: string | null;
  contract: boolean;
  since: Date;
  max: number;
}
type Cursor = string | null | undefined;
const byAge = (row: Row) => ({ row, place: [row.at, row.id] });

async function readProjects(db: Reader, filters: Filters, order: ExploreOrder, cursor: Cursor): Promise<Read> {
  if (order === 'new') {
    const [at, id] = readCursor(order, cursor) ?? ['infinity', FIRST_ID];
    return (await exploreProjects(db, { ...filters, at, id })).map(byAge);
  }
  const [place, at, id] = readCursor('place', cursor) ?? [-MAX_INT, 'infinity', FIRST_ID];
  return (await exploreProjectsByPlace(db, { ...filters, place, at, id })).map((row) => ({
    row,
    place: [row.place, row.at, row.id],
  }));
}

async function readCandidates(
  db: Reader,
  filters: Filters & { today: string },
  order: ExploreOrder,
  cursor: Cursor,
): Promise<Read> {
  if (order === 'new') {
    const [at, id] = readCursor(order, cursor) ?? ['infinity', FIRST_ID];
    return (await exploreCandidates(db, { ...filters, at, id })).map(byAge);
  }
  if (order === 'today') {
    const [votes, total, id] = readCursor(order, cursor) ?? [MAX_INT, MAX_INT, FIRST_ID];
    const rows = await exploreCandidatesByToday(db, { ...filters, votes, total, id });
    return rows.map((row) => ({ row, place: [row.votesToday, row.totalVotes, row.id] }));
  }
  const [votes, reached, at, id] = readCursor('votes', cursor) ?? [MAX_INT, '-infinity', '-infinity', FIRST_ID];
  const rows = await exploreCandidatesByVotes(db, { ...filters, votes, reached, at, id });
  return rows.map((row) => ({ row, place: [row.totalVotes, row.reached, row.at, row.id] }));
}

async function readNext(
  db: Reader,
  filters: Filters & { status: string | null; from: string; until: string },
  { order, now }: { order: ExploreOrder; now: Date },
  cursor: Cursor,
): Promise<Read> {
  if (order === 'new') {
    const [at, id] = readCursor(order, cursor) ?? ['infinity', FIRST_ID];
    return (await exploreNext(db, { ...filters, at, id })).map(byAge);
  }
  // The time of a launched project has passed.
  const isOver = filters.status === 'launched';
  const [startsAt, id] = readCursor('launch', cursor) ?? [isOver ? 'infinity' : now.toISOString(), FIRST_ID];
  const read = isOver ? exploreLaunched : exploreLaunches;
  return (await read(db, { ...filters, startsAt, id })).map((row) => ({ row, place: [row.starts, row.id] }));
}
