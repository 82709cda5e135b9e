import { EventEmitter } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LiveDomain } from '#contract/live.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { emittingHub } from '#tests/support/app/emitting-hub.ts';
import { type Person, startTestApp } from '#tests/support/app/test-app.ts';
import type { LiveHub, SessionEnded } from './hub.ts';
import { publishChange } from './publish.ts';
import { MAX_STREAMS, streamsWithin } from './stream-limit.ts';
import { createLiveStreams } from './streams.ts';

const app = await startTestApp();
const SESSION = '11111111-1111-4111-8111-111111111111';
const MEMBER = '22222222-2222-4222-8222-222222222222';
/** Recorded when the connection is closed. */
const END = '<end>';

/** Opens a stream on a fake socket; returns its status, all that was sent, and a function that disconnects its client. */
function openStream(
  streams: ReturnType<typeof createLiveStreams>,
  address = '127.0.0.1',
  cookie?: string,
  lastEventId?: string,
) {
  const sent: string[] = [];
  let status = 0;
  const socket = Object.assign(new EventEmitter(), {
    writableLength: 0,
    setTimeout() {},
    setNoDelay() {},
    write: (frames: string | Buffer) => sent.push(frames.toString()),
    destroySoon: () => sent.push(END),
    destroy: () => sent.push(END),
  });
  const res = {
    socket,
    writeHead(given: number) {
      status = given;
      return res;
    },
    write: socket.write,
    end() {},
  };
  const req = Object.assign(new EventEmitter(), { headers: { cookie, 'last-event-id': lastEventId }, resume() {} });
  streams.open(req as never, res as never, address);
  return { status, sent, socket, text: () => sent.join(''), leave: () => socket.emit('close') };
}

describe('live streams', () => {
  it('begin with the server time and receive votes as absolute counts', async () => {
    const stop = new AbortController();
    const response = await app.http('/live', { signal: stop.signal });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const { id } = await app.candidate();
    await app.as(await app.member()).voting.cast({ candidateId: id });
    let text = '';
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      if (text.includes(id)) break;
    }
    expect(text).toContain('event: sync');
    expect(text).toContain('"serverTime":"2026-03-10T12:00:00.000Z"');
    // Its request is over for the log.
    expect(app.logged).toContainEqual(expect.objectContaining({ m: 'GET', p: '/live', s: 200 }));
    expect(text).toContain(
      `{"candidateId":"${id}","totalVotes":1,"votesToday":1,"reachedAt":"2026-03-10T12:00:00.000000Z"}`,
    );
    stop.abort();
    await expect.poll(() => app.streams.size).toBe(0);
  });

  it('receive the first of many events at once, and those of the next 150 ms together, each once', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { hub, emit } = emittingHub();
    const streams = createLiveStreams({ hub, now: () => app.now, readSession: async () => null });
    const { sent: received } = openStream(streams);
    received.length = 0;
    const frame = (domain: LiveDomain) => `data: {"type":"domain.changed","domain":"${domain}"}\n\n`;
    const change = (domain: LiveDomain) => emit({ type: 'domain.changed', domain });
    change('news');
    expect(received).toEqual([frame('news')]);
    for (let n = 0; n < 1_000; n++) for (const domain of ['news', 'forum'] as const) change(domain);
    expect(received).toHaveLength(1);
    vi.advanceTimersByTime(150);
    expect(received.slice(1)).toEqual([frame('news') + frame('forum')]);
    change('news');
    vi.advanceTimersByTime(150);
    expect(received.slice(2)).toEqual([frame('news')]);
    vi.advanceTimersByTime(150);
    change('news');
    expect(received.slice(3)).toEqual([frame('news')]);
    streams.close();
  });

  const endings: [string, (person: Person) => Promise<unknown>, boolean][] = [
    ['signs out', (person) => app.as(person).auth.signOut(), true],
    ['loses all sessions', (person) => app.sql('delete from sessions where user_id = $1', [person.id]), true],
    ['is banned', (person) => app.sql(`update users set banned_until = 'infinity' where id = $1`, [person.id]), true],
    ['is deleted', (person) => app.sql('delete from users where id = $1', [person.id]), true],
    [
      'is unbanned, which ends none',
      (person) => app.sql('update users set banned_until = null where id = $1', [person.id]),
      false,
    ],
  ];

  it.each(endings)('announce the end of a session, to its owner alone, when a member %s', async (_how, end, over) => {
    const [ana, ben] = (await app.members(2)) as [Person, Person];
    const stop = new AbortController();
    const follow = async (cookie?: string) => {
      const response = await app.http('/live', { signal: stop.signal, ...(cookie ? { headers: { cookie } } : {}) });
      const liveEvents = { text: '', ended: false };
      void (async () => {
        for await (const chunk of response.body as ReadableStream<Uint8Array>)
          liveEvents.text += Buffer.from(chunk).toString();
        liveEvents.ended = true;
      })().catch(() => {});
      return liveEvents;
    };
    const [hers, his, visitors] = [await follow(ana.cookie), await follow(ben.cookie), await follow()];
    await end(ana);
    if (over) await expect.poll(() => hers.text).toContain('event: session\ndata: ended');
    // Events published before this one have arrived with it.
    await app.services.db.transaction((tx) => publishChange(tx, 'networks'));
    for (const liveEvents of [his, visitors]) await expect.poll(() => liveEvents.text).toContain('"domain":"networks"');
    expect(hers.text.includes('event: session')).toBe(over);
    if (!over) expect(hers.ended).toBe(false);
    for (const liveEvents of [his, visitors]) expect(liveEvents).toMatchObject({ ended: false });
    expect(his.text + visitors.text).not.toContain('event: session');
    expect(his.text + visitors.text).not.toContain(ana.id);
    stop.abort();
    await expect.poll(() => app.streams.size).toBe(0);
  });

  it('end if their session ended while they were being opened, or while the database connection was lost', async () => {
    const streams = (readSession: () => Promise<Viewer | null>) =>
      createLiveStreams({ hub, now: () => app.now, readSession });
    let ended: (who: SessionEnded) => void = () => {};
    let resync = () => {};
    const hub = {
      changedAt: {},
      onEvent: () => {},
      onEnded: (listener: typeof ended) => {
        ended = listener;
      },
      onResync: (listener: typeof resync) => {
        resync = listener;
      },
    } as unknown as LiveHub;
    const owner = { id: MEMBER, sessionId: SESSION } as Viewer;
    const open = (one: ReturnType<typeof streams>) => openStream(one, '203.0.113.9', 'any').text;

    const answer = Promise.withResolvers<Viewer>();
    const slow = open(streams(() => answer.promise));
    ended({ session: SESSION });
    answer.resolve(owner);
    await expect.poll(slow).toContain(`session\ndata: ended\n\n${END}`);

    const early = open(streams(async () => null));
    await expect.poll(early).toMatch(/event: session\ndata: ended\n\n$/);

    for (const who of [{ session: SESSION }, { member: MEMBER }]) {
      const known = open(streams(async () => owner));
      await new Promise(setImmediate);
      ended(who);
      expect(known()).toContain(`session\ndata: ended\n\n${END}`);
    }

    let present: Viewer | null = owner;
    const cut = open(streams(async () => present));
    await new Promise(setImmediate);
    resync();
    await new Promise(setImmediate);
    expect(cut()).not.toContain(END);
    present = null;
    resync();
    await expect.poll(cut).toContain(`session\ndata: ended\n\n${END}`);
  });

  it('notify a member of notifications that arrived while the session was read, and nobody else', async () => {
    const { hub, emit } = emittingHub();
    const answers = [MEMBER, SESSION].map((id) => ({ id, ...Promise.withResolvers<Viewer>() }));
    let opened = 0;
    const streams = createLiveStreams({
      hub,
      now: () => app.now,
      readSession: () => answers[opened++]?.promise as Promise<Viewer>,
    });
    const [hers, his] = answers.map(() => openStream(streams, '203.0.113.9', 'any').text);
    emit({ type: 'member.notified', members: [MEMBER] });
    for (const { id, resolve } of answers) resolve({ id, sessionId: SESSION } as Viewer);
    await expect.poll(() => hers?.()).toMatch(/data: {"type":"member.notified"}\n\n$/);
    emit({ type: 'domain.changed', domain: 'news' });
    expect(his?.()).not.toContain('member.notified');
    expect(hers?.().match(/member\.notified/g)).toHaveLength(1);
    streams.close();
  });

  it('from one address are limited, by the /64 of an IPv6; a released slot is available again', () => {
    const hub = { changedAt: {}, onEvent() {}, onEnded() {}, onResync() {} } as unknown as LiveHub;
    const streams = createLiveStreams({ hub, now: () => app.now, readSession: async () => null, maxPerAddress: 2 });
    const open = (address: string) => openStream(streams, address);
    const first = open('203.0.113.9');
    expect([first.status, open('203.0.113.9').status, open('203.0.113.9').status]).toEqual([200, 200, 429]);
    expect(open('203.0.113.10').status).toBe(200);
    expect(['2001:db8::1', '2001:db8::2', '2001:db8::3'].map((one) => open(one).status)).toEqual([200, 200, 429]);
    expect(Array.from({ length: 4 }, () => open('127.0.0.1').status)).toEqual([200, 200, 200, 200]);
    // A whole IPv6 /48 has the slots of eight visitors.
    const site = Array.from({ length: 20 }, (_, i) => open(`2001:db8:7:${(i * 256).toString(16)}::1`).status);
    expect(site.filter((status) => status === 200)).toHaveLength(16);
    first.leave();
    expect([open('203.0.113.9').status, open('203.0.113.9').status]).toEqual([200, 429]);
    streams.close();
  });

  it('of a client that does not read are closed', () => {
    const { hub, emit } = emittingHub();
    const streams = createLiveStreams({ hub, now: () => app.now, readSession: async () => null });
    const [slow, other] = [openStream(streams), openStream(streams)];
    slow.socket.writableLength = 64 * 1024 + 1;
    emit({ type: 'domain.changed', domain: 'news' });
    expect([slow.sent.at(-1), other.sent.at(-1)]).toEqual([END, expect.stringContaining('"domain":"news"')]);
    slow.leave();
    expect(streams.size).toBe(1);
    streams.close();
  });

  it('are limited by the number of files that the process may open', () => {
    expect([null, 1_048_576, 4_096, 1_024, 256].map(streamsWithin)).toEqual([MAX_STREAMS, MAX_STREAMS, 3_596, 524, 0]);
    const hub = { changedAt: {}, onEvent() {}, onEnded() {}, onResync() {} } as unknown as LiveHub;
    const streams = createLiveStreams({ hub, now: () => app.now, readSession: async () => null, max: 1 });
    const open = () => openStream(streams).status;
    expect([open(), open()]).toEqual([200, 503]);
    streams.close();
  });

  it('are not opened by HEAD, which is answered at once', async () => {
    for (let i = 0; i < 3; i++) {
      const response = await app.http('/live', { method: 'HEAD' });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ]);
      await response.text();
    }
    await expect.poll(() => app.streams.size).toBe(0);
  });

  it('ignore the Last-Event-ID of a client', async () => {
    const { hub, emit } = emittingHub();
    const streams = createLiveStreams({ hub, now: () => app.now, readSession: async () => null });
    // An event that a stream with this header could repeat.
    emit({ type: 'domain.changed', domain: 'news' });
    const beginning = openStream(streams).sent;
    expect(beginning).toEqual([expect.stringMatching(/^retry: 2000\nevent: sync\ndata: {[^\n]*}\n\n$/)]);
    const stop = new AbortController();
    for (const value of ['-1', '0', '1', '9'.repeat(400), '<script>']) {
      expect(openStream(streams, '127.0.0.1', undefined, value).sent).toEqual(beginning);
      expect((await app.http('/live', { signal: stop.signal, headers: { 'last-event-id': value } })).status).toBe(200);
    }
    stop.abort();
    streams.close();
  });
});
