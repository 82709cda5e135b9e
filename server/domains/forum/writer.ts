import type { JobQueue } from '#server/jobs/queue.ts';
import type { Actor } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { isModerator } from './forum.policy.ts';

/** The member who writes or moderates, for all services of this domain. */
export interface Writer {
  viewer: Viewer;
  actor: Actor;
  now: Date;
  /** Error code for a moderator who has not set up the second factor that the installation requires. */
  missingRequirement?: 'PASSWORD_INITIAL' | 'SECOND_FACTOR_REQUIRED' | null;
  jobs: JobQueue;
  /** When set, first texts and first links of new members wait for a review; `host` is this site's, links to which do not count. */
  reviews?: { host: string };
}

/** Requires a moderator who may act. @throws FORBIDDEN for members who are not moderators, PASSWORD_INITIAL, SECOND_FACTOR_REQUIRED */
export function requireModerator({ viewer, missingRequirement }: Writer): void {
  if (!isModerator(viewer)) fail('FORBIDDEN');
  if (missingRequirement) fail(missingRequirement);
}
