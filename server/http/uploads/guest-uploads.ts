import type { MayUpload } from './uploads.ts';

/** The forms that people without an account hold, each by a header of the upload; null for anything else. */
export interface GuestForms {
  /** The draft of a token request, by its id and secret, while it is not paid for. */
  draftOf(header: string | null): Promise<string | null>;
  /** The form of a publication request, by its key, while those are open. */
  claimOf(header: string | null): Promise<Buffer | null>;
}

/**
 * Who may upload without an account: whoever holds the secret of a draft that is not paid for yet, and the form of a
 * publication request while those are open.
 */
export const guestsMayUpload =
  (forms: GuestForms): MayUpload =>
  async (request) => {
    const draftId = await forms.draftOf(request.headers.get('x-draft'));
    if (draftId) return { owner: { draftId } };
    const claim = await forms.claimOf(request.headers.get('x-claim'));
    return claim && { owner: { claim } };
  };
