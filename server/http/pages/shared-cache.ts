// What caches of others (a proxy, a CDN) may keep, and how they are told to forget it; see docs/adr/0047.
import type { LiveDomain } from '#contract/live.ts';
import type { CachePurge } from '#server/providers/cache/port.ts';
import type { Page, Publish } from './page-cache.ts';

/** How long an answer may be kept by others. Seconds. */
export interface CacheLifetime {
  /** While it counts as new. */
  fresh: number;
  /** After that, while a newer one is fetched. */
  stale: number;
}

/** Without anybody who could take it back: what a rush needs, and no more. Also what only the clock changes. */
export const MICRO_CACHED: CacheLifetime = { fresh: 1, stale: 1 };
/** Was made while its data changed: as soon as somebody asks again it has to be another. */
export const OUTDATED: CacheLifetime = { fresh: 1, stale: 0 };
/** What can be taken back: as long as our own cache keeps it (page-cache.ts), counted from when its data were read. */
export const PURGED: CacheLifetime = { fresh: 60, stale: 2 };

/** The tag of everything that this site lets others keep. */
const ALL = 'florka';
/** And of every image; each has one of its own besides. */
const IMAGES = `${ALL}-images`;
const tagOfImage = (name: string): string => `${ALL}-image-${name}`;
const tagOf = (domain: LiveDomain): string => `${ALL}-${domain}`;

/**
 * The same page with headers that let others keep it. Only answers whose header says `private` without `no-store` become
 * public; a browser's own part of the header stays.
 *
 * @param readAt when its data were read; what a cache in front adds to its age. Milliseconds.
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
 * What the file of an uploaded image says to caches. AMB-208: an hour; afterwards the ETag says that it is still the same, or that
 * it was taken down. A cache in front that can be told so keeps it for a year.
 *
 * @param name of the image.
 */
export const imageCaching = (name: string, notified: boolean): Record<string, string> => {
  if (!notified) return { 'cache-control': 'public, max-age=3600, immutable' };
  const tags = [ALL, IMAGES, tagOfImage(name)];
  return {
    'cache-control': 'public, max-age=3600, s-maxage=31536000, immutable',
    'surrogate-key': tags.join(' '),
    'cache-tag': tags.join(','),
  };
};

/** Lets others keep what our own cache may keep. While changes can't be heard nobody could take it back, or knows its age. */
export const publishing =
  (hub: { readonly ready: boolean }, life: () => CacheLifetime): Publish =>
  (page, { tags, at, current }) =>
    hub.ready ? shareable(page, tags, current ? life() : OUTDATED, at) : page;

/** Milliseconds. */
const TIMES = {
  /**
   * From a change to the purge. What was written to a connection before the change arrives before the purge does, so that it
   * is forgotten too.
   */
  delay: 100,
  /** Between the beginnings of two purges: in a rush of votes each page is fetched anew twice a second at most. */
  apart: 500,
  /** From a purge to its repetition, for an answer that was on its way for longer than `delay`. */
  again: 1_000,
  /** Before the next try of one that failed; the last value goes on. */
  retry: [200, 500, 1_000, 2_000, 5_000],
};

/** What the purger listens to; the live hub. */
interface Changes {
  onEvent(listener: (domain: LiveDomain) => void): unknown;
  /** Nobody may see the image of this name any more. */
  onImageGone(listener: (name: string) => void): unknown;
  /** Anything may have changed, or changes can't be heard. */
  onDoubt(listener: () => void): unknown;
}

interface Options {
  changes: Changes;
  purge: CachePurge;
  /** The domains that pages show; changes of others are nobody's business. */
  domains: ReadonlySet<LiveDomain>;
  warn: (error: Error | null, message: string) => void;
  /** `trusted` is another: what is kept here says how long others may keep it, and has to be made anew. */
  onTurn: () => void;
  times?: typeof TIMES;
}

/** A header has room for so many. */
const MAX_TAGS = 100;

/** The tags of one request: very many images are purged as all of them. */
function tagsOf(taken: ReadonlyMap<string, unknown>): string[] {
  if (taken.has(ALL)) return [ALL];
  const tags = [...taken.keys()];
  if (tags.length <= MAX_TAGS) return tags;
  return [...tags.filter((tag) => !tag.startsWith(tagOfImage(''))), IMAGES];
}

/** Keeps a cache in front in step with ours. */
export interface Purger {
  /** Whether the cache forgot what it was last told to forget. */
  readonly trusted: boolean;
  /** Purges that were done, and attempts that failed, since the start. */
  readonly done: number;
  readonly failed: number;
  stop(): void;
}

/**
 * Tells the cache in front what changed, from the same events that drop our own pages. It begins by having it forget
 * everything, and counts as trusted after that; one that does not answer is asked until it does.
 */
export function startPurger({ changes, purge, domains, warn, onTurn, times = TIMES }: Options): Purger {
  /** To be purged, and for which of them it has been done once. */
  const waiting = new Map<string, 'first' | 'again'>();
  let timer: NodeJS.Timeout | undefined;
  let sending = false;
  let stopped = false;
  let trusted = false;
  let failures = 0;
  let done = 0;
  let failed = 0;
  let began = Number.NEGATIVE_INFINITY;
  /** When the next purge is due. */
  let due = Number.POSITIVE_INFINITY;

  const plan = (wait: number) => {
    if (stopped) return;
    const at = Math.max(performance.now() + wait, began + times.apart);
    if (at >= due) return;
    due = at;
    clearTimeout(timer);
    // Sent later by the purge under way.
    if (!sending) timer = setTimeout(send, at - performance.now());
  };
  const note = (tag: string) => {
    waiting.set(tag, 'first');
    if (failures === 0) plan(times.delay);
  };

  const setState = (now: boolean) => {
    if (trusted === now) return;
    trusted = now;
    onTurn();
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
      if (failures > 0) warn(null, `the cache at ${purge.target} answers again`);
      failures = 0;
      setState(true);
      if ([...waiting.values()].includes('first')) wait = times.delay;
      for (const [tag, state] of taken) if (state === 'first' && !waiting.has(tag)) waiting.set(tag, 'again');
      if (waiting.size > 0) wait = Math.min(wait, times.again);
    } catch (error) {
      failed++;
      for (const tag of taken.keys()) waiting.set(tag, 'first');
      wait = times.retry[Math.min(failures, times.retry.length - 1)] ?? 0;
      if (failures++ === 0) warn(error as Error, `the cache at ${purge.target} does not take what changed`);
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
  changes.onDoubt(() => note(ALL));
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
