import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import type { Tally } from '#contract/domains/voting.ts';
import { domainOf, type LiveDomain, type LiveEvent, liveDomain, liveEvent } from '#contract/live.ts';
import type { Place } from '#server/db/pool.ts';
import { nextUtcDay } from '#server/lib/clock.ts';

/** Votes received within this time go out together, so a rush costs every screen a few messages a second. Milliseconds. */
const COALESCE_MS = 150;
/** Before the first tries of a new connection, and before every later one. Milliseconds. */
const RECONNECT_DELAYS_MS = [100, 250];
const SLOW_RECONNECT_MS = 500;
/** The same failure of a try is not reported again for so long. Milliseconds. */
const LOG_INTERVAL_MS = 60_000;
/** Milliseconds to get a connection that listens. */
const CONNECT_TIMEOUT_MS = 5_000;
/** A channel of its own for the message to itself: programs from before it would stumble over one on the others. */
const PINGS = 'live_ping';
/** Kinds of unreadable messages that are told apart in the log; newer programs have few. */
const MAX_UNKNOWN = 20;

/** Proof that the connection still receives; milliseconds. */
interface Ping {
  every: number;
  /** Without an answer for so long the connection counts as dead, even if nothing says so. */
  answer: number;
}
const PING: Ping = { every: 10_000, answer: 5_000 };

/**
 * How long to wait before a try, counted from 0, in milliseconds. It does not grow with the time that the database is away: a
 * process without this connection is not ready, and it should be within a second once the database is back.
 */
export const reconnectDelay = (attempt: number): number => RECONNECT_DELAYS_MS[attempt] ?? SLOW_RECONNECT_MS;

type Listener = (event: LiveEvent) => void;

/** Whose live streams are over: of one session, or of all sessions of a member. */
const ended = z.union([z.strictObject({ session: z.uuid() }), z.strictObject({ member: z.uuid() })]);
export type SessionEnded = z.infer<typeof ended>;

/** The name of an image that nobody may see any more. */
const imageName = z.string().regex(/^[0-9a-f]{32}$/);

/**
 * The one LISTEN connection of this process. Hands each event to its listeners (streams, page cache); after a broken
 * connection, and when the UTC day turns, it says that everything may have changed. A message that it can't read, as a newer
 * program may send, means the same. It sends itself a message from time to time: a connection whose other end is gone without
 * a word looks like one on which nothing happens.
 */
export class LiveHub {
  readonly #config: pg.ClientConfig;
  readonly #onError: (error: Error) => void;
  readonly #ping: Ping;
  readonly #listeners = new Set<Listener>();
  readonly #resync = new Set<() => void>();
  readonly #lost = new Set<() => void>();
  readonly #ended = new Set<(who: SessionEnded) => void>();
  readonly #imageGone = new Set<(name: string) => void>();
  readonly #tallies = new Map<string, Tally>();
  /** What unreadable messages were about, each told once. */
  readonly #unknown = new Set<string>();
  /** The failure that was reported last since the connection was there. */
  #reported: { message: string; at: number } | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #resyncing: NodeJS.Timeout | undefined;
  #midnight: NodeJS.Timeout | undefined;
  #client: pg.Client | undefined;
  /** Told what comes back of the messages to itself. */
  #onPing: (token: string) => void = () => {};
  #stopped = false;
  #ready = false;
  /** Before this moment anything may have changed. */
  #began = Date.now();
  readonly #changedAt = new Map<LiveDomain, number>();

  /** @param config of a pooler and the server behind it, the server is listened to. */
  constructor(config: Place, onError: (error: Error) => void = () => {}, ping: Ping = PING) {
    this.#config = config.direct ?? config;
    this.#onError = onError;
    this.#ping = ping;
  }

  /** Connects in the background and keeps connected until stop(); resolves at the first connection. */
  start(): Promise<void> {
    this.#armMidnight();
    return new Promise((connected) => void this.#connectLoop(connected));
  }

  /** True while changes are received. */
  get ready(): boolean {
    return this.#ready;
  }

  /** When each domain last changed as far as this process received, in milliseconds; its own start where it received nothing. */
  get changedAt(): Record<LiveDomain, number> {
    return Object.fromEntries(
      liveDomain.options.map((domain) => [domain, this.#changedAt.get(domain) ?? this.#began]),
    ) as Record<LiveDomain, number>;
  }

  onEvent(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called when events may have been missed: drop what you hold and read again. */
  onResync(listener: () => void): () => void {
    this.#resync.add(listener);
    return () => this.#resync.delete(listener);
  }

  /** Called when changes can't be heard any more, until `onResync` says that they can. */
  onLost(listener: () => void): () => void {
    this.#lost.add(listener);
    return () => this.#lost.delete(listener);
  }

  /** Called when a session was deleted or its member disabled, in any process. */
  onEnded(listener: (who: SessionEnded) => void): () => void {
    this.#ended.add(listener);
    return () => this.#ended.delete(listener);
  }

  /** Called with the name of each image that was removed, or whose post was hidden, in any process. */
  onImageGone(listener: (name: string) => void): () => void {
    this.#imageGone.add(listener);
    return () => this.#imageGone.delete(listener);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#gathering);
    clearTimeout(this.#resyncing);
    clearTimeout(this.#midnight);
    this.#client?.connection.stream.destroy();
  }

  async #connectLoop(connected: () => void): Promise<void> {
    let first = true;
    for (let attempt = 0; !this.#stopped; attempt++) {
      const client = new pg.Client({
        ...this.#config,
        keepAlive: true,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        query_timeout: CONNECT_TIMEOUT_MS,
        application_name: 'florka live',
      });
      this.#client = client;
      const gone = new AbortController();
      client.once('end', () => gone.abort());
      client.on('error', (error) => {
        this.#report(error);
        gone.abort();
      });
      client.on('notification', ({ channel, payload = '' }) => this.#receive(channel, payload));
      try {
        await client.connect();
        await client.query(`listen live; listen ended; listen image_gone; listen ${PINGS}`);
        attempt = 0;
        this.#ready = true;
        this.#reported = undefined;
        if (first) connected();
        else this.#emitResync();
        first = false;
        await this.#watch(client, gone.signal);
      } catch (error) {
        this.#report(error as Error);
      }
      const lost = this.#ready;
      this.#ready = false;
      if (lost && !this.#stopped) for (const listener of this.#lost) listener();
      // Not ended in the polite way: the other side may be gone without a word.
      client.connection.stream.destroy();
      if (!this.#stopped) await pause(reconnectDelay(attempt));
    }
  }

  /** While the database is away every try fails in the same way, twice a second. */
  #report(error: Error): void {
    const { message } = error;
    const now = performance.now();
    if (this.#stopped || (this.#reported?.message === message && now - this.#reported.at < LOG_INTERVAL_MS)) return;
    this.#reported = { message, at: now };
    this.#onError(error);
  }

  /** Returns when the connection is gone. @throws when it receives nothing any more. */
  async #watch(client: pg.Client, gone: AbortSignal): Promise<void> {
    for (;;) {
      await pause(this.#ping.every, undefined, { signal: gone, ref: false }).catch(() => {});
      if (gone.aborted || this.#stopped) return;
      const answers = await this.#pingItself(client, gone);
      if (gone.aborted || this.#stopped) return;
      if (!answers) throw new Error(`no answer on the live connection for ${this.#ping.answer} ms`);
    }
  }

  async #pingItself(client: pg.Client, gone: AbortSignal): Promise<boolean> {
    const token = randomUUID();
    const over = new AbortController();
    const received = new Promise<boolean>((resolve) => {
      this.#onPing = (one) => {
        // Those of other processes mean nothing.
        if (one === token) resolve(true);
      };
    });
    const signal = AbortSignal.any([gone, over.signal]);
    try {
      const late = pause(this.#ping.answer, false, { signal });
      const sent = client.query('select pg_notify($1, $2)', [PINGS, token]);
      return await Promise.race([sent.then(() => received), late]);
    } catch {
      return false;
    } finally {
      over.abort();
    }
  }

  /** Never throws: it would end the process. */
  #receive(channel: string, payload: string): void {
    try {
      if (channel === PINGS) this.#onPing(payload);
      else if (channel === 'ended') {
        const who = ended.parse(JSON.parse(payload));
        for (const listener of this.#ended) listener(who);
      } else if (channel === 'image_gone') {
        const name = imageName.parse(payload);
        for (const listener of this.#imageGone) listener(name);
      } else this.#onEvent(liveEvent.parse(JSON.parse(payload)));
    } catch (error) {
      this.#onUnreadableMessage(channel, payload, error);
    }
  }

  #onUnreadableMessage(channel: string, payload: string, error: unknown): void {
    const kind = `${channel} ${/"type":"([\w.]{1,40})"/.exec(payload)?.[1] ?? ''}`;
    if (!this.#unknown.has(kind) && this.#unknown.size < MAX_UNKNOWN) {
      this.#unknown.add(kind);
      this.#onError(new Error(`unreadable live message: ${kind}`, { cause: error }));
    }
    // Many of them cost no more than one.
    this.#resyncing ??= setTimeout(() => {
      this.#resyncing = undefined;
      this.#emitResync();
    }, COALESCE_MS);
  }

  #onEvent(event: LiveEvent): void {
    if (event.type !== 'votes.changed') {
      this.#emit(event);
      return;
    }
    for (const tally of event.tallies) this.#tallies.set(tally.candidateId, tally);
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      const tallies = [...this.#tallies.values()];
      this.#tallies.clear();
      this.#emit({ type: 'votes.changed', tallies });
    }, COALESCE_MS);
  }

  #emit(event: LiveEvent): void {
    this.#changedAt.set(domainOf(event), Date.now());
    for (const listener of this.#listeners) listener(event);
  }

  #emitResync(): void {
    this.#began = Date.now();
    this.#changedAt.clear();
    for (const listener of this.#resync) listener();
  }

  /** 'Votes today' fall to zero at 00:00 UTC without any write. */
  #armMidnight(): void {
    const now = new Date();
    this.#midnight = setTimeout(
      () => {
        this.#emit({ type: 'domain.changed', domain: 'voting' satisfies LiveDomain });
        this.#armMidnight();
      },
      nextUtcDay(now).getTime() - now.getTime() + 50,
    );
    this.#midnight.unref();
  }
}
