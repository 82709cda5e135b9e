import pino, { type Logger } from 'pino';
import { describeError } from '#server/lib/errors/describe-error.ts';

/** Serialization of errors in all logs. */
export const serializers = { err: (error: unknown) => describeError(error) };

/**
 * One JSON line per event on standard output, buffered so that logging does not delay responses. Fields: t time, l
 * level, id request id, m method, p path, s status, ms milliseconds.
 *
 * @returns the logger, and a function that writes the buffer out.
 */
export function createLog(level: string): { log: Logger; flush: () => void } {
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 500 });
  destination.on('error', () => {});
  const log = pino(
    { level, base: null, serializers, timestamp: () => `,"t":"${new Date().toISOString()}"` },
    destination,
  );
  return {
    log,
    flush: () => {
      try {
        destination.flushSync();
      } catch {
        // The reader of standard output is gone; there is no other place to report this.
      }
    },
  };
}
