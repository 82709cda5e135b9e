import type { SavedRef } from '#contract/domains/saved.ts';

const KEY = 'florka.saved';
export const EMPTY: SavedRef[] = [];
const listeners = new Set<() => void>();
let memory: { raw: string | null; refs: SavedRef[] } = { raw: null, refs: EMPTY };

/** The saved list of a visitor in this browser. Damaged or denied storage counts as empty. */
export function localRefs(): SavedRef[] {
  let raw: string | null = null;
  try {
    raw = localStorage.getItem(KEY);
    // The same text returns the same array, as React's external stores require.
    if (raw !== memory.raw) memory = { raw, refs: raw ? (JSON.parse(raw) as SavedRef[]) : EMPTY };
  } catch {
    memory = { raw, refs: EMPTY };
  }
  return memory.refs;
}

export function writeLocal(refs: SavedRef[]): void {
  try {
    if (refs.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(refs));
  } catch {
    memory = { raw: memory.raw, refs };
  }
  for (const listener of listeners) listener();
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
