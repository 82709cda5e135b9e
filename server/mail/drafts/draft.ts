// What the drafts of all topics share.
import type { MailTexts } from '../texts.ts';

/** A text, or one that links to a path on the site. */
export type Line = string | { text: string; path: string };

export interface Draft {
  subject: string;
  body: string;
  /** Displayed large, to be typed elsewhere. */
  code?: string;
  /** Text written by a person, with its line breaks, below a heading. */
  quote?: { label: string; text: string };
  /** Further lines, each a paragraph. */
  lines?: Line[];
  link?: { path: string; label: string };
  /** True for mails that are only sent at the request of the recipient. */
  ignorable?: boolean;
  unsubscribePath?: string;
  /** What the unsubscribe link ends; by default mails about one token. */
  unsubscribeLabel?: string;
}

/** The part of the site's configuration that mails depend on. */
export interface MailSite {
  /** The support mailbox; null when there is none, and then no mail asks for a message to the team. */
  supportEmail: string | null;
}

/** A link with an expiry (ISO 8601); the mail is not sent after it. */
export interface EndingLink {
  path: string;
  until: string;
}

/** The subject, with the mark of the payment simulation if the order was paid in it. */
export const markedSubject = (subject: string, simulation: boolean, order: MailTexts['order']): string =>
  simulation ? `[${order.simulation}] ${subject}` : subject;
