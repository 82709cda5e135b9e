import { useEffect, useSyncExternalStore } from 'react';
import { useLocation, useSearchParams } from 'react-router';

/** Parameters to change: null and '' remove one. */
type Change = Record<string, string | number | null>;

interface Pending {
  pathname: string;
  parameters: URLSearchParams;
  /** Values that were set shortly before: the address may still pass through them. */
  earlier: ReadonlySet<string>;
}

/** Parameters that were set and that the address does not have yet; shared by all parts of the screen. */
let pending: Pending | undefined;
const subscribers = new Set<() => void>();

function setPending(next: Pending | undefined): void {
  pending = next;
  for (const notify of subscribers) notify();
}

function subscribe(onChange: () => void): () => void {
  subscribers.add(onChange);
  return () => {
    subscribers.delete(onChange);
    // No component uses it any more: the next screen starts from its address.
    if (subscribers.size === 0) pending = undefined;
  };
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
 * The query parameters of a screen. A navigation takes a moment, so `parameters` has what was set at once: a control shows the choice
 * immediately (a radio button that still shows the old one could not be switched back), and a second change builds on the first,
 * whichever part of the screen made it.
 */
export function useQueryParameters() {
  const { pathname, key } = useLocation();
  const [inAddress, setInAddress] = useSearchParams();
  const ahead = useSyncExternalStore(
    subscribe,
    () => pending,
    () => undefined,
  );
  const own = (one: Pending | undefined) => (one?.pathname === pathname ? one.parameters : undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each entry of the history counts, also one with the same address.
  useEffect(() => {
    if (!pending) return;
    const here = String(inAddress);
    const isOnTheWay = pending.pathname === pathname && pending.earlier.has(here);
    // The address has the pending parameters, or another navigation replaced them.
    if (here === String(pending.parameters) || !isOnTheWay) setPending(undefined);
  }, [key, pathname, inAddress]);

  function go(next: URLSearchParams): void {
    const before = own(pending);
    const earlier = new Set([String(inAddress), ...(before && pending ? pending.earlier : [])]);
    if (before) earlier.add(String(before));
    setPending({ pathname, parameters: next, earlier });
    setInAddress(next, { replace: true, preventScrollReset: true });
  }
  const parameters = own(ahead) ?? inAddress;
  const latest = () => own(pending) ?? inAddress;
  return {
    parameters,
    set: (change: Change) => go(changed(latest(), change)),
    /** Removes all other parameters. */
    reset: (change: Change) => go(changed(undefined, change)),
    /** The link that `set` would navigate to. */
    href: (change: Change) => `?${changed(parameters, change)}`,
  };
}
