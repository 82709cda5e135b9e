import type { MayUpload } from './uploads.ts';

/** Forms of people without an account, each identified by a header of the upload; null for an invalid header. */
export interface GuestForms {
  /** The draft of an unpaid token request, by its id and secret. */
  draftOf(header: string | null): Promise<string | null>;
  /** The form of a publication request, by its key, while those are open. */
  claimOf(header: string | null): Promise<Buffer | null>;
}

/**
 * Permits uploads without an account with the secret of an unpaid draft, or with the form of a publication request
 * while those are open.
 */
export const guestsMayUpload =
  (forms: GuestForms): MayUpload =>
  async (request) => {
    const draftId = await forms.draftOf(request.headers.get('x-draft'));
    if (draftId) return { owner: { draftId } };
    const claim = await forms.claimOf(request.headers.get('x-claim'));
    return claim && { owner: { claim } };
  };
