import { z } from 'zod';
import { looking, proofInfo, proofState, publishedMethod, tokenRecord } from '../domains/ownership.ts';
import { errors } from '../errors.ts';
import { tokenKind } from '../fields/schemas.ts';
import { bulkAnswer, bulkIds } from './shared/bulk.ts';
import { adminRead, adminWrite, anyRecord, byProvenAdmin, listInput, pageOf } from './shared/list.ts';

/** A proof as the back office sees it. */
export const adminProof = proofInfo.extend({
  kind: tokenKind,
  recordId: z.uuid(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  /** Name of who began it; null when the account is gone. */
  startedBy: z.string().nullable(),
});
export type AdminProof = z.infer<typeof adminProof>;

export const adminOwnership = {
  list: adminRead('/ownership', 'Proofs of verified creators', ['editor'])
    .input(listInput(['startedAt', 'provenAt', 'expiresAt', 'tokenName'], { state: proofState.optional() }))
    .output(pageOf(adminProof)),
  /** On behalf of a creator, who publishes what it asks for. */
  start: adminWrite('POST', '/ownership', 'Begin a proof for a creator', ['editor'])
    .errors({ NOT_FOUND: errors.NOT_FOUND, PROOF_IMPOSSIBLE: errors.PROOF_IMPOSSIBLE })
    .input(tokenRecord.extend({ method: publishedMethod }))
    .output(proofInfo),
  check: adminWrite('POST', '/ownership/{id}/check', 'Look whether a proof is there', ['editor'])
    .errors(looking)
    .input(anyRecord)
    .output(proofInfo),
  /** The mark is gone at once; followers and the creator are told. */
  withdraw: adminWrite('POST', '/ownership/{id}/withdraw', 'Withdraw a proof', ['editor'])
    .errors({ ...byProvenAdmin, NOT_FOUND: errors.NOT_FOUND })
    .input(anyRecord.extend({ reason: z.string().trim().min(3).max(500) }))
    .output(proofInfo),
  /** Several at once, each by itself, for one reason. A proof that ended never holds again: nothing here is undone. */
  withdrawMany: adminWrite('POST', '/ownership/withdraw', 'Withdraw several proofs', ['editor'])
    .errors(byProvenAdmin)
    .input(z.strictObject({ ids: bulkIds, reason: z.string().trim().min(3).max(500) }))
    .output(bulkAnswer),
};
