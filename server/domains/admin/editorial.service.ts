import type { RecordVersion } from '#contract/admin/editorial.ts';
import type { ScheduledKind, VersionedKind } from '#contract/admin/shared/audit-actions.ts';
import type { Reader } from '#server/db/client.ts';
import { NEWS_SCHEDULE, NEWS_VERSIONS } from '#server/domains/news/manage.service.ts';
import { NEXT_PROJECT_SCHEDULE, NEXT_PROJECT_VERSIONS } from '#server/domains/next-projects/manage.service.ts';
import { PROJECT_VERSIONS } from '#server/domains/projects/manage.service.ts';
import type { Versioned } from '#server/records/restore-version.ts';
import type { Scheduled } from '#server/records/schedules.ts';
import { listVersions } from '#server/records/versions.ts';

/** Every kind of record with a publication schedule. */
export const SCHEDULES: Readonly<Record<ScheduledKind, Scheduled>> = {
  news: NEWS_SCHEDULE,
  next_project: NEXT_PROJECT_SCHEDULE,
};

/** Every kind of record whose earlier versions can be restored. */
export const VERSIONS: Readonly<Record<VersionedKind, Versioned>> = {
  news: NEWS_VERSIONS,
  next_project: NEXT_PROJECT_VERSIONS,
  project: PROJECT_VERSIONS,
};

/** The versions of a record, newest first, and its current one. @throws NOT_FOUND */
export async function recordHistory(
  db: Reader,
  kind: VersionedKind,
  id: string,
): Promise<{ version: number; versions: RecordVersion[] }> {
  const { version } = await VERSIONS[kind].present(db, id);
  return { version, versions: await listVersions(db, kind, id) };
}
