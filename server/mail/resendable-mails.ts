// Mails that the team may send again: which ones, what of their content is stored after they were sent, and the texts that mark them.
import type { MailTemplate } from '#contract/mail-templates.ts';
import type { Line } from './drafts/draft.ts';

/** The kinds that may be sent again, with the record whose private page they link to. None of them holds a sign-in link or code. */
const PAGE_OF = {
  orderOpened: 'request',
  orderPaid: 'request',
  orderShort: 'request',
  orderReview: 'request',
  orderReturned: 'request',
  tokenCreated: 'request',
  requestClosed: 'request',
  deliverables: 'request',
  refund: 'request',
  submissionReceived: 'submission',
  submissionDecided: 'submission',
} as const satisfies Partial<Record<MailTemplate, 'request' | 'submission'>>;
type Repeatable = keyof typeof PAGE_OF;

/** The record whose private page such a mail links to; null for a kind that is never sent again. */
export const pageOfMail = (template: string): 'request' | 'submission' | null =>
  Object.hasOwn(PAGE_OF, template) ? PAGE_OF[template as Repeatable] : null;

/** Number of the order or submission that the content of a mail names; null when it names none. */
export function numberIn(data: unknown): string | null {
  const { orderId, reference } = data as { orderId?: unknown; reference?: unknown };
  const number = orderId ?? reference;
  return typeof number === 'string' && number !== '' ? number : null;
}

/**
 * What is stored of a mail's content after it was sent: for kinds that may be sent again everything but the private link, which
 * is computed anew; nothing for all others, and nothing where it holds a code.
 */
export function storedAfterSending(template: string, data: object): object {
  if (pageOfMail(template) === null || ('code' in data && data.code !== '')) return {};
  const { path: _, ...rest } = data as { path?: string };
  return rest;
}

const TEXTS = {
  es: {
    subject: (subject: string) => `Reenviado: ${subject}`,
    line: (day: string) =>
      `Te enviamos este mismo correo el ${day}; el equipo te lo manda otra vez. Si algo cambió desde entonces, lo que vale es su página privada.`,
    day: new Intl.DateTimeFormat('es-ES', { dateStyle: 'long', timeZone: 'UTC' }),
  },
  en: {
    subject: (subject: string) => `Sent again: ${subject}`,
    line: (day: string) =>
      `This is the mail of ${day}; the team sends it to you again. If something has changed since then, its private page has the present state.`,
    day: new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }),
  },
};

/** A draft marked as sent again, with the day of the first one, if its data contain that moment (`again`, ISO 8601). */
export function markedAsResent<D extends { subject: string; lines?: Line[] }>(
  draft: D,
  data: object,
  locale: 'es' | 'en',
): D {
  if (!('again' in data) || typeof data.again !== 'string') return draft;
  const texts = TEXTS[locale];
  return {
    ...draft,
    subject: texts.subject(draft.subject),
    lines: [...(draft.lines ?? []), texts.line(texts.day.format(new Date(data.again)))],
  };
}
