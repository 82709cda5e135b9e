import { z } from 'zod';
import { errors } from '../errors.ts';
import { EMAIL_MAX, SEARCH_MAX } from '../limits.ts';
import { adminRead, adminWrite, anyRecord } from './shared/list.ts';
import { personMail, personOrder, personSubmission } from './shared/person-records.ts';

/** A mailbox that records name and no account has confirmed, and the kind of match. */
const foundMailbox = z.object({ address: z.string(), by: z.enum(['mailbox', 'order', 'refund', 'submission']) });
export type FoundMailbox = z.infer<typeof foundMailbox>;

/** What is known of a mailbox without an account: the newest records of each kind. */
const mailbox = z.object({
  address: z.string(),
  /** The account that confirmed this mailbox; its page has the same records and more. */
  account: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  orders: z.array(personOrder),
  submissions: z.array(personSubmission),
  mails: z.array(personMail),
});
export type MailboxView = z.infer<typeof mailbox>;

export const adminMailboxes = {
  find: adminRead('/mailboxes', 'Mailboxes of orders and requests that no account has confirmed', ['support'])
    .input(z.strictObject({ q: z.string().trim().min(2).max(SEARCH_MAX) }))
    .output(z.array(foundMailbox)),
  read: adminRead('/mailbox', 'Orders, requests and mails of one mailbox', ['support'])
    .input(z.strictObject({ address: z.string().trim().min(3).max(EMAIL_MAX) }))
    .output(mailbox),
  /** Only mails about orders and requests; the private link is computed anew, and goes to the mailbox of the record alone. */
  sendAgain: adminWrite('POST', '/mails/{id}/again', 'Send a mail about an order or a request again', ['support'])
    .errors({ NOT_FOUND: errors.NOT_FOUND, NOT_RESENDABLE: errors.NOT_RESENDABLE, RATE_LIMITED: errors.RATE_LIMITED })
    .input(anyRecord)
    .output(z.object({ id: z.uuid() })),
};
