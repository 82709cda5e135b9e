import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** Days for which unsent text is stored. */
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

/** Removes a stored draft that was sent or discarded where `useDraft` is about to leave the screen. */
export function removeDraft(name: string): void {
  try {
    localStorage.removeItem(name);
  } catch {
    // Storage can be denied.
  }
}

/**
 * A draft, stored in this browser until it is sent, the user signs out, or 30 days are over: it survives failures, a closed tab and an
 * ended session. A draft that another tab sent is cleared here, unless it was changed here. Include the member's id in the name, so that
 * nobody is shown another's text. Use it in components that only the browser renders.
 */
export function useDraft<T extends Record<string, string>>(
  name: string,
  blank: T,
): [T, (next: T | ((now: T) => T)) => void] {
  const [draft, setDraft] = useState(() => read(name, blank));
  /** An upload that ends is added to the current draft, not to that of its start. */
  const newest = useRef(draft);
  const changedHere = useRef(false);
  // Sent or discarded in another tab: an unchanged copy of it would be sent twice.
  const onRemoved = useEffectEvent(({ key, newValue }: StorageEvent) => {
    if (key !== name || newValue !== null || changedHere.current) return;
    newest.current = blank;
    setDraft(blank);
  });
  useEffect(() => {
    const listener = (event: StorageEvent) => onRemoved(event);
    addEventListener('storage', listener);
    return () => removeEventListener('storage', listener);
  }, []);
  return [
    draft,
    (change) => {
      changedHere.current = true;
      const next = typeof change === 'function' ? change(newest.current) : change;
      newest.current = next;
      setDraft(next);
      try {
        if (Object.keys(blank).every((key) => next[key] === blank[key])) localStorage.removeItem(name);
        else localStorage.setItem(name, JSON.stringify({ ...next, [AT]: String(Date.now()) }));
      } catch {
        // Storage can be full or denied: the text is still on screen.
      }
    },
  ];
}
