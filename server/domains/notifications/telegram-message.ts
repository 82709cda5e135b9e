import type { Notification, NotificationKind } from '#contract/domains/notifications.ts';
import { telegramTexts } from './telegram-texts.ts';

/** Kinds that are about public pages; of the others a message leads to the member's own list, and to nothing private. */
const PUBLIC: readonly NotificationKind[] = ['replies', 'mentions', 'reactions', 'follows', 'rounds'];

// Around what people wrote, while the sentence is made; nobody can type them into it.
const [BEGIN, END] = ['\uE000', '\uE001'];

/** For Telegram's HTML, where these three have a meaning. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const marked = (text: string | null): string | null =>
  text === null ? null : BEGIN + text.replaceAll(/[\uE000\uE001]/g, '') + END;

/**
 * A notification as the bot writes it, in Telegram's HTML: the sentence, and a page of ours. What people wrote is set in `code`,
 * where Telegram makes no link of it.
 *
 * @param again it may have arrived before.
 */
export function messageOf(notification: Notification, locale: 'es' | 'en', publicUrl: string, again: boolean): string {
  const texts = telegramTexts[locale];
  const { kind, path, actor, title } = notification;
  const sentence = texts.say({ ...notification, actor: marked(actor), title: marked(title) });
  const own = PUBLIC.includes(kind) && path !== null ? path.replace(/[?#].*$/, '') : '/notifications';
  const html = escapeHtml(sentence)
    .replaceAll(BEGIN, '<code>')
    .replaceAll(END, '</code>')
    .replaceAll('<code></code>', '');
  const address = escapeHtml(`${publicUrl}${locale === 'en' ? '/en' : ''}${own}`);
  return [...(again ? [texts.again] : []), html, address].join('\n');
}
