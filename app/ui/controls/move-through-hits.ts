import type { KeyboardEvent } from 'react';

/** Marks the stops of the arrow keys: the search box and every result, in document order. */
export const HIT_ATTRIBUTE = { 'data-hit': '' } as const;

/**
 * Moves the focus between the search box and the results with the arrow keys; Home and End move within the box while it has the focus.
 */
export function moveThroughHits(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const stops = [...currentTarget.querySelectorAll<HTMLElement>('[data-hit]')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  const inBox = stops[at]?.tagName === 'INPUT';
  const to =
    key === 'ArrowDown'
      ? Math.min(at + 1, stops.length - 1)
      : key === 'ArrowUp'
        ? Math.max(at - 1, 0)
        : key === 'Home' && !inBox
          ? 0
          : key === 'End' && !inBox
            ? stops.length - 1
            : at;
  if (to === at) return;
  event.preventDefault();
  stops[to]?.focus();
}
