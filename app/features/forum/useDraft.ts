import { useState } from 'react';

function read<T extends Record<string, string>>(name: string, blank: T): T {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(name) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return blank;
    const fields = Object.keys(blank).map((key) => [key, (kept as Record<string, unknown>)[key]] as const);
    return fields.every(([, value]) => typeof value === 'string') ? (Object.fromEntries(fields) as T) : blank;
  } catch {
    return blank;
  }
}

/**
 * What somebody is typing, kept in this tab until it is sent: it outlives failures, reloads and an ended session. Give the
 * name the member's id, so that nobody finds another's words. Use it in components that only the browser renders.
 */
export function useDraft<T extends Record<string, string>>(name: string, blank: T): [T, (next: T) => void] {
  const [draft, setDraft] = useState(() => read(name, blank));
  return [
    draft,
    (next) => {
      setDraft(next);
      try {
        if (Object.values(next).every((value) => value === '')) sessionStorage.removeItem(name);
        else sessionStorage.setItem(name, JSON.stringify(next));
      } catch {
        // Storage can be full or denied: the words are still on screen.
      }
    },
  ];
}
