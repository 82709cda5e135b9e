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
  refunds: z.array(z.object({ number: z.string(), state: z.string(), createdAt: at })),
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
