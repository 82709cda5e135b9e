import { toast } from 'sonner';
import { Quoted } from '../i18n/Quoted.tsx';
import type { Kind, Notice } from './notify.ts';

/** Shows a notice; for `notify` only, which loads it on demand. */
export function showNotice(kind: Kind, { title, text, undo }: Notice): void {
  toast[kind](<Quoted>{title}</Quoted>, {
    description: text && <Quoted>{text}</Quoted>,
    ...(undo ? { action: { label: undo.label, onClick: () => void undo.run() } } : {}),
  });
}
