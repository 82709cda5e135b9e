import { toast } from 'sonner';
import type { Kind, Notice } from './notify.ts';

/** On a phone a dialog stands at the lower edge, where its buttons are: what went wrong in it keeps clear of them. */
const placeOf = (kind: Kind) =>
  kind === 'error' && matchMedia('(width < 30rem)').matches && document.querySelector('.dialog')
    ? ('top-center' as const)
    : undefined;
let place: ReturnType<typeof placeOf>;

/** Puts a notice on screen; for `notify` only, which loads it when there is one. */
export function showNotice(kind: Kind, { title, text }: Notice): void {
  const before = place;
  place = placeOf(kind);
  // Only those of one place hide each other.
  if (place !== before) toast.dismiss();
  toast[kind](title, { description: text, ...(place ? { position: place } : {}) });
}
