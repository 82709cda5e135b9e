import { useEffect } from 'react';

/** The forms on the page with unsaved input. */
const unsaved = new Set<symbol>();
const listeners = new Set<() => void>();

/** True while there is unsaved input on the page. */
export const hasUnsavedInput = (): boolean => unsaved.size > 0;

/** Calls `listener` after each change of what `hasUnsavedInput` returns. */
export function onUnsavedInput(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Clears the unsaved state, since the user chose to discard it: the form stays on the page for a moment. */
export function discardUnsavedInput(): void {
  unsaved.clear();
  for (const listener of listeners) listener();
}

/**
 * While `dirty`, the user is asked before another page is opened (`LeaveGuard`), and warned before this one is closed or reloaded. For
 * every form of the back office; there can be several on a page.
 */
export function useLeaveGuard(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return;
    const form = Symbol('form');
    unsaved.add(form);
    for (const listener of listeners) listener();
    return () => {
      unsaved.delete(form);
      for (const listener of listeners) listener();
    };
  }, [dirty]);
}
