import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LiveEvent } from '#contract/live.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { startDatabaseProxy } from '#tests/support/database/tcp-proxy.ts';
import { LiveHub, reconnectDelay, type SessionEnded } from './hub.ts';
import { publishChange } from './publish.ts';

const app = await startTestApp();
const MEMBER = '22222222-2222-4222-8222-222222222222';
const say = (channel: string, payload: string) => app.sql('select pg_notify($1, $2)', [channel, payload]);

/** A hub, and the events that it emitted. */
async function follow(config = app.config, ping?: { every: number; answer: number }) {
  const errors: Error[] = [];
  const liveEvents: string[] = [];
  const ended: SessionEnded[] = [];
  const hub = new LiveHub(config, (error) => errors.push(error), ping);
  const notified = { resyncs: 0 };
  hub.onEvent((event) => liveEvents.push(event.type === 'domain.changed' ? event.domain : event.type));
  hub.onEnded((who) => ended.push(who));
  hub.onResync(() => {
    notified.resyncs++;
  });
  await hub.start();
  return { hub, errors, liveEvents, ended, notified };
}

describe('the live connection', () => {
  it('is reopened when its peer disappeared without closing it', async () => {
    const proxy = await startDatabaseProxy(app.config);
    const { hub, errors, liveEvents, notified } = await follow(proxy.config, { every: 300, answer: 2_000 });
    await app.services.db.transaction((tx) => publishChange(tx, 'news'));
    await expect.poll(() => liveEvents).toContain('news');
    const before = hub.changedAt.forum;
    proxy.forget();
    await app.services.db.transaction((tx) => publishChange(tx, 'forum'));
    await expect.poll(() => notified.resyncs).toBeGreaterThan(0);
    // A client that connects now is informed that anything may have changed meanwhile.
    expect(hub.changedAt.forum).toBeGreaterThan(before);
    expect(liveEvents).not.toContain('forum');
    expect(errors.map(({ message }) => message).join()).toContain('no answer on the live connection');
    await expect.poll(() => hub.ready).toBe(true);
    await app.services.db.transaction((tx) => publishChange(tx, 'projects'));
    await expect.poll(() => liveEvents).toContain('projects');
    await hub.stop();
    await proxy.stop();
  });

  it('stays open while it receives its own pings, also with pings of other processes', async () => {
    const ping = { every: 20, answer: 30_000 };
    const [one, two] = [await follow(app.config, ping), await follow(app.config, ping)];
    const witness = new pg.Client(app.config);
    const pings = new Map<number, number>();
    await witness.connect();
    witness.on('notification', ({ processId }) => pings.set(processId, (pings.get(processId) ?? 0) + 1));
    await witness.query('listen live_ping');
    // The app's own connection checks itself too, every ten seconds.
    await expect.poll(() => [...pings.values()].filter((count) => count > 5).length).toBeGreaterThanOrEqual(2);
    await witness.end();
    for (const domain of ['news', 'forum'] as const)
      await app.services.db.transaction((tx) => publishChange(tx, domain));
    for (const { liveEvents, errors, notified, hub } of [one, two]) {
      await expect.poll(() => liveEvents).toEqual(['news', 'forum']);
      expect([errors, notified.resyncs, hub.ready]).toEqual([[], 0, true]);
      await hub.stop();
    }
  });

  it('is retried when it cannot be opened', async () => {
    const proxy = await startDatabaseProxy(app.config);
    const { hub, errors } = await follow(proxy.config);
    await proxy.stop();
    await expect.poll(() => errors.length).toBeGreaterThan(1);
    expect(hub.ready).toBe(false);
    await hub.stop();
  });

  it('is retried within a second however long the outage lasts, and the error is reported once', async () => {
    for (const attempt of [0, 1, 2, 5, 20, 100_000]) expect(reconnectDelay(attempt)).toBeLessThanOrEqual(500);
    let attempts = 0;
    const server = net.createServer((socket) => {
      attempts++;
      socket.destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const errors: Error[] = [];
    const port = (server.address() as AddressInfo).port;
    const hub = new LiveHub({ host: '127.0.0.1', port, user: 'nobody' }, (error) => errors.push(error));
    void hub.start();
    await expect.poll(() => attempts).toBeGreaterThan(5);
    expect(new Set(errors.map(({ message }) => message)).size).toBe(errors.length);
    await hub.stop();
    server.close();
  });
});

describe('changes of who is online', () => {
  it('are broadcast at once, and further ones within two seconds together', async () => {
    const { hub, liveEvents } = await follow();
    const changes = () => liveEvents.filter((domain) => domain === 'presence').length;
    const publishAll = async (count: number) => {
      for (let n = 0; n < count; n++) await app.services.db.transaction((tx) => publishChange(tx, 'presence'));
      const before = liveEvents.length;
      // Received after all of them.
      await app.services.db.transaction((tx) => publishChange(tx, 'news'));
      while (!liveEvents.slice(before).includes('news')) await new Promise(setImmediate);
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await publishAll(5);
    expect(changes()).toBe(1);
    vi.advanceTimersByTime(1_999);
    expect(changes()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(changes()).toBe(2);
    // Nothing changed since.
    vi.advanceTimersByTime(4_000);
    expect(changes()).toBe(2);
    await publishAll(1);
    expect(changes()).toBe(3);
    vi.advanceTimersByTime(2_000);
    await hub.stop();
  });
});

describe('votes', () => {
  it('within 150 ms are broadcast together, with the latest counts of each candidate', async () => {
    const { hub, liveEvents } = await follow();
    const received: LiveEvent[] = [];
    hub.onEvent((event) => void (event.type === 'votes.changed' && received.push(event)));
    const [first, second] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;
    const tally = (candidateId: string, totalVotes: number) => ({
      candidateId,
      totalVotes,
      votesToday: totalVotes,
      reachedAt: '2026-03-10T12:00:00.000000Z',
    });
    const publishVotes = async (...tallies: ReturnType<typeof tally>[]) => {
      for (const one of tallies) await say('live', JSON.stringify({ type: 'votes.changed', tallies: [one] }));
      const before = liveEvents.length;
      // Received after all of them.
      await app.services.db.transaction((tx) => publishChange(tx, 'news'));
      while (!liveEvents.slice(before).includes('news')) await new Promise(setImmediate);
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await publishVotes(tally(first, 1), tally(second, 4), tally(first, 2), tally(first, 3));
    vi.advanceTimersByTime(149);
    expect(received).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(received).toEqual([{ type: 'votes.changed', tallies: [tally(first, 3), tally(second, 4)] }]);
    // What was broadcast is not broadcast again.
    await publishVotes(tally(second, 5));
    vi.advanceTimersByTime(150);
    expect(received.slice(1)).toEqual([{ type: 'votes.changed', tallies: [tally(second, 5)] }]);
    await hub.stop();
  });
});

describe('a message that this version cannot parse', () => {
  it('causes a resync, is logged once, and does not stop the hub', async () => {
    const { hub, errors, liveEvents, ended, notified } = await follow();
    const session = { session: 'of-a-newer-kind', why: 'password' };
    const unreadable: [string, string][] = [
      ['ended', JSON.stringify(session)],
      ['ended', 'null'],
      ['ended', 'no JSON'],
      ['ended', ''],
      ['live', JSON.stringify({ type: 'domain.merged', domain: 'forum' })],
      ['live', JSON.stringify({ type: 'domain.changed', domain: 'of tomorrow' })],
      ['live', '[]'],
    ];
    for (const [channel, payload] of [...unreadable, ...unreadable]) await say(channel, payload);
    await say('ended', JSON.stringify({ member: MEMBER }));
    await app.services.db.transaction((tx) => publishChange(tx, 'news'));
    await expect.poll(() => liveEvents).toContain('news');
    await expect.poll(() => notified.resyncs).toBeGreaterThan(0);
    expect(ended).toEqual([{ member: MEMBER }]);
    expect(errors.map(({ message }) => message)).toEqual([
      'unreadable live message: ended ',
      'unreadable live message: live domain.merged',
      'unreadable live message: live domain.changed',
      'unreadable live message: live ',
    ]);
    expect(hub.ready).toBe(true);
    await hub.stop();
  });
});
