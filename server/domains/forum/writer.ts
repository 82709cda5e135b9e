import type { JobQueue } from '#server/jobs/queue.ts';
import type { Actor } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { isModerator } from './forum.policy.ts';

/** Who writes or moderates, for all services here. */
export interface Writer {
  viewer: Viewer;
  actor: Actor;
  now: Date;
  /** A moderator who has not set up the second factor that the installation asks for. */
  withoutPowers?: 'PASSWORD_INITIAL' | 'SECOND_FACTOR_REQUIRED' | null;
  jobs: JobQueue;
  /** First texts and first links of new members wait for a review; `host` is this site's, to which links are none. */
  reviews?: { host: string };
}

/** @throws FORBIDDEN for whoever is no moderator, PASSWORD_INITIAL, SECOND_FACTOR_REQUIRED */
export function asStaff({ viewer, withoutPowers }: Writer): void {
  if (!isModerator(viewer)) fail('FORBIDDEN');
  if (withoutPowers) fail(withoutPowers);
}
