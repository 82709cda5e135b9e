import type { Notice } from './notify.ts';

/** Title and text of a notice; `texts` replace them after a lost response. */
export function textOf(
  { title, text, unanswered }: Notice,
  texts: { title: string; text: string },
): Pick<Notice, 'title' | 'text'> {
  if (unanswered) return { title: texts.title, text: unanswered === true ? texts.text : unanswered };
  return text === undefined ? { title } : { title, text };
}
