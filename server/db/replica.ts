import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { type Db, openReads } from './client.ts';
import { type Connection, connectionOf } from './pool.ts';
import { readPrimaryPosition, readReplayed } from './replica.sql.ts';

/** How a replica is. `away`: it does not answer, or is none; `behind`: it lacks what the primary had a moment ago. */
export type ReplicaState = 'in step' | 'behind' | 'away';

/** Longest wait of one statement for the replica to have what the primary had when the read began. Milliseconds. */
const MAX_WAIT_MS = 250;
/** Between two looks at how far it is. Milliseconds. */
const POLL_MS = [2, 5, 10, 20];
const SLOW_POLL_MS = 40;
/** Between two measurements of how it is. Milliseconds. */
const HEARTBEAT_MS = 1_000;
/** How long positions of the primary are remembered, to say how old what is missing is. Milliseconds. */
const REMEMBERED_MS = 3_600_000;

/** Limits of statements on the replica: after them the primary is asked, which has the usual ones. */
export const REPLICA_LIMITS = { statement: 2_500, answer: 3_000 };

interface Options {
  /** Pools of `openPool`; the replica's is closed by `close`. */
  primary: pg.Pool;
  replica: pg.Pool;
  warn: (about: Record<string, unknown>, message: string) => void;
  /** Milliseconds; 0 leaves the measurements to the caller of `measure`. */
  beat?: number;
  /** Milliseconds. */
  wait?: number;
}

/**
 * Reads from a copy of the database that follows it (streaming replication), never with older data than the primary had when
 * the read began: the position of the primary's log is read first, and the replica is asked once it has replayed that. Within a
 * quarter of a second it has to, else the primary is asked, as it is for whatever the replica can't do. A replica that was
 * found behind or away is left alone until a measurement, one a second, finds it in step.
 */
export class Replica {
  readonly #options: Options;
  readonly #wait: number;
  /** How far the server behind a connection was when last asked; it only goes on. */
  readonly #seen = new WeakMap<Connection, bigint>();
  #state: ReplicaState = 'away';
  #lagBytes: number | null = null;
  #lagSeconds: number | null = null;
  /** Positions of the primary by when they were measured, oldest first. */
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

  /** How old what it lacks is, to the interval between measurements; null while unknown. Seconds. */
  get lagSeconds(): number | null {
    return this.#lagSeconds;
  }

  /** Statements that might have gone to the replica, by where they went. */
  get reads(): { readonly replica: number; readonly primary: number } {
    return this.#reads;
  }

  /** The query layer for one answer: all of its statements see at least what the primary had when the first of them began. */
  reader(db: Db): Db {
    let from: Promise<bigint> | undefined;
    return openReads(db, async (statement, values) => {
      if (this.#state === 'in step') {
        from ??= this.#position();
        const answer = await this.#ask(await from, statement, values);
        if (answer) return answer;
      }
      this.#reads.primary++;
      return this.#options.primary.query(statement as pg.QueryConfig, values);
    });
  }

  /** Looks how it is now; those who ask at once share a look. Never throws. */
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

  /** @returns undefined when the primary has to be asked. */
  async #ask(
    from: bigint,
    statement: string | pg.QueryConfig,
    values: unknown[] | undefined,
  ): Promise<pg.QueryResult | undefined> {
    let connection: (pg.PoolClient & Connection) | undefined;
    try {
      connection = connectionOf(await this.#options.replica.connect());
      if (!(await this.#reaches(connection, from))) {
        // The next measurement looks for this too.
        this.#passed.push({ at: performance.now(), position: from });
        this.#becomes('behind');
        return undefined;
      }
      const answer = await connection.query(statement as pg.QueryConfig, values);
      this.#reads.replica++;
      return answer;
    } catch (error) {
      // Whatever it is, the primary decides: a statement that is wrong fails there too.
      if (isLost(error)) this.#becomes('away', error);
      return undefined;
    } finally {
      connection?.release(connection.doubt);
    }
  }

  /** Whether the server behind the connection has replayed the log up to there, or does so in time. @throws when it is none. */
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
      // Of the primary others complain.
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
    // A replica that is away for days must not fill the memory.
    if (this.#passed.length > REMEMBERED_MS / HEARTBEAT_MS) this.#passed.splice(1, 1);
  }

  async #replayed(): Promise<bigint> {
    const connection = connectionOf(await this.#options.replica.connect());
    try {
      return await replayedBy(connection);
    } finally {
      connection.release(connection.doubt);
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
  // One that was promoted follows nobody; what it has may be another history.
  if (!found?.replayed) throw new NoReplica('the server of DATABASE_READ_URL follows no primary');
  return BigInt(found.replayed);
}

class NoReplica extends Error {
  override name = 'NoReplica';
}

/** Not an answer to the statement, but the end of a connection or of its server; SQLSTATE classes 08, 53 and 57P. */
function isLost(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || /^(08|53|57P)/.test(code);
}
