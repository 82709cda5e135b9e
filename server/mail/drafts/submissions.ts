// Mails to authors of submissions.
import type { MailTexts } from '../texts.ts';
import type { Draft } from './draft.ts';

export interface SubmissionMails {
  submissionReceived: { reference: string; path: string };
  /** `answer`: message from staff; empty for none. */
  submissionDecided: { reference: string; path: string; status: 'approved' | 'rejected'; answer: string };
}

export const submissionDrafts: {
  [T in keyof SubmissionMails]: (data: SubmissionMails[T], texts: MailTexts) => Draft;
} = {
  submissionReceived: ({ reference, path }, { submissionReceived }) => ({
    subject: submissionReceived.subject(reference),
    body: submissionReceived.body(reference),
    link: { path, label: submissionReceived.button },
    ignorable: true,
  }),
  submissionDecided: ({ reference, path, status, answer }, { submissionDecided, submissionReceived }) => ({
    subject: submissionDecided.subject[status](reference),
    body: submissionDecided[status](reference),
    ...(answer ? { quote: { label: submissionDecided.answer, text: answer } } : {}),
    link: { path, label: submissionReceived.button },
  }),
};
