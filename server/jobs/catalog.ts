import { z } from 'zod';

export interface JobKind {
  input: z.ZodType;
  /** Tries in all; the wait between them doubles from `pause` seconds on. */
  attempts: number;
  retryDelaySeconds: number;
  /** Jobs of this kind that one process does at a time; else one. */
  parallel?: number;
  /** Regular jobs: cron line in UTC. */
  cron?: string;
}

/**
 * Every background job. All have a second attempt at least: an attempt whose process is killed counts, and what the next one does
 * needs nobody's look. A name without a handler in worker.ts does not compile. */
export const jobs = {
  /** Closes the round whose end has come, and opens the next one. */
  'close-round': { input: z.object({}), attempts: 2, retryDelaySeconds: 5, cron: '* * * * *' },
  /** Finishes bans whose days are over: votes that they voided are what they were. */
  'finish-bans': { input: z.object({}), attempts: 2, retryDelaySeconds: 10, cron: '* * * * *' },
  /** Brings votes of members who were banned by an earlier version to the form that bans give them now. */
  'update-banned-votes': { input: z.object({}), attempts: 2, retryDelaySeconds: 60, cron: '*/10 * * * *' },
  /** Removes what has run out: sessions, rate-limit windows, tokens, sent mails. */
  housekeeping: { input: z.object({}), attempts: 3, retryDelaySeconds: 30, cron: '17 * * * *' },
  /** Removes abandoned images and stray files; `deletedOnly` just what is marked as deleted. */
  'clean-uploads': {
    input: z.object({ deletedOnly: z.boolean().default(false) }),
    attempts: 3,
    retryDelaySeconds: 60,
    cron: '41 * * * *',
  },
  /** Asks the provider about the payment that a stored callback names; about a day of attempts. */
  'follow-payment': { input: z.object({ eventId: z.int() }), attempts: 14, retryDelaySeconds: 5, parallel: 2 },
  /** Asks about open, expired and partly paid payments by ourselves, each less and less often. */
  'reconcile-payments': { input: z.object({}), attempts: 2, retryDelaySeconds: 30, cron: '* * * * *' },
  /** Enters payments and refunds from before the money ledger, and whatever an older program wrote meanwhile. */
  'enter-money': { input: z.object({}), attempts: 2, retryDelaySeconds: 30, cron: '*/5 * * * *' },
  /** Compares the money ledger with everything that the provider knows; `by` asked for it by hand. */
  'settle-money': {
    input: z.object({ by: z.uuid().optional() }),
    attempts: 3,
    retryDelaySeconds: 600,
    cron: '20 4 * * *',
  },
  /** Removes for good what lay in the trash for 30 days. */
  'purge-trash': { input: z.object({}), attempts: 3, retryDelaySeconds: 60, cron: '23 * * * *' },
  /** Makes records appear and go at the moments set for them. */
  'apply-schedules': { input: z.object({}), attempts: 2, retryDelaySeconds: 5, cron: '* * * * *' },
  /** Sums what the reports of the back office read. */
  'sum-reports': { input: z.object({}), attempts: 2, retryDelaySeconds: 60, cron: '*/15 * * * *' },
  /** Market data: what is due, within the providers' limits. */
  'refresh-market': { input: z.object({}), attempts: 2, retryDelaySeconds: 30, cron: '* * * * *' },
  /** Mails the admins of overdue work and of the week that ended. */
  'notify-staff': { input: z.object({}), attempts: 2, retryDelaySeconds: 60, cron: '*/10 * * * *' },
  /** Looks again at proofs of verified creators, and tells followers of those that ended. */
  'check-proofs': { input: z.object({}), attempts: 2, retryDelaySeconds: 30, cron: '* * * * *' },
  /** Has the signals look at new votes, every 20 seconds of its minute. */
  'review-votes': { input: z.object({}), attempts: 2, retryDelaySeconds: 10, cron: '* * * * *' },
  /** Goes on with decisions about clusters of votes; asked for with each one that is longer than its first piece. */
  'decide-votes': { input: z.object({}), attempts: 3, retryDelaySeconds: 5, cron: '* * * * *' },
  /** Notifies followers of NEXT projects that a launch moved or happened. */
  'notify-launches': { input: z.object({}), attempts: 2, retryDelaySeconds: 30, cron: '* * * * *' },
  /** Begins, ends and tells of deliverables what no act does: tokens of the signer, dates that went by. */
  'watch-deliverables': { input: z.object({}), attempts: 2, retryDelaySeconds: 30, cron: '* * * * *' },
  /** Hands the source of contracts to the block explorer, and asks what became of it. */
  'verify-sources': { input: z.object({}), attempts: 2, retryDelaySeconds: 60, cron: '* * * * *' },
  /** Reads the pinned files of tokens again, each once a day; their chains are the signer's. */
  'read-tokens': { input: z.object({}), attempts: 2, retryDelaySeconds: 60, cron: '*/10 * * * *' },
  /** Notifies customers that their token was made. */
  'notify-created': { input: z.object({}), attempts: 2, retryDelaySeconds: 30, cron: '* * * * *' },
  /** Enters what changed into the public ledger, states results, signs; in between the votes themselves ask for it. */
  'write-ledger': { input: z.object({}), attempts: 2, retryDelaySeconds: 5, cron: '* * * * *' },
  /** Notes the newest entry of the audit log in a file elsewhere, where AUDIT_ANCHOR_FILE names one. */
  'note-audit': { input: z.object({}), attempts: 5, retryDelaySeconds: 60, cron: '7 * * * *' },
  /** Tells voters how a round ended, and delivers notifications that are due by mail, push and Telegram. */
  'deliver-notifications': { input: z.object({}), attempts: 2, retryDelaySeconds: 30, cron: '* * * * *' },
  /** Hands one mail to the transport; about a day of attempts. */
  'send-mail': { input: z.object({ mailId: z.uuid() }), attempts: 14, retryDelaySeconds: 5, parallel: 3 },
} as const satisfies Record<string, JobKind>;

/**
 * What jobs of earlier versions were called. Their schedules would go on, and what they queue would wait for nobody; the job
 * that has the name's work now does it in its own time.
 */
export const RETIRED_JOBS: readonly string[] = ['tell-created', 'tell-launches', 'turn-schedules'];

export type JobName = keyof typeof jobs;
export type JobInput<N extends JobName> = z.infer<(typeof jobs)[N]['input']>;
