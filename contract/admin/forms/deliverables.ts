import { z } from 'zod';
import { DUE_DAYS_MAX, EVIDENCE_MAX, IF_NOT_MAX, REPORT_NOTE_MAX } from '../../limits.ts';

/** From which moment the days of an item are counted. */
export const dueFrom = z.enum(['payment', 'token']);

/** What the team says about an item of the plans; payers of later orders read it. */
export const termsForm = z.strictObject({
  dueFrom,
  dueDays: z.coerce.number<number | string>().int().min(1).max(DUE_DAYS_MAX),
  ifNotEs: z.string().trim().min(1).max(IF_NOT_MAX),
  ifNotEn: z.string().trim().min(1).max(IF_NOT_MAX),
  offered: z.boolean(),
});
export type TermsForm = z.infer<typeof termsForm>;

/** Days on home that a sold place lasts. */
export const SPOTLIGHT_DAYS = 7;
/** Marks a project on home as a place that was sold, for its days from now on. */
export const placeForm = z.strictObject({ kind: z.enum(['home', 'top3']), project: z.uuid() });

export const deliverForm = z.strictObject({
  kind: z.enum(['url', 'transaction', 'file']),
  evidence: z.string().trim().min(1).max(EVIDENCE_MAX),
  note: z.string().trim().max(REPORT_NOTE_MAX).default(''),
});

/** A decimal of a coin, as a person types it. */
export const coinAmount = z
  .string()
  .trim()
  .regex(/^\d{1,40}(\.\d{1,40})?$/);
const asset = z.string().trim().min(1).max(30);

/** Withdrawn with money back, or without where nothing of the price belongs to it. */
export const withdrawForm = z
  .strictObject({
    reason: z.string().trim().min(1).max(REPORT_NOTE_MAX),
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
  reason: z.string().trim().min(1).max(REPORT_NOTE_MAX),
});

/** Empty where the provider sent it and names no transaction. */
export const sendRefundForm = z.strictObject({ transaction: z.string().trim().max(128), byProvider: z.boolean() });
