import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Moves the children of a list to their new place when their order changes (a FLIP: they are put where they were and
 * let go). Put the ref on the list and `data-flip={key}` on each child. Still under reduced motion.
 */
export function useFlip<T extends HTMLElement>(keys: readonly string[]): RefObject<T | null> {
  const list = useRef<T>(null);
  const places = useRef(new Map<string, { x: number; y: number }>());
  const order = keys.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the order is what moves the rows.
  useLayoutEffect(() => {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const before = places.current;
    const now = new Map<string, { x: number; y: number }>();
    for (const child of list.current?.children ?? []) {
      if (!(child instanceof HTMLElement)) continue;
      const key = child.dataset['flip'];
      if (key === undefined) continue;
      const place = { x: child.offsetLeft, y: child.offsetTop };
      now.set(key, place);
      const old = before.get(key);
      if (still || !old || (old.x === place.x && old.y === place.y)) continue;
      child.animate([{ transform: `translate(${old.x - place.x}px, ${old.y - place.y}px)` }, { transform: 'none' }], {
        duration: 220,
        easing: 'cubic-bezier(0.2, 0.8, 0.3, 1)',
      });
    }
    places.current = now;
  }, [order]);
  return list;
}
