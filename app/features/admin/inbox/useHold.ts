import { useEffect, useEffectEvent, useState } from 'react';
import type { InboxItem } from '#contract/admin/inbox.ts';

/** Keeps an item in the list while a dialog of it is open: input there must not be lost when a colleague settles the item. */
export function useHold(open: boolean, onHold: (held: boolean) => void): void {
  const hold = useEffectEvent(onHold);
  useEffect(() => {
    if (!open) return;
    hold(true);
    return () => hold(false);
  }, [open]);
}

/** The items of a list, and the held one after them when it is not among them any more. */
export function useHeld(items: InboxItem[]): { listed: InboxItem[]; hold: (item: InboxItem, held: boolean) => void } {
  const [held, setHeld] = useState<InboxItem | null>(null);
  const isListed = items.some(({ source, id }) => source === held?.source && id === held.id);
  return {
    listed: held && !isListed ? [...items, held] : items,
    hold: (item, isHeld) => setHeld(isHeld ? item : null),
  };
}
