import { z } from 'zod';

export interface JobKind {
  input: z.ZodType;
  /** Attempts in total; the delay between them grows from `retryDelaySeconds` by a factor of two, up to four hours. */
  attempts: number;
  retryDelaySeconds: number;
  /** Jobs of this kind that one process runs concurrently; 1 by default. */
  parallel?: number;
  /** Schedule of a recurring job: cron expression in UTC. */
  cron?: string;
}

/**
 * Every background job. All have at least two attempts: an attempt whose process was killed counts as one, and must not
 * leave a job for a person. A name without a handler in worker.ts is a compile error.
 */
export const jobs = {
  /**
   * Closes the round that has ended, after a review of its last votes, and opens the next one; between its runs the end is
   * followed every second (`closeRoundOnTime`).
   */
  'close-round': { input: z.object({}), attempts: 2, retryDelaySeconds: 5, cron: '* * * * *' },
  /** Notifies pages and caches of a new UTC day of votes. */
  'new-voting-day': { input: z.object({}), attempts: 2, retryDelaySeconds: 5, cron: '0 0 * * *' },
  /** Finishes bans whose time is over: their votes get the previous state. */
  'finish-bans': { input: z.object({}), attempts: 2, retryDelaySeconds: 10, cron: '* * * * *' },
  /** Updates votes of members who were banned by an earlier version to the state that a ban creates now. */
  'update-banned-votes': { input: z.object({}), attempts: 2, retryDelaySeconds: 60, cron: '*/10 * * * *' },
  /**
   * Deletes expired data of every domain: sessions, challenges, tokens, codes, rate-limit windows, sent mails, jobs,
   * notifications, previews, page views, old prices.
   */
  housekeeping: { input: z.object({}), attempts: 3, retryDelaySeconds: 30, cron: '17 * * * *' },
  /** Deletes abandoned images and unreferenced files; with `deletedOnly` only what is marked as deleted. */
  'clean-uploads': {
    input: z.object({ deletedOnly: z.boolean().default(false) }),
    attempts: 3,
    retryDelaySeconds: 60,
    cron: '41 * * * *',
  },
  /** Fetches the payment of a stored callback from the provider; its attempts extend over 10 to 14 hours. */
  'fetch-payment': { input: z.object({ eventId: z.int() }), attempts: 14, retryDelaySeconds: 5, parallel: 2 },
  /** Fetches open, expired and partly paid payments without a callback, at growing intervals. */
  'reconcile-payments': { input: z.object({}), attempts: 2, retryDelaySeconds: 30, cron: '* * * * *' },
  /**
   * Posts payments and refunds that are not in the money ledger yet: older than it, or written by an earlier version.
   */
  'backfill-money-ledger': { input: z.object({}), attempts: 2, retryDelaySeconds: 30, cron: '*/5 * * * *' },
  /**
   * Updates orders of earlier versions: supersedes those from before a change of plan, and puts ended ones under review for which money had
   * arrived.
   */
  'supersede-orders': { input: z.object({}), attempts: 2, retryDelaySeconds: 60, cron: '35 3 * * *' },
  /** Compares the money ledger with the provider's data; `by` is the admin who started it. */
  'settle-money': {
    input: z.object({ by: z.uuid().optional() }),
    attempts: 3,
    retryDelaySeconds: 600,
    cron: '20 4 * * *',
  },
  /** Deletes permanently what was in the trash for 30 days. */
  'purge-trash': { input: z.object({}), attempts: 3, retryDelaySeconds: 60, cron: '23 * * * *' },
  /** Publishes and hides records at their scheduled times. */
  'apply-schedules': { input: z.object({}), attempts: 2, retryDelaySeconds: 5, cron: '* * * * *' },
  /** Computes the sums that the reports of the back office read. */
  'sum-reports': { input: z.object({}), attempts: 2, retryDelaySeconds: 60, cron: '*/15 * * * *' },
  /** Replaces the stored changes of the dashboard's counters by their sums. */
  'sum-counters': { input: z.object({}), attempts: 2, retryDelaySeconds: 60, cron: '*/5 * * * *' },
  /** Fetches market data that is due, within the providers' limits. */
  'refresh-market': { input: z.object({}), attempts: 2, retryDelaySeconds: 30, cron: '* * * * *' },
  /** Notifies admins of overdue work, mails the weekly report, and drops claims of work that ended. */
  'notify-staff': { input: z.object({}), attempts: 2, retryDelaySeconds: 60, cron: '*/10 * * * *' },
  /** Checks due proofs of verified creators again, and notifies followers of those that ended. */
  'check-proofs': { input: z.object({}), attempts: 2, retryDelaySeconds: 30, cron: '* * * * *' },
  /** Runs the vote review on new votes, every 20 seconds of its minute. */
  'review-votes': { input: z.object({}), attempts: 2, retryDelaySeconds: 10, cron: '* * * * *' },
  /** Continues decisions about clusters of votes; also queued with each decision that exceeds its first batch. */
  'decide-votes': { input: z.object({}), attempts: 3, retryDelaySeconds: 5, cron: '* * * * *' },
  /** Notifies followers of NEXT projects that a launch moved or happened. */
  'notify-launches': { input: z.object({}), attempts: 2, retryDelaySeconds: 30, cron: '* * * * *' },
  /**
   * Records in payments that the team sent their money back, where only the refund says so, and updates deliverables that no user action
   * updates: of older orders, of tokens created by the signer, of ended placements, and missed dates.
   */
  'watch-deliverables': { input: z.object({}), attempts: 2, retryDelaySeconds: 30, cron: '* * * * *' },
  /** Submits the source of contracts to the block explorer, and fetches the result. */
  'verify-sources': { input: z.object({}), attempts: 2, retryDelaySeconds: 60, cron: '* * * * *' },
  /** Checks the pinned files of tokens again, each once a day; the signer reads the chains. */
  'check-token-files': { input: z.object({}), attempts: 2, retryDelaySeconds: 60, cron: '*/10 * * * *' },
  /** Notifies customers that their token was created, and reminds payers of an unanswered summary. */
  'notify-created': { input: z.object({}), attempts: 2, retryDelaySeconds: 30, cron: '* * * * *' },
  /**
   * Appends changes and results to the public ledger and signs it; between its runs vote events trigger the same
   * (`writeLedgerOnVotes`).
   */
  'write-ledger': { input: z.object({}), attempts: 2, retryDelaySeconds: 5, cron: '* * * * *' },
  /** Appends the newest hash of the audit log to AUDIT_ANCHOR_FILE, if set. */
  'write-audit-anchor': { input: z.object({}), attempts: 5, retryDelaySeconds: 60, cron: '7 * * * *' },
  /** Notifies voters of the result of a round, and delivers due notifications by mail, push and Telegram. */
  'deliver-notifications': { input: z.object({}), attempts: 2, retryDelaySeconds: 30, cron: '* * * * *' },
  /** Sends one mail; its attempts extend over 10 to 14 hours. */
  'send-mail': { input: z.object({ mailId: z.uuid() }), attempts: 14, retryDelaySeconds: 5, parallel: 3 },
} as const satisfies Record<string, JobKind>;

/**
 * Former names of jobs. Their schedules would continue, and their queued jobs would never run; the current job does
 * their work on its own schedule.
 */
export const RETIRED_JOBS: readonly string[] = [
  'tell-created',
  'tell-launches',
  'turn-schedules',
  'read-tokens',
  'enter-money',
  'note-audit',
];

/**
 * Former names of jobs with an input, which nothing would queue again. An earlier version may have queued some, and does so while it
 * still runs: processes work them as the current job, in the queue of the former name.
 */
export const FORMER_NAMES: { readonly [N in JobName]?: readonly string[] } = { 'fetch-payment': ['follow-payment'] };

export type JobName = keyof typeof jobs;
export type JobInput<N extends JobName> = z.infer<(typeof jobs)[N]['input']>;
