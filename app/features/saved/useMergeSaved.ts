import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** True when this browser has a stored list; the code that reads it is loaded only then. */
function keepsList(): boolean {
  try {
    return localStorage.getItem('florka.saved') !== null;
  } catch {
    return false;
  }
}

/**
 * Moves a visitor's saved tokens to the account as soon as a user is signed in, on any page and by any method. On failure they stay in
 * the browser until the next page load.
 */
export function useMergeSaved(memberId: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (memberId && keepsList())
      void import('./merge-saved.ts').then(({ mergeSaved }) => mergeSaved(queries)).catch(() => {});
  }, [memberId, queries]);
}
