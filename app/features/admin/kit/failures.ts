import { codeOf, failureText, wrongFields } from '#app/lib/api/failure.ts';
import { type TextOf, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import type { StaffRole } from '#contract/staff.ts';

type AdminText = TextOf<typeof adminTexts>;
export type Screen = keyof AdminText['admin']['session'];

/** Thrown when the user closes the step-up dialog: nothing happened, and no notice is shown. */
export class Cancelled extends Error {}

/** Thrown when the user rejects a warning of the server (`cause`): the fields show the reason, no notice repeats it. */
export class Declined extends Error {
  constructor(cause: unknown) {
    super('declined', { cause });
  }
}

/** Messages for refusals of the server; a lost session has a message for each screen. */
export function useAdminFailure(screen: Screen = 'other'): (error: unknown) => string {
  const text = useText(adminTexts);
  return (error) => {
    const code = codeOf(error);
    if (code === 'UNAUTHORIZED' || code === 'FORBIDDEN') return text.admin.session[screen];
    if (code === 'STAFF_ROLE_NEEDED') {
      const { closed, staffRoles } = text.admin;
      const { roles } = (error as { data?: { roles?: StaffRole[] } | null }).data ?? {};
      // A refusal of one record of a bulk action does not name them.
      if (roles) return closed.refused(closed.or(roles.map((role) => staffRoles[role])));
    }
    // Forms resolve a conflict by merging; any other action has to be reviewed and repeated.
    if (code === 'VERSION_CONFLICT') return text.admin.changed;
    return failureText(error, text);
  };
}

/** Messages for the fields that the server found invalid or already in use. */
export function fieldErrorsOf(
  error: unknown,
  messages: {
    invalid: Record<string, string>;
    duplicate: Record<string, string>;
    otherwise: AdminText['admin']['form'];
  },
): Record<string, string> {
  const { data } = error as { data?: { fields?: string[] } };
  if (codeOf(error) === 'DUPLICATE')
    return Object.fromEntries(
      (data?.fields ?? []).map((name) => [name, messages.duplicate[name] ?? messages.otherwise.duplicate]),
    );
  // The notice shows its reason.
  if (codeOf(error) === 'IMAGE_NOT_FETCHED')
    return { imageUrl: messages.invalid['imageUrl'] ?? messages.otherwise.invalid };
  if (codeOf(error) === 'BAD_REQUEST')
    return Object.fromEntries(
      wrongFields(error).map((name) => [name, messages.invalid[name] ?? messages.otherwise.invalid]),
    );
  return {};
}

/** Data of a VERSION_CONFLICT: the record as it is now, and who changed it. */
export interface Conflict {
  version: number;
  current: Record<string, unknown>;
  by?: string | null;
  at?: string | null;
  /** No person changed it: the payment provider reported a change. */
  byProvider?: boolean;
  deleted?: boolean;
}
export const conflictOf = (error: unknown): Conflict | null =>
  codeOf(error) === 'VERSION_CONFLICT' ? (error as { data: Conflict }).data : null;
