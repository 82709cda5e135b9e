import { and, between, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import type { AdminProject } from '#contract/admin/projects.ts';
import type { AuditField } from '#contract/admin/shared/audit-fields.ts';
import { DEFAULT_ORDER_INDEX, PODIUM_SLOTS } from '#contract/limits.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { lockByName } from '#server/db/server.sql.ts';
import { projects } from '#server/db/tables/projects.ts';
import { cleanChange, pick, TOKEN_CONTENT, TOKEN_FIELDS } from '#server/domains/tokens/editing.service.ts';
import { freeTokenSlug } from '#server/domains/tokens/slugs.service.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { requireOwnLastChange } from '#server/records/last-change.ts';
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
import type { Trash } from '#server/records/trash.ts';

/** The search column is only used within the database. */
const { search: _search, ...COLUMNS } = getTableColumns(projects);
type Row = Omit<typeof projects.$inferSelect, 'search'>;
const FIELDS = [...TOKEN_FIELDS, 'holdersCount'] as const satisfies readonly AuditField[];
type Fields = Pick<AdminProject, (typeof FIELDS)[number]>;
type Change = { [K in keyof Fields]?: Fields[K] | undefined };

const IMAGES: ImageHome = { table: projects, bucket: 'project-images' };

const PROJECT = {
  table: projects,
  what: 'project',
  live: ['projects'],
  show: (row: Row) => pick(row, FIELDS),
  unique: {
    projects_address: 'tokenAddress',
    projects_token_slug_key: 'tokenSlug',
    projects_podium_slot: 'orderIndex',
  },
  keeps: [...TOKEN_CONTENT, 'holdersCount'],
} as const satisfies RecordKind<typeof projects>;

export const PROJECT_VERSIONS = versioned(PROJECT, {
  valuesOf: (fields) => cleanChange(fields, REQUIRED),
  comparedAs: 'project',
});

export const PROJECT_IMAGE = imageReplacer(PROJECT);

export const PROJECT_TRASH: Trash = {
  table: 'projects',
  show: ['tokenName', 'tokenSymbol', 'tokenAddress'],
  images: ['image_url'],
};

const SORTS: Record<string, SQL> = {
  createdAt: sql`created_at`,
  tokenName: sql`lower(token_name)`,
  orderIndex: sql`order_index`,
  updatedAt: sql`updated_at`,
};

/** Projects for the back office. */
export async function listAllProjects(
  db: Reader,
  input: ListQuery & {
    shelf: 'live' | 'trash';
    status?: AdminProject['status'] | undefined;
    top3?: 'yes' | undefined;
  },
): Promise<{ rows: AdminProject[]; total: number }> {
  const parts = {
    from: sql`from projects`,
    where: [
      onShelf(sql`deleted_at`, input.shelf),
      input.status && sql`status = ${input.status}`,
      input.top3 && sql`order_index between 1 and ${PODIUM_SLOTS}`,
    ],
    sorts: SORTS,
    notNull: Object.keys(SORTS),
    tieBreaker: sql`id`,
    id: sql`id`,
    title: sql`token_name`,
    searchTerms: matchesTerms(sql`projects`, sql`id`, sql`search`, input.q),
  };
  const { rows, total } = await listRecords(db, input, parts, ({ where, orderBy }) =>
    db.select(COLUMNS).from(projects).where(where).orderBy(orderBy),
  );
  return { rows: rows.map(projectOf), total };
}

const projectOf = (row: Row): AdminProject => ({
  ...pick(row, [...FIELDS, 'id', 'tokenSlug', 'version']),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  deletedAt: row.deletedAt?.toISOString() ?? null,
});

const isSlot = (place: number) => place >= 1 && place <= PODIUM_SLOTS;

/** Texts that a project must have. */
const REQUIRED = ['tokenName', 'tokenSymbol', 'tokenAddress', 'marketCap'];

/** Serializes changes of podium places until the commit; acquired after the lock of the project's row. */
const lockPodium = (tx: Tx) => lockByName(tx, { names: ['podium'] });

/** Podium places that are taken by projects outside of the trash. */
async function takenSlots(tx: Tx): Promise<Set<number>> {
  await lockPodium(tx);
  const { orderIndex, deletedAt, status } = projects;
  const rows = await tx
    .select({ place: orderIndex })
    .from(projects)
    .where(and(between(orderIndex, 1, PODIUM_SLOTS), isNull(deletedAt), eq(status, 'published_home')));
  return new Set(rows.map(({ place }) => place));
}

/** @throws PODIUM_REFUSED when all places are taken, or this one is. */
async function claimSlot(tx: Tx, place: number): Promise<void> {
  const taken = await takenSlots(tx);
  if (taken.size >= PODIUM_SLOTS) fail('PODIUM_REFUSED', { why: 'full' });
  if (taken.has(place)) fail('PODIUM_REFUSED', { why: 'taken' });
}

/**
 * Creates a project; its slug is derived from its name, and permanent.
 *
 * @param also further changes in the same transaction.
 * @throws DUPLICATE when a project outside of the trash has this address. @throws PODIUM_REFUSED, IMAGE_NOT_FETCHED, NOT_VALID
 * @throws RESEMBLES when it could be taken for another token and the resemblance was not accepted.
 */
export async function createProject(
  db: Db,
  media: ImageStore,
  by: Editor,
  { resemblanceAccepted, ...fields }: Fields & ResemblanceAccepted,
  also?: (tx: Tx, made: Row) => Promise<void>,
): Promise<AdminProject> {
  const values = { ...fields, ...cleanChange(fields, REQUIRED) };
  const imageUrl = await recordImage(db, media, by, IMAGES, null, values.imageUrl);
  for (let attempts = 1; ; attempts++) {
    const note: Note = {};
    try {
      const row = await createRecord(
        db,
        PROJECT,
        by,
        {
          ...values,
          imageUrl,
          contractAddress: values.contractAddress ?? values.tokenAddress,
          tokenSlug: await freeTokenSlug(db, values, attempts),
          // The place is set after the row was created, so that rows and places are always locked in this order.
          orderIndex: isSlot(values.orderIndex) ? DEFAULT_ORDER_INDEX : values.orderIndex,
          createdAt: by.now,
          updatedAt: by.now,
        },
        {
          note,
          also: async (tx, made) => {
            await swapImage(media, by)(tx, made, null);
            await also?.(tx, made);
            await checkResemblance('project', resemblanceAccepted, note)(tx, made, null);
            if (!isSlot(values.orderIndex)) return;
            if (values.status !== 'published_home') fail('PODIUM_REFUSED', { why: 'status' });
            await claimSlot(tx, values.orderIndex);
            await tx.update(projects).set({ orderIndex: values.orderIndex }).where(eq(projects.id, made.id));
            made.orderIndex = values.orderIndex;
          },
        },
      );
      return projectOf(row);
    } catch (error) {
      if (attempts < 5 && isClash(error, 'tokenSlug')) continue;
      throw error;
    }
  }
}

const isClash = (error: unknown, field: string) => {
  const { code, data } = error as { code?: string; data?: { fields?: string[] } };
  return code === 'DUPLICATE' && data?.fields?.includes(field) === true;
};

/**
 * Updates a project. Leaving published_home frees its podium place (AMB-91); taking one requires that status and that the place is
 * free (AMB-90).
 *
 * @throws NOT_FOUND, VERSION_CONFLICT, DUPLICATE, PODIUM_REFUSED, IMAGE_NOT_FETCHED, NOT_VALID, RESEMBLES
 */
export async function updateProject(
  db: Db,
  media: ImageStore,
  by: Editor,
  { id, version, resemblanceAccepted, ...change }: Change & ResemblanceAccepted & { id: string; version: number },
): Promise<AdminProject> {
  const note: Note = {};
  const values = cleanChange(change, REQUIRED);
  if (values.imageUrl !== undefined) values.imageUrl = await recordImage(db, media, by, IMAGES, id, values.imageUrl);
  const row = await updateRecord(
    db,
    PROJECT,
    by,
    { id, version },
    async (old, tx) => {
      const status = values.status ?? old.status;
      let podiumPlace = values.orderIndex ?? old.orderIndex;
      if (isSlot(podiumPlace) && status !== 'published_home') {
        if (podiumPlace !== old.orderIndex) fail('PODIUM_REFUSED', { why: 'status' });
        podiumPlace = DEFAULT_ORDER_INDEX;
      } else if (isSlot(podiumPlace) && podiumPlace !== old.orderIndex) await claimMoved(tx, old, podiumPlace);
      // An emptied contract address becomes the token's address. One that was empty before is unchanged.
      const emptied = values.contractAddress === null && old.contractAddress !== null;
      const contract = emptied ? { contractAddress: values.tokenAddress ?? old.tokenAddress } : {};
      return { ...values, ...contract, orderIndex: podiumPlace };
    },
    {
      note,
      also: async (tx, changed, before) => {
        await swapImage(media, by)(tx, changed, before);
        await checkResemblance('project', resemblanceAccepted, note)(tx, changed, before);
      },
    },
  );
  return projectOf(row);
}

/** A move within the podium needs no additional place. */
async function claimMoved(tx: Tx, old: Row, place: number): Promise<void> {
  if (!isSlot(old.orderIndex)) return claimSlot(tx, place);
  if ((await takenSlots(tx)).has(place)) fail('PODIUM_REFUSED', { why: 'taken' });
}

/** Changes of a project that can move it into the Top 3, or out of it. */
const TOP3_ACTIONS = ['project.top3_added', 'project.top3_removed', 'project.updated'] as const;

/**
 * Adds a project to the Top 3 at the lowest free place, or removes it. Idempotent.
 *
 * @param undoOf for an undo of the actor's own change: the version that it created.
 * @throws NOT_FOUND. @throws PODIUM_REFUSED when it is not published on home, or all three places are taken. @throws VERSION_CONFLICT for
 *   an undo of what was changed since.
 */
export async function setTop3(
  db: Db,
  by: Editor,
  { id, on, undoOf }: { id: string; on: boolean; undoOf?: number | undefined },
): Promise<AdminProject> {
  const row = await updateRecord(
    db,
    PROJECT,
    by,
    { id, version: undoOf ?? null },
    async (old, tx) => {
      if (undoOf !== undefined) await requireOwnLastChange(tx, by.actor, 'project', id, TOP3_ACTIONS);
      if (!on) return isSlot(old.orderIndex) ? { orderIndex: DEFAULT_ORDER_INDEX } : {};
      if (old.status !== 'published_home') fail('PODIUM_REFUSED', { why: 'status' });
      if (isSlot(old.orderIndex)) return {};
      const taken = await takenSlots(tx);
      const free = Array.from({ length: PODIUM_SLOTS }, (_, i) => i + 1).find((place) => !taken.has(place));
      return { orderIndex: free ?? fail('PODIUM_REFUSED', { why: 'full' }) };
    },
    { action: on ? 'project.top3_added' : 'project.top3_removed' },
  );
  return projectOf(row);
}

/** Moves a project to the trash and frees its podium place. @throws NOT_FOUND, VERSION_CONFLICT */
export const removeProject = async (db: Db, by: Editor, seen: { id: string; version: number }): Promise<AdminProject> =>
  projectOf(
    await removeRecord(db, PROJECT, by, seen, {
      change: {
        orderIndex: sql`case when order_index between 1 and ${PODIUM_SLOTS} then ${DEFAULT_ORDER_INDEX}::int else order_index end`,
      },
    }),
  );

/** Restores a project from the trash, without its podium place. @throws NOT_FOUND, DUPLICATE, RESEMBLES */
export const restoreProject = async (
  db: Db,
  by: Editor,
  { resemblanceAccepted, ...record }: TrashedRecord & ResemblanceAccepted,
): Promise<AdminProject> =>
  projectOf(await restoreRecord(db, PROJECT, by, record, checkingResemblance('project', resemblanceAccepted)));
