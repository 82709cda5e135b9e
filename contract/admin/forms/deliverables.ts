import { z } from 'zod';
import { requiredText } from '../../fields/schemas.ts';
import { CONSEQUENCE_MAX, DUE_DAYS_MAX, EVIDENCE_MAX, REASON_MAX } from '../../limits.ts';

/** The moment from which an item's days are counted. */
export const dueFrom = z.enum(['payment', 'token']);

/** Terms of an item of the plans; shown to payers of later orders. */
export const termsForm = z.strictObject({
  dueFrom,
  dueDays: z.coerce.number<number | string>().int().min(1).max(DUE_DAYS_MAX),
  ifNotEs: requiredText(1, CONSEQUENCE_MAX),
  ifNotEn: requiredText(1, CONSEQUENCE_MAX),
  offered: z.boolean(),
});
export type TermsForm = z.infer<typeof termsForm>;

/** Days that a sold place on home lasts. */
export const SPOTLIGHT_DAYS = 7;
/** Starts a sold place on home for a project; its days begin now. */
export const placeForm = z.strictObject({ kind: z.enum(['home', 'top3']), project: z.uuid() });

export const deliverForm = z.strictObject({
  kind: z.enum(['url', 'transaction', 'file']),
  evidence: requiredText(1, EVIDENCE_MAX),
  note: z.string().trim().max(REASON_MAX).default(''),
});

/** A decimal amount of a coin, as typed. */
export const coinAmount = z
  .string()
  .trim()
  .regex(/^\d{1,40}(\.\d{1,40})?$/);
const asset = z.string().trim().min(1).max(30);

/** Withdrawal with a refund, or without one when no part of the price belongs to the item. */
export const withdrawForm = z
  .strictObject({
    reason: requiredText(1, REASON_MAX),
    refund: z.enum(['yes', 'no']),
    asset: asset.or(z.literal('')).default(''),
    amount: coinAmount.or(z.literal('')).default(''),
  })
  .superRefine(({ refund, asset, amount }, check) => {
    if (refund === 'no') return;
    if (asset === '') check.addIssue({ code: 'custom', path: ['asset'], message: 'required' });
    if (amount === '') check.addIssue({ code: 'custom', path: ['amount'], message: 'required' });
  });

export const openRefundForm = z.strictObject({
  asset,
  amount: coinAmount,
  reason: requiredText(1, REASON_MAX),
});

/** Empty when the payment provider sent the refund and names no transaction. */
export const sendRefundForm = z.strictObject({ transaction: z.string().trim().max(128), byProvider: z.boolean() });
