import { and, eq, sql } from 'drizzle-orm';
import type { NotificationDetail } from '#contract/domains/notifications.ts';
import type { Tx } from '#server/db/client.ts';
import { users } from '#server/db/tables/accounts.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import type { MailedDecision } from '#server/mail/drafts/decisions.ts';
import { queueMail } from '#server/mail/mail.ts';
import { memberLocale } from './member-locale.service.ts';
import { notify } from './notify.service.ts';

/**
 * Notifies a member of a change to the security of their account. The change itself sends the mail about it.
 *
 * @param of what was changed, when several changes can have the same time.
 */
export async function notifyOfSecurity(
  tx: Tx,
  userId: string,
  detail: NotificationDetail<'security'>,
  now: Date,
  of = now.toISOString(),
): Promise<void> {
  const cause = `security:${detail}:${of}`;
  // The linked chat is shown beside the notifications, everything else in the account.
  const path = detail === 'telegram_on' || detail === 'telegram_off' ? '/notifications' : '/account';
  await notify(tx, { kind: 'security', detail, cause, to: [{ id: userId }], data: { path }, now });
}

/**
 * Notifies a member of a decision that has no mail elsewhere, and mails it to their mailbox if it is proven: once per cause, whatever
 * channels they chose.
 */
export async function notifyOfDecision(
  tx: Tx,
  jobs: JobQueue,
  decision: { userId: string; what: MailedDecision; cause: string; title?: string; path: string; now: Date },
): Promise<void> {
  const { userId, what, cause, title = '', path, now } = decision;
  const { members } = await notify(tx, {
    kind: 'decisions',
    detail: what,
    cause,
    to: [{ id: userId }],
    data: { ...(title ? { title } : {}), path },
    always: true,
    now,
  });
  const [member] = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), users.emailVerified));
  if (members === 0 || !member) return;
  const locale = await memberLocale(tx, member);
  await queueMail(tx, jobs, {
    to: member.email,
    locale,
    template: 'decision',
    data: { what, title, path: `${locale === 'en' ? '/en' : ''}${path}` },
  });
}

/** Notifies a member of the decision about their moderator request, also by mail. */
export const notifyOfModeratorDecision = (
  tx: Tx,
  jobs: JobQueue,
  userId: string,
  status: 'approved' | 'rejected',
  now: Date,
): Promise<void> =>
  notifyOfDecision(tx, jobs, {
    userId,
    what: `moderator_${status}`,
    cause: `moderator:${now.toISOString()}`,
    path: '/account',
    now,
  });

/** Notifies the sender of a submission of its decision: the member who proved the mailbox in it. */
export async function notifyOfSubmission(
  tx: Tx,
  submission: {
    id: string;
    reference: string | null;
    submitterEmail: string | null;
    locale: 'es' | 'en';
    version: number;
  },
  status: 'approved' | 'rejected',
  now: Date,
): Promise<void> {
  if (!submission.submitterEmail) return;
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, sql`lower(${submission.submitterEmail})`), users.emailVerified));
  await notify(tx, {
    kind: 'decisions',
    detail: `submission_${status}`,
    cause: `submission:${submission.id}:${submission.version}`,
    to: rows.map(({ id }) => ({ id, locale: submission.locale })),
    data: { title: submission.reference ?? '', submissionId: submission.id },
    now,
  });
}

/** Notifies the customer of a step of their order, if they were signed in when they created it. */
export async function notifyOfOrder(
  tx: Tx,
  order: { requestId: string; orderId: string; detail: NotificationDetail<'orders'>; of?: string; now: Date },
): Promise<void> {
  const { requestId, orderId, detail, of = order.now.toISOString(), now } = order;
  const [request] = await tx
    .select({ id: tokenCreationSubmissions.userId })
    .from(tokenCreationSubmissions)
    .where(eq(tokenCreationSubmissions.id, requestId));
  await notify(tx, {
    kind: 'orders',
    detail,
    cause: `order:${requestId}:${detail}:${of}`,
    to: request?.id ? [{ id: request.id }] : [],
    data: { title: orderId, path: `/order/${requestId}` },
    now,
  });
}

/** Notifies the customer of the result of their payment, where a mail is sent too. */
export async function notifyOfPayment(
  tx: Tx,
  payment: { id: string; submissionId: string; orderId: string },
  mails: { receipt: boolean; shortNotice: boolean; reviewNotice: boolean },
  now: Date,
): Promise<void> {
  const order = { requestId: payment.submissionId, orderId: payment.orderId, now };
  if (mails.receipt) await notifyOfOrder(tx, { ...order, detail: 'paid', of: payment.id });
  if (mails.shortNotice) await notifyOfOrder(tx, { ...order, detail: 'short' });
  if (mails.reviewNotice) await notifyOfOrder(tx, { ...order, detail: 'review' });
}
