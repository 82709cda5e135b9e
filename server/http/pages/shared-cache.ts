// Headers for shared caches (proxies, CDNs), and their purging; see docs/adr/0047.
import type { LiveDomain } from '#contract/live.ts';
import type { CachePurge } from '#server/providers/cache/port.ts';
import type { Page, Publish } from './page-cache.ts';

/** Lifetime of a response in shared caches. Seconds. */
export interface CacheLifetime {
  /** Time for which it is fresh. */
  fresh: number;
  /** Further time for which it may be served while it is revalidated. */
  stale: number;
}

/** For caches that are not purged, and for responses that depend on the clock: enough to absorb load peaks. */
export const MICRO_CACHED: CacheLifetime = { fresh: 1, stale: 1 };
/** For a response whose data changed during its render: it must be replaced with the next request. */
export const OUTDATED: CacheLifetime = { fresh: 1, stale: 0 };
/**
 * For caches that are purged: as long as the page cache stores a page (page-cache.ts), counted from when its data were
 * read.
 */
export const PURGED: CacheLifetime = { fresh: 60, stale: 2 };

/** Tag of every response that shared caches may store. */
const ALL = 'florka';
/** Tag of every image; each image also has its own. */
const IMAGES = `${ALL}-images`;
const tagOfImage = (name: string): string => `${ALL}-image-${name}`;
const tagOf = (domain: LiveDomain): string => `${ALL}-${domain}`;

/**
 * The page with headers that let shared caches store it. Only responses with `private` and without `no-store` become
 * public; the lifetime for browsers is unchanged.
 *
 * @param readAt time when its data were read, for the Age header. Milliseconds.
 */
export function shareable(
  page: Page,
  domains: readonly LiveDomain[],
  { fresh, stale }: CacheLifetime,
  readAt: number,
): Page {
  const { full, notModified } = page.headers;
  const given = full[full.indexOf('cache-control') + 1] ?? '';
  if (!given.startsWith('private,') || given.includes('no-store')) return page;
  const maxAge = /max-age=(\d+)/.exec(given)?.[1] ?? '0';
  const late = stale > 0 ? `stale-while-revalidate=${stale}` : 'must-revalidate';
  const tags = [ALL, ...domains.map(tagOf)];
  const shared = (list: string[]) => [
    ...list.map((value, at) =>
      list[at - 1] === 'cache-control' ? `public, max-age=${maxAge}, s-maxage=${fresh}, ${late}` : value,
    ),
    'surrogate-key',
    tags.join(' '),
    'cache-tag',
    tags.join(','),
  ];
  return {
    ...page,
    readAt,
    privateVariant: page,
    headers: { full: shared(full), notModified: shared(notModified) },
  };
}

/**
 * Cache headers of an uploaded image's file. AMB-208: one hour; then it is revalidated by its ETag. A shared cache that
 * is purged when the image is removed stores it for a year.
 *
 * @param name of the image.
 * @param purged true if a purged cache is in front.
 */
export const imageCaching = (name: string, purged: boolean): Record<string, string> => {
  if (!purged) return { 'cache-control': 'public, max-age=3600, immutable' };
  const tags = [ALL, IMAGES, tagOfImage(name)];
  return {
    'cache-control': 'public, max-age=3600, s-maxage=31536000, immutable',
    'surrogate-key': tags.join(' '),
    'cache-tag': tags.join(','),
  };
};

/**
 * Adds the headers for shared caches to pages that the page cache may store. Not while changes are not received: then
 * no cache could be purged, and the age of the data is unknown.
 */
export const publishing =
  (hub: { readonly ready: boolean }, life: () => CacheLifetime): Publish =>
  (page, { tags, at, current }) =>
    hub.ready ? shareable(page, tags, current ? life() : OUTDATED, at) : page;

/** Milliseconds. */
const TIMES = {
  /**
   * From a change to the purge. Responses that were written to a connection before the change arrive before the purge,
   * so that they are purged, too.
   */
  delay: 100,
  /**
   * Minimum interval between the starts of two purges: while many votes arrive, each page is fetched at most twice a
   * second.
   */
  apart: 500,
  /** From a purge to its repetition, for a response that took longer than `delay` to arrive. */
  again: 1_000,
  /** Delays before the next attempts after a failure; the last value is used from then on. */
  retry: [200, 500, 1_000, 2_000, 5_000],
};

/** The events that the purger needs; implemented by the live hub. */
interface Changes {
  onEvent(listener: (domain: LiveDomain) => void): unknown;
  /** The image with this name is no longer public. */
  onImageGone(listener: (name: string) => void): unknown;
  /** Anything may have changed, or changes are not received. */
  onUncertainty(listener: () => void): unknown;
}

interface Options {
  changes: Changes;
  purge: CachePurge;
  /** The domains that pages show; changes of others are ignored. */
  domains: ReadonlySet<LiveDomain>;
  warn: (error: Error | null, message: string) => void;
  /** Called when `trusted` changes: the cached pages contain lifetimes that depend on it and must be rendered again. */
  onTrustChange: () => void;
  times?: typeof TIMES;
}

/** Maximum number of tags in one header. */
const MAX_TAGS = 100;

/** The tags of one request; above the maximum, all images are purged by their common tag. */
function tagsOf(taken: ReadonlyMap<string, unknown>): string[] {
  if (taken.has(ALL)) return [ALL];
  const tags = [...taken.keys()];
  if (tags.length <= MAX_TAGS) return tags;
  return [...tags.filter((tag) => !tag.startsWith(tagOfImage(''))), IMAGES];
}

/** Keeps the cache in front consistent with the page cache. */
export interface Purger {
  /** True if the last purge succeeded. */
  readonly trusted: boolean;
  /** Number of successful purges, and of failed attempts, since the start. */
  readonly done: number;
  readonly failed: number;
  stop(): void;
}

/**
 * Purges the cache in front on the same events that drop cached pages. The first purge is of everything, and the cache
 * counts as trusted after it; failed purges are repeated until they succeed.
 */
export function startPurger({ changes, purge, domains, warn, onTrustChange, times = TIMES }: Options): Purger {
  /** Tags to purge: for the first time, or for the repetition. */
  const waiting = new Map<string, 'first' | 'again'>();
  let timer: NodeJS.Timeout | undefined;
  let sending = false;
  let stopped = false;
  let trusted = false;
  let failures = 0;
  let done = 0;
  let failed = 0;
  let began = Number.NEGATIVE_INFINITY;
  /** Time of the next purge. */
  let due = Number.POSITIVE_INFINITY;

  const plan = (wait: number) => {
    if (stopped) return;
    const at = Math.max(performance.now() + wait, began + times.apart);
    if (at >= due) return;
    due = at;
    clearTimeout(timer);
    // Otherwise scheduled at the end of the purge in progress.
    if (!sending) timer = setTimeout(send, at - performance.now());
  };
  const note = (tag: string) => {
    waiting.set(tag, 'first');
    if (failures === 0) plan(times.delay);
  };

  const setState = (now: boolean) => {
    if (trusted === now) return;
    trusted = now;
    onTrustChange();
  };

  async function send(): Promise<void> {
    sending = true;
    due = Number.POSITIVE_INFINITY;
    began = performance.now();
    const taken = new Map(waiting);
    waiting.clear();
    let wait = Number.POSITIVE_INFINITY;
    try {
      await purge.purge(tagsOf(taken));
      done++;
      if (failures > 0) warn(null, `the cache at ${purge.target} is reachable again`);
      failures = 0;
      setState(true);
      if ([...waiting.values()].includes('first')) wait = times.delay;
      for (const [tag, state] of taken) if (state === 'first' && !waiting.has(tag)) waiting.set(tag, 'again');
      if (waiting.size > 0) wait = Math.min(wait, times.again);
    } catch (error) {
      failed++;
      for (const tag of taken.keys()) waiting.set(tag, 'first');
      wait = times.retry[Math.min(failures, times.retry.length - 1)] ?? 0;
      if (failures++ === 0) warn(error as Error, `the cache at ${purge.target} could not be purged`);
      setState(false);
    } finally {
      sending = false;
      due = Number.POSITIVE_INFINITY;
      if (wait < Number.POSITIVE_INFINITY) plan(wait);
    }
  }

  changes.onEvent((domain) => {
    if (domains.has(domain)) note(tagOf(domain));
  });
  changes.onImageGone((name) => note(tagOfImage(name)));
  changes.onUncertainty(() => note(ALL));
  note(ALL);
  return {
    get trusted() {
      return trusted;
    },
    get done() {
      return done;
    },
    get failed() {
      return failed;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
