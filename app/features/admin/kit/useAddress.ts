import { useLocation, useSearchParams } from 'react-router';

/** What to change: null and '' take a name out. */
type Change = Record<string, string | number | null>;

/** What was asked for at a place in the history that the address has not left yet. */
let asked: { at: string; parameters: URLSearchParams } | undefined;

function changed(from: URLSearchParams | undefined, change: Change): URLSearchParams {
  const next = new URLSearchParams(from);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === '') next.delete(name);
    else next.set(name, String(value));
  }
  return next;
}

/**
 * What a screen keeps behind the '?' of its address. The address follows a change a moment later, so a second change begins
 * with what the first one asked for, whichever part of the screen that was.
 */
export function useAddress() {
  const { key } = useLocation();
  const [parameters, setParameters] = useSearchParams();
  function go(next: URLSearchParams): void {
    asked = { at: key, parameters: next };
    setParameters(next, { replace: true, preventScrollReset: true });
  }
  return {
    parameters,
    set: (change: Change) => go(changed(asked?.at === key ? asked.parameters : parameters, change)),
    /** Everything else goes. */
    reset: (change: Change) => go(changed(undefined, change)),
    /** A link to what `set` would lead to. */
    href: (change: Change) => `?${changed(parameters, change)}`,
  };
}
