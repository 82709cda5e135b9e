import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { marketNetwork, tokenKind } from '../fields/schemas.ts';

/** Methods of an ownership proof. */
export const proofMethod = z.enum(['dns', 'file', 'wallet']);
export type ProofMethod = z.infer<typeof proofMethod>;
/** Methods that publish a value at a name on the internet. */
export const publishedMethod = proofMethod.exclude(['wallet']);
export type PublishedMethod = z.infer<typeof publishedMethod>;

export const proofState = z.enum(['pending', 'valid', 'ended']);
export const proofEnd = z.enum(['changed', 'lapsed', 'expired', 'withdrawn', 'replaced', 'given_up']);

/** The mark of a verified token: its valid proofs. Empty when there is no mark. */
export const verifiedBy = z.array(
  z.object({
    by: proofMethod,
    /** The proven host name or wallet address. */
    what: z.string(),
    /** Start of the proof's validity. */
    at: z.iso.datetime(),
  }),
);
export type VerifiedBy = z.infer<typeof verifiedBy>;

export const proofInfo = z.object({
  id: z.uuid(),
  method: proofMethod,
  subject: z.string(),
  state: proofState,
  /** Name of the TXT record, or URL of the file; null for a wallet. */
  place: z.string().nullable(),
  /** Required content; null for a wallet. */
  content: z.string().nullable(),
  startedAt: z.iso.datetime(),
  provenAt: z.iso.datetime().nullable(),
  checkedAt: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  /** Consecutive failed checks; the proof ends after the fourth. */
  failures: z.int().nonnegative(),
  endedAt: z.iso.datetime().nullable(),
  endReason: proofEnd.nullable(),
});
export type ProofInfo = z.infer<typeof proofInfo>;

const overview = z.object({
  tokenName: z.string(),
  tokenSymbol: z.string(),
  /** Whether the caller may start a proof; 'unconfirmed': not before the caller's e-mail is confirmed, whoever requested the token. */
  may: z.enum(['yes', 'unconfirmed', 'no']),
  /** The subject that each method would prove; null when the method is not available for this token. */
  host: z.string().nullable(),
  /** Network of the wallet that may sign; null when the contract's owner is unknown to us. */
  walletNetwork: marketNetwork.nullable(),
  /** Ten proofs: the open ones, then those that ended, newest first. Empty for callers who may not start a proof. */
  proofs: z.array(proofInfo),
});
export type OwnershipOverview = z.infer<typeof overview>;

/** The token's public record. */
export const tokenRecord = z.strictObject({ kind: tokenKind, id: z.uuid() });
export type TokenRecord = z.infer<typeof tokenRecord>;

export const proofCheckErrors = {
  NOT_FOUND: errors.NOT_FOUND,
  PROOF_IMPOSSIBLE: errors.PROOF_IMPOSSIBLE,
  PROOF_NOT_FOUND: errors.PROOF_NOT_FOUND,
};
const byCreator = {
  UNAUTHORIZED: errors.UNAUTHORIZED,
  RATE_LIMITED: errors.RATE_LIMITED,
  NOT_CREATOR: errors.NOT_CREATOR,
  NOT_FOUND: errors.NOT_FOUND,
};
const route = (method: 'GET' | 'POST', path: `/${string}`, summary: string) =>
  oc.route({ method, path, tags: ['ownership'], summary });

/** Verified creators: members who requested a token's publication, or paid for it, prove that they answer for it. */
export const ownership = {
  mine: route('GET', '/ownership/{kind}/{id}', 'What I can prove of a token, and did')
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED, NOT_FOUND: errors.NOT_FOUND })
    .input(tokenRecord)
    .output(overview),
  /** Idempotent: an open proof of the method is returned again. */
  start: route('POST', '/ownership/{kind}/{id}/proofs', 'Begin a proof by DNS or by a file')
    .errors({ ...byCreator, PROOF_IMPOSSIBLE: errors.PROOF_IMPOSSIBLE })
    .input(tokenRecord.extend({ method: publishedMethod }))
    .output(proofInfo),
  /** Checks immediately. For a valid proof, a successful check restarts its period. */
  check: route('POST', '/ownership/proofs/{id}/check', 'Look whether a proof is there')
    .errors({ ...byCreator, PROOF_NOT_FOUND: errors.PROOF_NOT_FOUND })
    .input(z.strictObject({ id: z.uuid() }))
    .output(proofInfo),
  startWallet: route('POST', '/ownership/{kind}/{id}/wallet', 'A text for the wallet of a token to sign')
    .errors({ ...byCreator, PROOF_IMPOSSIBLE: errors.PROOF_IMPOSSIBLE, WALLET_REFUSED: errors.WALLET_REFUSED })
    .input(tokenRecord.extend({ address: z.string().trim().min(1).max(64) }))
    .output(z.object({ nonce: z.string(), message: z.string() })),
  proveWallet: route('POST', '/ownership/wallet', 'Prove by the signature of a wallet')
    .errors({ ...byCreator, PROOF_IMPOSSIBLE: errors.PROOF_IMPOSSIBLE, WALLET_REFUSED: errors.WALLET_REFUSED })
    .input(z.strictObject({ nonce: z.string().max(64), signature: z.string().max(140) }))
    .output(proofInfo),
  giveUp: route('POST', '/ownership/proofs/{id}/give-up', 'Give up a proof of mine')
    .errors(byCreator)
    .input(z.strictObject({ id: z.uuid() }))
    .output(z.object({ ok: z.literal(true) })),
};
