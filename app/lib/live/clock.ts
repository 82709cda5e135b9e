import { useEffect, useState, useSyncExternalStore } from 'react';

let offset = 0;

/** The server's clock, sent by the live stream; clocks of devices are often wrong. */
export const serverClock = {
  set(iso: string): void {
    offset = Date.parse(iso) - Date.now();
  },
  now: (): number => Date.now() + offset,
};

/**
 * The time of the server's clock, in milliseconds, updated periodically.
 * @param rendered the server's time in the data: the first render must equal the server's.
 * @param every update interval in milliseconds.
 */
export function useNow(rendered: string, every = 1_000): number {
  const [now, setNow] = useState(() => Date.parse(rendered));
  useEffect(() => {
    const tick = () => setNow(serverClock.now());
    tick();
    const timer = setInterval(tick, every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

const nothing = () => () => {};
/** False on the server and in the first render of the browser, true afterwards. */
export const useMounted = (): boolean =>
  useSyncExternalStore(
    nothing,
    () => true,
    () => false,
  );
