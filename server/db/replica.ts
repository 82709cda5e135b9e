import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { type Db, openReads } from './client.ts';
import { type Connection, connectionOf } from './pool.ts';
import { readPrimaryPosition, readReplayed } from './replica.sql.ts';

/** State of a replica. `away`: it does not respond, or is not a replica; `behind`: it lacks data that the primary had a moment ago. */
export type ReplicaState = 'in step' | 'behind' | 'away';

/** Maximum wait of one statement for the replica to reach the primary's position at the start of the read. Milliseconds. */
const MAX_WAIT_MS = 250;
/** Intervals between two checks of its position. Milliseconds. */
const POLL_MS = [2, 5, 10, 20];
const SLOW_POLL_MS = 40;
/** Interval of the measurements of its state. Milliseconds. */
const HEARTBEAT_MS = 1_000;
/** How long positions of the primary are stored, from which the age of missing data is computed. Milliseconds. */
const REMEMBERED_MS = 3_600_000;

/** Limits of statements on the replica: beyond them the primary is queried, with the usual limits. */
export const REPLICA_LIMITS = { statement: 2_500, answer: 3_000 };

interface Options {
  /** Pools of `openPool`; `close` closes the replica's. */
  primary: pg.Pool;
  replica: pg.Pool;
  warn: (about: Record<string, unknown>, message: string) => void;
  /** Milliseconds; 0 leaves the measurements to the caller of `measure`. */
  beat?: number;
  /** Milliseconds. */
  wait?: number;
}

/**
 * Reads from a replica (streaming replication), never with older data than the primary had when the read began: the position of the
 * primary's log is read first, and the replica is queried once it has replayed that. If it does not within a quarter of a second,
 * the primary is queried, as for everything that the replica can't do. A replica that was found behind or away is not used until a
 * measurement, one a second, finds it in step.
 */
export class Replica {
  readonly #options: Options;
  readonly #wait: number;
  /** Last known position of the server of a connection; it only increases. */
  readonly #seen = new WeakMap<Connection, bigint>();
  #state: ReplicaState = 'away';
  #lagBytes: number | null = null;
  #lagSeconds: number | null = null;
  /** Positions of the primary with the time of their measurement, oldest first. */
  #passed: { at: number; position: bigint }[] = [];
  readonly #reads = { replica: 0, primary: 0 };
  #timer: NodeJS.Timeout | undefined;
  #measuring: Promise<void> | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#wait = options.wait ?? MAX_WAIT_MS;
    const beat = options.beat ?? HEARTBEAT_MS;
    if (beat > 0) this.#timer = setInterval(() => void this.measure(), beat).unref();
  }

  get state(): ReplicaState {
    return this.#state;
  }

  /** Bytes of the log that it lacked at the last measurement; null while unknown. */
  get lagBytes(): number | null {
    return this.#lagBytes;
  }

  /** Age of the missing data, with the precision of the measurement interval; null while unknown. Seconds. */
  get lagSeconds(): number | null {
    return this.#lagSeconds;
  }

  /** Statements that could use the replica, by the server that they used. */
  get reads(): { readonly replica: number; readonly primary: number } {
    return this.#reads;
  }

  /**
   * The query layer for one response: all of its statements see at least the data that the primary had when the first of them
   * began.
   */
  reader(db: Db): Db {
    let from: Promise<bigint> | undefined;
    return openReads(db, async (statement, values) => {
      if (this.#state === 'in step') {
        from ??= this.#position();
        const answer = await this.#query(await from, statement, values);
        if (answer) return answer;
      }
      this.#reads.primary++;
      return this.#options.primary.query(statement as pg.QueryConfig, values);
    });
  }

  /** Measures the current state; concurrent calls share a measurement. Never throws. */
  measure(): Promise<void> {
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#measuring;
    await this.#options.replica.end();
  }

  async #position(): Promise<bigint> {
    const [found] = await readPrimaryPosition(this.#options.primary, {});
    return BigInt(found?.position ?? '0');
  }

  /** @returns undefined when the primary has to be queried. */
  async #query(
    from: bigint,
    statement: string | pg.QueryConfig,
    values: unknown[] | undefined,
  ): Promise<pg.QueryResult | undefined> {
    let connection: (pg.PoolClient & Connection) | undefined;
    try {
      connection = connectionOf(await this.#options.replica.connect());
      if (!(await this.#reaches(connection, from))) {
        // The next measurement checks this position too.
        this.#passed.push({ at: performance.now(), position: from });
        this.#becomes('behind');
        return undefined;
      }
      const answer = await connection.query(statement as pg.QueryConfig, values);
      this.#reads.replica++;
      return answer;
    } catch (error) {
      // For any error the primary decides: an invalid statement fails there too.
      if (isLost(error)) this.#becomes('away', error);
      return undefined;
    } finally {
      connection?.release(connection.fatalError);
    }
  }

  /**
   * True when the server of the connection has replayed the log up to this position, or does so in time. @throws when it is not a
   * replica.
   */
  async #reaches(connection: Connection, from: bigint): Promise<boolean> {
    const end = performance.now() + this.#wait;
    for (let attempt = 0; ; attempt++) {
      if ((this.#seen.get(connection) ?? -1n) >= from) return true;
      this.#seen.set(connection, await replayedBy(connection));
      if ((this.#seen.get(connection) ?? -1n) >= from) return true;
      const rest = end - performance.now();
      if (rest <= 0) return false;
      await pause(Math.min(POLL_MS[attempt] ?? SLOW_POLL_MS, rest));
    }
  }

  async #measure(): Promise<void> {
    let position: bigint;
    try {
      position = await this.#position();
    } catch {
      // Failures of the primary are reported elsewhere.
      this.#lagBytes = null;
      this.#lagSeconds = null;
      return;
    }
    const now = performance.now();
    try {
      const replayed = await this.#replayed();
      const missing = this.#passed.find((one) => one.position > replayed);
      this.#lagBytes = Math.max(0, Number(position - replayed));
      this.#lagSeconds = missing ? (now - missing.at) / 1_000 : 0;
      this.#becomes(missing ? 'behind' : 'in step');
      this.#passed = this.#passed.filter((one) => one.position > replayed && now - one.at < REMEMBERED_MS);
    } catch (error) {
      this.#lagBytes = null;
      this.#lagSeconds = null;
      this.#becomes('away', error);
    }
    this.#passed.push({ at: now, position });
    // Limits memory use while a replica is unavailable for days.
    if (this.#passed.length > REMEMBERED_MS / HEARTBEAT_MS) this.#passed.splice(1, 1);
  }

  async #replayed(): Promise<bigint> {
    const connection = connectionOf(await this.#options.replica.connect());
    try {
      return await replayedBy(connection);
    } finally {
      connection.release(connection.fatalError);
    }
  }

  #becomes(state: ReplicaState, why?: unknown): void {
    if (state === this.#state) return;
    this.#state = state;
    if (state === 'in step') this.#options.warn({}, 'the replica is in step: public reads and reports go there');
    else this.#options.warn({ state, ...(why ? { err: why } : {}) }, 'public reads and reports go to the primary');
  }
}

async function replayedBy(connection: Connection): Promise<bigint> {
  const [found] = await readReplayed(connection, {});
  // A promoted server is no replica; its data may belong to another history.
  if (!found?.replayed) throw new NoReplica('the server of DATABASE_READ_URL follows no primary');
  return BigInt(found.replayed);
}

class NoReplica extends Error {
  override name = 'NoReplica';
}

/** True for the loss of a connection or its server, not for an error of the statement; SQLSTATE classes 08, 53 and 57P. */
function isLost(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || /^(08|53|57P)/.test(code);
}
