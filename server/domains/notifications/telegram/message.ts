import type { Notification, NotificationKind } from '#contract/domains/notifications.ts';
import { commentOfAnchor } from '#contract/text/comment-anchor.ts';
import { withNotice } from '#contract/text/notice-address.ts';
import { telegramTexts } from './texts.ts';

/** Kinds about public pages; messages of the others link to the member's own list, and to nothing private. */
const PUBLIC: readonly NotificationKind[] = ['replies', 'mentions', 'reactions', 'follows', 'rounds'];

// Delimiters of members' texts while the sentence is built; they can't occur in typed text.
const [BEGIN, END] = ['\uE000', '\uE001'];

/** Escapes the three special characters of Telegram's HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const marked = (text: string | null): string | null =>
  text === null ? null : BEGIN + text.replaceAll(/[\uE000\uE001]/g, '') + END;

/** The query that names a round, which is no key. */
const ROUND = /^\?round=\d+$/;

/** A path without query and fragment, where private links have their keys; the number of a round and the fragment of a comment stay. */
function withoutKeys(path: string): string {
  const hash = /#.*$/.exec(path)?.[0] ?? '';
  const query = /\?[^#]*/.exec(path)?.[0] ?? '';
  return path.replace(/[?#].*$/, '') + (ROUND.test(query) ? query : '') + (commentOfAnchor(hash) ? hash : '');
}

/**
 * The bot's message for a notification, in Telegram's HTML: the sentence, and a page of ours. Members' texts are set in `code`,
 * where Telegram creates no links.
 *
 * @param again it may have arrived before.
 */
export function messageOf(notification: Notification, locale: 'es' | 'en', publicUrl: string, again: boolean): string {
  const texts = telegramTexts[locale];
  const { kind, path, actor, title } = notification;
  const sentence = texts.sentence({ ...notification, actor: marked(actor), title: marked(title) });
  const own =
    PUBLIC.includes(kind) && path !== null ? withNotice(withoutKeys(path), notification.id) : '/notifications';
  const html = escapeHtml(sentence)
    .replaceAll(BEGIN, '<code>')
    .replaceAll(END, '</code>')
    .replaceAll('<code></code>', '');
  const address = escapeHtml(`${publicUrl}${locale === 'en' ? '/en' : ''}${own}`);
  return [...(again ? [texts.again] : []), html, address].join('\n');
}
