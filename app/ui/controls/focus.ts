/**
 * Preserves the focus of keyboard and screen reader users. A browser drops the focus when the focused element is removed; here it
 * moves to the nearest one instead, and a dialog returns it although its opener was removed.
 */

/** An element, and once that is removed, its successor. */
interface Followed {
  element: HTMLElement | null;
}

const TABBABLE =
  'a[href], button:not(:disabled), input:not(:disabled, [type=hidden]), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]:not([tabindex="-1"])';
/** They trap the focus and restore it when they close. */
const LAYER = '[role=dialog], [role=alertdialog], [role=menu], dialog';
/** Repeated elements, such as items and rows. */
const ITEM = 'li, tr, article';

const followed = new Set<Followed>();
const openers = new WeakMap<Element, Followed>();
const last: Followed = { element: null };
let observer: MutationObserver | null = null;

const tabbable = (within: Element): HTMLElement[] =>
  [...within.querySelectorAll<HTMLElement>(TABBABLE)].filter((one) => one.checkVisibility() && !one.closest('[inert]'));

/** Active while the page is open; call once per document. */
export function keepFocus(): () => void {
  const note = (event: FocusEvent) => {
    last.element = event.target as HTMLElement;
  };
  last.element = document.activeElement as HTMLElement | null;
  document.addEventListener('focusin', note);
  followed.add(last);
  observer = new MutationObserver(onRemoved);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', note);
    followed.delete(last);
    observer?.disconnect();
    observer = null;
  };
}

function onRemoved(records: MutationRecord[]): void {
  for (const one of followed) {
    const gone = one.element;
    if (!gone || gone.isConnected) continue;
    for (const record of records) {
      const removed = [...record.removedNodes].find((node) => node.contains(gone)) as Element | undefined;
      if (!removed || !record.target.isConnected) continue;
      const layer = gone.closest(LAYER);
      if (layer) one.element = openers.get(layer)?.element ?? null;
      else one.element = successor(gone, removed, record);
      break;
    }
    // A layer restores the focus itself.
    const dropped = one === last && !gone.closest(LAYER) && document.activeElement === document.body;
    if (dropped && one.element?.isConnected) one.element.focus({ preventScroll: true });
  }
}

/** The same control of the next or previous row; else the nearest focusable element, unless its region is focusable. */
function successor(gone: Element, removed: Element, { target, nextSibling, previousSibling }: MutationRecord) {
  if (removed.matches(ITEM)) {
    // A region with tabindex -1 exists for that purpose.
    const region = (target as Element).closest<HTMLElement>('[tabindex]');
    if (region?.tabIndex === -1 && region.id !== 'content') return region;
    const index = [...removed.querySelectorAll(TABBABLE)].indexOf(gone);
    for (const twin of [nextSibling, previousSibling]) {
      if (!(twin instanceof Element) || !twin.isConnected || twin.tagName !== removed.tagName) continue;
      const all = tabbable(twin);
      const same = all[Math.min(Math.max(0, index), all.length - 1)];
      if (same) return same;
    }
    return region;
  }
  return nearest(target as Element, nextSibling);
}

function nearest(inside: Element, before: Node | null): HTMLElement | null {
  let mark = before?.isConnected ? before : null;
  for (let place: Element | null = inside; place && place !== document.body; place = place.parentElement) {
    if (place.hasAttribute('tabindex')) return place as HTMLElement;
    const all = tabbable(place);
    const after = mark
      ? all.find((one) => one === mark || (mark?.compareDocumentPosition(one) ?? 0) & Node.DOCUMENT_POSITION_FOLLOWING)
      : undefined;
    const found = after ?? all.at(-1);
    if (found) return found;
    mark = place;
  }
  return null;
}

/** Stores the focused element when a dialog opens; for a menu, which closes on selection, the button that opened it. */
export function opened(dialog: Element): void {
  onRemoved(observer?.takeRecords() ?? []);
  const { activeElement } = document;
  const menu = activeElement?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const from = menu ? document.getElementById(menu) : activeElement === document.body ? last.element : activeElement;
  const opener: Followed = { element: from as HTMLElement | null };
  openers.set(dialog, opener);
  followed.add(opener);
}

/**
 * Restores the focus: to the opener, to its successor, or to the content of the page.
 *
 * @param given the opener of a dialog whose own field took the focus before `opened` could note it.
 */
export function closed(dialog: Element, given?: HTMLElement | null): void {
  onRemoved(observer?.takeRecords() ?? []);
  const opener: Followed | undefined = openers.get(dialog) ?? (given ? { element: given } : undefined);
  if (!opener) return;
  followed.delete(opener);
  const to = opener.element;
  // Another dialog has replaced this one.
  const layer = document.activeElement?.closest(LAYER);
  if (layer && !layer.contains(to)) return;
  if (to?.isConnected) {
    to.focus({ preventScroll: true });
    if (document.activeElement === to) return;
    // The opener is no longer focusable: the nearest element is.
    if (to.parentElement) nearest(to.parentElement, to)?.focus({ preventScroll: true });
  } else document.getElementById('content')?.focus({ preventScroll: true });
}
