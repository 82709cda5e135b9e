import { randomBytes } from 'node:crypto';
import { and, desc, eq, ne } from 'drizzle-orm';
import type { OwnershipOverview, ProofInfo, PublishedMethod, TokenRecord } from '#contract/domains/ownership.ts';
import { PROOF_CHECK_HOURS, PROOF_DAYS } from '#contract/limits.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { ownershipProofs } from '#server/db/tables/ownership.ts';
import { consumeWalletChallenge, issueWalletChallenge } from '#server/domains/auth/wallet-challenge.service.ts';
import { resolveRefs } from '#server/domains/saved/saved.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { walletAddress } from '#server/lib/crypto/wallet-signature.ts';
import { fail, notFoundAsNull } from '#server/lib/errors/fail.ts';
import { type LimitUse, returnLimits } from '#server/lib/rate-limits/rate-limit.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { publishChange } from '#server/live/publish.ts';
import { readConcerned, readProofsOf } from './creators.sql.ts';
import type { ProofChecks } from './ownership.port.ts';
import { contentOf, hostOf, proofLocationOf, subjectOf } from './proof-locations.policy.ts';
import {
  ABOUT,
  type ClaimedToken,
  columnsOf,
  isAbout,
  mayProve,
  ownersOf,
  readClaimed,
  recordOf,
} from './records.service.ts';

export type Proof = typeof ownershipProofs.$inferSelect;
const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };

/** The actor on a proof: the creator, or staff on their behalf. */
export interface Prover {
  actor: Actor;
  /** Null: an admin, who may act for every token. */
  viewer: Viewer | null;
  now: Date;
  /** Limits that the call was counted against. */
  counted?: LimitUse[];
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Maximum of proofs shown to a creator: the open ones, and the newest ended ones. */
const MAX_SHOWN = 10;

export const infoOf = (proof: Proof): ProofInfo => {
  const { method, subject, token, startedAt, provenAt, checkedAt, expiresAt, endedAt } = proof;
  return {
    id: proof.id,
    method,
    subject,
    state: proof.state,
    place: method === 'wallet' ? null : proofLocationOf(method, subject),
    content: method === 'wallet' ? null : contentOf(token),
    startedAt: startedAt.toISOString(),
    provenAt: provenAt?.toISOString() ?? null,
    checkedAt: checkedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    failures: proof.failures,
    endedAt: endedAt?.toISOString() ?? null,
    endReason: proof.endReason,
  };
};

/**
 * The proofs that a member can start for a token, and those that exist.
 *
 * @throws NOT_FOUND, for others than its creator also while it is not public.
 */
export async function readOwnership(db: Reader, viewer: Viewer, record: TokenRecord): Promise<OwnershipOverview> {
  const token = await readClaimed(db, record);
  const may = await mayProve(db, viewer, record);
  if (may !== 'yes' && (await resolveRefs(db, [record])).length === 0) fail('NOT_FOUND', { what: 'token' });
  const owners = may === 'yes' ? await ownersOf(db, token) : [];
  const proofs =
    may === 'yes'
      ? await db
          .select()
          .from(ownershipProofs)
          .where(isAbout(record))
          .orderBy(eq(ownershipProofs.state, 'ended'), desc(ownershipProofs.startedAt), ownershipProofs.id)
          .limit(MAX_SHOWN)
      : [];
  return {
    tokenName: token.tokenName,
    tokenSymbol: token.tokenSymbol,
    may,
    host: hostOf(token.websiteUrl),
    walletNetwork: owners.length > 0 ? token.network : null,
    proofs: proofs.map(infoOf),
  };
}

/** @throws NOT_CREATOR for members who are not the token's creator. */
async function refuseOthers(db: Reader, { viewer }: Prover, record: TokenRecord): Promise<void> {
  const may = viewer ? await mayProve(db, viewer, record) : 'yes';
  if (may !== 'yes') fail('NOT_CREATOR', { why: may === 'unconfirmed' ? 'unconfirmed' : 'other' });
}

/**
 * Starts a proof by DNS or by a file; one that has not ended, valid or pending, is returned again.
 *
 * @throws NOT_FOUND, NOT_CREATOR. @throws PROOF_IMPOSSIBLE when the token has no website with a host name of its own.
 */
export function startProof(
  db: Db,
  by: Prover,
  { method, ...record }: TokenRecord & { method: PublishedMethod },
): Promise<ProofInfo> {
  return db.transaction(async (tx) => {
    const token = await readClaimed(tx, record, 'lock');
    await refuseOthers(tx, by, record);
    const host = hostOf(token.websiteUrl) ?? fail('PROOF_IMPOSSIBLE', { why: 'website' });
    const [made] = await tx
      .insert(ownershipProofs)
      .values({
        ...columnsOf(record),
        method,
        subject: subjectOf(method, host),
        token: randomBytes(24).toString('base64url'),
        startedAt: by.now,
        startedBy: by.actor.id,
      })
      .onConflictDoNothing()
      .returning();
    if (!made) {
      const [open] = await tx
        .select()
        .from(ownershipProofs)
        .where(and(isAbout(record), eq(ownershipProofs.method, method), ne(ownershipProofs.state, 'ended')));
      return infoOf(open ?? fail('NOT_FOUND', { what: 'proof' }));
    }
    await note(tx, by.actor, 'proof.started', made);
    return infoOf(made);
  });
}

/** Writes the audit entry, in the history of the token. */
export const note = (
  tx: Tx,
  actor: Actor,
  action: 'proof.started' | 'proof.proven' | 'proof.renewed' | 'proof.ended' | 'proof.withdrawn',
  proof: Proof,
  more: { why?: string; reason?: string } = {},
): Promise<void> => {
  const { kind, id } = recordOf(proof);
  const { reason, why } = more;
  return audit(tx, actor, {
    action,
    resourceType: ABOUT[kind].resourceType,
    resourceId: id,
    after: { how: proof.method, what: proof.subject, ...(why ? { why } : {}) },
    ...(reason ? { reason } : {}),
  });
};

/** A proof that has not ended, locked. @throws NOT_FOUND */
export async function lockOpen(tx: Tx, id: string): Promise<Proof> {
  const [proof] = await tx
    .select()
    .from(ownershipProofs)
    .where(and(eq(ownershipProofs.id, id), ne(ownershipProofs.state, 'ended')))
    .for('update');
  return proof ?? fail('NOT_FOUND', { what: 'proof' });
}

/** Columns of a proof that was just confirmed: valid from now for PROOF_DAYS. */
const heldFrom = (proof: Proof | null, now: Date) => ({
  state: 'valid' as const,
  provenAt: proof?.provenAt ?? now,
  checkedAt: now,
  nextCheckAt: new Date(now.getTime() + PROOF_CHECK_HOURS * HOUR),
  failures: 0,
  expiresAt: new Date(now.getTime() + PROOF_DAYS * DAY),
});

/** A proof that was begun by staff, or by a former creator, becomes that of the creator who confirms it. */
async function ownerOf(tx: Tx, { viewer }: Prover, { id, startedBy }: Proof): Promise<string | null> {
  if (!viewer) return startedBy;
  const creators = await readConcerned(tx, { proof: id });
  return creators.some((one) => one.id === startedBy) ? startedBy : viewer.id;
}

/**
 * Checks a published proof now. If it is found, the token is verified from then on; the period of a valid proof starts again.
 *
 * @throws NOT_FOUND, NOT_CREATOR. @throws PROOF_NOT_FOUND with the reason; nothing changes then. Where nothing could be checked
 *   because of our own network, the call is not counted either.
 */
export async function checkProof(db: Db, checks: ProofChecks, by: Prover, id: string): Promise<ProofInfo> {
  const [seen] = await db
    .select()
    .from(ownershipProofs)
    .where(and(eq(ownershipProofs.id, id), ne(ownershipProofs.state, 'ended')));
  if (!seen || seen.method === 'wallet') return fail('NOT_FOUND', { what: 'proof' });
  await refuseOthers(db, by, recordOf(seen));
  await readClaimed(db, recordOf(seen));
  const missing = await checks.look(seen.method, seen.subject, seen.token);
  if (missing === 'unchecked' && by.counted) await returnLimits(db, by.counted, by.now);
  if (missing) fail('PROOF_NOT_FOUND', { why: missing });
  return db.transaction(async (tx) => {
    // A concurrent change of the token waits for this lock, or has already ended the proof.
    const old = await lockOpen(tx, id).catch(() => fail('PROOF_NOT_FOUND', { why: 'changed' }));
    const [proof] = await tx
      .update(ownershipProofs)
      .set({ ...heldFrom(old, by.now), startedBy: await ownerOf(tx, by, old) })
      .where(eq(ownershipProofs.id, id))
      .returning();
    if (!proof) return fail('NOT_FOUND', { what: 'proof' });
    await publishChange(tx, ABOUT[recordOf(proof).kind].live);
    await note(tx, by.actor, old.state === 'valid' ? 'proof.renewed' : 'proof.proven', proof);
    return infoOf(proof);
  });
}

/** The owner of a token's contract has to be known, and to be this wallet. @throws PROOF_IMPOSSIBLE */
async function checkOwner(db: Reader, token: ClaimedToken, address: string): Promise<void> {
  const { network, contractAddress } = token;
  if (!network || !contractAddress) return fail('PROOF_IMPOSSIBLE', { why: 'contract' });
  const owners = await ownersOf(db, token);
  if (owners.length === 0) fail('PROOF_IMPOSSIBLE', { why: 'unknown' });
  const same = walletAddress(network, address);
  if (!owners.some((owner) => walletAddress(network, owner) === same)) fail('PROOF_IMPOSSIBLE', { why: 'address' });
}

/** English, like all texts in wallets, and plain ASCII, as EIP-4361 requires: names of tokens may be neither. */
const statementOf = ({ network, contractAddress }: ClaimedToken): string =>
  `I answer for the token with the contract ${contractAddress} on ${network}.`;

/**
 * A message for the token's wallet to sign, which proves who is responsible for the token.
 *
 * @throws NOT_FOUND, NOT_CREATOR, PROOF_IMPOSSIBLE, WALLET_REFUSED
 */
export async function startWalletProof(
  db: Db,
  publicUrl: string,
  by: Prover & { viewer: Viewer },
  { address, ...record }: TokenRecord & { address: string },
): Promise<{ nonce: string; message: string }> {
  const { viewer } = by;
  return db.transaction(async (tx) => {
    const token = await readClaimed(tx, record);
    await refuseOthers(tx, by, record);
    await checkOwner(tx, token, address);
    const challengeOwner = { purpose: 'token_proof' as const, userId: viewer.id, browser: viewer.sessionId };
    const network = token.network ?? fail('PROOF_IMPOSSIBLE', { why: 'contract' });
    const about = { network, address, statement: statementOf(token), record: columnsOf(record) };
    return issueWalletChallenge(tx, publicUrl, challengeOwner, about);
  });
}

/**
 * Stores a proof by the signature of a token's wallet. The token is read again, because the message contains its former state.
 *
 * @throws WALLET_REFUSED, NOT_FOUND, NOT_CREATOR, PROOF_IMPOSSIBLE
 */
export function proveByWallet(
  db: Db,
  by: Prover & { viewer: Viewer },
  signed: { nonce: string; signature: string },
): Promise<ProofInfo> {
  const { viewer, now, actor } = by;
  return db.transaction(async (tx) => {
    const challengeOwner = { purpose: 'token_proof' as const, userId: viewer.id, browser: viewer.sessionId };
    const text = await consumeWalletChallenge(tx, challengeOwner, signed);
    const record = recordOf(text);
    const token = await readClaimed(tx, record, 'lock');
    await refuseOthers(tx, by, record);
    await checkOwner(tx, token, text.address);
    if (!text.message.includes(statementOf(token))) fail('WALLET_REFUSED', { why: 'used' });
    await tx
      .update(ownershipProofs)
      .set({ state: 'ended', endedAt: now, endedBy: actor.id, endReason: 'replaced', notifiedAt: now })
      .where(and(isAbout(record), eq(ownershipProofs.method, 'wallet'), ne(ownershipProofs.state, 'ended')));
    const [proof] = await tx
      .insert(ownershipProofs)
      .values({
        ...columnsOf(record),
        method: 'wallet',
        subject: text.address,
        token: text.message,
        signature: signed.signature,
        startedAt: now,
        startedBy: actor.id,
        ...heldFrom(null, now),
      })
      .returning();
    if (!proof) return fail('NOT_FOUND', { what: 'proof' });
    await publishChange(tx, ABOUT[record.kind].live);
    await note(tx, actor, 'proof.proven', proof);
    return infoOf(proof);
  });
}

/** Ends a proof; the job sends the notifications. */
export async function endProof(
  tx: Tx,
  proof: Proof,
  by: Pick<Prover, 'actor' | 'now'>,
  endReason: NonNullable<Proof['endReason']>,
): Promise<Proof> {
  const [ended] = await tx
    .update(ownershipProofs)
    .set({ state: 'ended', endedAt: by.now, endedBy: by.actor.id, endReason })
    .where(eq(ownershipProofs.id, proof.id))
    .returning();
  await publishChange(tx, ABOUT[recordOf(proof).kind].live);
  return ended ?? fail('NOT_FOUND', { what: 'proof' });
}

/** Ends the proofs of a member's own tokens when the account is deleted. */
export async function endProofsOf(tx: Tx, member: string, now: Date): Promise<void> {
  for (const { id } of await readProofsOf(tx, { member })) {
    const proof = await lockOpen(tx, id).catch(notFoundAsNull);
    if (proof)
      await note(tx, SYSTEM, 'proof.ended', await endProof(tx, proof, { actor: SYSTEM, now }, 'given_up'), {
        why: 'given_up',
      });
  }
}

/** Gives up a proof of one's own token. @throws NOT_FOUND, NOT_CREATOR */
export function giveUpProof(db: Db, by: Prover, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    const proof = await lockOpen(tx, id);
    await refuseOthers(tx, by, recordOf(proof));
    await note(tx, by.actor, 'proof.ended', await endProof(tx, proof, by, 'given_up'), { why: 'given_up' });
  });
}
