import { codeOf, wrongFields } from '#app/lib/api/failure.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminNextTexts } from '#app/lib/messages/admin/next-projects.ts';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { useAdminFailure } from '../kit/failures.ts';
import { useImageRefusal } from '../kit/forms/ImageField.tsx';

export type RecordAction = 'create' | 'update' | 'delete' | 'restore' | 'top3';
interface Notice {
  title: string;
  text: string;
}

/** Messages by cause, as specified for projects on home and for NEXT projects (AMB-175). */
export function useRecordFailure(kind: 'projects' | 'next'): (action: RecordAction) => (error: unknown) => Notice {
  const text = useText(adminProjectsTexts, adminNextTexts);
  const { failure: shared, fieldError } = text.projects;
  const { failure: next } = text.next;
  const other = useAdminFailure(kind);
  const refusal = useImageRefusal();
  const isNext = kind === 'next';
  const denied = {
    create: shared.createDenied,
    update: isNext ? next.denied : shared.updateDenied,
    delete: isNext ? next.deleteDenied : shared.deleteDenied,
    restore: isNext ? next.denied : shared.updateDenied,
    top3: shared.top3Denied,
  };
  const signedOut = {
    create: isNext ? next.createSignedOut : shared.createSignedOut,
    update: isNext ? next.updateSignedOut : shared.signedOut,
    delete: shared.signedOut,
    restore: shared.signedOut,
    top3: shared.signedOut,
  };
  const defaults = {
    create: shared.createOther,
    update: shared.updateOther,
    delete: shared.deleteOther,
    restore: shared.restoreOther,
    top3: shared.updateOther,
  };
  /** Message for a failed read or write of the database; creating has none. */
  const query = (action: RecordAction) => (action === 'create' ? defaults.create : shared.query);
  function messagesFor(action: RecordAction, error: unknown): string {
    const image = refusal(error);
    if (image) return image;
    switch (codeOf(error)) {
      case 'UNAUTHORIZED':
        return signedOut[action];
      case 'FORBIDDEN':
        return denied[action];
      case 'DUPLICATE':
        return isNext ? next.duplicate : shared.duplicate;
      case 'NOT_VALID':
        return shared.notValid;
      case 'NOT_FOUND':
        // The specification treats an update of a missing record as a failed query (ERR-67, ERR-86).
        return action === 'update' ? shared.query : isNext ? next.gone : shared.gone;
      case 'BUSY':
        return query(action);
      case 'BAD_REQUEST': {
        const wrong = wrongFields(error);
        const needed = ['tokenName', 'tokenSymbol', 'tokenAddress'].some((name) => wrong.includes(name));
        if (action === 'create' && needed) return isNext ? text.next.fieldError.needed : fieldError.needed;
        return wrong.includes('progressPercentage') ? fieldError.progress : shared.notValid;
      }
      default:
        if ((error as { status?: number }).status === 500) return query(action);
        // Codes that are not in the contract get the message of the action.
        return codeOf(error) !== 'UNEXPECTED' && codeOf(error) in text.failure ? other(error) : defaults[action];
    }
  }
  return (action) => (error) => {
    const why = placeRefusal(error);
    // A Top 3 checkbox of a project that is not on home is not refused because of the limit.
    if (why && !(action === 'top3' && why === 'status')) return { title: shared.limit, text: shared.limitText };
    return { title: shared[action], text: why ? text.projects.top3Home : messagesFor(action, error) };
  };
}

/** Why a podium place was refused; null when the error is about something else. */
export const placeRefusal = (error: unknown): 'full' | 'taken' | 'status' | null =>
  codeOf(error) === 'PODIUM_REFUSED' ? (error as { data: { why: 'full' | 'taken' | 'status' } }).data.why : null;
