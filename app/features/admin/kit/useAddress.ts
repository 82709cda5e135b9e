import { useEffect, useSyncExternalStore } from 'react';
import { useLocation, useSearchParams } from 'react-router';

/** What to change: null and '' take a name out. */
type Change = Record<string, string | number | null>;

interface Pending {
  pathname: string;
  parameters: URLSearchParams;
  /** What was set shortly before: the address may still come by there. */
  earlier: ReadonlySet<string>;
}

/** What was set and the address does not show yet; of all parts of the screen together. */
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
    // Nobody shows it any more: the next screen begins with its address.
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
 * What a screen keeps behind the '?' of its address. A navigation takes a moment, so `parameters` hold what was set at once:
 * a control shows the choice as it is made (a radio button that still shows the old one could not be chosen back), and a
 * second change begins with the first, whichever part of the screen made it.
 */
export function useAddress() {
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
    // It has arrived, or somebody else led elsewhere.
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
    /** Everything else goes. */
    reset: (change: Change) => go(changed(undefined, change)),
    /** A link to what `set` would lead to. */
    href: (change: Change) => `?${changed(parameters, change)}`,
  };
}
