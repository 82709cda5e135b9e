import { eq, type SQL, sql } from 'drizzle-orm';
import type { AdminNextProject } from '#contract/admin/next-projects.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { nextProjects } from '#server/db/tables/next-projects.ts';
import { holdsFolded, iso, isoOrNull, onShelf, readPage } from '#server/domains/admin/lists.service.ts';
import {
  createRecord,
  type Editor,
  type RecordKind,
  removeRecord,
  restoreRecord,
  updateRecord,
} from '#server/domains/admin/records.service.ts';
import { keepImageUrl, type MediaDesk, ownImage, releaseMedia } from '#server/domains/media/media.service.ts';
import { cleanText } from '#server/lib/clean-text.ts';

type Row = typeof nextProjects.$inferSelect;
type Fields = Pick<
  AdminNextProject,
  | 'tokenName'
  | 'tokenSymbol'
  | 'tokenAddress'
  | 'contractAddress'
  | 'description'
  | 'descriptionFull'
  | 'imageUrl'
  | 'websiteUrl'
  | 'telegramUrl'
  | 'twitterUrl'
  | 'discordUrl'
  | 'launchDate'
  | 'countdownEnd'
  | 'status'
  | 'isFeatured'
  | 'isActive'
  | 'orderIndex'
  | 'progressPercentage'
  | 'price'
  | 'marketCap'
  | 'adminNotes'
>;
type Change = { [K in keyof Fields]?: Fields[K] | undefined };

const shown = (row: Row | AdminNextProject): Fields => ({
  tokenName: row.tokenName,
  tokenSymbol: row.tokenSymbol,
  tokenAddress: row.tokenAddress,
  contractAddress: row.contractAddress,
  description: row.description,
  descriptionFull: row.descriptionFull,
  imageUrl: row.imageUrl,
  websiteUrl: row.websiteUrl,
  telegramUrl: row.telegramUrl,
  twitterUrl: row.twitterUrl,
  discordUrl: row.discordUrl,
  launchDate: isoOrNull(row.launchDate),
  countdownEnd: isoOrNull(row.countdownEnd),
  status: row.status,
  isFeatured: row.isFeatured,
  isActive: row.isActive,
  orderIndex: row.orderIndex,
  progressPercentage: row.progressPercentage,
  price: row.price,
  marketCap: row.marketCap,
  adminNotes: row.adminNotes,
});

const NEXT_PROJECT: RecordKind<typeof nextProjects> = {
  table: nextProjects,
  what: 'next_project',
  live: ['nextProjects'],
  show: (row) => ({ ...shown(row) }),
  unique: { next_projects_address: 'tokenAddress' },
};

const SORTS: Record<string, SQL> = {
  orderIndex: sql`n.order_index`,
  createdAt: sql`n.created_at`,
  tokenName: sql`lower(n.token_name)`,
  launchDate: sql`n.launch_date`,
};

/** NEXT projects for the back office. */
export async function listAllNextProjects(
  db: Reader,
  input: {
    q: string;
    page: number;
    size: number;
    sort: string;
    shelf: 'live' | 'trash';
    status?: AdminNextProject['status'] | undefined;
  },
): Promise<{ rows: AdminNextProject[]; total: number }> {
  const { rows, total } = await readPage<AdminNextProject>(db, input, {
    columns: sql`n.id, n.token_name as "tokenName", n.token_symbol as "tokenSymbol", n.token_address as "tokenAddress",
      n.contract_address as "contractAddress", n.description, n.description_full as "descriptionFull",
      n.image_url as "imageUrl", n.website_url as "websiteUrl", n.telegram_url as "telegramUrl",
      n.twitter_url as "twitterUrl", n.discord_url as "discordUrl", n.launch_date as "launchDate",
      n.countdown_end as "countdownEnd", n.status, n.is_featured as "isFeatured", n.is_active as "isActive",
      n.is_voting_winner as "isVotingWinner", n.voting_round_id as "votingRoundId", n.order_index as "orderIndex",
      n.progress_percentage as "progressPercentage", n.price::float8 as price, n.market_cap as "marketCap",
      n.admin_notes as "adminNotes", n.version, n.created_at as "createdAt", n.updated_at as "updatedAt",
      n.deleted_at as "deletedAt"`,
    from: sql`from next_projects n`,
    where: [
      onShelf(sql`n.deleted_at`, input.shelf),
      input.status && sql`n.status = ${input.status}`,
      holdsFolded(sql`n.search`, input.q),
    ],
    sorts: SORTS,
    filled: ['orderIndex', 'createdAt', 'tokenName'],
    tie: sql`n.id`,
  });
  return { rows: rows.map(nextProjectOf), total };
}

const nextProjectOf = (row: Row | AdminNextProject): AdminNextProject => ({
  ...shown(row),
  id: row.id,
  isVotingWinner: row.isVotingWinner,
  votingRoundId: row.votingRoundId,
  version: row.version,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
  deletedAt: isoOrNull(row.deletedAt),
});

const OPTIONAL = new Set<string>(['tokenAddress', 'contractAddress', 'description', 'descriptionFull', 'adminNotes']);

/** Values for the table: texts without control signs and tricks, moments as such. */
function valuesOf({ launchDate, countdownEnd, ...change }: Change) {
  const kinds = {
    tokenName: 'line',
    tokenSymbol: 'line',
    tokenAddress: 'line',
    contractAddress: 'line',
    marketCap: 'line',
    description: 'text',
    descriptionFull: 'text',
    adminNotes: 'text',
  } as const;
  const clean = { ...change };
  for (const [name, kind] of Object.entries(kinds) as [keyof typeof kinds, 'line' | 'text'][]) {
    const value = clean[name];
    // What is empty afterwards was nothing but tricks: null where that may be, else the table's check refuses it.
    if (typeof value === 'string') clean[name] = (cleanText(value, kind) || (OPTIONAL.has(name) ? null : '')) as string;
  }
  const moments = {
    launchDate: launchDate && new Date(launchDate),
    countdownEnd: countdownEnd && new Date(countdownEnd),
  };
  return Object.fromEntries(
    Object.entries({ ...clean, ...moments }).filter(([, value]) => value !== undefined),
  ) as Partial<Omit<Row, 'search'>>;
}

/**
 * Adds a NEXT project.
 *
 * @throws DUPLICATE when a live one has this address. @throws IMAGE_NOT_FETCHED, NOT_VALID
 */
export async function createNextProject(
  db: Db,
  media: MediaDesk,
  by: Editor,
  fields: Fields,
): Promise<AdminNextProject> {
  const imageUrl = await ownImage(media, fields.imageUrl, { bucket: 'project-images', actor: by.actor });
  const values = { ...valuesOf(fields), imageUrl, createdAt: by.now, updatedAt: by.now };
  const row = await createRecord(db, NEXT_PROJECT, by, values as Row, {
    also: (tx) => keepImageUrl(tx, imageUrl, 'anyone', by.now),
  });
  return nextProjectOf(row);
}

/**
 * Changes a NEXT project. The job tell-launches sees new dates and launches by itself and writes to those who follow it.
 *
 * @throws NOT_FOUND, VERSION_CONFLICT, DUPLICATE, IMAGE_NOT_FETCHED, NOT_VALID
 */
export async function updateNextProject(
  db: Db,
  media: MediaDesk,
  by: Editor,
  { id, version, ...change }: Change & { id: string; version: number },
): Promise<AdminNextProject> {
  const values = valuesOf(change);
  if (change.imageUrl !== undefined) {
    const [held] = await db
      .select({ imageUrl: nextProjects.imageUrl })
      .from(nextProjects)
      .where(eq(nextProjects.id, id));
    values.imageUrl = await ownImage(media, change.imageUrl, {
      bucket: 'project-images',
      actor: by.actor,
      held: held?.imageUrl ?? null,
    });
  }
  const row = await updateRecord(db, NEXT_PROJECT, by, { id, version }, values, {
    also: async (tx, now, before) => {
      if (before?.imageUrl === now.imageUrl) return;
      await keepImageUrl(tx, now.imageUrl, 'anyone', by.now);
      await releaseMedia(tx, before?.imageUrl ?? null, by.now);
    },
  });
  return nextProjectOf(row);
}

/** Puts a NEXT project into the trash. @throws NOT_FOUND, VERSION_CONFLICT */
export const removeNextProject = async (
  db: Db,
  by: Editor,
  seen: { id: string; version: number },
): Promise<AdminNextProject> => nextProjectOf(await removeRecord(db, NEXT_PROJECT, by, seen));

/** Takes a NEXT project out of the trash. @throws NOT_FOUND, DUPLICATE */
export const restoreNextProject = async (db: Db, by: Editor, id: string): Promise<AdminNextProject> =>
  nextProjectOf(await restoreRecord(db, NEXT_PROJECT, by, id));
