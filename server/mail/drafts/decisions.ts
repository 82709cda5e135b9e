// Mails to members about decisions that have no mail of their own elsewhere.
import type { decisionTexts } from '../texts/decisions.ts';
import type { MailTexts } from '../texts.ts';
import type { Draft } from './draft.ts';

export type MailedDecision = keyof (typeof decisionTexts)['es']['decision'];

export interface DecisionMails {
  /** `title`: of the post or token; empty where there is none. */
  decision: { what: MailedDecision; title: string; path: string };
}

export const decisionDrafts: { [T in keyof DecisionMails]: (data: DecisionMails[T], texts: MailTexts) => Draft } = {
  decision: ({ what, title, path }, { decision }) => ({
    subject: decision[what].subject(title),
    body: decision[what].body(title),
    link: { path, label: decision[what].button },
  }),
};
