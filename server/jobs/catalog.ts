import { z } from 'zod';

/** Every background job: what it needs, how often it is tried, and for a regular one its cron line (UTC). */
export const jobs = {
  /** Removes what has run out: sessions, rate-limit windows, e-mail codes. */
  housekeeping: { input: z.object({}), attempts: 3, cron: '17 * * * *' },
} as const satisfies Record<string, { input: z.ZodType; attempts: number; cron?: string }>;

export type JobName = keyof typeof jobs;
export type JobInput<N extends JobName> = z.infer<(typeof jobs)[N]['input']>;
