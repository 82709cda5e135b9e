// Mails to staff about their work: data and content.
import type { InboxSource } from '#contract/admin/inbox.ts';
import type { MailTexts } from './texts.ts';

/** A figure of a week, and of the week before. */
interface Both {
  now: number;
  before: number;
}

export interface StaffMailData {
  /** Overdue items of the inbox; `more` is the number of items that are not listed. */
  staffOverdue: { items: { source: InboxSource; title: string; hours: number }[]; more: number; path: string };
  /** The provider returned money of a refund that the recipient had claimed. `amount` with its coin's code. */
  staffRefundHalted: { number: string; amount: string; path: string };
  /** Figures of a week (ISO 8601 dates), each with that of the week before. */
  weeklyReport: {
    from: string;
    to: string;
    /** Page views, and those of them with an external referrer. */
    views: Both;
    arrivals: Both;
    signUps: Both;
    votes: Both;
    posts: Both;
    orders: Both;
    revenueUsd: Both;
    overdue: number;
    path: string;
  };
}

interface StaffDraft {
  subject: string;
  body: string;
  lines: string[];
  link: { path: string; label: string };
}

export const staffDrafts = {
  staffOverdue: ({ items, more, path }: StaffMailData['staffOverdue'], { staffOverdue }: MailTexts): StaffDraft => ({
    subject: staffOverdue.subject(items.length + more),
    body: staffOverdue.body,
    lines: [
      ...items.map(({ source, title, hours }) => staffOverdue.line(staffOverdue.sources[source], title, hours)),
      ...(more > 0 ? [staffOverdue.more(more)] : []),
    ],
    link: { path, label: staffOverdue.button },
  }),
  staffRefundHalted: (
    { number, amount, path }: StaffMailData['staffRefundHalted'],
    { staffRefundHalted }: MailTexts,
  ): StaffDraft => ({
    subject: staffRefundHalted.subject(number),
    body: staffRefundHalted.body(number, amount),
    lines: staffRefundHalted.lines,
    link: { path, label: staffRefundHalted.button },
  }),
  weeklyReport: (
    { from, to, overdue, path, ...figures }: StaffMailData['weeklyReport'],
    { weeklyReport }: MailTexts,
  ): StaffDraft => ({
    subject: weeklyReport.subject(from.slice(0, 10), to.slice(0, 10)),
    body: weeklyReport.body,
    lines: [
      ...(['views', 'arrivals', 'signUps', 'votes', 'posts', 'orders', 'revenueUsd'] as const).map((name) =>
        weeklyReport.line(weeklyReport.figures[name], figures[name].now, figures[name].before),
      ),
      weeklyReport.overdue(overdue),
    ],
    link: { path, label: weeklyReport.button },
  }),
};
