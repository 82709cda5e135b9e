// Cache of API reads by the loaders of pages, with the rules of public reads over HTTP.
import { type AnyContractProcedure, type ContractRouterClient, isContractProcedure } from '@orpc/contract';
import { contract } from '#contract/index.ts';
import { domainOf, type LiveDomain } from '#contract/live.ts';
import type { Settings } from '#server/domains/settings/settings.port.ts';
import { MAX_PUBLIC_READS, PUBLIC_READ_TTL_MS, publicReadOf } from '#server/http/api/public-reads.ts';
import type { LiveHub } from '#server/live/hub.ts';

type Api = ContractRouterClient<typeof contract>;
type Call = (input?: unknown, options?: { signal?: AbortSignal }) => Promise<unknown>;

interface Entry {
  tags: readonly LiveDomain[];
  /** Time when the read began. Milliseconds. */
  at: number;
  answer: Promise<unknown>;
}

/**
 * Cache of public reads inside the process: pages in two languages, and pages that were dropped by the same change,
 * share their reads. A change of a domain drops its results, also those in progress; nothing is cached for longer than
 * `PUBLIC_READ_TTL_MS`, and no failure. Results are frozen, because several renders use them at once.
 */
export class ReadCache {
  readonly #entries = new Map<string, Entry>();
  readonly #readAt = new WeakMap<object, number>();

  /**
   * @param make performs the read; called at once when nothing is cached, and shared by all callers until it is
   *   dropped.
   */
  read(key: string, tags: readonly LiveDomain[], make: () => Promise<unknown>): Promise<unknown> {
    const at = Date.now();
    const cached = this.#entries.get(key);
    if (cached && at - cached.at <= PUBLIC_READ_TTL_MS) return cached.answer;
    const answer = make().then((data) => {
      if (typeof data === 'object' && data !== null) this.#readAt.set(freeze(data), at);
      return data;
    });
    const entry = { tags, at, answer };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    answer.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MAX_PUBLIC_READS) break;
      this.#entries.delete(oldest);
    }
    return answer;
  }

  /** Time when the read of a cached result began, in milliseconds; undefined for other objects. */
  readonly readAt = (answer: object): number | undefined => this.#readAt.get(answer);

  /** Drops every result that depends on this domain. */
  drop(domain: LiveDomain): void {
    for (const [key, { tags }] of this.#entries) if (tags.includes(domain)) this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}

/** Creates a cache that drops results by the same events as the page cache. */
export function openReadCache({ hub, settings }: { hub: LiveHub; settings: Settings }): ReadCache {
  const cache = new ReadCache();
  const clear = () => cache.clear();
  hub.onEvent((event) => cache.drop(domainOf(event)));
  hub.onResync(clear);
  hub.onLost(clear);
  settings.onChange(clear);
  return cache;
}

function freeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freeze(part);
  return Object.freeze(value);
}

/**
 * Wraps the API so that its public reads are cached. Which reads those are and what invalidates them is declared once,
 * by their HTTP paths (public-reads.ts).
 *
 * @param api the API as an anonymous visitor: cached results are shared by everybody.
 */
export const withReadCache = (api: Api, cache: ReadCache): Api => wrapped(api, contract, cache) as Api;

function wrapped(client: object, node: object, cache: ReadCache): object {
  return new Proxy(client, {
    get(target, name) {
      const inner: unknown = Reflect.get(target, name);
      const part: unknown = typeof name === 'string' ? (node as Record<string, unknown>)[name] : undefined;
      if (isContractProcedure(part)) return cachedCall(inner as Call, part, cache);
      return typeof part === 'object' && part !== null ? wrapped(inner as object, part, cache) : inner;
    },
  });
}

function cachedCall(call: Call, procedure: AnyContractProcedure, cache: ReadCache): Call {
  const { method, path } = procedure['~orpc'].route;
  if (method !== 'GET' || path === undefined) return call;
  return (input, options) => {
    const read = publicReadOf(path, input);
    // Without the caller's abort signal: others wait for the same result.
    return read ? cache.read(read.key, read.tags, () => call(input)) : call(input, options);
  };
}
