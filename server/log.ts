import pino, { type Logger } from 'pino';
import { describeError } from '#server/lib/errors/describe-error.ts';

/** How errors are written, in every log of ours. */
export const serializers = { err: (error: unknown) => describeError(error) };

/**
 * One JSON line per event on standard output, written in bundles so that logging never holds up an answer.
 * Fields: t time, l level, id request id, m method, p path, s status, ms milliseconds.
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
        // The reader of our output is gone; there is nobody left to tell.
      }
    },
  };
}
