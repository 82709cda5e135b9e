import type { KeyboardEvent } from 'react';

/** Marks what the arrow keys stop at: the box and every result, in the order of the document. */
export const HIT_ATTRIBUTE = { 'data-hit': '' } as const;

/** Moves the focus through the box and the results with the arrow keys; Home and End belong to the box while it has the focus. */
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
