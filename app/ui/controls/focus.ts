/**
 * Where the keyboard and the screen reader are. A browser drops the focus when what has it is removed; here it goes to
 * what stands nearest instead, and a dialog finds its way back although its opener is gone.
 */

/** An element, and once that is removed, what took its place. */
interface Followed {
  element: HTMLElement | null;
}

const TABBABLE =
  'a[href], button:not(:disabled), input:not(:disabled, [type=hidden]), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]:not([tabindex="-1"])';
/** They have the focus to themselves and give it back when they close. */
const LAYER = '[role=dialog], [role=alertdialog], [role=menu], dialog';
/** One of many of its kind. */
const ITEM = 'li, tr, article';

const followed = new Set<Followed>();
const openers = new WeakMap<Element, Followed>();
const last: Followed = { element: null };
let observer: MutationObserver | null = null;

const tabbable = (within: Element): HTMLElement[] =>
  [...within.querySelectorAll<HTMLElement>(TABBABLE)].filter((one) => one.checkVisibility() && !one.closest('[inert]'));

/** For as long as the page is open; once per document. */
export function keepFocus(): () => void {
  const note = (event: FocusEvent) => {
    last.element = event.target as HTMLElement;
  };
  last.element = document.activeElement as HTMLElement | null;
  document.addEventListener('focusin', note);
  followed.add(last);
  observer = new MutationObserver(heed);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', note);
    followed.delete(last);
    observer?.disconnect();
    observer = null;
  };
}

function heed(records: MutationRecord[]): void {
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
    // A layer sees to it by itself.
    const dropped = one === last && !gone.closest(LAYER) && document.activeElement === document.body;
    if (dropped && one.element?.isConnected) one.element.focus({ preventScroll: true });
  }
}

/** The same control of the next row, or of the one before; else what is nearest, unless its region can have the focus. */
function successor(gone: Element, removed: Element, { target, nextSibling, previousSibling }: MutationRecord) {
  if (removed.matches(ITEM)) {
    // A region that only a script can give the focus to is there for that.
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

/** What had the focus when a dialog opened; in a menu, which closes with the choice, the button that opened it. */
export function opened(dialog: Element): void {
  heed(observer?.takeRecords() ?? []);
  const { activeElement } = document;
  const menu = activeElement?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const from = menu ? document.getElementById(menu) : activeElement === document.body ? last.element : activeElement;
  const opener: Followed = { element: from as HTMLElement | null };
  openers.set(dialog, opener);
  followed.add(opener);
}

/** Gives the focus back: to the opener, to what stands in its place, or to the content of the page. */
export function closed(dialog: Element): void {
  heed(observer?.takeRecords() ?? []);
  const opener = openers.get(dialog);
  if (!opener) return;
  followed.delete(opener);
  const to = opener.element;
  // Another dialog took this one's place.
  const layer = document.activeElement?.closest(LAYER);
  if (layer && !layer.contains(to)) return;
  if (to?.isConnected) {
    to.focus({ preventScroll: true });
    if (document.activeElement === to) return;
    // It can't have it any longer: what is beside it can.
    if (to.parentElement) nearest(to.parentElement, to)?.focus({ preventScroll: true });
  } else document.getElementById('content')?.focus({ preventScroll: true });
}
