import { useSyncExternalStore } from 'react';
import { useLocation, useSearchParams } from 'react-router';

/** What to change: null and '' take a name out. */
type Change = Record<string, string | number | null>;

/** The newest parameters that were set at an entry of the history, until the address has followed. */
let pending: { key: string; parameters: URLSearchParams } | undefined;
const subscribers = new Set<() => void>();

function setPending(next: typeof pending): void {
  pending = next;
  for (const notify of subscribers) notify();
}

function subscribe(onChange: () => void): () => void {
  subscribers.add(onChange);
  return () => subscribers.delete(onChange);
}

function changed(from: URLSearchParams | undefined, change: Change): URLSearchParams {
  const next = new URLSearchParams(from);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === '') next.delete(name);
    else next.set(name, String(value));
  }
  return next;
}

/**
 * What a screen keeps behind the '?' of its address. A navigation takes a moment, so `parameters` hold what was set at once:
 * a control shows the choice as it is made (a radio button that still shows the old one could not be chosen back), and a
 * second change begins with the first, whichever part of the screen made it.
 */
export function useAddress() {
  const { key } = useLocation();
  const [inAddress, setInAddress] = useSearchParams();
  const ahead = useSyncExternalStore(
    subscribe,
    () => pending,
    () => undefined,
  );
  const parameters = ahead?.key === key ? ahead.parameters : inAddress;
  const latest = () => (pending?.key === key ? pending.parameters : inAddress);
  function go(next: URLSearchParams): void {
    setPending({ key, parameters: next });
    setInAddress(next, { replace: true, preventScrollReset: true });
  }
  return {
    parameters,
    set: (change: Change) => go(changed(latest(), change)),
    /** Everything else goes. */
    reset: (change: Change) => go(changed(undefined, change)),
    /** A link to what `set` would lead to. */
    href: (change: Change) => `?${changed(parameters, change)}`,
  };
}
