import { and, asc, desc, eq, inArray, isNotNull, isNull, not, or, sql } from 'drizzle-orm';
import {
  type LibraryImage,
  MEDIA_USES_SHOWN,
  type MediaUse,
  REPLACEABLE_PLACES,
  type ReplaceablePlace,
} from '#contract/admin/media.ts';
import { contract } from '#contract/index.ts';
import { mayAs, type StaffRole } from '#contract/staff.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { forumPostImages, forumPosts } from '#server/db/tables/forum.ts';
import { media, mediaUses } from '#server/db/tables/media.ts';
import { news } from '#server/db/tables/news.ts';
import { nextProjects } from '#server/db/tables/next-projects.ts';
import { projects } from '#server/db/tables/projects.ts';
import { projectSubmissions } from '#server/db/tables/submissions.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { votingCandidates } from '#server/db/tables/voting.ts';
import { lockImage, nameOfImage, trashImage, untrashImage, urlOfImage } from '#server/domains/media/trash.service.ts';
import { NEWS_IMAGE } from '#server/domains/news/manage.service.ts';
import { NEXT_PROJECT_IMAGE } from '#server/domains/next-projects/manage.service.ts';
import { PROJECT_IMAGE } from '#server/domains/projects/manage.service.ts';
import { CANDIDATE_IMAGE } from '#server/domains/voting/manage.service.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { opensTo } from '#server/lib/staff-rights.ts';
import { forEachRecord } from '#server/records/bulk.ts';
import { DISPLAY_NAME } from '#server/records/display-name.ts';
import type { ImageReplacer, ImageStore } from '#server/records/record-images.ts';
import type { Editor, TrashedRecord } from '#server/records/records.ts';
import { findImageNames } from './library.sql.ts';

const REPLACERS: Readonly<Record<ReplaceablePlace, ImageReplacer>> = {
  project: PROJECT_IMAGE,
  candidate: CANDIDATE_IMAGE,
  next_project: NEXT_PROJECT_IMAGE,
  news: NEWS_IMAGE,
};

const COLUMNS = {
  id: media.id,
  name: media.name,
  bucket: media.bucket,
  width: media.width,
  height: media.height,
  bytes: media.bytes,
  status: media.status,
  uses: media.uses,
  createdAt: media.createdAt,
  trashedAt: media.trashedAt,
  sentBy: DISPLAY_NAME,
};

const rowsOf = (db: Reader, micros = sql`''`) =>
  db
    .select({ ...COLUMNS, micros: micros.mapWith(asText) })
    .from(media)
    .leftJoin(users, eq(users.id, media.ownerUserId))
    .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, media.ownerUserId));

interface LibraryQuery {
  shelf: 'live' | 'trash';
  status: 'all' | 'unused';
  q?: string | undefined;
  cursor?: string | null | undefined;
  size: number;
}

/** Maximum number of rows of each kind that a search evaluates: terms with more matches do not find all of them. */
const MAX_FOUND = 2_000;

async function namesFor(db: Reader, terms: string, byMailbox: boolean): Promise<string[]> {
  const imageName = terms.replace(/^.*\/media\//, '').replace(/[-.].*$/, '');
  const found = await findImageNames(db, {
    like: `%${escapeLike(terms)}%`,
    begins: `${escapeLike(imageName.toLowerCase())}%`,
    byMailbox,
    max: MAX_FOUND,
  });
  return found.map(({ name }) => name);
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/**
 * Stored images, newest first, each with the records that show it. Pages use keyset pagination, so that their cost is independent
 * of the size; the cursor is the time in microseconds and the id of the last image of the previous page.
 */
export async function listImages(
  db: Reader,
  me: { staffRoles: readonly StaffRole[] },
  { shelf, status, q, cursor, size }: LibraryQuery,
): Promise<{ rows: LibraryImage[]; nextCursor: string | null }> {
  const moment = shelf === 'trash' ? media.trashedAt : media.createdAt;
  const micros = sql`(extract(epoch from ${moment}) * 1000000)::bigint::text`;
  const [at, id] = cursor?.split('.') ?? [];
  const names = q ? await namesFor(db, q, mayAs(me.staffRoles, opensTo(contract.admin.people.find))) : null;
  const rows = await rowsOf(db, micros)
    .where(
      and(
        isNull(media.deletedAt),
        shelf === 'trash' ? isNotNull(media.trashedAt) : isNull(media.trashedAt),
        status === 'unused' ? eq(media.uses, 0) : undefined,
        names ? inArray(media.name, names) : undefined,
        at
          ? sql`(${moment}, ${media.id}) < ('epoch'::timestamptz + ${at}::bigint * interval '1 microsecond', ${id}::uuid)`
          : undefined,
      ),
    )
    .orderBy(desc(moment), desc(media.id))
    .limit(size + 1);
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return {
    rows: await withUses(db, page, MEDIA_USES_SHOWN),
    nextCursor: rows.length > size && last ? `${last.micros}.${last.id}` : null,
  };
}

/** One image with every record that shows it. @throws NOT_FOUND */
export async function readImage(db: Reader, id: string): Promise<LibraryImage> {
  const rows = await rowsOf(db).where(and(eq(media.id, id), isNull(media.deletedAt)));
  const [image] = await withUses(db, rows, null);
  return image ?? fail('NOT_FOUND', { what: 'image' });
}

type Row = {
  id: string;
  name: string;
  bucket: LibraryImage['bucket'];
  width: number;
  height: number;
  bytes: number;
  status: 'temporary' | 'used';
  uses: number;
  createdAt: Date;
  trashedAt: Date | null;
  sentBy: string | null;
};

/** @param max uses per image; null for all. */
async function withUses(db: Reader, rows: Row[], max: number | null): Promise<LibraryImage[]> {
  const names = rows.map(({ name }) => name);
  const [uses, hidden] = await Promise.all([usesOf(db, names, max), hiddenOf(db, names)]);
  const shownIn = await namedUses(db, uses);
  return rows.map((row) => ({
    id: row.id,
    url: urlOfImage(row.name),
    bucket: row.bucket,
    width: row.width,
    height: row.height,
    bytes: row.bytes,
    sentBy: row.sentBy,
    createdAt: row.createdAt.toISOString(),
    temporary: row.status === 'temporary',
    trashedAt: row.trashedAt?.toISOString() ?? null,
    hidden: row.trashedAt !== null || hidden.has(row.name),
    uses: row.uses,
    shownIn: uses.flatMap((use, at) => (use.name === row.name && shownIn[at] ? [shownIn[at]] : [])),
  }));
}

type Use = typeof mediaUses.$inferSelect;

async function usesOf(db: Reader, names: string[], max: number | null): Promise<Use[]> {
  if (names.length === 0) return [];
  const { place, record, name } = mediaUses;
  const numbered = db
    .select({
      place,
      record,
      name,
      number: sql`row_number() over (partition by ${name} order by ${place}, ${record})`.mapWith(Number).as('number'),
    })
    .from(mediaUses)
    .where(inArray(name, names))
    .as('numbered');
  return db
    .select({ place: numbered.place, record: numbered.record, name: numbered.name })
    .from(numbered)
    .where(max === null ? undefined : sql`${numbered.number} <= ${max}`)
    .orderBy(asc(numbered.place), asc(numbered.record));
}

/** The same rule as in the media service: images of a post that waits for a review are served to anyone with their URL. */
const WAITS = sql`exists (select 1 from forum_reviews v where v.text_id = ${forumPosts.id} and v.state = 'waiting')`;

/** Images that are not served because the post that shows them is hidden. */
async function hiddenOf(db: Reader, names: string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await db
    .select({ url: forumPostImages.url })
    .from(forumPostImages)
    .innerJoin(forumPosts, and(eq(forumPosts.id, forumPostImages.postId), eq(forumPosts.isHidden, true), not(WAITS)))
    .where(inArray(forumPostImages.url, names.map(urlOfImage)));
  return new Set(rows.map(({ url }) => nameOfImage(url) ?? ''));
}

interface Named {
  id: string;
  title: string | null;
  version: number | null;
  deletedAt: Date | null;
}

/** Names of the records that show the images, with one query per place. */
async function namedUses(db: Reader, uses: readonly Use[]): Promise<MediaUse[]> {
  const ids = (place: MediaUse['place']) => [
    ...new Set(uses.flatMap((use) => (use.place === place ? [use.record] : []))),
  ];
  const none = { version: sql`null`.mapWith(orNull(Number)), deletedAt: sql`null`.mapWith(orNull(() => new Date(0))) };
  const { id: member } = users;
  const reads: Partial<Record<MediaUse['place'], (ids: string[]) => PromiseLike<Named[]>>> = {
    project: (of) =>
      db
        .select({ ...pick(projects), title: projects.tokenName })
        .from(projects)
        .where(inArray(projects.id, of)),
    candidate: (of) =>
      db
        .select({ ...pick(votingCandidates), title: votingCandidates.tokenName })
        .from(votingCandidates)
        .where(inArray(votingCandidates.id, of)),
    next_project: (of) =>
      db
        .select({ ...pick(nextProjects), title: nextProjects.tokenName })
        .from(nextProjects)
        .where(inArray(nextProjects.id, of)),
    news: (of) =>
      db
        .select({ ...pick(news), title: news.title })
        .from(news)
        .where(inArray(news.id, of)),
    post: (of) =>
      db
        .select({ ...none, id: forumPosts.id, title: forumPosts.title, deletedAt: forumPosts.deletedAt })
        .from(forumPosts)
        .where(inArray(forumPosts.id, of)),
    submission: (of) =>
      db
        .select({
          ...none,
          id: projectSubmissions.id,
          title: sql`${projectSubmissions.projectData} ->> 'projectName'`.mapWith(orNull(asText)),
        })
        .from(projectSubmissions)
        .where(inArray(projectSubmissions.id, of)),
    request: (of) =>
      db
        .select({
          ...none,
          id: tokenCreationSubmissions.id,
          title: sql`${tokenCreationSubmissions.tokenData} ->> 'tokenName'`.mapWith(orNull(asText)),
        })
        .from(tokenCreationSubmissions)
        .where(inArray(tokenCreationSubmissions.id, of)),
    member: (of) =>
      db
        .select({ ...none, id: member, title: DISPLAY_NAME })
        .from(users)
        .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, member))
        .where(inArray(member, of)),
  };
  const found = new Map<string, Named>();
  await Promise.all(
    Object.entries(reads).map(async ([place, read]) => {
      const of = ids(place as MediaUse['place']);
      if (of.length > 0) for (const row of await read(of)) found.set(`${place}/${row.id}`, row);
    }),
  );
  return uses.map(({ place, record }) => {
    const row = found.get(`${place}/${record}`);
    const inTrash = (row?.deletedAt ?? null) !== null;
    return { place, record, title: row?.title ?? null, inTrash, version: inTrash ? null : (row?.version ?? null) };
  });
}

const pick = <T extends Record<'id' | 'version' | 'deletedAt', unknown>>({ id, version, deletedAt }: T) =>
  ({ id, version, deletedAt }) as Pick<T, 'id' | 'version' | 'deletedAt'>;

interface Replacement {
  id: string;
  url: string;
  seen: readonly { place: ReplaceablePlace; record: string; version: number }[];
}

/**
 * Replaces an image by another one, or by none, in every record of the back office that shows it. Members' submissions and texts
 * retain the old one, and so do records in the trash; if no record shows it any more, it is no longer served.
 *
 * @throws NOT_FOUND, VERSION_CONFLICT when a record changed since the editor saw it, IMAGE_USES_CHANGED when other records show it
 *   now.
 */
export function replaceImage(
  db: Db,
  images: ImageStore,
  by: Editor,
  { id, url, seen }: Replacement,
): Promise<{ replaced: number; left: number }> {
  return db.transaction(async (tx) => {
    const from = await lockImage(tx, id);
    const to = nameOfImage(url);
    if (!to || to === from) return fail('NOT_FOUND', { what: 'image' });
    await images.markUsed(tx, url, by.now);
    // All records are checked before the first is changed: from then on this transaction holds the lock of the audit log.
    const ordered = seen.toSorted((a, b) => (`${a.place}/${a.record}` < `${b.place}/${b.record}` ? -1 : 1));
    for (const { place, record, version } of ordered) await REPLACERS[place].lock(tx, { id: record, version });
    const now = await replaceable(tx, from);
    const requestedUses = new Set(ordered.map(({ place, record }) => `${place}/${record}`));
    if (now.length !== requestedUses.size || now.some((use) => !requestedUses.has(`${use.place}/${use.record}`)))
      fail('IMAGE_USES_CHANGED');
    for (const { place, record, version } of ordered)
      await REPLACERS[place].replace(tx, images, by, { id: record, version }, { from, to });
    await images.release(tx, urlOfImage(from), by.now);
    const left = await tx.$count(mediaUses, eq(mediaUses.name, from));
    await audit(tx, by.actor, {
      action: 'image.replaced',
      resourceType: 'image',
      resourceId: id,
      before: { imageUrl: urlOfImage(from) },
      after: { imageUrl: url },
    });
    return { replaced: ordered.length, left };
  });
}

/** Records of the back office, outside of the trash, that show an image. */
async function replaceable(tx: Tx, name: string): Promise<Pick<Use, 'place' | 'record'>[]> {
  const uses = await tx
    .select()
    .from(mediaUses)
    .where(and(eq(mediaUses.name, name), or(...REPLACEABLE_PLACES.map((place) => eq(mediaUses.place, place)))));
  return (await namedUses(tx, uses)).filter(({ version }) => version !== null);
}

type ImageBulk = Pick<TrashedRecord, 'undo'> & { ids: readonly string[] };

/**
 * Moves unused images to the trash, one transaction each: they are no longer served, and their files are retained for 30 days.
 *
 * @param how.undo as the undo of their restoration.
 */
export const removeImages = (db: Db, by: Editor, { ids, ...how }: ImageBulk) =>
  forEachRecord(ids, (id) => db.transaction((tx) => trashImage(tx, by, id, how)));

/** Restores images from the trash, one transaction each. @param how.undo as the undo of their deletion. */
export const restoreImages = (db: Db, by: Editor, { ids, ...how }: ImageBulk) =>
  forEachRecord(ids, (id) => db.transaction((tx) => untrashImage(tx, by, id, how)));
