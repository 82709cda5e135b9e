import { toast } from 'sonner';
import type { Kind, Notice } from './notify.ts';

/** Puts a notice on screen; for `notify` only, which loads it when there is one. */
export function showNotice(kind: Kind, { title, text, undo }: Notice): void {
  toast[kind](title, {
    description: text,
    ...(undo ? { action: { label: undo.label, onClick: () => void undo.run() } } : {}),
  });
}
