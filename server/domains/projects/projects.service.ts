import { ORPCError } from '@orpc/server';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { PODIUM_SLOTS } from '#contract/limits.ts';
import type { Project, ProjectPage } from '#contract/projects.ts';
import type { Reader } from '#server/db/client.ts';
import {
  marketCapFrom,
  marketCapSaidBy,
  priceChange7d,
  shownMarketCap,
} from '#server/domains/market/figures.service.ts';
import { pageLength, rowsToRead } from '#server/lib/page-length.ts';

/** Only what the public may see; admin notes and the like never leave the table. */
const columns = (
  now: Date,
) => sql`id, token_name as "tokenName", token_symbol as "tokenSymbol", token_slug as "tokenSlug", description,
  image_url as "imageUrl", ${shownMarketCap('projects')} as "marketCap", ${marketCapSaidBy('projects')} as "marketCapFrom", progress_percentage as "progressPercentage", status,
  ${priceChange7d('projects', now)} as "change7d",
  order_index as "orderIndex", created_at as "createdAt", created_at::text as at`;
const ON_HOME = sql.raw(`status in ('published_home', 'approved') and deleted_at is null`);

type Row = Omit<Project, 'createdAt'> & { createdAt: Date; at: string } & Record<string, unknown>;
const projectOf = ({ at: _, createdAt, ...row }: Row): Project =>
  ({
    ...row,
    marketCapFrom: marketCapFrom(row.marketCapFrom, row.marketCap),
    createdAt: new Date(createdAt).toISOString(),
  }) as Project;

/** The projects in the podium's places 1 to 3, in order; a place may be free. */
export async function podium(db: Reader, now: Date): Promise<Project[]> {
  const { rows } = await db.execute<Row>(sql`
    select ${columns(now)} from projects
    where status = 'published_home' and deleted_at is null and order_index between 1 and ${PODIUM_SLOTS}
    order by order_index`);
  return rows.map(projectOf);
}

/** Where a page ended: place, age (PostgreSQL's microseconds as text) and id of its last row. */
const position = z.tuple([z.int32(), z.string().max(40), z.uuid()]);

function decodeCursor(cursor: string): z.infer<typeof position> {
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw new ORPCError('BAD_REQUEST', { message: 'Unreadable cursor' });
  }
}
const encodeCursor = (row: Row) => Buffer.from(JSON.stringify([row.orderIndex, row.at, row.id])).toString('base64url');

/**
 * A page of the projects on home. 'all': by place, then the newest; 'new': the newest.
 *
 * @throws BAD_REQUEST when the cursor is not one of ours.
 */
export async function listProjects(
  db: Reader,
  input: { order: 'all' | 'new'; cursor?: string | null; limit?: number | undefined },
  now: Date,
): Promise<ProjectPage> {
  const [page, count] = await Promise.all([
    db.execute<Row>(
      pageQuery(input.order, input.cursor ? decodeCursor(input.cursor) : null, rowsToRead(input.limit), now),
    ),
    db.execute<{ n: number }>(sql`select count(*)::int as n from projects where ${ON_HOME}`),
  ]);
  const rows = page.rows.slice(0, pageLength(page.rows.length, input.limit));
  const last = rows.at(-1);
  return {
    items: rows.map(projectOf),
    nextCursor: page.rows.length > rows.length && last ? encodeCursor(last) : null,
    total: count.rows[0]?.n ?? 0,
  };
}

function pageQuery(order: 'all' | 'new', from: z.infer<typeof position> | null, limit: number, now: Date) {
  const byPlace = sql.raw('order by order_index, created_at desc, id');
  const byAge = sql.raw('order by created_at desc, id');
  if (!from)
    return sql`select ${columns(now)} from projects where ${ON_HOME} ${order === 'all' ? byPlace : byAge} limit ${limit}`;
  const [place, at, id] = from;
  const older = sql`created_at <= ${at}::timestamptz and (created_at < ${at}::timestamptz or id > ${id}::uuid)`;
  if (order === 'new')
    return sql`select ${columns(now)} from projects where ${ON_HOME} and ${older} ${byAge} limit ${limit}`;
  // Two index ranges instead of one 'or', which would read every row of the same place again.
  return sql`
    (select ${columns(now)}, order_index as o, created_at as c from projects where ${ON_HOME} and order_index = ${place} and ${older} ${byAge} limit ${limit})
    union all
    (select ${columns(now)}, order_index as o, created_at as c from projects where ${ON_HOME} and order_index > ${place} ${byPlace} limit ${limit})
    order by o, c desc, id limit ${limit}`;
}
