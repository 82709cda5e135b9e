import type { Logger } from 'pino';
import type { Services } from '#server/services.ts';
import type { JobInput, JobName } from './catalog.ts';
import type { JobAttempt } from './queue.ts';

export interface JobContext {
  services: Services;
  log: Logger;
  /** Wraps each attempt, to measure it. */
  observe?: (job: JobName, run: () => Promise<void>) => Promise<void>;
}
/** Must be idempotent: a job whose process ended is run again. */
export type Handler<N extends JobName> = (input: JobInput<N>, context: JobContext, about: JobAttempt) => Promise<void>;
