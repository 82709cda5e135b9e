import type { Query, QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { TIMING } from '#contract/limits.ts';
import type { LiveDomain, LiveEvent } from '#contract/live.ts';
import { olderThan } from '../api/query-client.ts';
import { rpc } from '../api/rpc.ts';
import { serverClock } from './clock.ts';
import { onStale, staleSince } from './stale.ts';

/** Sent by the server when a stream opens and when it may have missed something. */
interface Sync {
  serverTime: string;
  /** When each domain last changed, as far as the server has recorded it; milliseconds. */
  changedAt: Partial<Record<LiveDomain, number>>;
}
type Message =
  | { kind: 'event'; event: LiveEvent }
  | { kind: 'sync'; sync: Sync; first: boolean; fresh: boolean }
  | { kind: 'state'; live: boolean }
  | { kind: 'session' };
/** Messages of tabs to the one that holds the connection. */
type TabMessage = 'hello' | 'reopen';

/** The queries of each domain, to be refetched when it changes. */
const QUERIES_BY_DOMAIN: Record<LiveDomain, readonly { key: () => readonly unknown[] }[]> = {
  projects: [rpc.projects, rpc.tokens, rpc.admin.projects, rpc.admin.media],
  nextProjects: [
    rpc.nextProjects,
    rpc.tokens,
    rpc.admin.nextProjects,
    rpc.admin.editorial.schedules,
    rpc.admin.editorial.previews,
    rpc.admin.media,
  ],
  voting: [
    rpc.voting.ranking,
    rpc.race.days,
    rpc.race.ranks,
    rpc.race.placings,
    rpc.voting.history,
    rpc.voting.mine,
    rpc.voting.uncounted,
    rpc.tokens,
    rpc.ledger,
    rpc.admin.candidates,
    rpc.admin.media,
    rpc.admin.rounds,
    rpc.admin.voteReview,
    rpc.admin.clusterVotes,
    rpc.admin.inbox,
  ],
  news: [rpc.news, rpc.admin.news, rpc.admin.editorial.schedules, rpc.admin.editorial.previews, rpc.admin.media],
  forum: [
    rpc.forum.posts,
    rpc.forum.tags,
    rpc.profiles.page,
    rpc.profiles.restrictions,
    // A changed role changes the staff marks of the forum: screens of the back office that it closes are closed at once.
    rpc.admin.session,
  ],
  presence: [rpc.presence.online],
  networks: [rpc.networks, rpc.admin.networks],
  market: [rpc.tokens, rpc.market, rpc.admin.market],
  tokenRequests: [
    rpc.tokenRequests.check,
    rpc.tokenRequests.order,
    rpc.tokenRequests.mine,
    rpc.admin.tokenRequests,
    rpc.admin.unplaced,
    rpc.admin.money,
    rpc.admin.income,
    rpc.admin.launchIncome,
    rpc.admin.settlement,
    rpc.admin.inbox,
    rpc.admin.dashboard,
  ],
  sitePages: [rpc.sitePages, rpc.admin.sitePages],
  media: [rpc.admin.media],
  deliverables: [
    rpc.deliverables,
    rpc.tokenRequests.order,
    rpc.admin.deliverables,
    rpc.admin.refunds,
    // Refunds that were sent, and deliverables that are overdue.
    rpc.admin.money,
    rpc.admin.income,
    rpc.admin.launchIncome,
    rpc.admin.tokenRequests,
    rpc.admin.inbox,
    rpc.admin.dashboard,
  ],
  settings: [rpc.settings, rpc.admin.settings, rpc.admin.editorial.previews, rpc.sitePages.contact],
  // The settings too: a Telegram chat is linked and unlinked outside of the page.
  notifications: [
    rpc.notifications.list,
    rpc.notifications.unread,
    rpc.notifications.settings,
    rpc.profiles.restrictions,
  ],
};

/** Queries to refetch once the running request completes. */
const repeated = new WeakSet<Query>();
/**
 * Refetches the queries of a key. A request in flight may be older than the change, so it is repeated; but only after it completes:
 * cancelled at every change it would never complete when changes are frequent and responses take longer than a second.
 */
function readAgain(queries: QueryClient, queryKey: readonly unknown[]): void {
  const underWay = queries.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' });
  void queries.invalidateQueries({ queryKey, predicate: ({ state }) => state.fetchStatus !== 'fetching' });
  for (const query of underWay) {
    if (repeated.has(query)) continue;
    repeated.add(query);
    const repeat = () => {
      repeated.delete(query);
      void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    void query.promise?.then(repeat, repeat);
  }
}

const eventListeners = new Set<(event: LiveEvent) => void>();
/** Subscribes features that know the cached data affected by an event. */
export function onLiveEvent(listener: (event: LiveEvent) => void): () => void {
  eventListeners.add(listener);
  return () => eventListeners.delete(listener);
}

let requestReopen = () => {};
/** The stream belongs to the session: after signing in or out it is reopened, and ends with the new session. */
export const reopenLive = () => requestReopen();

/**
 * Connects this tab to the server's live stream. Tabs of one browser share one connection: the tab that holds the lock
 * listens and forwards events to the others, and when it closes the next one takes over.
 * @returns a function that disconnects.
 */
export function connectLive(queries: QueryClient): () => void {
  const stop = new AbortController();
  const channel = new BroadcastChannel('florka-live');
  const refreshes = new Map<LiveDomain, ReturnType<typeof setTimeout>>();

  function refresh(domain: LiveDomain) {
    if (refreshes.has(domain)) return;
    const run = () => {
      refreshes.delete(domain);
      for (const shown of QUERIES_BY_DOMAIN[domain]) readAgain(queries, shown.key());
    };
    refreshes.set(domain, setTimeout(run, TIMING.liveRefreshDelay));
  }

  function onMessage(message: Message) {
    if (message.kind === 'state') return setConnectionState(message.live);
    // The session was revoked elsewhere, or the account disabled: every tab refetches the session.
    if (message.kind === 'session') {
      if (queries.getQueryData(rpc.auth.me.queryKey()) !== null)
        void queries.invalidateQueries({ queryKey: rpc.auth.me.key() });
      return;
    }
    if (message.kind === 'event') {
      if (message.event.type === 'domain.changed') refresh(message.event.domain);
      else if (message.event.type === 'member.notified') refresh('notifications');
      else for (const listener of eventListeners) listener(message.event);
      return;
    }
    setConnectionState(true);
    if (message.fresh) serverClock.set(message.sync.serverTime);
    // At first only domains that changed since this page was rendered; after a gap all of them.
    for (const domain of Object.keys(QUERIES_BY_DOMAIN) as LiveDomain[])
      for (const shown of QUERIES_BY_DOMAIN[domain])
        if (!message.first || olderThan(queries, shown.key(), (message.sync.changedAt[domain] ?? 0) + 1_000))
          void queries.invalidateQueries({ queryKey: shown.key() });
  }

  channel.onmessage = ({ data }: MessageEvent<Message | TabMessage>) => {
    if (typeof data !== 'string') onMessage(data);
  };
  requestReopen = () => {
    channel.postMessage('reopen' satisfies TabMessage);
    dispatchEvent(new Event(REOPEN));
  };
  const broadcast = (message: Message) => {
    onMessage(message);
    channel.postMessage(message);
  };
  if (navigator.locks)
    void navigator.locks
      .request('florka-live', { signal: stop.signal }, () => listen(broadcast, channel, stop.signal))
      .catch(() => {});
  // Web Locks exist on https and localhost only: elsewhere each tab has its own connection.
  else void listen(onMessage, channel, stop.signal);
  channel.postMessage('hello' satisfies TabMessage);

  return () => {
    requestReopen = () => {};
    stop.abort();
    channel.close();
    for (const timer of refreshes.values()) clearTimeout(timer);
  };
}

/** Event that makes the tab holding the lock reconnect. */
const REOPEN = 'florka-live-reopen';

const stateListeners = new Set<() => void>();

/** Also on the root element, for styles and tests. */
function setConnectionState(live: boolean) {
  document.documentElement.dataset.live = live ? 'on' : 'off';
  for (const listener of stateListeners) listener();
}

/** Whether live events are received now; undefined before the first contact. */
export const useLiveState = (): 'on' | 'off' | undefined =>
  useSyncExternalStore(
    (listener) => {
      stateListeners.add(listener);
      const unsubscribe = onStale(listener);
      return () => {
        stateListeners.delete(listener);
        unsubscribe();
      };
    },
    // While the page is a stale copy its counts are not live, even when the stream is connected.
    () => (staleSince() ? 'off' : (document.documentElement.dataset.live as 'on' | 'off' | undefined)),
    () => undefined,
  );

/** Holds the one connection until aborted; reconnects after 1, 2, 5 and then 10 seconds. */
async function listen(
  broadcast: (message: Message) => void,
  channel: BroadcastChannel,
  signal: AbortSignal,
): Promise<void> {
  let first = true;
  let synced = false;
  let lastSync: Sync | undefined;
  // A tab that opens later is informed of the state by the listening one.
  channel.addEventListener('message', ({ data }) => {
    if (data === 'hello' && lastSync)
      channel.postMessage({ kind: 'sync', sync: lastSync, first: true, fresh: false } satisfies Message);
  });
  for (let attempt = 0; !signal.aborted; attempt++) {
    const requested = await new Promise<boolean>((closed) => {
      synced = false;
      const source = new EventSource('/live');
      const over = new AbortController();
      const end = (onRequest = false) => {
        source.close();
        over.abort();
        closed(onRequest);
      };
      const { signal: until } = over;
      signal.addEventListener('abort', () => end(), { signal: until });
      addEventListener(REOPEN, () => end(true), { signal: until });
      channel.addEventListener('message', ({ data }) => data === 'reopen' && end(true), { signal: until });
      source.addEventListener('session', () => broadcast({ kind: 'session' }));
      source.addEventListener('sync', ({ data }) => {
        attempt = 0;
        lastSync = JSON.parse(data as string) as Sync;
        broadcast({ kind: 'sync', sync: lastSync, first, fresh: true });
        first = false;
        synced = true;
      });
      source.onmessage = ({ data }) => {
        const event = JSON.parse(data as string) as LiveEvent;
        if (event.type === 'domain.changed' && lastSync) lastSync.changedAt[event.domain] = Date.now();
        broadcast({ kind: 'event', event });
      };
      source.onerror = () => end();
    });
    if (signal.aborted) return;
    if (requested) {
      // No gap: only domains that changed meanwhile are refetched.
      if (synced) first = true;
      continue;
    }
    first = false;
    broadcast({ kind: 'state', live: false });
    const wait = TIMING.reconnect[Math.min(attempt, TIMING.reconnect.length - 1)];
    await new Promise((done) => setTimeout(done, wait));
  }
}
