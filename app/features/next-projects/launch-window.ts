import type { Token } from '#contract/domains/tokens.ts';
import { launchTime } from '#contract/text/launch-time.ts';

const HOUR_MS = 3_600_000;
/** How long the page shows the outcome afterwards. */
const AFTER_MS = 7 * 24 * HOUR_MS;

/**
 * The state shown over the page of a launch.
 * @param now milliseconds, by the server's clock.
 * @returns `waiting` in the last hour, `open` from the announced hour on for seven days; null for tokens that are no launch,
 * without a time, that launched before it, and at all other times.
 */
export function launchWindowOf(
  token: Pick<Token, 'launch'>,
  now: number,
): { state: 'waiting' | 'open'; at: string } | null {
  const at = token.launch && launchTime(token.launch);
  if (!at) return null;
  const left = Date.parse(at) - now;
  if (left > HOUR_MS || left < -AFTER_MS) return null;
  if (left > 0 && token.launch?.status === 'launched') return null;
  return { state: left > 0 ? 'waiting' : 'open', at };
}
