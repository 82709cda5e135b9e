/** The items of all loaded pages, each once, even when one moved between two pages meanwhile. */
export function itemsOf<T extends { id: string }>(pages: readonly { items: readonly T[] }[] | undefined): T[] {
  return [...new Map((pages ?? []).flatMap((page) => page.items).map((item) => [item.id, item])).values()];
}
