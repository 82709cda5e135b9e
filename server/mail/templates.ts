// All mails, gathered from the topics in drafts/, and their rendering.
import type { MailTemplate as MailTemplateName } from '#contract/mail-templates.ts';
import { DEFAULT_SITE_NAME, withSiteName } from '#contract/site.ts';
import { type AccountMails, accountDrafts } from './drafts/account.ts';
import { type DecisionMails, decisionDrafts } from './drafts/decisions.ts';
import { type DeliverableMails, deliverableDrafts } from './drafts/deliverables.ts';
import type { Draft, MailSite } from './drafts/draft.ts';
import { type NotificationMails, notificationDrafts } from './drafts/notifications.ts';
import { type OrderMails, orderDrafts } from './drafts/orders.ts';
import { type RefundMails, refundDrafts } from './drafts/refunds.ts';
import { type RemovalMails, removalDrafts } from './drafts/removals.ts';
import { type StaffMailData, staffDrafts } from './drafts/staff.ts';
import { type SubmissionMails, submissionDrafts } from './drafts/submissions.ts';
import { type TokenMails, tokenDrafts } from './drafts/tokens.ts';
import { escapeHtml, mailPage } from './mail-page.ts';
import { markedAsResent } from './resendable-mails.ts';
import { type MailTexts, mailTexts } from './texts.ts';

/** Data of each kind of mail; links are paths on the site, made absolute when the mail is rendered. */
export interface MailData
  extends AccountMails,
    DecisionMails,
    DeliverableMails,
    NotificationMails,
    OrderMails,
    RefundMails,
    RemovalMails,
    StaffMailData,
    SubmissionMails,
    TokenMails {
  test: Record<string, never>;
}
/** Templates have to be in the contract's list, which has their names for the back office. */
export type MailTemplate = MailTemplateName & keyof MailData;

/** Mails about orders and requests, which can also be made without an account. */
export const REQUEST_MAILS = Object.keys({
  ...deliverableDrafts,
  ...orderDrafts,
  ...refundDrafts,
  ...submissionDrafts,
  ...tokenDrafts,
});

export interface MailContent {
  subject: string;
  text: string;
  html: string;
  unsubscribeUrl?: string;
}

const drafts: { [T in MailTemplate]: (data: MailData[T], texts: MailTexts, site: MailSite) => Draft } = {
  test: (_data, { test }) => test,
  ...accountDrafts,
  ...decisionDrafts,
  ...deliverableDrafts,
  ...notificationDrafts,
  ...orderDrafts,
  ...refundDrafts,
  ...removalDrafts,
  ...staffDrafts,
  ...submissionDrafts,
  ...tokenDrafts,
};

/**
 * Renders a mail as text and as HTML.
 *
 * @param publicUrl origin of the site, without a trailing slash. @param site without it, no mail asks anybody to write to the team.
 */
export function renderMail<T extends MailTemplate>(
  template: T,
  data: MailData[T],
  locale: 'es' | 'en',
  publicUrl: string,
  siteName: string = DEFAULT_SITE_NAME,
  site: MailSite = { supportEmail: null },
): MailContent {
  const texts = withSiteName(mailTexts[locale], siteName);
  const draft = markedAsResent(drafts[template](data, texts, site), data, locale);
  const link = draft.link && { url: publicUrl + draft.link.path, label: draft.link.label };
  const unsubscribeUrl = draft.unsubscribePath && publicUrl + draft.unsubscribePath;
  const stopLabel = draft.unsubscribeLabel ?? texts.savedToken.unsubscribe;
  const text = [
    texts.greeting,
    draft.body,
    ...(draft.lines ?? []).map((line) => (typeof line === 'string' ? line : `${line.text}\n${publicUrl}${line.path}`)),
    draft.quote && `${draft.quote.label}\n${draft.quote.text}`,
    link?.url,
    draft.ignorable ? texts.ignore : undefined,
    unsubscribeUrl ? `${stopLabel} ${unsubscribeUrl}` : undefined,
    texts.goodbye,
  ]
    .filter(Boolean)
    .join('\n\n');
  return {
    // Subjects can contain names of users: line breaks are removed.
    subject: draft.subject.replace(/\s+/g, ' ').trim(),
    text: `${text}\n`,
    html: mailPage({ locale, siteName }, draft.subject, draft.body, [
      `<p>${escapeHtml(texts.greeting)}</p><p>${escapeHtml(draft.body)}</p>`,
      draft.code
        ? `<p class="code" style="margin:20px 0;padding:16px;border:1px dashed #c9a45c;border-radius:10px;background:#fff0cf;color:#1b1a24;font:700 30px/1.2 'JetBrains Mono',Menlo,Consolas,monospace;letter-spacing:.18em;text-align:center">${escapeHtml(draft.code)}</p>`
        : '',
      ...(draft.lines ?? []).map((line) =>
        typeof line === 'string'
          ? `<p>${escapeHtml(line)}</p>`
          : `<p><a href="${escapeHtml(publicUrl + line.path)}" style="color:#1b1a24">${escapeHtml(line.text)}</a></p>`,
      ),
      draft.quote
        ? `<p style="margin-bottom:4px;font-weight:600">${escapeHtml(draft.quote.label)}</p><p style="margin-top:0;padding-left:12px;border-left:3px solid #ffb627;white-space:pre-line">${escapeHtml(draft.quote.text)}</p>`
        : '',
      link
        ? `<p><a class="btn" href="${escapeHtml(link.url)}" style="display:inline-block;margin:8px 0;padding:13px 22px;border-radius:10px;background:#ffb627;color:#1d1503;font-weight:700;text-decoration:none">${escapeHtml(link.label)}</a></p><p class="small" style="font-size:13px;color:#4d4a59">${escapeHtml(texts.orPaste)}<br><a href="${escapeHtml(link.url)}" style="color:#4d4a59;word-break:break-all">${escapeHtml(link.url)}</a></p>`
        : '',
      draft.ignorable ? `<p class="small" style="font-size:13px;color:#4d4a59">${escapeHtml(texts.ignore)}</p>` : '',
      unsubscribeUrl
        ? `<p class="small" style="font-size:13px;color:#4d4a59">${escapeHtml(stopLabel)} <a href="${escapeHtml(unsubscribeUrl)}" style="color:#4d4a59;word-break:break-all">${escapeHtml(unsubscribeUrl)}</a></p>`
        : '',
      `<p>${escapeHtml(texts.goodbye)}</p>`,
    ]),
    ...(unsubscribeUrl ? { unsubscribeUrl } : {}),
  };
}
