import { toast } from 'sonner';
import { useText } from '../i18n/i18n.tsx';
import { Quoted } from '../i18n/Quoted.tsx';
import { positionNotices } from './notice-position.ts';
import { textOf } from './notice-text.ts';
import type { Kind, Notice } from './notify.ts';

function NoticeText({ notice, part }: { notice: Notice; part: 'title' | 'text' }) {
  return <Quoted>{textOf(notice, useText().toast.unanswered)[part] ?? ''}</Quoted>;
}

/** Shows a notice; for `notify` only, which loads it on demand. */
export function showNotice(kind: Kind, notice: Notice): void {
  const { text, undo, unanswered } = notice;
  toast[kind](<NoticeText notice={notice} part="title" />, {
    description: (text || unanswered) && <NoticeText notice={notice} part="text" />,
    ...(undo ? { action: { label: undo.label, onClick: () => void undo.run() } } : {}),
  });
  positionNotices();
}
