import { z } from 'zod';
import { proofCheckErrors, proofInfo, proofState, publishedMethod, tokenRecord } from '../domains/ownership.ts';
import { errors } from '../errors.ts';
import { requiredText, tokenKind } from '../fields/schemas.ts';
import { bulkAnswer, bulkIds } from './shared/bulk.ts';
import { adminRead, adminWrite, anyRecord, byAdminAfterStepUp, listInput, pageOf } from './shared/list.ts';

/** An ownership proof with the data for the back office. */
export const adminProof = proofInfo.extend({
  kind: tokenKind,
  recordId: z.uuid(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  /**
   * Name of the admin or member who started it, or of the creator who confirmed what an admin had started; null when the account was
   * deleted.
   */
  startedBy: z.string().nullable(),
});
export type AdminProof = z.infer<typeof adminProof>;

export const adminOwnership = {
  list: adminRead('/ownership', 'Proofs of verified creators', ['editor'])
    .input(listInput(['startedAt', 'provenAt', 'expiresAt', 'tokenName'], { state: proofState.optional() }))
    .output(pageOf(adminProof)),
  /** Starts a proof on behalf of a creator, who publishes the requested value. */
  start: adminWrite('POST', '/ownership', 'Begin a proof for a creator', ['editor'])
    .errors({ NOT_FOUND: errors.NOT_FOUND, PROOF_IMPOSSIBLE: errors.PROOF_IMPOSSIBLE })
    .input(tokenRecord.extend({ method: publishedMethod }))
    .output(proofInfo),
  check: adminWrite('POST', '/ownership/{id}/check', 'Look whether a proof is there', ['editor'])
    .errors(proofCheckErrors)
    .input(anyRecord)
    .output(proofInfo),
  /** The mark disappears at once; followers and the creator are notified. */
  withdraw: adminWrite('POST', '/ownership/{id}/withdraw', 'Withdraw a proof', ['editor'])
    .errors({ ...byAdminAfterStepUp, NOT_FOUND: errors.NOT_FOUND })
    .input(anyRecord.extend({ reason: requiredText(3, 500) }))
    .output(proofInfo),
  /**
   * Several in one request, each in its own transaction, with one reason. It cannot be undone: a proof that ended never becomes
   * valid again.
   */
  withdrawMany: adminWrite('POST', '/ownership/withdraw', 'Withdraw several proofs', ['editor'])
    .errors(byAdminAfterStepUp)
    .input(z.strictObject({ ids: bulkIds, reason: requiredText(3, 500) }))
    .output(bulkAnswer),
};
