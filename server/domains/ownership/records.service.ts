import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { AuditKind } from '#contract/admin/shared/audit-actions.ts';
import type { OwnershipOverview, TokenRecord } from '#contract/domains/ownership.ts';
import type { TokenKind } from '#contract/fields/schemas.ts';
import type { LiveDomain } from '#contract/live.ts';
import { type Network, requestNetworkOf } from '#contract/networks.ts';
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

/** The kind of a record in the audit log, and the live domain of its pages. */
export const ABOUT: Record<TokenKind, { resourceType: AuditKind; live: LiveDomain }> = {
  project: { resourceType: 'project', live: 'projects' },
  candidate: { resourceType: 'candidate', live: 'voting' },
  next: { resourceType: 'next_project', live: 'nextProjects' },
};

/** Columns of a proof that refer to its token. */
export type ProofRecord = Pick<typeof ownershipProofs.$inferSelect, 'projectId' | 'candidateId' | 'nextProjectId'>;

export const recordOf = ({ projectId, candidateId, nextProjectId }: ProofRecord): TokenRecord =>
  projectId
    ? { kind: 'project', id: projectId }
    : candidateId
      ? { kind: 'candidate', id: candidateId }
      : { kind: 'next', id: nextProjectId ?? '' };

const KEYS = { project: 'projectId', candidate: 'candidateId', next: 'nextProjectId' } as const;
export const columnsOf = ({ kind, id }: TokenRecord): Partial<ProofRecord> => ({ [KEYS[kind]]: id });
/** Condition for proofs about a record. */
export const isAbout = ({ kind, id }: TokenRecord): SQL => eq(ownershipProofs[KEYS[kind]], id);

export interface ClaimedToken {
  record: TokenRecord;
  tokenName: string;
  tokenSymbol: string;
  websiteUrl: string | null;
  contractAddress: string | null;
  network: Network | null;
  /** The last part of its page's path. */
  slug: string;
}

/**
 * The token that a proof is about, outside of the trash.
 *
 * @param lock locks the row until the end of the transaction.
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
 * 'yes' when the member requested the token's publication, with their proven mailbox, or was signed in when they created the request
 * that it was made for. The launch of a winner of a round belongs to the creator of the candidate. 'unconfirmed' for every other
 * member with an unproven mailbox: anybody can sign up with another person's, and should not learn which tokens that person requested.
 */
export async function mayProve(
  db: Reader,
  { id, email, emailVerified }: Pick<Viewer, 'id' | 'email' | 'emailVerified'>,
  record: TokenRecord,
): Promise<OwnershipOverview['may']> {
  const at = { project: null, candidate: null, next: null, [record.kind]: record.id };
  const [found] = await readCreator(db, { ...at, member: id, email });
  if (found?.paid || (found?.requested && emailVerified)) return 'yes';
  return emailVerified ? 'no' : 'unconfirmed';
}

/**
 * Wallets that are recorded as owners of a contract: the site queries no chain (ADR 0016), so that is the owner of a token created
 * here, whose address was read back from the chain.
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
