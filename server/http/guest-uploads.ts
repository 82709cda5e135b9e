import type { Db } from '#server/db/client.ts';
import { draftOfUpload } from '#server/domains/token-requests/drafts.service.ts';
import type { MayUpload } from './uploads.ts';

/** Who may upload without an account: whoever holds the secret of a draft that is not paid for yet. */
export const guestsMayUpload =
  (db: Db): MayUpload =>
  async (request) => {
    const draftId = await draftOfUpload(db, request.headers.get('x-draft'));
    return draftId ? { owner: { draftId } } : null;
  };
