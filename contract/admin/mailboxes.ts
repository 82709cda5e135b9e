import { z } from 'zod';
import { errors } from '../errors.ts';
import { EMAIL_MAX, SEARCH_MAX } from '../limits.ts';
import { adminRead, adminWrite, anyRecord } from './shared/list.ts';
import {
  olderCursor,
  olderMails,
  olderOrders,
  olderSubmissions,
  personMail,
  personOrder,
  personSubmission,
  rowCursor,
} from './shared/person-records.ts';

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
  /** For each part, the cursor of its older records (`admin.mailboxes.older`). */
  older: z.object({ orders: olderCursor, submissions: olderCursor, mails: olderCursor }),
});
export type MailboxView = z.infer<typeof mailbox>;

const olderOfMailbox = z.discriminatedUnion('part', [olderOrders, olderSubmissions, olderMails]);
export type OlderOfMailbox = z.infer<typeof olderOfMailbox>;
const mailboxPart = mailbox.shape.older.keyof();
export type MailboxPart = z.infer<typeof mailboxPart>;

const address = z.string().trim().min(3).max(EMAIL_MAX);

export const adminMailboxes = {
  find: adminRead('/mailboxes', 'Mailboxes of orders and requests that no account has confirmed', ['support'])
    .input(z.strictObject({ q: z.string().trim().min(2).max(SEARCH_MAX) }))
    .output(z.array(foundMailbox)),
  read: adminRead('/mailbox', 'Orders, requests and mails of one mailbox', ['support'])
    .input(z.strictObject({ address }))
    .output(mailbox),
  /** The records of a part after those that were read, newest first. */
  older: adminRead('/mailbox/older', 'Older records of one part of the page of a mailbox', ['support'])
    .input(z.strictObject({ address, part: mailboxPart, after: rowCursor }))
    .output(olderOfMailbox),
  /** Only mails about orders and requests; the private link is computed anew, and goes to the mailbox of the record alone. */
  sendAgain: adminWrite('POST', '/mails/{id}/again', 'Send a mail about an order or a request again', ['support'])
    .errors({
      NOT_FOUND: errors.NOT_FOUND,
      NOT_RESENDABLE: errors.NOT_RESENDABLE,
      MAIL_EXPIRED: errors.MAIL_EXPIRED,
      RATE_LIMITED: errors.RATE_LIMITED,
    })
    .input(anyRecord)
    .output(z.object({ id: z.uuid() })),
};
