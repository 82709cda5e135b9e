import { readFileSync } from 'node:fs';

/** Live streams of one process, where its limit of open files permits. */
export const MAX_STREAMS = 10_000;
/** Open files that are not streams: other requests, the database, files of the program. */
const OTHER_FILES = 500;

/** Maximum number of files that this process may have open; null where the system does not report it. */
export function openFilesLimit(): number | null {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
}

/**
 * Number of live streams that one process accepts: each needs an open file, and beyond the limit no other request would be
 * accepted either.
 *
 * @param limit maximum number of open files; null when it is unknown.
 */
export const streamsWithin = (limit: number | null): number =>
  limit === null ? MAX_STREAMS : Math.max(0, Math.min(MAX_STREAMS, limit - OTHER_FILES));
