import { toast } from 'sonner';
import { isEnglish } from './messages/english.ts';
import type { Kind, Notice } from './notify.ts';

/** On a phone a dialog stands at the lower edge, where its buttons are: what went wrong in it keeps clear of them. */
const placeOf = (kind: Kind) =>
  kind === 'error' && matchMedia('(width < 30rem)').matches && document.querySelector('.dialog')
    ? ('top-center' as const)
    : undefined;
let place: ReturnType<typeof placeOf>;

/** With its own language where that is not the page's. */
const said = (words: string) => (isEnglish(words) ? <span lang="en">{words}</span> : words);

/** Puts a notice on screen; for `notify` only, which loads it when there is one. */
export function showNotice(kind: Kind, { title, text }: Notice): void {
  const before = place;
  place = placeOf(kind);
  // Only those of one place hide each other.
  if (place !== before) toast.dismiss();
  toast[kind](said(title), { description: text && said(text), ...(place ? { position: place } : {}) });
}
