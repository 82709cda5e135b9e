import { serverClock, useNow } from '#app/lib/clock.ts';
import type { Me } from '#contract/auth.ts';
import { EDIT_MINUTES } from '#contract/limits.ts';

/** Moderators and admins delete anything; the server checks again. */
export const isModerator = (me: Me | null | undefined): boolean => me?.role === 'moderator' || me?.isAdmin === true;

/** Whether what was written then may still be changed by its author; looks again every second. */
export function useEditable(createdAt: string): boolean {
  const now = useNow(new Date(serverClock.now()).toISOString());
  return now - Date.parse(createdAt) < EDIT_MINUTES * 60_000;
}
