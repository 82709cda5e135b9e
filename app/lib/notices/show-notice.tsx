import { toast } from 'sonner';
import { isEnglish } from '../messages/english.ts';
import type { Kind, Notice } from './notify.ts';

/** With its own language where that is not the page's. */
const withLanguage = (messages: string) => (isEnglish(messages) ? <span lang="en">{messages}</span> : messages);

/** Puts a notice on screen; for `notify` only, which loads it when there is one. */
export function showNotice(kind: Kind, { title, text, undo }: Notice): void {
  toast[kind](withLanguage(title), {
    description: text && withLanguage(text),
    ...(undo ? { action: { label: undo.label, onClick: () => void undo.run() } } : {}),
  });
}
