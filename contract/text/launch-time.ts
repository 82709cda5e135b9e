interface Launch {
  status: 'published' | 'launched';
  countdownEnd: string | null;
  launchDate: string | null;
}

/** Announced time of a launch: the end of its countdown, else its date; null without one. */
export const launchTime = (launch: Pick<Launch, 'countdownEnd' | 'launchDate'>): string | null =>
  launch.countdownEnd ?? launch.launchDate;

/**
 * True once the announced time has passed or the status is 'launched'. What is known of the launch itself is its proof.
 *
 * @param now milliseconds, by the server's clock.
 */
export function isLaunchOver(launch: Launch, now: number): boolean {
  const at = launchTime(launch);
  return launch.status === 'launched' || (at !== null && Date.parse(at) <= now);
}
