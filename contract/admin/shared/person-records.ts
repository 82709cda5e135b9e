import { z } from 'zod';

const at = z.iso.datetime();

export const personOrder = z.object({
  requestId: z.uuid(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  plan: z.string(),
  /** Created without an account; matched by the confirmed mailbox. */
  asGuest: z.boolean(),
  closedAs: z.enum(['delivered', 'cancelled']).nullable(),
  createdAt: at,
  payments: z.array(
    z.object({
      id: z.uuid(),
      orderId: z.string(),
      state: z.string(),
      priceUsd: z.number(),
      receivedUsd: z.number(),
      simulation: z.boolean(),
      createdAt: at,
    }),
  ),
  refunds: z.array(
    z.object({
      number: z.string(),
      state: z.string(),
      /** In the coin that goes back, `asset` in the provider's code. */
      amount: z.string(),
      asset: z.string(),
      createdAt: at,
    }),
  ),
});
export type PersonOrder = z.infer<typeof personOrder>;

export const personSubmission = z.object({
  id: z.uuid(),
  reference: z.string().nullable(),
  status: z.string(),
  createdAt: at,
});
export type PersonSubmission = z.infer<typeof personSubmission>;

/** A mail of the last 30 days; older ones are deleted. */
export const personMail = z.object({
  id: z.uuid(),
  to: z.string(),
  template: z.string(),
  /** Number of the order or request that it is about. */
  number: z.string().nullable(),
  status: z.enum(['queued', 'sent', 'failed', 'expired']),
  attempts: z.int(),
  lastError: z.string().nullable(),
  at,
  sentAt: at.nullable(),
  /** 'file': the installation had no mail server then, so it reached nobody. Null: not sent, or sent before this was stored. */
  sentBy: z.enum(['smtp', 'file']).nullable(),
  /** True when staff may send it again. */
  resendable: z.boolean(),
});
export type PersonMail = z.infer<typeof personMail>;

export const personNote = z.object({ id: z.uuid(), text: z.string(), at, by: z.string().nullable() });
export type PersonNote = z.infer<typeof personNote>;

export const personVote = z.object({ token: z.string(), slug: z.string(), state: z.string(), at });
export type PersonVote = z.infer<typeof personVote>;

export const personPost = z.object({ id: z.uuid(), title: z.string(), hidden: z.boolean(), at });
export type PersonPost = z.infer<typeof personPost>;

export const personComment = z.object({
  id: z.uuid(),
  postId: z.uuid(),
  /** Its first 200 characters. */
  text: z.string(),
  hidden: z.boolean(),
  at,
});
export type PersonComment = z.infer<typeof personComment>;

/** Time in microseconds and id of the last row of a page. */
export const rowCursor = z.string().regex(/^\d{10,17}\.[0-9a-f-]{1,36}$/);
/** Cursor of the records older than those of a part; null when there are none. */
export const olderCursor = z.string().nullable();

/** More records of a part, and the cursor of those after them. */
const olderOf = <const Part extends string, Row extends z.ZodType>(part: Part, row: Row) =>
  z.object({ part: z.literal(part), rows: z.array(row), next: olderCursor });
export const olderOrders = olderOf('orders', personOrder);
export const olderSubmissions = olderOf('submissions', personSubmission);
export const olderMails = olderOf('mails', personMail);
export const olderNotes = olderOf('notes', personNote);
export const olderVotes = olderOf('votes', personVote);
export const olderPosts = olderOf('posts', personPost);
export const olderComments = olderOf('comments', personComment);
