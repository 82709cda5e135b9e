import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Whether this browser keeps a list; the code that reads it is loaded only then. */
function keepsList(): boolean {
  try {
    return localStorage.getItem('florka.saved') !== null;
  } catch {
    return false;
  }
}

/**
 * Moves what a visitor saved to the account as soon as somebody is signed in, on whatever page and in whatever way. What
 * could not be moved stays in the browser for the next page that is opened.
 */
export function useMergeSaved(memberId: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (memberId && keepsList())
      void import('./merge-saved.ts').then(({ mergeSaved }) => mergeSaved(queries)).catch(() => {});
  }, [memberId, queries]);
}
