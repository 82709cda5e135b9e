import { ORPCError } from '@orpc/server';
import { z } from 'zod';
import type { Project, ProjectOrder, ProjectPage } from '#contract/domains/projects.ts';
import { PODIUM_SLOTS } from '#contract/limits.ts';
import type { Reader } from '#server/db/client.ts';
import { marketCapFrom } from '#server/domains/market/figures.service.ts';
import { pageLength, rowsToRead } from '#server/lib/page-length.ts';
import { countListed, readByAge, readByPlace, readFirstByPlace, readPodium } from './projects.sql.ts';
import { soldPlaceLabel } from './sold-places.service.ts';

type Row = Awaited<ReturnType<typeof readPodium>>[number];
const projectOf = ({ at: _, createdAt, sold, ...row }: Row): Project => ({
  ...row,
  sold: soldPlaceLabel(sold),
  marketCapFrom: marketCapFrom(row.marketCapFrom, row.marketCap),
  createdAt: createdAt.toISOString(),
});

/** The projects in the podium's places 1 to 3, in order; a place may be free. */
export async function podium(db: Reader, now: Date): Promise<Project[]> {
  return (await readPodium(db, { now, places: PODIUM_SLOTS })).map(projectOf);
}

/** Cursor: position, age (PostgreSQL's microseconds as text) and id of the last row of a page. */
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
 * A page of the projects on home. 'all': by position, then newest first; 'others': the same without those on the podium, which are
 * shown above the list; 'new': newest first.
 *
 * @throws BAD_REQUEST for an invalid cursor.
 */
export async function listProjects(
  db: Reader,
  input: { order: ProjectOrder; cursor?: string | null; limit?: number | undefined },
  now: Date,
): Promise<ProjectPage> {
  const skipped = input.order === 'others' ? PODIUM_SLOTS : 0;
  const page = await readPage(db, {
    ...input,
    cursor: input.cursor ? decodeCursor(input.cursor) : null,
    skipped,
    max: rowsToRead(input.limit),
    now,
  });
  const [{ total } = { total: 0 }] = page.length > 0 ? page : await countListed(db, { skipped });
  const rows = page.slice(0, pageLength(page.length, input.limit));
  const last = rows.at(-1);
  return {
    items: rows.map(({ total: _, ...row }) => projectOf(row)),
    nextCursor: page.length > rows.length && last ? encodeCursor(last) : null,
    total,
  };
}

/** Cursor of the first page by age. */
const NEWEST = { at: 'infinity', id: '00000000-0000-0000-0000-000000000000' };

function readPage(
  db: Reader,
  {
    order,
    cursor,
    ...rest
  }: { order: ProjectOrder; cursor: z.infer<typeof position> | null; skipped: number; max: number; now: Date },
) {
  const [place, at, id] = cursor ?? [null, NEWEST.at, NEWEST.id];
  if (order === 'new') return readByAge(db, { now: rest.now, at, id, max: rest.max });
  return place === null ? readFirstByPlace(db, rest) : readByPlace(db, { ...rest, place, at, id });
}
