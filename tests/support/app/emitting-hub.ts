import type { LiveEvent } from '#contract/live.ts';
import type { LiveHub } from '#server/live/hub.ts';

/** A hub without a database, for live streams that no session ends. @returns `emit` passes an event to the listener of the streams. */
export function emittingHub(): { hub: LiveHub; emit: (event: LiveEvent) => void } {
  let listener: (event: LiveEvent) => void = () => {};
  const hub = {
    changedAt: {},
    onEvent(added: typeof listener) {
      listener = added;
    },
    onEnded() {},
    onResync() {},
  } as unknown as LiveHub;
  return { hub, emit: (event) => listener(event) };
}
