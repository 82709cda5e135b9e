import { useRef, useState } from 'react';

/** Days for which words that were never sent are kept. */
const DAYS = 30;
const AT = 'at';

function read<T extends Record<string, string>>(name: string, blank: T): T {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(name) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return blank;
    const at = Number((stored as Record<string, unknown>)[AT]);
    if (!(Date.now() - at < DAYS * 86_400_000)) {
      localStorage.removeItem(name);
      return blank;
    }
    const fields = Object.keys(blank).map((key) => [key, (stored as Record<string, unknown>)[key]] as const);
    return fields.every(([, value]) => typeof value === 'string') ? (Object.fromEntries(fields) as T) : blank;
  } catch {
    return blank;
  }
}

/**
 * What somebody is typing, kept in this browser until it is sent, they sign out, or 30 days are over: it outlives failures, a
 * closed tab and an ended session. Give the name the member's id, so that nobody is shown another's words. Use it in components
 * that only the browser renders.
 */
export function useDraft<T extends Record<string, string>>(
  name: string,
  blank: T,
): [T, (next: T | ((now: T) => T)) => void] {
  const [draft, setDraft] = useState(() => read(name, blank));
  /** What an upload adds when it is done goes to the words of then, not to those of its beginning. */
  const newest = useRef(draft);
  return [
    draft,
    (change) => {
      const next = typeof change === 'function' ? change(newest.current) : change;
      newest.current = next;
      setDraft(next);
      try {
        if (Object.keys(blank).every((key) => next[key] === blank[key])) localStorage.removeItem(name);
        else localStorage.setItem(name, JSON.stringify({ ...next, [AT]: String(Date.now()) }));
      } catch {
        // Storage can be full or denied: the words are still on screen.
      }
    },
  ];
}
