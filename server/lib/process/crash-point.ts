/** Points at which a test can kill the process, as a power failure would. */
export type CrashPoint =
  | 'before_claim'
  | 'after_claim'
  | 'before_sign'
  | 'after_sign_saved'
  | 'after_send_before_mark'
  | 'before_complete'
  | 'after_complete';

/** Kills the process here if CRASH_AT names the point. Only with NODE_ENV=test, which no installation has. */
export function crashPoint(point: CrashPoint): void {
  if (process.env['NODE_ENV'] === 'test' && process.env['CRASH_AT'] === point) process.kill(process.pid, 'SIGKILL');
}
