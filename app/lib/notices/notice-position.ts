/** Elements that a user may want to press while a notice is shown. */
const PRESSABLE = ':is(a[href], button, input, select, textarea, summary):not(:disabled)';
/** The action that a screen or form is about. */
const PRIMARY = '.btn-primary, .btn-danger, [type="submit"]';
/** A covered primary action outweighs a row of links. */
const PRIMARY_WEIGHT = 10;
/** The page below a notice moves, changes and is replaced. Milliseconds between two checks. */
const CHECK_MS = 200;
/** A change that is reported moves the page for a while. Milliseconds. */
const SETTLES_MS = 1_000;
/** Height of the site's header, below which notices at the upper edge are shown (overlays.css). CSS pixels. */
const HEADER = 72;
/** Largest distance of a notice from the lower edge. CSS pixels. */
const MARGIN = 24;

type Edge = 'top' | 'bottom';
let timer: ReturnType<typeof setInterval> | undefined;
/** When the newest notice was requested. Milliseconds since the page was opened, as `performance.now`. */
let shownAt = 0;

/** Weight of what a notice of this size would cover at an edge of the window; 0: nothing that can be pressed. */
function covered(notice: HTMLElement, edge: Edge): number {
  const { left, right } = notice.getBoundingClientRect();
  const height = notice.offsetHeight;
  const top = edge === 'top' ? HEADER : innerHeight - MARGIN - height;
  const bottom = edge === 'top' ? HEADER + height : innerHeight;
  let weight = 0;
  for (const one of document.querySelectorAll<HTMLElement>(PRESSABLE)) {
    const box = one.getBoundingClientRect();
    if (box.left >= right || box.right <= left || box.top >= bottom || box.bottom <= top) continue;
    if (one.closest('[data-sonner-toaster], header') || !one.checkVisibility({ visibilityProperty: true })) continue;
    weight += one.matches(PRIMARY) ? PRIMARY_WEIGHT : 1;
  }
  return weight;
}

const settling = () => performance.now() - shownAt < SETTLES_MS;

function place(): void {
  const notice = document.querySelector<HTMLElement>('[data-sonner-toast][data-visible="true"]');
  const { dataset } = document.body;
  if (!notice) {
    if (settling() || document.querySelector('[data-sonner-toast]')) return;
    clearInterval(timer);
    timer = undefined;
    delete dataset['notices'];
    return;
  }
  const now: Edge = dataset['notices'] === 'top' ? 'top' : 'bottom';
  const [other]: Edge[] = now === 'top' ? ['bottom'] : ['top'];
  const weight = covered(notice, now);
  // A notice that is being read moves for a primary action only.
  if (weight === 0 || (weight < PRIMARY_WEIGHT && !settling())) return;
  if (!other || covered(notice, other) >= weight) return;
  if (other === 'top') dataset['notices'] = 'top';
  else delete dataset['notices'];
}

/**
 * Shows the newest notice at the edge of the window where it covers less of what can be pressed, as long as notices are shown. To be
 * called with each notice. Above an open dialog notices are always at the upper edge (overlays.css).
 */
export function positionNotices(): void {
  shownAt = performance.now();
  // After the notice is in the document.
  requestAnimationFrame(place);
  timer ??= setInterval(place, CHECK_MS);
}
