import { createHash, randomBytes } from 'node:crypto';
import { and, count, eq, gt, isNull, max } from 'drizzle-orm';
import type { PreviewKind } from '#contract/admin/editorial.ts';
import type { Preview } from '#contract/domains/previews.ts';
import { PREVIEW_DAYS } from '#contract/limits.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { recordPreviews } from '#server/db/tables/records.ts';
import { readDraftOfNews } from '#server/domains/news/news.service.ts';
import { readDraftOfNextProject } from '#server/domains/next-projects/next-projects.service.ts';
import type { Settings } from '#server/domains/settings/settings.port.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import type { Editor } from '#server/records/records.ts';
import { scheduleOf } from '#server/records/schedules.ts';

/** The record that a link shows; the announcement, of which there is one, has no id. */
interface PreviewedRecord {
  kind: PreviewKind;
  id: string | null;
}

/** Live domains of the screens that show the number of working links. */
const DOMAINS = { news: 'news', next_project: 'nextProjects', announcement: 'settings' } as const;

const hashOf = (key: string) => createHash('sha256').update(key).digest();

/**
 * Creates a link with which anyone who has it can read an unpublished record, for PREVIEW_DAYS days. Its key is after '#', where no
 * server and no log in between receives it.
 *
 * @throws NOT_FOUND when the record does not exist.
 */
export async function makePreview(
  db: Db,
  settings: Settings,
  by: Editor,
  { kind, id }: PreviewedRecord,
): Promise<{ path: string; endsAt: string }> {
  await readSubject(db, settings, { kind, recordId: id }, by.now);
  const key = randomBytes(24).toString('hex');
  const endsAt = new Date(by.now.getTime() + PREVIEW_DAYS * 86_400_000);
  await db.transaction(async (tx) => {
    await tx.insert(recordPreviews).values({
      keyHash: hashOf(key),
      kind,
      recordId: id,
      endsAt,
      createdAt: by.now,
      createdBy: by.actor.id,
    });
    await publishChange(tx, DOMAINS[kind]);
    await audit(tx, by.actor, { action: 'preview.made', ...resourceOf({ kind, id }) });
  });
  return { path: `/preview#${key}`, endsAt: endsAt.toISOString() };
}

/** Number of working links to a record, and the expiry of the last one. */
export async function readPreviews(db: Reader, record: PreviewedRecord, now: Date) {
  const [found] = await db
    .select({ links: count(), lastEndsAt: max(recordPreviews.endsAt) })
    .from(recordPreviews)
    .where(workingLinks(record, now));
  return { links: found?.links ?? 0, lastEndsAt: found?.lastEndsAt?.toISOString() ?? null };
}

/** Withdraws all links to a record, which stop working immediately. Without a working link nothing is changed. */
export async function withdrawPreviews(db: Db, by: Editor, record: PreviewedRecord): Promise<{ withdrawn: number }> {
  return db.transaction(async (tx) => {
    const ended = await tx
      .delete(recordPreviews)
      .where(workingLinks(record, by.now))
      .returning({ keyHash: recordPreviews.keyHash });
    if (ended.length === 0) return { withdrawn: 0 };
    await publishChange(tx, DOMAINS[record.kind]);
    await audit(tx, by.actor, { action: 'preview.withdrawn', ...resourceOf(record) });
    return { withdrawn: ended.length };
  });
}

const workingLinks = ({ kind, id }: PreviewedRecord, now: Date) =>
  and(
    eq(recordPreviews.kind, kind),
    id === null ? isNull(recordPreviews.recordId) : eq(recordPreviews.recordId, id),
    gt(recordPreviews.endsAt, now),
  );

const resourceOf = ({ kind, id }: PreviewedRecord) => ({
  resourceType: kind === 'announcement' ? ('setting' as const) : kind,
  resourceId: id ?? 'bannerEs',
});

/** The record of a link. @throws NOT_FOUND when the link has expired, or the record is in the trash. */
export async function readPreview(db: Reader, settings: Settings, key: string, now: Date): Promise<Preview> {
  const [link] = await db
    .select({ kind: recordPreviews.kind, recordId: recordPreviews.recordId, endsAt: recordPreviews.endsAt })
    .from(recordPreviews)
    .where(and(eq(recordPreviews.keyHash, hashOf(key)), gt(recordPreviews.endsAt, now)));
  if (!link) return fail('NOT_FOUND', { what: 'preview' });
  const subject = await readSubject(db, settings, { kind: link.kind as PreviewKind, recordId: link.recordId }, now);
  return { ...subject, endsAt: link.endsAt.toISOString() };
}

const ifAhead = (at: string | null, now: Date): string | null => (at && Date.parse(at) > now.getTime() ? at : null);

type Subject = Preview extends infer One ? (One extends Preview ? Omit<One, 'endsAt'> : never) : never;

async function readSubject(
  db: Reader,
  settings: Settings,
  { kind, recordId }: { kind: PreviewKind; recordId: string | null },
  now: Date,
): Promise<Subject> {
  if (kind === 'announcement') {
    const [es, en] = [settings.get('bannerEs'), settings.get('bannerEn')];
    if (!es || !en) return fail('NOT_FOUND', { what: 'announcement' });
    return {
      kind,
      es,
      en,
      // Stored times remain after they have passed.
      publishAt: ifAhead(settings.get('bannerFrom'), now),
      expireAt: ifAhead(settings.get('bannerUntil'), now),
      shown: settings.announcement() !== null,
    };
  }
  if (!recordId) return fail('NOT_FOUND', { what: kind });
  const planned = await scheduleOf(db, kind, recordId);
  if (kind === 'news') return { kind, ...planned, ...(await readDraftOfNews(db, recordId)) };
  return { kind, ...planned, ...(await readDraftOfNextProject(db, recordId)), serverTime: now.toISOString() };
}
