import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import type { Tally } from '#contract/domains/voting.ts';
import { domainOf, type LiveDomain, type LiveEvent, liveDomain, liveEvent } from '#contract/live.ts';
import type { Place } from '#server/db/pool.ts';
import { nextUtcDay } from '#server/lib/clock.ts';

/**
 * Votes received within this time are broadcast together, so that many votes cost each client at most seven messages a
 * second. Milliseconds.
 */
const COALESCE_MS = 150;
/**
 * Changes of who is online within this time after one are broadcast together: every screen that shows the list reads it again, so on
 * a site where somebody comes or goes all the time the cost would be the product of members and screens. Milliseconds.
 */
const PRESENCE_MS = 2_000;
/** Delays before the first attempts at a new connection, and before every later one. Milliseconds. */
const RECONNECT_DELAYS_MS = [100, 250];
const SLOW_RECONNECT_MS = 500;
/** A repeated error is not reported again within this time. Milliseconds. */
const LOG_INTERVAL_MS = 60_000;
/** Time limit to connect and start listening. Milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * A separate channel for the connection's messages to itself: earlier versions would treat them as unreadable on the
 * others.
 */
const PINGS = 'live_ping';
/** Number of kinds of unreadable messages that are logged separately. */
const MAX_UNKNOWN = 20;

/** Check that the connection still receives messages; milliseconds. */
interface Ping {
  every: number;
  /** Without a response within this time the connection counts as dead, even without an error. */
  answer: number;
}
const PING: Ping = { every: 10_000, answer: 5_000 };

/**
 * Delay before an attempt to reconnect, in milliseconds. Does not grow with the duration of an outage: a process
 * without this connection is not ready, and it should be ready within a second after the database is back.
 *
 * @param attempt counted from 0.
 */
export const reconnectDelay = (attempt: number): number => RECONNECT_DELAYS_MS[attempt] ?? SLOW_RECONNECT_MS;

type Listener = (event: LiveEvent) => void;

/** Which live streams ended: those of one session, or of all sessions of a member. */
const ended = z.union([z.strictObject({ session: z.uuid() }), z.strictObject({ member: z.uuid() })]);
export type SessionEnded = z.infer<typeof ended>;

/** Name of an image that is no longer public. */
const imageName = z.string().regex(/^[0-9a-f]{32}$/);

/**
 * The one LISTEN connection of this process. Passes each event to its listeners (streams, page cache). After a lost
 * connection, and after a message that it cannot parse (a newer version may send one), it emits a resync: anything may
 * have changed. At the start of a UTC day it emits a change of the voting domain. It sends itself a message regularly,
 * because a connection whose peer disappeared without closing it looks like an idle one.
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
  /** Kinds of unreadable messages that were logged already. */
  readonly #unknown = new Set<string>();
  /** The last reported error since the connection was established. */
  #reported: { message: string; at: number } | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #resyncing: NodeJS.Timeout | undefined;
  /** Runs since the last change of who is online was broadcast. */
  #presencePause: NodeJS.Timeout | undefined;
  #presenceChanged = false;
  #midnight: NodeJS.Timeout | undefined;
  #client: pg.Client | undefined;
  /** Called with each message of the connection's own check. */
  #onPing: (token: string) => void = () => {};
  #stopped = false;
  #ready = false;
  /** Before this time anything may have changed. Milliseconds since the epoch. */
  #began = Date.now();
  readonly #changedAt = new Map<LiveDomain, number>();

  /**
   * @param config a connection past the pooler is used if it has one (`direct`): LISTEN needs a session.
   * @param onError receives connection errors and unreadable messages.
   * @param ping interval and time limit of the connection's check.
   */
  constructor(config: Place, onError: (error: Error) => void = () => {}, ping: Ping = PING) {
    this.#config = config.direct ?? config;
    this.#onError = onError;
    this.#ping = ping;
  }

  /** Connects in the background and reconnects until stop(); resolves at the first connection. */
  start(): Promise<void> {
    this.#armMidnight();
    return new Promise((connected) => void this.#connectLoop(connected));
  }

  /** True while events are received. */
  get ready(): boolean {
    return this.#ready;
  }

  /**
   * When each domain last changed according to the received events, in milliseconds since the epoch; where none was
   * received, the time of the start or of the last resync.
   */
  get changedAt(): Record<LiveDomain, number> {
    return Object.fromEntries(
      liveDomain.options.map((domain) => [domain, this.#changedAt.get(domain) ?? this.#began]),
    ) as Record<LiveDomain, number>;
  }

  onEvent(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Emits a change that was not received as a message, such as the start of a UTC day, to the listeners of this process. */
  emitLocally(domain: LiveDomain): void {
    this.#emit({ type: 'domain.changed', domain });
  }

  /** Called when events may have been missed: listeners have to discard what they cached. */
  onResync(listener: () => void): () => void {
    this.#resync.add(listener);
    return () => this.#resync.delete(listener);
  }

  /** Called when the connection is lost; `onResync` follows once it is back. */
  onLost(listener: () => void): () => void {
    this.#lost.add(listener);
    return () => this.#lost.delete(listener);
  }

  /** Called when a session was deleted or its member was disabled, in any process. */
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
    clearTimeout(this.#presencePause);
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
      // Not closed by protocol: the peer may have disappeared, and would never answer.
      client.connection.stream.destroy();
      if (!this.#stopped) await pause(reconnectDelay(attempt));
    }
  }

  /** Reports an error unless it repeats: during an outage every attempt fails in the same way, twice a second. */
  #report(error: Error): void {
    const { message } = error;
    const now = performance.now();
    if (this.#stopped || (this.#reported?.message === message && now - this.#reported.at < LOG_INTERVAL_MS)) return;
    this.#reported = { message, at: now };
    this.#onError(error);
  }

  /** Returns when the connection is closed. @throws Error if the connection receives nothing any more. */
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
        // Messages of other processes arrive, too.
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

  /** Never throws: an error in the event handler would end the process. */
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
    // Many unreadable messages cause one resync.
    this.#resyncing ??= setTimeout(() => {
      this.#resyncing = undefined;
      this.#emitResync();
    }, COALESCE_MS);
  }

  #onEvent(event: LiveEvent): void {
    if (event.type === 'domain.changed' && event.domain === 'presence') {
      this.#onPresence();
      return;
    }
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

  /** The first change is broadcast at once, later ones together after the pause. */
  #onPresence(): void {
    this.#presenceChanged = true;
    if (this.#presencePause) return;
    this.#presenceChanged = false;
    this.emitLocally('presence');
    this.#presencePause = setTimeout(() => {
      this.#presencePause = undefined;
      if (this.#presenceChanged) this.#onPresence();
    }, PRESENCE_MS).unref();
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

  /** 'Votes today' become zero at 00:00 UTC without any write. */
  #armMidnight(): void {
    const now = new Date();
    this.#midnight = setTimeout(
      () => {
        this.emitLocally('voting');
        this.#armMidnight();
      },
      nextUtcDay(now).getTime() - now.getTime() + 50,
    );
    this.#midnight.unref();
  }
}
