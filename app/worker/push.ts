import { notificationTexts } from '#app/lib/messages/notifications.ts';
import { markIcon } from '#contract/site.ts';

/** Payload of a push; server/domains/notifications/deliver.service.ts writes it. */
interface Pushed {
  id: string;
  locale: 'es' | 'en';
  /** Name of the site. */
  site: string;
  /** Address of the site's own mark, where it has one. */
  mark: string | null;
  kind: string;
  detail: string;
  actor: string | null;
  title: string | null;
  count: number;
  path: string | null;
}
/** The parts of a service worker's scope that pushes need. */
export interface PushScope {
  registration: { showNotification(title: string, options: NotificationOptions): Promise<void> };
  clients: { openWindow(url: string): Promise<unknown> };
}

/** Shows a push. A duplicate replaces the first one, because its tag is the notification's id. */
export async function showPushed({ registration }: PushScope, data: unknown): Promise<void> {
  const pushed = data as Pushed;
  const { notifications: text } = notificationTexts[pushed.locale];
  const path = `${pushed.locale === 'en' ? '/en' : ''}${pushed.path ?? '/notifications'}`;
  await registration.showNotification(text.kinds[pushed.kind as keyof typeof text.kinds] ?? pushed.site, {
    body: text.sentence(pushed),
    tag: pushed.id,
    lang: pushed.locale,
    icon: pushed.mark ? markIcon(pushed.mark) : '/apple-touch-icon.png',
    data: { path },
  });
}

/**
 * Opens the target of a push in a page of its own. Open pages keep their address, because what is typed in a form there would be lost; and
 * with its address the page marks the notification as read.
 */
export async function openPushed({ clients }: PushScope, notification: Notification): Promise<void> {
  notification.close();
  const { path } = notification.data as { path: string };
  await clients.openWindow(path);
}
