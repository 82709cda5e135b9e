import { useEffect, useRef } from 'react';

/**
 * After 'show more' the focus goes to the first of what came: to its link, or to itself.
 *
 * @param count of what is shown
 * @param busy while more is on its way
 * @param items selects them within the list
 * @param fetchMore loads the next items
 * @returns `list` for the element around them, `button` for the "more" button.
 */
export function useMore<E extends HTMLElement>(count: number, busy: boolean, items: string, fetchMore: () => unknown) {
  const list = useRef<E>(null);
  const from = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what counts is when it came, and when it did not.
  useEffect(() => {
    if (from.current === null || busy) return;
    // Items that a narrow screen hides can't be focused.
    const added = [...(list.current?.querySelectorAll<HTMLElement>(items) ?? [])].slice(from.current);
    const item = added.find((element) => element.offsetParent !== null);
    from.current = null;
    if (!item) return;
    const link = item.querySelector<HTMLElement>('a.stretched');
    if (!link) item.tabIndex = -1;
    (link ?? item).focus({ preventScroll: true });
  }, [count, busy]);
  return {
    list,
    button: {
      busy,
      onClick: () => {
        from.current = count;
        fetchMore();
      },
    },
  };
}
