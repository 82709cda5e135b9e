import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { AuditKind } from '#contract/admin/shared/audit-actions.ts';
import type { OwnershipOverview, TokenRecord } from '#contract/domains/ownership.ts';
import type { TokenKind } from '#contract/fields/schemas.ts';
import { requestNetworkOf } from '#contract/fields/token-form.ts';
import type { LiveDomain } from '#contract/live.ts';
import type { Reader } from '#server/db/client.ts';
import { nextProjects } from '#server/db/tables/next-projects.ts';
import { ownershipProofs } from '#server/db/tables/ownership.ts';
import { projects } from '#server/db/tables/projects.ts';
import { tokenCreations } from '#server/db/tables/token-creations.ts';
import { votingCandidates } from '#server/db/tables/voting.ts';
import { fail } from '#server/lib/errors/fail.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { readCreator } from './creators.sql.ts';

const TABLES = { project: projects, candidate: votingCandidates, next: nextProjects } as const;

/** What the audit log calls a record, and whose pages show it. */
export const ABOUT: Record<TokenKind, { resourceType: AuditKind; live: LiveDomain }> = {
  project: { resourceType: 'project', live: 'projects' },
  candidate: { resourceType: 'candidate', live: 'voting' },
  next: { resourceType: 'next_project', live: 'nextProjects' },
};

/** What a proof says of whom it is about. */
export type ProofRecord = Pick<typeof ownershipProofs.$inferSelect, 'projectId' | 'candidateId' | 'nextProjectId'>;

export const recordOf = ({ projectId, candidateId, nextProjectId }: ProofRecord): TokenRecord =>
  projectId
    ? { kind: 'project', id: projectId }
    : candidateId
      ? { kind: 'candidate', id: candidateId }
      : { kind: 'next', id: nextProjectId ?? '' };

const KEYS = { project: 'projectId', candidate: 'candidateId', next: 'nextProjectId' } as const;
export const columnsOf = ({ kind, id }: TokenRecord): Partial<ProofRecord> => ({ [KEYS[kind]]: id });
/** Proofs about a record. */
export const isAbout = ({ kind, id }: TokenRecord): SQL => eq(ownershipProofs[KEYS[kind]], id);

export interface ClaimedToken {
  record: TokenRecord;
  tokenName: string;
  tokenSymbol: string;
  websiteUrl: string | null;
  contractAddress: string | null;
  network: 'solana' | 'ethereum' | 'bnb' | 'polygon' | null;
  /** The end of its page's address. */
  slug: string;
}

/**
 * The token that a proof is to be about, out of the trash.
 *
 * @param lock holds the row until the end of the transaction, so that nobody changes it meanwhile.
 * @throws NOT_FOUND
 */
export async function readClaimed(db: Reader, record: TokenRecord, lock?: 'lock'): Promise<ClaimedToken> {
  const table = TABLES[record.kind];
  const { tokenName, tokenSymbol, websiteUrl, contractAddress, network } = table;
  const query = db
    .select({
      tokenName,
      tokenSymbol,
      websiteUrl,
      contractAddress,
      network,
      slug: 'tokenSlug' in table ? table.tokenSlug : table.id,
    })
    .from(table)
    .where(and(eq(table.id, record.id), isNull(table.deletedAt)));
  const [row] = await (lock ? query.for('share') : query);
  return row ? { record, ...row } : fail('NOT_FOUND', { what: 'token' });
}

/**
 * Whether a member asked for the token's publication, with a mailbox that is proven to be theirs, or was signed in when they began
 * the request that it was created for. A launch of a voting winner belongs to whom the candidate belongs.
 */
export async function mayProve(
  db: Reader,
  { id, email, emailVerified }: Pick<Viewer, 'id' | 'email' | 'emailVerified'>,
  record: TokenRecord,
): Promise<OwnershipOverview['may']> {
  const at = { project: null, candidate: null, next: null, [record.kind]: record.id };
  const [found] = await readCreator(db, { ...at, member: id, email });
  if (found?.paid || (found?.requested && emailVerified)) return 'yes';
  return found?.requested ? 'unconfirmed' : 'no';
}

/**
 * Wallets that a contract belongs to, as far as this site knows: it asks no chain (ADR 0016), so that is the owner of a token
 * that was made here, whose address was read back from the chain.
 */
export async function ownersOf(
  db: Reader,
  { network, contractAddress }: Pick<ClaimedToken, 'network' | 'contractAddress'>,
): Promise<string[]> {
  if (!network || !contractAddress) return [];
  const { address, snapshot, state } = tokenCreations;
  const rows = await db
    .select({ network: tokenCreations.network, address, snapshot })
    .from(tokenCreations)
    .where(
      and(or(eq(address, contractAddress), sql`lower(${address}) = lower(${contractAddress})`), eq(state, 'completed')),
    );
  return rows
    .filter(
      (row) => requestNetworkOf(row.network) === network && (network !== 'solana' || row.address === contractAddress),
    )
    .map((row) => row.snapshot.owner);
}
