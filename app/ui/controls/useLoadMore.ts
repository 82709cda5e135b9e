import { useEffect, useRef } from 'react';

/**
 * After 'show more' moves the focus to the first new item: to its link, or to itself.
 *
 * @param count number of items shown
 * @param busy true while more are loading
 * @param items selector of the items within the list
 * @param fetchMore loads the next items
 * @returns `list` for the element around them, `button` for the "more" button.
 */
export function useLoadMore<E extends HTMLElement>(
  count: number,
  busy: boolean,
  items: string,
  fetchMore: () => unknown,
) {
  const list = useRef<E>(null);
  const from = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when items were added, and when loading ended without any.
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
