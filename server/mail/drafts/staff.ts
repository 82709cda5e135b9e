// Mails to staff about their work and their accounts.
import type { InboxSource } from '#contract/admin/inbox.ts';
import type { MailTexts } from '../texts.ts';
import type { Draft, EndingLink } from './draft.ts';

/** A figure of a week, and of the week before. */
interface Both {
  now: number;
  before: number;
}

/** What a staff member did to the account of another one. */
export type StaffAction =
  | 'updated'
  | 'confirmed'
  | 'banned'
  | 'unbanned'
  | 'sessions'
  | 'password'
  | 'removed'
  | 'role'
  | 'owner';

export interface StaffMailData {
  staffEmailAsked: EndingLink & { to: string };
  staffAct: { action: StaffAction; actor: string; target: string };
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

export const staffDrafts: { [T in keyof StaffMailData]: (data: StaffMailData[T], texts: MailTexts) => Draft } = {
  staffEmailAsked: ({ path, to }, { staffEmailAsked }) => ({
    subject: staffEmailAsked.subject,
    body: staffEmailAsked.body(to),
    link: { path, label: staffEmailAsked.button },
  }),
  staffAct: ({ action, actor, target }, { staffAct }) => ({
    subject: staffAct.subject(target),
    body: staffAct.body(actor, staffAct.actions[action], target, action === 'owner' ? 'owners' : 'both'),
  }),
  staffOverdue: ({ items, more, path }, { staffOverdue }) => ({
    subject: staffOverdue.subject(items.length + more),
    body: staffOverdue.body,
    lines: [
      ...items.map(({ source, title, hours }) => {
        const names: Readonly<Record<string, string>> =
          source === 'job' || source === 'chain' ? staffOverdue.titles[source] : {};
        return staffOverdue.line(staffOverdue.sources[source], names[title] ?? title, hours);
      }),
      ...(more > 0 ? [staffOverdue.more(more)] : []),
    ],
    link: { path, label: staffOverdue.button },
  }),
  staffRefundHalted: ({ number, amount, path }, { staffRefundHalted }) => ({
    subject: staffRefundHalted.subject(number),
    body: staffRefundHalted.body(number, amount),
    lines: staffRefundHalted.lines,
    link: { path, label: staffRefundHalted.button },
  }),
  weeklyReport: ({ from, to, overdue, path, ...figures }, { weeklyReport }) => ({
    subject: weeklyReport.subject(from, to),
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
