import { z } from 'zod';
import { removalReason, removalRule } from '../domains/forum.ts';
import { errors } from '../errors.ts';
import { ANSWER_DAYS, BULK_MAX } from '../limits.ts';
import type { StaffRole } from '../staff.ts';
import { bulkOutcome } from './shared/bulk.ts';
import { adminRead, adminWrite } from './shared/list.ts';

/** Sources of work items; an item disappears automatically when its cause does. */
export const inboxSource = z.enum([
  'payment',
  'unplaced',
  'request',
  'creation',
  'chain',
  'submission',
  'moderator',
  'report',
  'vote_cluster',
  'job',
  'deliverable',
  'refund',
  'settlement',
  'appeal',
  'reading',
  'source',
  'review',
]);
export type InboxSource = z.infer<typeof inboxSource>;

/** Hours that an item of each source may wait before staff is notified by mail; an item with a promised date is due from that date. */
export const INBOX_HOURS: Readonly<Record<InboxSource, number>> = {
  payment: 24,
  unplaced: 48,
  request: 48,
  creation: 12,
  chain: 6,
  submission: 120,
  moderator: 168,
  report: ANSWER_DAYS.report * 24,
  appeal: ANSWER_DAYS.appeal * 24,
  review: ANSWER_DAYS.review * 24,
  vote_cluster: 48,
  job: 24,
  deliverable: 0,
  refund: 48,
  settlement: 72,
  reading: 1,
  source: 48,
};

/** Staff roles responsible for the items of each source, in addition to owners. */
export const INBOX_STAFF: Readonly<Record<InboxSource, readonly StaffRole[]>> = {
  payment: ['finance'],
  unplaced: ['finance'],
  request: ['finance'],
  creation: ['finance'],
  chain: [],
  submission: ['support'],
  moderator: [],
  report: ['moderator'],
  appeal: ['moderator'],
  review: ['moderator'],
  vote_cluster: ['moderator'],
  job: [],
  deliverable: ['finance'],
  refund: ['finance'],
  settlement: ['finance'],
  reading: ['finance'],
  source: ['finance'],
};

export const inboxItem = z.object({
  source: inboxSource,
  /**
   * Id of the payment, deposit at the provider, request (also of a creation), network, submission, member, reported text,
   * cluster of votes or job.
   */
  id: z.string(),
  /** Short title of the entity: a token's name, a post's title. */
  title: z.string(),
  /**
   * Details: state of a payment, reasons of reports, name of a job. Codes, not words for people. `own_text`: reports of a text of the
   * reader, which a colleague answers.
   */
  details: z.array(z.string()),
  since: z.iso.datetime(),
  /** The promised date of the response; null when none was promised. */
  dueAt: z.iso.datetime().nullable(),
  owner: z.object({ id: z.uuid(), name: z.string(), since: z.iso.datetime() }).nullable(),
  /** Buyer, sender or author: the account, or the mailbox where there is none. Null for an item that is about nobody. */
  person: z.object({ id: z.uuid().nullable(), mailbox: z.string().nullable(), name: z.string() }).nullable(),
});
export type InboxItem = z.infer<typeof inboxItem>;

const item = z.strictObject({ source: inboxSource, id: z.string().min(1).max(100) });
/**
 * Actions on several items. `undo_take` releases those that are still the caller's, `undo_release` returns each to its previous owner.
 * `keep` is for reports, `retry` and `discard` for jobs; these three can't be undone, as with one item. Hiding a text is not included: it
 * needs its own rule and reason, which its author reads.
 */
const action = z.enum(['take', 'undo_take', 'release', 'undo_release', 'keep', 'retry', 'discard']);
export type InboxAction = z.infer<typeof action>;
const outcome = bulkOutcome.omit({ id: true }).extend({ source: inboxSource, id: z.string() });
export type InboxOutcome = z.infer<typeof outcome>;
/** Staff roles with access to at least one source. */
const INBOX_ROLES: readonly StaffRole[] = ['moderator', 'support', 'finance'];
const answer = { NOT_FOUND: errors.NOT_FOUND };

export const adminInbox = {
  /** Oldest first: of one source at most 200, of all at most 50 of each. */
  list: adminRead('/inbox', 'Work that waits', INBOX_ROLES)
    .input(z.strictObject({ source: inboxSource.optional(), mine: z.enum(['yes', 'no', 'all']).default('all') }))
    .output(
      z.object({
        items: z.array(inboxItem),
        /** Totals of all sources of the reader, independent of the filter; each at most MANY_FOUND + 1. */
        counts: z.partialRecord(inboxSource, z.int().nonnegative()),
      }),
    ),
  /** For the menu: number of waiting items per source of the reader, each at most MANY_FOUND + 1. */
  counts: adminRead('/inbox/counts', 'How many items wait, by source', INBOX_ROLES).output(
    z.partialRecord(inboxSource, z.int().nonnegative()),
  ),
  /** Assigns an item to the caller. @throws TAKEN when a colleague has it. */
  take: adminWrite('POST', '/inbox/{source}/{id}/take', 'Take an item', INBOX_ROLES)
    .errors({ ...answer, TAKEN: errors.TAKEN })
    .input(item)
    .output(inboxItem),
  /** Unassigns an item, also a colleague's. */
  release: adminWrite('POST', '/inbox/{source}/{id}/release', 'Let go of an item', INBOX_ROLES)
    .errors(answer)
    .input(item)
    .output(inboxItem),
  /** Each item succeeds or fails on its own. */
  changeMany: adminWrite('POST', '/inbox/many', 'Do the same to several items', INBOX_ROLES)
    .input(z.strictObject({ action, items: z.array(item).min(1).max(BULK_MAX) }))
    .output(z.object({ results: z.array(outcome) })),
  /** Answers all open reports of a post or comment: it stays, or it is hidden. OWN_TEXT for its author, while somebody else can. */
  resolveReport: adminWrite('POST', '/inbox/report/{id}/resolve', 'Answer the reports of a text', ['moderator'])
    .errors({ ...answer, OWN_TEXT: errors.OWN_TEXT })
    .input(
      z
        .strictObject({
          id: z.uuid(),
          decision: z.enum(['kept', 'hidden']),
          /** Both are required when the text is hidden. */
          rule: removalRule.optional(),
          reason: removalReason.or(z.literal('')).default(''),
        })
        .refine(
          ({ decision, rule, reason }) => decision === 'kept' || (rule && reason),
          'A removal names rule and reason',
        ),
    )
    .output(z.object({ ok: z.literal(true) })),
  /** Retries or discards a failed job; for a mail, sends it again or deletes it with its content. */
  settleJob: adminWrite('POST', '/inbox/job/{id}/settle', 'Run a failed job again, or give it up')
    .errors({ ...answer, MAIL_EXPIRED: errors.MAIL_EXPIRED })
    .input(z.strictObject({ id: z.uuid(), decision: z.enum(['retry', 'discard']) }))
    .output(z.object({ ok: z.literal(true) })),
};
