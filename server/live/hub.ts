import pg from 'pg';
import { z } from 'zod';
import { domainOf, type LiveDomain, type LiveEvent, liveDomain, liveEvent } from '#contract/live.ts';
import type { Tally } from '#contract/voting.ts';
import { nextUtcDay } from '#server/lib/clock.ts';

/** Votes heard within this time go out together, so a rush costs every screen a few messages a second. Milliseconds. */
const GATHER = 150;
const RECONNECT = [100, 500, 1_000, 2_000, 5_000];

type Listener = (event: LiveEvent) => void;

/** Whose live streams are over: of one session, or of all sessions of a member. */
const ended = z.union([z.strictObject({ session: z.uuid() }), z.strictObject({ member: z.uuid() })]);
export type Ended = z.infer<typeof ended>;

/**
 * The one LISTEN connection of this process. Hands each event to its listeners (streams, page cache); after a broken
 * connection, and when the UTC day turns, it says that everything may have changed.
 */
export class LiveHub {
  readonly #config: pg.ClientConfig;
  readonly #onError: (error: Error) => void;
  readonly #listeners = new Set<Listener>();
  readonly #resync = new Set<() => void>();
  readonly #ended = new Set<(who: Ended) => void>();
  readonly #tallies = new Map<string, Tally>();
  #gathering: NodeJS.Timeout | undefined;
  #midnight: NodeJS.Timeout | undefined;
  #client: pg.Client | undefined;
  #stopped = false;
  #ready = false;
  /** Before the start of this process anything may have changed. */
  readonly #began = Date.now();
  readonly #changedAt = new Map<LiveDomain, number>();

  constructor(config: pg.ClientConfig, onError: (error: Error) => void = () => {}) {
    this.#config = config;
    this.#onError = onError;
  }

  /** Connects in the background and keeps connected until stop(); resolves at the first connection. */
  start(): Promise<void> {
    this.#armMidnight();
    return new Promise((connected) => void this.#follow(connected));
  }

  /** True while changes are heard. */
  get ready(): boolean {
    return this.#ready;
  }

  /** When each domain last changed as far as this process heard, in milliseconds; its own start where it heard nothing. */
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

  /** Called when a session was deleted or its member disabled, in any process. */
  onEnded(listener: (who: Ended) => void): () => void {
    this.#ended.add(listener);
    return () => this.#ended.delete(listener);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#gathering);
    clearTimeout(this.#midnight);
    await this.#client?.end().catch(() => {});
  }

  async #follow(connected: () => void): Promise<void> {
    let first = true;
    for (let attempt = 0; !this.#stopped; attempt++) {
      try {
        const client = new pg.Client({ ...this.#config, keepAlive: true, application_name: 'florka live' });
        this.#client = client;
        const gone = new Promise<void>((resolve) => {
          client.once('end', resolve);
          client.on('error', (error) => {
            if (!this.#stopped) this.#onError(error);
            resolve();
          });
        });
        await client.connect();
        client.on('notification', ({ channel, payload = '' }) =>
          channel === 'ended' ? this.#hearEnded(payload) : this.#hear(payload),
        );
        await client.query('listen live; listen ended');
        attempt = 0;
        this.#ready = true;
        if (first) connected();
        else this.#emitResync();
        first = false;
        await gone;
        this.#ready = false;
        await client.end().catch(() => {});
      } catch (error) {
        if (!this.#stopped) this.#onError(error as Error);
      }
      if (!this.#stopped)
        await new Promise((resolve) => setTimeout(resolve, RECONNECT[Math.min(attempt, RECONNECT.length - 1)]));
    }
  }

  #hearEnded(payload: string): void {
    const who = ended.parse(JSON.parse(payload));
    for (const listener of this.#ended) listener(who);
  }

  #hear(payload: string): void {
    let event: LiveEvent;
    try {
      event = liveEvent.parse(JSON.parse(payload));
    } catch (error) {
      this.#onError(new Error(`unreadable live event: ${payload.slice(0, 200)}`, { cause: error }));
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
    }, GATHER);
  }

  #emit(event: LiveEvent): void {
    this.#changedAt.set(domainOf(event), Date.now());
    for (const listener of this.#listeners) listener(event);
  }

  #emitResync(): void {
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
