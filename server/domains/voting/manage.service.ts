import { type SQL, sql } from 'drizzle-orm';
import type { AdminCandidate } from '#contract/admin/voting.ts';
import { TRASH_DAYS } from '#contract/limits.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { votingCandidates } from '#server/db/tables/voting.ts';
import { LINK_COLUMNS } from '#server/domains/tokens/editing.service.ts';
import { cleanText } from '#server/lib/clean-text.ts';
import { utcDay } from '#server/lib/clock.ts';
import { fail } from '#server/lib/fail.ts';
import { iso, isoOrNull, matchesTerms, onShelf, readPage } from '#server/records/lists.ts';
import { type ImageHome, type ImageStore, recordImage, swapImage } from '#server/records/record-images.ts';
import {
  createRecord,
  type Editor,
  type RecordKind,
  removeRecord,
  restoreRecord,
  updateRecord,
} from '#server/records/records.ts';
import type { Trash } from '#server/records/trash.ts';

const IMAGES: ImageHome = { table: votingCandidates, bucket: 'voting-candidate-images' };

const CANDIDATE: RecordKind<typeof votingCandidates> = {
  table: votingCandidates,
  what: 'candidate',
  live: ['voting'],
  // The counters belong to the votes, not to those who edit; what is searched follows the name by itself.
  show: ({
    id,
    totalVotes,
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

export const CANDIDATE_TRASH: Trash = {
  table: 'voting_candidates',
  show: ['tokenName', 'tokenSymbol', 'totalVotes'],
  keep: 'exists (select 1 from voting_rounds r where r.winner_candidate_id = t.id)',
};

/** What an admin may write of a candidate; its slug and its counters are none of that. */
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

const NUMBERS = [
  'price',
  'volume_24h',
  'market_cap',
  'swaps_count',
  'max_supply',
  'tokens_in_swap',
  'tokens_with_holders',
  'sol_in_liquidity',
  'tokens_in_sol_pool',
  'war_in_liquidity',
  'tokens_in_war_pool',
  'locked_amount',
  'locked_value',
  'burnt_percentage',
];
const camelCase = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Everything of a candidate; what stands in other tables is asked for the rows of one page only. */
const columnsOf = (now: Date): SQL => sql`${sql.raw(`
  c.id, c.version, c.created_at as "createdAt", c.updated_at as "updatedAt", c.deleted_at as "deletedAt",
  c.token_name as "tokenName", c.token_symbol as "tokenSymbol", c.token_slug as "tokenSlug", c.description,
  c.description_full as "descriptionFull", c.image_url as "imageUrl", c.contract_address as "contractAddress", c.network,
  ${LINK_COLUMNS}, c.order_index as "orderIndex", c.is_active as "isActive", c.admin_notes as "adminNotes",
  c.holders_count as "holdersCount", c.total_votes as "totalVotes",
  ${NUMBERS.map((name) => `c.${name}::float8 as "${camelCase(name)}"`).join(', ')}`)},
  coalesce((select d.votes from candidate_daily_votes d where d.candidate_id = c.id and d.day = ${utcDay(now)}), 0) as "votesToday",
  (select max(r.number) from voting_rounds r where r.winner_candidate_id = c.id) as "wonRound",
  (select json_build_object('id', v.id, 'at', v.reset_at, 'votes', v.votes) from vote_resets v
   where v.candidate_id = c.id and v.undone_at is null and v.reset_at > ${undoableSince(now)}
   order by v.reset_at desc, v.id limit 1) as reset`;

/** Resets before this moment are for good. */
export const undoableSince = (now: Date): string => new Date(now.getTime() - TRASH_DAYS * 86_400_000).toISOString();

type Row = Record<string, unknown> &
  Omit<AdminCandidate, 'resetId' | 'resetAt' | 'resetVotes'> & {
    reset: { id: string; at: string; votes: number } | null;
  };

const candidateOf = ({ reset, ...row }: Row): AdminCandidate => ({
  ...row,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
  deletedAt: isoOrNull(row.deletedAt),
  resetId: reset?.id ?? null,
  resetAt: isoOrNull(reset?.at ?? null),
  resetVotes: reset?.votes ?? null,
});

/** Candidates for the back office, by their place and then the newest, unless asked otherwise. */
export async function listAllCandidates(
  db: Reader,
  input: {
    q: string;
    page: number;
    size: number;
    sort: string;
    shelf: 'live' | 'trash';
    status: 'all' | 'active' | 'inactive';
  },
  now: Date,
): Promise<{ rows: AdminCandidate[]; total: number }> {
  const { rows, total } = await readPage<Row>(db, input, {
    columns: columnsOf(now),
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
    filled: ['orderIndex', 'totalVotes', 'tokenName', 'tokenSymbol'],
    id: sql`c.id`,
    searchTerms: matchesTerms(sql`voting_candidates c`, sql`c.id`, sql`c.search`, input.q),
    tie: input.sort.endsWith('totalVotes') ? sql`c.id` : sql`c.created_at desc, c.id`,
  });
  return { rows: rows.map(candidateOf), total };
}

/** One of them as the list shows it. @throws NOT_FOUND */
export async function readCandidateForAdmin(db: Reader, id: string, now: Date): Promise<AdminCandidate> {
  const { rows } = await db.execute<Row>(sql`select ${columnsOf(now)} from voting_candidates c where c.id = ${id}`);
  return candidateOf(rows[0] ?? fail('NOT_FOUND', { what: 'candidate' }));
}

/** Adds a candidate, up for voting at once. @throws NOT_VALID, IMAGE_NOT_FETCHED; DUPLICATE when two are added at once. */
export async function createCandidate(
  db: Db,
  media: ImageStore,
  by: Editor,
  fields: ShortFields,
): Promise<AdminCandidate> {
  const clean = cleanFields(fields);
  clean.imageUrl = await recordImage(db, media, by, IMAGES, null, clean.imageUrl);
  const tokenSlug = await freeSlug(db, clean.tokenName);
  const { id } = await createRecord(
    db,
    CANDIDATE,
    by,
    { ...clean, tokenSlug, createdAt: by.now, updatedAt: by.now },
    { also: swapImage(media, by) },
  );
  return readCandidateForAdmin(db, id, by.now);
}

/** Changes a candidate; its address on the site stays. @throws NOT_FOUND, VERSION_CONFLICT, NOT_VALID, IMAGE_NOT_FETCHED */
export async function updateCandidate(
  db: Db,
  media: ImageStore,
  by: Editor,
  { id, version, ...fields }: Fields & { id: string; version: number },
): Promise<AdminCandidate> {
  const clean = cleanFields(fields);
  clean.imageUrl = await recordImage(db, media, by, IMAGES, id, clean.imageUrl);
  await updateRecord(db, CANDIDATE, by, { id, version }, clean, { also: swapImage(media, by) });
  return readCandidateForAdmin(db, id, by.now);
}

/** Puts a candidate up for voting or takes it off; votes under way are through before, or refused. @throws NOT_FOUND */
export async function setCandidateActive(
  db: Db,
  by: Editor,
  { id, isActive }: { id: string; isActive: boolean },
): Promise<AdminCandidate> {
  await updateRecord(db, CANDIDATE, by, { id, version: null }, { isActive });
  return readCandidateForAdmin(db, id, by.now);
}

/** Puts a candidate into the trash; its votes wait with it. @throws NOT_FOUND, VERSION_CONFLICT */
export async function removeCandidate(
  db: Db,
  by: Editor,
  seen: { id: string; version: number },
): Promise<AdminCandidate> {
  await removeRecord(db, CANDIDATE, by, seen);
  return readCandidateForAdmin(db, seen.id, by.now);
}

/** Takes a candidate out of the trash, votes and all. @throws NOT_FOUND */
export async function restoreCandidate(db: Db, by: Editor, id: string): Promise<AdminCandidate> {
  await restoreRecord(db, CANDIDATE, by, id);
  return readCandidateForAdmin(db, id, by.now);
}

function cleanFields<F extends ShortFields & Partial<Fields>>(fields: F): F {
  const long = (value: string | null | undefined) => (value ? cleanText(value, 'text') || null : value);
  const line = (value: string | null | undefined) => (value ? cleanText(value, 'line') || null : value);
  return {
    ...fields,
    tokenName: cleanText(fields.tokenName, 'line'),
    tokenSymbol: cleanText(fields.tokenSymbol, 'line').toUpperCase(),
    description: long(fields.description),
    ...('descriptionFull' in fields ? { descriptionFull: long(fields.descriptionFull) } : {}),
    ...('adminNotes' in fields ? { adminNotes: long(fields.adminNotes) } : {}),
    ...('contractAddress' in fields ? { contractAddress: line(fields.contractAddress) } : {}),
  };
}

/** An address that leads to no other candidate or project, not even to a deleted one: old links must not change. */
async function freeSlug(db: Reader | Tx, name: string): Promise<string> {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const stem = plain.slice(0, 60).replace(/-+$/, '') || 'token';
  const { rows } = await db.execute<{ slug: string }>(sql`
    select token_slug as slug from voting_candidates where token_slug = ${stem} or token_slug like ${`${stem}-%`}
    union all select token_slug from projects where token_slug = ${stem} or token_slug like ${`${stem}-%`}`);
  const taken = new Set(rows.map((row) => row.slug));
  for (let serial = 1; ; serial++) {
    const slug = serial === 1 ? stem : `${stem}-${serial}`;
    if (!taken.has(slug)) return slug;
  }
}
