import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { AdminNextProject } from '#contract/admin/next-projects.ts';
import type { AuditField } from '#contract/admin/shared/audit-fields.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { nextProjects } from '#server/db/tables/next-projects.ts';
import { cleanChange, pick, TOKEN_CONTENT, TOKEN_FIELDS } from '#server/domains/tokens/editing.service.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { type ListQuery, listRecords, matchesTerms, onShelf } from '#server/records/lists.ts';
import {
  type ImageHome,
  type ImageStore,
  imageReplacer,
  recordImage,
  swapImage,
} from '#server/records/record-images.ts';
import {
  createRecord,
  type Editor,
  type Note,
  type RecordKind,
  removeRecord,
  restoreRecord,
  type TrashedRecord,
  updateRecord,
} from '#server/records/records.ts';
import { checkingResemblance, checkResemblance, type ResemblanceAccepted } from '#server/records/resemblance.ts';
import { versioned } from '#server/records/restore-version.ts';
import { scheduled } from '#server/records/schedules.ts';
import type { Trash } from '#server/records/trash.ts';

/** The search column is only used within the database. */
const { search: _search, ...COLUMNS } = getTableColumns(nextProjects);
type Row = Omit<typeof nextProjects.$inferSelect, 'search'>;
const FIELDS = [
  ...TOKEN_FIELDS,
  'launchDate',
  'countdownEnd',
  'isActive',
  'price',
] as const satisfies readonly AuditField[];
type Fields = Pick<AdminNextProject, (typeof FIELDS)[number]>;
type Change = { [K in keyof Fields]?: Fields[K] | undefined };

/** Confirmations of the admin. */
interface Accepted extends ResemblanceAccepted {
  /** Doubtful dates were reviewed. */
  countdownAccepted?: boolean | undefined;
}

const IMAGES: ImageHome = { table: nextProjects, bucket: 'project-images' };

/** Texts that a NEXT project must have. */
const REQUIRED = ['tokenName', 'tokenSymbol', 'marketCap'];

const shown = (row: Row): Fields => ({
  ...pick(row, FIELDS),
  launchDate: row.launchDate?.toISOString() ?? null,
  countdownEnd: row.countdownEnd?.toISOString() ?? null,
});

const NEXT_PROJECT = {
  table: nextProjects,
  what: 'next_project',
  live: ['nextProjects'],
  show: (row: Row) => ({ ...shown(row) }),
  unique: { next_projects_address: 'tokenAddress' },
  keeps: [...TOKEN_CONTENT, 'price'],
  isPublic: ({ isActive, status }) => isActive && status !== 'pending',
} as const satisfies RecordKind<typeof nextProjects>;

export const NEXT_PROJECT_VERSIONS = versioned(NEXT_PROJECT, {
  valuesOf: (fields) => cleanChange(fields, REQUIRED),
  comparedAs: 'next_project',
});
/** A scheduled NEXT project is published at that time. */
export const NEXT_PROJECT_SCHEDULE = scheduled(NEXT_PROJECT, ({ status }) => ({
  isActive: true,
  status: status === 'pending' ? 'published' : status,
}));

export const NEXT_PROJECT_IMAGE = imageReplacer(NEXT_PROJECT);

export const NEXT_PROJECT_TRASH: Trash = {
  table: 'next_projects',
  show: ['tokenName', 'tokenSymbol'],
  images: ['image_url'],
};

const SORTS: Record<string, SQL> = {
  orderIndex: sql`order_index`,
  createdAt: sql`created_at`,
  tokenName: sql`lower(token_name)`,
  launchDate: sql`launch_date`,
};

/** NEXT projects for the back office. */
export async function listAllNextProjects(
  db: Reader,
  input: ListQuery & {
    shelf: 'live' | 'trash';
    status?: AdminNextProject['status'] | undefined;
  },
): Promise<{ rows: AdminNextProject[]; total: number }> {
  const parts = {
    from: sql`from next_projects`,
    where: [onShelf(sql`deleted_at`, input.shelf), input.status && sql`status = ${input.status}`],
    sorts: SORTS,
    notNull: ['orderIndex', 'createdAt', 'tokenName'],
    tieBreaker: sql`id`,
    id: sql`id`,
    title: sql`token_name`,
    searchTerms: matchesTerms(sql`next_projects`, sql`id`, sql`search`, input.q),
  };
  const { rows, total } = await listRecords(db, input, parts, ({ where, orderBy }) =>
    db.select(COLUMNS).from(nextProjects).where(where).orderBy(orderBy),
  );
  return { rows: rows.map(nextProjectOf), total };
}

const nextProjectOf = (row: Row): AdminNextProject => ({
  ...shown(row),
  ...pick(row, ['id', 'isVotingWinner', 'votingRoundId', 'version']),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  deletedAt: row.deletedAt?.toISOString() ?? null,
});

/** Values for the table: sanitized texts, and times as Date. */
function valuesOf(change: Change) {
  const { launchDate, countdownEnd, ...clean } = cleanChange(change, REQUIRED);
  const moment = (iso: string | null) => iso && new Date(iso);
  return {
    ...clean,
    ...(launchDate === undefined ? {} : { launchDate: moment(launchDate) }),
    ...(countdownEnd === undefined ? {} : { countdownEnd: moment(countdownEnd) }),
  } as Partial<Row>;
}

/** The reason why a countdown is probably a mistake; null when there is none. Without an end of its own it ends at the launch. */
function countdownDoubt(
  { status, launchDate, countdownEnd }: Pick<Row, 'status' | 'launchDate' | 'countdownEnd'>,
  now: Date,
): 'ended' | 'after_launch' | null {
  if (launchDate && countdownEnd && countdownEnd > launchDate) return 'after_launch';
  const end = countdownEnd ?? launchDate;
  return status !== 'launched' && end !== null && end <= now ? 'ended' : null;
}

/** Checks dates that are set by this change; existing ones are not checked. */
function checkCountdown(row: Row, before: Row | null, by: Editor, accepted = false): void {
  const same = (name: 'launchDate' | 'countdownEnd') => row[name]?.getTime() === before?.[name]?.getTime();
  if (accepted || (before && same('launchDate') && same('countdownEnd'))) return;
  const why = countdownDoubt(row, by.now);
  if (why) fail('COUNTDOWN_DOUBTFUL', { why });
}

/**
 * Creates a NEXT project.
 *
 * @param also further changes in the same transaction.
 * @throws DUPLICATE when one outside of the trash has this address. @throws IMAGE_NOT_FETCHED, NOT_VALID
 * @throws COUNTDOWN_DOUBTFUL when the countdown has already ended or ends after the launch, and that was not accepted.
 * @throws RESEMBLES when it could be taken for another token and the resemblance was not accepted.
 */
export async function createNextProject(
  db: Db,
  media: ImageStore,
  by: Editor,
  { countdownAccepted, resemblanceAccepted, ...fields }: Fields & Accepted,
  also?: (tx: Tx, made: Row) => Promise<void>,
): Promise<AdminNextProject> {
  const note: Note = {};
  const imageUrl = await recordImage(db, media, by, IMAGES, null, fields.imageUrl);
  const values = { ...valuesOf(fields), imageUrl, createdAt: by.now, updatedAt: by.now };
  const row = await createRecord(db, NEXT_PROJECT, by, values as typeof nextProjects.$inferInsert, {
    note,
    also: async (tx, made) => {
      checkCountdown(made, null, by, countdownAccepted);
      await swapImage(media, by)(tx, made, null);
      await also?.(tx, made);
      await checkResemblance('next_project', resemblanceAccepted, note)(tx, made, null);
    },
  });
  return nextProjectOf(row);
}

/**
 * Updates a NEXT project. The job `notify-launches` detects new dates and launches and notifies the followers.
 *
 * @throws NOT_FOUND, VERSION_CONFLICT, DUPLICATE, IMAGE_NOT_FETCHED, NOT_VALID, COUNTDOWN_DOUBTFUL, RESEMBLES
 */
export async function updateNextProject(
  db: Db,
  media: ImageStore,
  by: Editor,
  {
    id,
    version,
    countdownAccepted,
    resemblanceAccepted,
    ...change
  }: Change & Accepted & { id: string; version: number },
): Promise<AdminNextProject> {
  const note: Note = {};
  const values = valuesOf(change);
  if (change.imageUrl !== undefined) values.imageUrl = await recordImage(db, media, by, IMAGES, id, change.imageUrl);
  const row = await updateRecord(db, NEXT_PROJECT, by, { id, version }, values, {
    note,
    also: async (tx, changed, before) => {
      checkCountdown(changed, before, by, countdownAccepted);
      await swapImage(media, by)(tx, changed, before);
      await checkResemblance('next_project', resemblanceAccepted, note)(tx, changed, before);
    },
  });
  return nextProjectOf(row);
}

/** Moves a NEXT project to the trash. @throws NOT_FOUND, VERSION_CONFLICT */
export const removeNextProject = async (
  db: Db,
  by: Editor,
  seen: { id: string; version: number },
): Promise<AdminNextProject> => nextProjectOf(await removeRecord(db, NEXT_PROJECT, by, seen));

/** Restores a NEXT project from the trash. @throws NOT_FOUND, DUPLICATE, RESEMBLES */
export const restoreNextProject = async (
  db: Db,
  by: Editor,
  { resemblanceAccepted, ...record }: TrashedRecord & ResemblanceAccepted,
): Promise<AdminNextProject> =>
  nextProjectOf(
    await restoreRecord(db, NEXT_PROJECT, by, record, checkingResemblance('next_project', resemblanceAccepted)),
  );
