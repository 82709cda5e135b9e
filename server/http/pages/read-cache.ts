// What the loaders of pages read of the API, cached as answers to public reads over HTTP are.
import { type AnyContractProcedure, type ContractRouterClient, isContractProcedure } from '@orpc/contract';
import { contract } from '#contract/index.ts';
import { domainOf, type LiveDomain } from '#contract/live.ts';
import type { Settings } from '#server/domains/settings/settings.port.ts';
import { MAX_PUBLIC_READS, PUBLIC_READ_TTL_MS, publicRead } from '#server/http/api/public-reads.ts';
import type { LiveHub } from '#server/live/hub.ts';

type Api = ContractRouterClient<typeof contract>;
type Call = (input?: unknown, options?: { signal?: AbortSignal }) => Promise<unknown>;

interface Entry {
  tags: readonly LiveDomain[];
  /** When the read began. Milliseconds. */
  at: number;
  answer: Promise<unknown>;
}

/**
 * Answers to public reads inside the process: pages in two languages, and pages that one change dropped together, share
 * what they read. A change of a domain forgets its answers, also those still on their way; nothing is cached for longer than
 * `PUBLIC_READ_TTL_MS`, and no failure. Answers are frozen, because several renders hold them at once.
 */
export class ReadCache {
  readonly #entries = new Map<string, Entry>();
  readonly #readAt = new WeakMap<object, number>();

  /** @param make reads; called at once when nothing is cached, and shared by all callers until it is dropped. */
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

  /** When an answer was read at the latest, in milliseconds; undefined for one that was made for whoever asked. */
  readonly readAt = (answer: object): number | undefined => this.#readAt.get(answer);

  /** Forgets every answer that shows this domain. */
  drop(domain: LiveDomain): void {
    for (const [key, { tags }] of this.#entries) if (tags.includes(domain)) this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}

/** A cache whose answers are dropped with the pages that show them: by the same events, before a page can be made anew. */
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
 * The API with its public reads cached. Which those are, and what invalidates them, is declared in one place, by the addresses that they
 * have over HTTP (public-reads.ts).
 *
 * @param api as a visitor sees it: what is cached goes to everybody.
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
    const read = addressOf(path, input);
    // Without the caller's signal: others wait for the same answer.
    return read ? cache.read(read.key, read.tags, () => call(input)) : call(input, options);
  };
}

/** The public read that a call is over HTTP; null for what is none. */
function addressOf(path: string, input: unknown) {
  const rest = new Map(Object.entries((input ?? {}) as Record<string, unknown>));
  const pathname = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest.get(name) ?? '');
    rest.delete(name);
    return value;
  });
  const query = new URLSearchParams();
  for (const [name, value] of rest) {
    if (value === undefined || value === null) continue;
    if (typeof value === 'object') return null;
    query.set(name, String(value));
  }
  return publicRead(`/api${pathname}`, query.size > 0 ? `?${query}` : '');
}
