import { type RefObject, useLayoutEffect, useRef } from 'react';

interface Place {
  x: number;
  y: number;
}

/**
 * Animates the children of a list to their new position when their order changes (FLIP: First, Last, Invert, Play). Put the ref on the
 * list and `data-flip={key}` on each child. No animation under reduced motion.
 */
export function useFlip<T extends HTMLElement>(keys: readonly string[]): RefObject<T | null> {
  const list = useRef<T>(null);
  const places = useRef(new Map<string, Place>());
  const order = keys.join('\n');

  // A resize or a row that grew moves the rows too; that is no change of order, so only the new positions are stored.
  useLayoutEffect(() => {
    if (!list.current) return;
    const watch = new ResizeObserver(() => {
      places.current = placesOf(list.current);
    });
    watch.observe(list.current);
    return () => watch.disconnect();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the order is what moves the rows.
  useLayoutEffect(() => {
    const before = places.current;
    places.current = placesOf(list.current);
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    for (const child of rowsOf(list.current)) {
      const key = child.dataset['flip'] ?? '';
      const old = before.get(key);
      const now = places.current.get(key);
      if (!old || !now || (old.x === now.x && old.y === now.y)) continue;
      // A row that is still being animated continues from its visible position.
      const running = child.getAnimations().length > 0 ? new DOMMatrix(getComputedStyle(child).transform) : undefined;
      const x = old.x - now.x + (running?.e ?? 0);
      const y = old.y - now.y + (running?.f ?? 0);
      child.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], {
        duration: 220,
        easing: 'cubic-bezier(0.2, 0.8, 0.3, 1)',
      });
    }
  }, [order]);
  return list;
}

const rowsOf = (list: HTMLElement | null) =>
  Array.from(list?.children ?? []).filter(
    (child): child is HTMLElement => child instanceof HTMLElement && child.dataset['flip'] !== undefined,
  );

/** Layout positions of the rows, without running animations. */
const placesOf = (list: HTMLElement | null) =>
  new Map<string, Place>(
    rowsOf(list).map((row) => [row.dataset['flip'] ?? '', { x: row.offsetLeft, y: row.offsetTop }]),
  );
