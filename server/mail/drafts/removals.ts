import type { RemovalRule } from '#contract/domains/forum.ts';
import type { removalTexts } from '../texts/removals.ts';

/** Data of mails to authors of removed texts. */
export interface RemovalMails {
  /** Contains a copy of the text. `appealUntil`: deadline of an appeal (ISO 8601). */
  textRemoved: {
    title: string;
    content: string;
    rule: RemovalRule;
    reason: string;
    path: string;
    appealUntil: string;
  };
  /** For a text that was reviewed before publication and rejected. */
  textDeclined: RemovalMails['textRemoved'];
  /**
   * `decidedAlone`: by who removed the text. `unseen`: the text was declined in a review, and never public. Both are absent in mails
   * that an earlier version queued.
   */
  appealAnswered: {
    title: string;
    outcome: 'upheld' | 'reversed';
    answer: string;
    decidedAlone?: boolean;
    unseen?: boolean;
    path: string;
  };
}

interface Days {
  day: (moment: string) => string;
}
type RemovalTexts = (typeof removalTexts)['es'] & { deliverables: Days };

/** With the time: a date alone would include the rest of that day. */
const deadline = (moment: string, { day }: Days): string => `${day(moment)}, ${moment.slice(11, 16)} (UTC)`;

export const removalDrafts = {
  textRemoved: (
    { title, content, rule, reason, path, appealUntil }: RemovalMails['textRemoved'],
    { textRemoved, removalRule, deliverables }: RemovalTexts,
  ) => ({
    subject: textRemoved.subject(title),
    body: textRemoved.body(removalRule[rule], reason, deadline(appealUntil, deliverables)),
    quote: { label: textRemoved.copy, text: content },
    link: { path, label: textRemoved.button },
  }),
  textDeclined: (
    { title, content, rule, reason, path, appealUntil }: RemovalMails['textDeclined'],
    { textRemoved, textDeclined, removalRule, deliverables }: RemovalTexts,
  ) => ({
    subject: textDeclined.subject(title),
    body: textDeclined.body(removalRule[rule], reason, deadline(appealUntil, deliverables)),
    quote: { label: textRemoved.copy, text: content },
    link: { path, label: textRemoved.button },
  }),
  appealAnswered: (
    { title, outcome, answer, decidedAlone = false, unseen = false, path }: RemovalMails['appealAnswered'],
    { appealAnswered }: RemovalTexts,
  ) => ({
    subject: appealAnswered.subject(title),
    body: `${appealAnswered.decidedBy(decidedAlone, unseen)} ${appealAnswered[outcome](unseen)}`,
    quote: { label: appealAnswered.answer, text: answer },
    link: { path, label: appealAnswered.button },
  }),
};
