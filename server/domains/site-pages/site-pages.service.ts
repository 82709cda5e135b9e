import { and, desc, eq, getTableColumns } from 'drizzle-orm';
import type { SitePageTexts } from '#contract/admin/forms/site-pages.ts';
import type { SitePageState, SitePageVersion } from '#contract/admin/site-pages.ts';
import type { SitePage, SitePageName } from '#contract/domains/site-pages.ts';
import { SITE_PAGES } from '#contract/limits.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { sitePageVersions } from '#server/db/tables/site-pages.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { DISPLAY_NAME } from '#server/records/display-name.ts';
import type { Editor } from '#server/records/records.ts';

type Row = typeof sitePageVersions.$inferSelect;

/** The current text of a page, in one language; version 0 when the built-in text applies. */
export async function readSitePage(db: Reader, page: SitePageName, locale: 'es' | 'en'): Promise<SitePage> {
  const row = await newest(db, page);
  if (!row) return { page, version: 0, title: null, body: null, updatedAt: null };
  return {
    page,
    version: row.version,
    title: locale === 'es' ? row.titleEs : row.titleEn,
    body: locale === 'es' ? row.bodyEs : row.bodyEn,
    updatedAt: row.createdAt.toISOString(),
  };
}

/** Every page, in the order of the footer, with its last editor. */
export async function listSitePages(db: Reader): Promise<SitePageState[]> {
  const { page, version, createdAt, createdBy } = sitePageVersions;
  const rows = await db
    .selectDistinctOn([page], { page, version, at: createdAt, by: DISPLAY_NAME })
    .from(sitePageVersions)
    .leftJoin(users, eq(users.id, createdBy))
    .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
    .orderBy(page, desc(version));
  return SITE_PAGES.map((name) => {
    const row = rows.find((one) => one.page === name);
    return {
      page: name,
      version: row?.version ?? 0,
      savedAt: row?.at.toISOString() ?? null,
      savedBy: row?.by ?? null,
    };
  });
}

/** Maximum number of listed versions of a page, the newest ones; older ones remain stored, and can be restored by their number. */
const MAX_LISTED = 200;

/** The versions of a page with their texts, newest first. */
export async function sitePageHistory(
  db: Reader,
  page: SitePageName,
  max: number = MAX_LISTED,
): Promise<SitePageVersion[]> {
  const rows = await db
    .select({ ...getTableColumns(sitePageVersions), by: DISPLAY_NAME })
    .from(sitePageVersions)
    .leftJoin(users, eq(users.id, sitePageVersions.createdBy))
    .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
    .where(eq(sitePageVersions.page, page))
    .orderBy(desc(sitePageVersions.version))
    .limit(max);
  return rows.map((row) => ({
    version: row.version,
    savedAt: row.createdAt.toISOString(),
    savedBy: row.by,
    restoredFrom: row.restoredFrom,
    texts: textsOf(row),
  }));
}

/**
 * Publishes a new version of a page. Saving equal texts changes nothing.
 *
 * @param seen the version that the editor started from; 0 for the built-in text.
 * @throws VERSION_CONFLICT
 */
export async function saveSitePage(
  db: Db,
  by: Editor,
  seen: { page: SitePageName; version: number },
  texts: SitePageTexts,
): Promise<{ page: SitePageName; version: number }> {
  const clean = cleanTexts(texts);
  return db.transaction((tx) => addVersion(tx, by, seen, clean, null));
}

/** Makes an older version the newest one. @throws NOT_FOUND when the version does not exist. @throws VERSION_CONFLICT */
export async function restoreSitePage(
  db: Db,
  by: Editor,
  seen: { page: SitePageName; version: number },
  version: number,
): Promise<{ page: SitePageName; version: number }> {
  return db.transaction(async (tx) => {
    const [old] = await tx
      .select()
      .from(sitePageVersions)
      .where(and(eq(sitePageVersions.page, seen.page), eq(sitePageVersions.version, version)));
    if (!old) return fail('NOT_FOUND', { what: 'site_page' });
    return addVersion(tx, by, seen, textsOf(old), version);
  });
}

async function addVersion(
  tx: Tx,
  by: Editor,
  { page, version }: { page: SitePageName; version: number },
  texts: SitePageTexts,
  restoredFrom: number | null,
): Promise<{ page: SitePageName; version: number }> {
  const before = await newest(tx, page);
  if ((before?.version ?? 0) !== version) return conflict(tx, page);
  if (before && JSON.stringify(textsOf(before)) === JSON.stringify(texts)) return { page, version };
  const [row] = await tx
    .insert(sitePageVersions)
    .values({ page, version: version + 1, ...texts, restoredFrom, createdAt: by.now, createdBy: by.actor.id })
    // This version was stored concurrently.
    .onConflictDoNothing()
    .returning();
  if (!row) return conflict(tx, page);
  await publishChange(tx, 'sitePages');
  await audit(tx, by.actor, {
    action: restoredFrom === null ? 'site_page.updated' : 'site_page.restored',
    resourceType: 'site_page',
    resourceId: page,
    // The texts themselves are stored in their versions.
    before: before ? { version: before.version, titleEs: before.titleEs, titleEn: before.titleEn } : null,
    after: {
      version: row.version,
      titleEs: row.titleEs,
      titleEn: row.titleEn,
      ...(restoredFrom === null ? {} : { restoredFrom }),
    },
  });
  return { page, version: row.version };
}

/** @throws VERSION_CONFLICT with the current texts, and their editor. */
async function conflict(tx: Tx, page: SitePageName): Promise<never> {
  const [current] = await sitePageHistory(tx, page, 1);
  return fail('VERSION_CONFLICT', {
    version: current?.version ?? 0,
    current: { ...current?.texts },
    by: current?.savedBy ?? null,
    at: current?.savedAt ?? null,
    deleted: false,
  });
}

async function newest(db: Reader, page: SitePageName): Promise<Row | undefined> {
  const [row] = await db
    .select()
    .from(sitePageVersions)
    .where(eq(sitePageVersions.page, page))
    .orderBy(desc(sitePageVersions.version))
    .limit(1);
  return row;
}

const textsOf = ({ titleEs, bodyEs, titleEn, bodyEn }: SitePageTexts): SitePageTexts => ({
  titleEs,
  bodyEs,
  titleEn,
  bodyEn,
});

const cleanTexts = (texts: SitePageTexts): SitePageTexts => ({
  titleEs: cleanText(texts.titleEs, 'line'),
  bodyEs: cleanText(texts.bodyEs, 'text'),
  titleEn: cleanText(texts.titleEn, 'line'),
  bodyEn: cleanText(texts.bodyEn, 'text'),
});
