import type { Db } from '#server/db/client.ts';
import { claimOfForm, submissionsOpen } from '#server/domains/submissions/submissions.service.ts';
import { draftOfUpload } from '#server/domains/token-requests/drafts.service.ts';
import type { MayUpload } from './uploads.ts';

/**
 * Who may upload without an account: whoever holds the secret of a draft that is not paid for yet, and the form of a
 * publication request while those are open.
 */
export const guestsMayUpload =
  (db: Db): MayUpload =>
  async (request) => {
    const draftId = await draftOfUpload(db, request.headers.get('x-draft'));
    if (draftId) return { owner: { draftId } };
    const claim = claimOfForm(request.headers.get('x-claim'));
    return claim && (await submissionsOpen(db)) ? { owner: { claim } } : null;
  };
