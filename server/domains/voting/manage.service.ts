import { eq, getTableColumns, like, or, sql } from 'drizzle-orm';
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core';
import type { AdminCandidate } from '#contract/admin/voting.ts';
import { upperTicker } from '#contract/fields/schemas.ts';
import { CANDIDATE_MAX, TRASH_DAYS } from '#contract/limits.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asMoment, asText, orNull } from '#server/db/expressions.ts';
import { projects } from '#server/db/tables/projects.ts';
import { votingCandidates } from '#server/db/tables/voting.ts';
import { utcDay } from '#server/lib/clock.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { requireOwnLastChange } from '#server/records/last-change.ts';
import {
  iso,
  isoOrNull,
  type ListQuery,
  listRecords,
  matchesTerms,
  onShelf,
  type SearchCondition,
} from '#server/records/lists.ts';
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
import type { Trash } from '#server/records/trash.ts';

const IMAGES: ImageHome = { table: votingCandidates, bucket: 'voting-candidate-images' };

const CANDIDATE: RecordKind<typeof votingCandidates> = {
  table: votingCandidates,
  what: 'candidate',
  live: ['voting'],
  // Counters and the rank are changed by votes only, and the search columns are generated from the name.
  show: ({
    id,
    totalVotes,
    votesRank,
    totalReachedAt,
    votesUnderReview,
    votesVoid,
    generations,
    certifiedRoundId,
    figuresAt,
    search,
    version,
    createdAt,
    updatedAt,
    deletedAt,
    deletedBy,
    ...fields
  }) => fields,
  unique: { voting_candidates_token_slug_key: 'tokenName' },
};

export const CANDIDATE_IMAGE = imageReplacer(CANDIDATE);

export const CANDIDATE_TRASH: Trash = {
  table: 'voting_candidates',
  show: ['tokenName', 'tokenSymbol', 'totalVotes'],
  images: ['image_url'],
  keep: 'exists (select 1 from voting_rounds r where r.winner_candidate_id = t.id)',
};

/** Columns of a candidate that an admin may edit; excludes its slug and its counters. */
type Fields = Omit<
  AdminCandidate,
  | 'id'
  | 'version'
  | 'createdAt'
  | 'updatedAt'
  | 'deletedAt'
  | 'tokenSlug'
  | 'totalVotes'
  | 'votesToday'
  | 'wonRound'
  | 'resetId'
  | 'resetAt'
  | 'resetVotes'
>;
type ShortFields = Pick<Fields, 'tokenName' | 'tokenSymbol' | 'description' | 'imageUrl' | 'orderIndex'>;

const c = alias(votingCandidates, 'c');
const {
  totalReachedAt: _reached,
  votesUnderReview: _underReview,
  votesVoid: _void,
  votesRank: _rank,
  generations: _generations,
  certifiedRoundId: _certified,
  figuresAt: _figures,
  search: _search,
  deletedBy: _deletedBy,
  ...OWN
} = getTableColumns(c);

/** All columns of a candidate; columns from other tables are computed for the rows of one page only. */
const columnsAt = (now: Date) => {
  const undoable = sql`from vote_resets v where v.candidate_id = c.id and v.undone_at is null
    and v.reset_at > ${undoableSince(now)} order by v.reset_at desc, v.id limit 1`;
  return {
    ...OWN,
    votesToday: sql`coalesce((select d.votes from candidate_daily_votes d where d.candidate_id = c.id
      and d.day = ${utcDay(now)}), 0)`.mapWith(Number),
    wonRound: sql`(select max(r.number) from voting_rounds r where r.winner_candidate_id = c.id)`.mapWith(
      orNull(Number),
    ),
    resetId: sql`(select v.id ${undoable})`.mapWith(orNull(asText)),
    resetAt: sql`(select v.reset_at ${undoable})`.mapWith(orNull(asMoment)),
    resetVotes: sql`(select v.votes ${undoable})`.mapWith(orNull(Number)),
  };
};

/** Resets before this moment can't be undone. */
export const undoableSince = (now: Date): string => new Date(now.getTime() - TRASH_DAYS * 86_400_000).toISOString();

const selectCandidates = (db: Reader, now: Date) => db.select(columnsAt(now)).from(c);

const candidateOf = (row: Awaited<ReturnType<typeof selectCandidates>>[number]): AdminCandidate => ({
  ...row,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
  deletedAt: isoOrNull(row.deletedAt),
  resetAt: isoOrNull(row.resetAt),
});

/** Candidates for the back office, by rank and then newest first, unless another order is requested. */
export async function listAllCandidates(
  db: Reader,
  input: ListQuery & {
    shelf: 'live' | 'trash';
    status: 'all' | 'active' | 'inactive';
  },
  now: Date,
): Promise<{ rows: AdminCandidate[]; total: number }> {
  const parts = {
    from: sql`from voting_candidates c`,
    where: [
      onShelf(sql`c.deleted_at`, input.shelf),
      input.status === 'all' ? undefined : sql`c.is_active = ${input.status === 'active'}`,
    ],
    sorts: {
      orderIndex: sql`c.order_index`,
      tokenName: sql`lower(c.token_name)`,
      tokenSymbol: sql`c.token_symbol`,
      totalVotes: sql`c.total_votes`,
      isActive: sql`c.is_active`,
      createdAt: sql`c.created_at`,
    },
    notNull: ['orderIndex', 'totalVotes', 'tokenName', 'tokenSymbol'],
    coarse: { totalVotes: sql`c.votes_rank` },
    id: sql`c.id`,
    title: sql`c.token_name`,
    searchTerms: candidatesWith(input.q),
    tieBreaker: input.sort.endsWith('totalVotes') ? sql`c.id` : sql`c.created_at desc, c.id`,
  };
  const { rows, total } = await listRecords(db, input, parts, ({ where, orderBy }) =>
    selectCandidates(db, now).where(where).orderBy(orderBy),
  );
  return { rows: rows.map(candidateOf), total };
}

/** Candidates whose name, symbol or slug matches these words, or with this contract: EVM addresses in any case. */
function candidatesWith(term: string): SearchCondition | undefined {
  const named = matchesTerms(sql`voting_candidates c`, sql`c.id`, sql`c.search`, term);
  if (!named) return undefined;
  const address = cleanText(term, 'line');
  // The expression of the index voting_candidates_market.
  const contract = sql`florka_market_address(c.contract_address) = ${/^0x/i.test(address) ? address.toLowerCase() : address}`;
  return {
    ids: sql`(${named.ids}) union select c.id from voting_candidates c where ${contract}`,
    condition: sql`(${named.condition} or coalesce(${contract}, false))`,
  };
}

/** One candidate in the form of the list. @throws NOT_FOUND */
export async function readCandidateForAdmin(db: Reader, id: string, now: Date): Promise<AdminCandidate> {
  const [row] = await selectCandidates(db, now).where(eq(c.id, id));
  return candidateOf(row ?? fail('NOT_FOUND', { what: 'candidate' }));
}

type Row = typeof votingCandidates.$inferSelect;
/** Side effects of every save of a candidate. */
const savingToken =
  (media: ImageStore, by: Editor, accepted: boolean | undefined, note: Note) =>
  async (tx: Tx, row: Row, before: Row | null): Promise<void> => {
    await swapImage(media, by)(tx, row, before);
    await checkResemblance('candidate', accepted, note)(tx, row, before);
  };

/**
 * Creates a candidate, which can be voted for immediately.
 *
 * @throws NOT_VALID, IMAGE_NOT_FETCHED; DUPLICATE when two are created concurrently.
 * @throws RESEMBLES when it could be taken for another token and the resemblance was not accepted.
 */
export async function createCandidate(
  db: Db,
  media: ImageStore,
  by: Editor,
  { resemblanceAccepted, ...fields }: ShortFields & ResemblanceAccepted,
): Promise<AdminCandidate> {
  const note: Note = {};
  const clean = cleanFields(fields);
  clean.imageUrl = await recordImage(db, media, by, IMAGES, null, clean.imageUrl);
  const tokenSlug = await freeSlug(db, clean.tokenName);
  const { id } = await createRecord(
    db,
    CANDIDATE,
    by,
    { ...clean, tokenSlug, createdAt: by.now, updatedAt: by.now },
    { note, also: savingToken(media, by, resemblanceAccepted, note) },
  );
  return readCandidateForAdmin(db, id, by.now);
}

/** Updates a candidate; its slug does not change. @throws NOT_FOUND, VERSION_CONFLICT, NOT_VALID, IMAGE_NOT_FETCHED, RESEMBLES */
export async function updateCandidate(
  db: Db,
  media: ImageStore,
  by: Editor,
  { id, version, resemblanceAccepted, ...fields }: Fields & ResemblanceAccepted & { id: string; version: number },
): Promise<AdminCandidate> {
  const note: Note = {};
  const clean = cleanFields(fields);
  clean.imageUrl = await recordImage(db, media, by, IMAGES, id, clean.imageUrl);
  await updateRecord(db, CANDIDATE, by, { id, version }, clean, {
    note,
    also: savingToken(media, by, resemblanceAccepted, note),
  });
  return readCandidateForAdmin(db, id, by.now);
}

/**
 * Activates or deactivates a candidate; votes in progress complete before the change, or are refused.
 *
 * @param undoOf for an undo of the actor's own change: the version that it created.
 * @throws NOT_FOUND. @throws VERSION_CONFLICT for an undo of what was changed since.
 */
export async function setCandidateActive(
  db: Db,
  by: Editor,
  { id, isActive, undoOf }: { id: string; isActive: boolean; undoOf?: number | undefined },
): Promise<AdminCandidate> {
  await updateRecord(db, CANDIDATE, by, { id, version: undoOf ?? null }, async (_old, tx) => {
    if (undoOf !== undefined) await requireOwnLastChange(tx, by.actor, 'candidate', id, ['candidate.updated']);
    return { isActive };
  });
  return readCandidateForAdmin(db, id, by.now);
}

/** Moves a candidate to the trash, with its votes. @throws NOT_FOUND, VERSION_CONFLICT */
export async function removeCandidate(
  db: Db,
  by: Editor,
  seen: { id: string; version: number },
): Promise<AdminCandidate> {
  await removeRecord(db, CANDIDATE, by, seen);
  return readCandidateForAdmin(db, seen.id, by.now);
}

/** Restores a candidate with its votes from the trash. @throws NOT_FOUND, RESEMBLES */
export async function restoreCandidate(
  db: Db,
  by: Editor,
  { resemblanceAccepted, ...record }: TrashedRecord & ResemblanceAccepted,
): Promise<AdminCandidate> {
  await restoreRecord(db, CANDIDATE, by, record, checkingResemblance('candidate', resemblanceAccepted));
  return readCandidateForAdmin(db, record.id, by.now);
}

function cleanFields<F extends ShortFields & Partial<Fields>>(fields: F): F {
  const long = (value: string | null | undefined) => (value ? cleanText(value, 'text') || null : value);
  const line = (value: string | null | undefined) => (value ? cleanText(value, 'line') || null : value);
  return {
    ...fields,
    tokenName: cleanText(fields.tokenName, 'line'),
    tokenSymbol: upperTicker(cleanText(fields.tokenSymbol, 'line'), CANDIDATE_MAX.symbol),
    description: long(fields.description),
    ...('descriptionFull' in fields ? { descriptionFull: long(fields.descriptionFull) } : {}),
    ...('adminNotes' in fields ? { adminNotes: long(fields.adminNotes) } : {}),
    ...('contractAddress' in fields ? { contractAddress: line(fields.contractAddress) } : {}),
  };
}

/** A slug that no other candidate or project has, including deleted ones: old links must not lead elsewhere. */
async function freeSlug(db: Reader | Tx, name: string): Promise<string> {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const stem = plain.slice(0, 60).replace(/-+$/, '') || 'token';
  const named = (slug: AnyPgColumn) => or(eq(slug, stem), like(slug, `${stem}-%`));
  const rows = await Promise.all([
    db.select({ slug: c.tokenSlug }).from(c).where(named(c.tokenSlug)),
    db.select({ slug: projects.tokenSlug }).from(projects).where(named(projects.tokenSlug)),
  ]);
  const taken = new Set(rows.flat().map((row) => row.slug));
  for (let serial = 1; ; serial++) {
    const slug = serial === 1 ? stem : `${stem}-${serial}`;
    if (!taken.has(slug)) return slug;
  }
}
