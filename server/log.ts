import pino, { type Logger } from 'pino';
import { describeError } from '#server/lib/errors/describe-error.ts';
import { lineBuffer } from '#server/lib/process/line-buffer.ts';

/** Serialization of errors in all logs. */
export const serializers = { err: (error: unknown) => describeError(error) };

/** pino's number for `info`. */
const INFO = 30;
/** Bytes that are written together; lines of several processes on one pipe can mix where such a write is interrupted. */
const CHUNK_BYTES = 16_384;
/** Longest time for which a line stays in the buffer. Milliseconds. */
const FLUSH_MS = 500;
/**
 * Bytes that wait while nothing can be written, because the reader of standard output does not read or the disk is full. Lines
 * beyond them are dropped: otherwise they would fill the memory.
 */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** One response, as logged. */
export interface RequestEntry {
  id: string;
  method: string | undefined;
  /** Path without the query, which can contain private data. */
  path: string;
  status: number;
  ms: number;
}

export type RequestLog = (entry: RequestEntry) => void;

export interface Log {
  log: Logger;
  /** Logs a response at level `info`. */
  logRequest: RequestLog;
  /** Writes the buffer out. */
  flush: () => void;
}

/**
 * One JSON line per event on standard output, buffered so that logging does not delay responses. Fields: t time, l
 * level, id request id, m method, p path, s status, ms milliseconds.
 */
export function createLog(level: string): Log {
  const destination = pino.destination({ dest: 1, sync: false, contentMode: 'buffer', maxLength: MAX_WAITING_BYTES });
  destination.on('error', () => {});
  let dropped = 0;
  destination.on('drop', (bytes: Buffer) => {
    dropped += bytes.length;
  });
  const buffer = lineBuffer((bytes) => write(destination, bytes), { bytes: CHUNK_BYTES, ms: FLUSH_MS });
  const log = pino({ level, base: null, serializers, timestamp: () => `,"t":"${isoTime()}"` }, buffer);
  destination.on('drain', () => {
    if (dropped === 0) return;
    const bytes = dropped;
    dropped = 0;
    log.error({ bytes }, 'lines of the log are missing before this one: standard output took none for too long');
  });
  const flush = () => {
    try {
      const rest = buffer.take();
      destination.flushSync();
      // Through another stream, because what `destination` has begun to write in the background may end with the process.
      if (rest) write(pino.destination({ dest: 1, sync: true, contentMode: 'buffer' }), rest);
    } catch {
      // The reader of standard output is gone; there is no other place to report this.
    }
  };
  process.once('exit', flush);
  return { log, logRequest: log.isLevelEnabled('info') ? requestLog(buffer.write) : () => {}, flush };
}

/** The types of the stream know strings only. */
const write = (stream: ReturnType<typeof pino.destination>, bytes: Buffer) =>
  void stream.write(bytes as Buffer & string);

/**
 * Writes lines of responses in pino's format, for less than half of the processor time of pino and its stream
 * (docs/adr/0004-react-router-and-page-cache.md).
 */
export const requestLog =
  (write: (line: string) => void): RequestLog =>
  ({ id, method, path, status, ms }) =>
    write(
      `{"level":${INFO},"t":"${isoTime()}","id":"${id}","m":"${method}","p":${JSON.stringify(path)},"s":${status},"ms":${ms}}\n`,
    );

let last = { at: 0, text: '' };

/** The current time; formatted once per millisecond. */
function isoTime(): string {
  const at = Date.now();
  if (at !== last.at) last = { at, text: new Date(at).toISOString() };
  return last.text;
}
