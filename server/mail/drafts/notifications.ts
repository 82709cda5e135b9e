// Mails about notifications, and to people who saved a token.
import type { NotificationLine, SavedTokenNews } from '../texts/notifications.ts';
import type { MailTexts } from '../texts.ts';
import type { Draft } from './draft.ts';

export interface NotificationMails {
  savedToken: { name: string; news: SavedTokenNews; path: string; unsubscribePath: string };
  notification: NotificationLine & { unsubscribePath: string };
  /** Notifications of one day; `more` is the number of lines that are not listed. */
  notificationDigest: { lines: NotificationLine[]; more: number; path: string; unsubscribePath: string };
}

export const notificationDrafts: {
  [T in keyof NotificationMails]: (data: NotificationMails[T], texts: MailTexts) => Draft;
} = {
  savedToken: ({ name, news, path, unsubscribePath }, { savedToken }) => ({
    subject: savedToken.subject(name),
    body: savedToken[news](name),
    link: { path, label: savedToken.button },
    unsubscribePath,
  }),
  notification: ({ unsubscribePath, ...line }, { notification }) => ({
    subject: notification.sentence(line),
    body: notification.sentence(line),
    link: { path: line.path, label: notification.button },
    unsubscribePath,
    unsubscribeLabel: notification.stopKind,
  }),
  notificationDigest: ({ lines, more, path, unsubscribePath }, { notification }) => ({
    subject: notification.digest(lines.length + more),
    body: notification.digestBody,
    lines: [
      ...lines.map((line) => ({ text: notification.sentence(line), path: line.path })),
      ...(more > 0 ? [notification.more(more)] : []),
    ],
    link: { path, label: notification.all },
    unsubscribePath,
    unsubscribeLabel: notification.stopAll,
  }),
};
