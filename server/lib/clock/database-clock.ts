import type { Reader } from '#server/db/client.ts';
import { readClock } from './database-clock.sql.ts';

/** Interval between readings: bounds what two computers' counters may drift apart meanwhile. Milliseconds. */
const READ_EVERY_MS = 30_000;
/** A reading that took longer than this is used only if there is none yet: half of it may be the error. Milliseconds. */
const SLOW_MS = 1_000;

export interface DatabaseClock {
  /** The database's time, or before the first reading that of the process. */
  now: () => Date;
  /** Reads the database's clock, then again at intervals; a failed reading is reported, and the former one remains in use. */
  start(): Promise<void>;
  stop(): void;
}

/**
 * The database's clock in a process: one reading, advanced by the process's counter of elapsed time, which nobody sets. Processes
 * with different clocks so agree on what has expired.
 *
 * @param onError receives a failed reading.
 */
export function createDatabaseClock(db: Reader, onError: (error: unknown) => void): DatabaseClock {
  /** The database's time at the zero of `performance.now()`. Milliseconds. */
  let origin: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function read(): Promise<void> {
    const before = performance.now();
    const [row] = await readClock(db, {});
    const after = performance.now();
    if (row && (origin === null || after - before <= SLOW_MS)) origin = row.ms - (before + after) / 2;
  }
  const attempt = () => read().catch(onError);

  return {
    now: () => (origin === null ? new Date() : new Date(origin + performance.now())),
    async start() {
      await attempt();
      timer ??= setInterval(() => void attempt(), READ_EVERY_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}
