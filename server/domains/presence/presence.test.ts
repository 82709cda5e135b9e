import { describe, expect, it } from 'vitest';
import { countPublished } from '#tests/support/app/published.ts';
import { listenTo, type Person, startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const visitor = app.as();

let serial = 0;
const tab = () => ({ sessionId: `00000000-0000-4000-8000-${String(++serial).padStart(12, '0')}` });
const namesOnline = async () => (await visitor.presence.online()).data.map((user) => user.username);
const isOnline = async (person: Person) => (await namesOnline()).includes(person.username);

describe('presence', () => {
  it('starts with connect, and shows everybody a name and a shortened id only [RT-04] [RT-07] [RT-10] [RT-11] [RT-14] [DATA-46] [AMB-31]', async () => {
    const ana = await app.member();
    expect(await app.as(ana).presence.connect(tab())).toEqual({ success: true });
    const online = await visitor.presence.online();
    expect(online.success).toBe(true);
    const [seen] = online.data.filter((user) => user.username === ana.username);
    expect(seen).toEqual({ username: ana.username, shortId: ana.id.slice(0, 8), lastSeen: app.now.toISOString() });
    expect(JSON.stringify(online)).not.toContain('@');
    expect(JSON.stringify(online)).not.toContain(ana.id);
  });

  it('accepts the parameters in the spelling of the specification as well [RT-07..09] [AMB-141]', async () => {
    const [ana, other] = [await app.member(), await app.member()];
    const { presence } = app.as(ana);
    const { sessionId: session_id } = tab();
    expect(await presence.connect({ user_id: ana.id, session_id })).toEqual({ success: true });
    expect(await isOnline(ana)).toBe(true);
    app.pass(5 * 60_000 - 1);
    expect(await presence.heartbeat({ user_id: ana.id, session_id })).toEqual({ success: true });
    app.pass(1);
    expect(await isOnline(ana)).toBe(true);
    await expect(presence.connect({ user_id: other.id, session_id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(presence.connect({ user_id: ana.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await presence.disconnect({ user_id: ana.id })).toEqual({ success: true });
    expect(await isOnline(ana)).toBe(false);
  });

  it('lasts 5 minutes after the last heartbeat and not a millisecond more [RT-05] [RT-09] [RT-15] [TIME-29] [AMB-143]', async () => {
    const ana = await app.member();
    const here = tab();
    await app.as(ana).presence.connect(here);
    app.pass(5 * 60_000 - 1);
    expect(await isOnline(ana)).toBe(true);
    await app.as(ana).presence.heartbeat(here);
    app.pass(5 * 60_000 - 1);
    expect(await isOnline(ana)).toBe(true);
    app.pass(1);
    expect(await isOnline(ana)).toBe(false);
    await app.as(ana).presence.heartbeat(here);
    expect(await isOnline(ana)).toBe(true);
  });

  it('ends when the last open tab closes, not with the first [RT-06] [RT-08] [RT-12] [AMB-142]', async () => {
    const ana = await app.member();
    const [one, two] = [tab(), tab()];
    await app.as(ana).presence.connect(one);
    await app.as(ana).presence.connect(two);
    expect((await namesOnline()).filter((name) => name === ana.username)).toHaveLength(1);
    await app.as(ana).presence.disconnect(one);
    expect(await isOnline(ana)).toBe(true);
    await app.as(ana).presence.disconnect(two);
    expect(await isOnline(ana)).toBe(false);
  });

  it('ends for all tabs when the call names none, as old clients do [RT-08] [AMB-142]', async () => {
    const ana = await app.member();
    await app.as(ana).presence.connect(tab());
    await app.as(ana).presence.connect(tab());
    await app.as(ana).presence.disconnect({});
    expect(await isOnline(ana)).toBe(false);
  });

  it('keeps the newest 20 tabs of a member', async () => {
    const ana = await app.member();
    const tabs = Array.from({ length: 22 }, tab);
    for (const open of tabs) {
      app.pass(1);
      await app.as(ana).presence.connect(open);
    }
    const stored = await app.sql<{ session_id: string }>(
      'select session_id from user_connections where user_id = $1 order by last_seen',
      [ana.id],
    );
    expect(stored.map((row) => row.session_id)).toEqual(tabs.slice(2).map((open) => open.sessionId));
  });

  it('of a member who hides it is neither shown nor counted', async () => {
    const ana = await app.member();
    const before = (await visitor.presence.online()).total;
    await app.sql('update forum_users set hide_presence = true where new_auth_user_id = $1', [ana.id]);
    await app.as(ana).presence.connect(tab());
    expect(await isOnline(ana)).toBe(false);
    expect((await visitor.presence.online()).total).toBe(before);
  });
});

describe('access to presence', () => {
  it('is by the session: nobody changes another’s, and one tab id of two members is two tabs [RT-13] [AMB-141]', async () => {
    const [ana, ben] = (await app.members(2)) as [Person, Person];
    const here = tab();
    for (const call of ['connect', 'heartbeat', 'disconnect'] as const) {
      await expect(app.as(ben).presence[call]({ ...here, userId: ana.id })).rejects.toMatchObject({
        code: 'FORBIDDEN',
        status: 403,
      });
      expect(await isOnline(ana)).toBe(false);
    }
    expect(await app.as(ana).presence.connect({ ...here, userId: ana.id })).toEqual({ success: true });
    await app.as(ben).presence.connect(here);
    await app.as(ben).presence.disconnect(here);
    expect(await isOnline(ana)).toBe(true);
    expect(await isOnline(ben)).toBe(false);
  });

  it('needs a session, except for the list [AMB-141]', async () => {
    for (const call of ['connect', 'heartbeat', 'disconnect'] as const)
      await expect(visitor.presence[call](tab())).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
    await expect(visitor.presence.online()).resolves.toMatchObject({ success: true });
  });

  it.each(['', 'not-a-uuid', "'; drop table users; --", '\u0000'])('refuses the tab id %j', async (sessionId) => {
    await expect(app.as(await app.member()).presence.connect({ sessionId })).rejects.toMatchObject({ status: 400 });
  });

  it('accepts the disconnect of a closing page, sent by beacon, and none from another site [RT-06] [AMB-142]', async () => {
    const ana = await app.member();
    const here = tab();
    await app.as(ana).presence.connect(here);
    const foreign = await app.post(
      '/rpc/presence/disconnect',
      { json: here },
      { headers: { cookie: ana.cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } },
    );
    expect(foreign.status).toBe(403);
    expect(await isOnline(ana)).toBe(true);
    const own = await app.post(
      '/rpc/presence/disconnect',
      { json: here },
      { headers: { cookie: ana.cookie, 'sec-fetch-site': 'same-origin' } },
    );
    expect(own.status).toBe(200);
    expect(await isOnline(ana)).toBe(false);
  });
});

describe('a session that ends', () => {
  const endings: [string, (person: Person) => Promise<unknown>][] = [
    ['signs out', (person) => app.as(person).auth.signOut()],
    ['is revoked elsewhere', (person) => app.sql('delete from sessions where user_id = $1', [person.id])],
    ['is disabled', (person) => app.sql(`update users set banned_until = 'infinity' where id = $1`, [person.id])],
  ];

  it.each(endings)(
    'closes its tabs at once when the member %s, and notifies open pages [AMB-142]',
    async (_how, end) => {
      const ana = await app.member();
      await app.as(ana).presence.connect(tab());
      expect(await isOnline(ana)).toBe(true);
      const broadcasts = await countPublished(await app.sqlClient(), 'presence');
      await end(ana);
      expect(await isOnline(ana)).toBe(false);
      expect(await broadcasts()).toBeGreaterThan(0);
      expect(await app.sql('select 1 from user_connections where user_id = $1', [ana.id])).toEqual([]);
    },
  );

  it('does not close the tabs of the member’s other sessions', async () => {
    const ana = await app.member();
    const [other] = await app.sql<{ id: string }>(
      `insert into sessions (user_id, token, expires_at) values ($1, gen_random_uuid(), now() + interval '1 day') returning id`,
      [ana.id],
    );
    await app.as(ana).presence.connect(tab());
    await app.sql('delete from sessions where id = $1', [other?.id]);
    expect(await isOnline(ana)).toBe(true);
  });

  it('is not outlived by a concurrent heartbeat', async () => {
    const ana = await app.member();
    const ending = await app.sqlClient();
    try {
      await ending.query('begin');
      await ending.query('delete from sessions where user_id = $1', [ana.id]);
      // The session still appears valid: the deletion is not committed.
      const late = app.as(ana).presence.heartbeat(tab());
      late.catch(() => {});
      await expect
        .poll(() =>
          app.sql(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%for key share%'`),
        )
        .toHaveLength(1);
      await ending.query('commit');
      await expect(late).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    } finally {
      await ending.end();
    }
    expect(await isOnline(ana)).toBe(false);
  });
});

describe('rate limits of presence', () => {
  it('are 120 calls a minute over all tabs, then 429 with the seconds to wait', async () => {
    const ana = await app.member();
    const here = tab();
    await app.sql(`insert into rate_limits (key, hits, window_ends) values ($1, 119, $2)`, [
      `tab:${ana.id}`,
      new Date(app.now.getTime() + 60_000),
    ]);
    await app.as(ana).presence.connect(here);
    for (const call of ['connect', 'heartbeat', 'disconnect'] as const)
      await expect(app.as(ana).presence[call](here)).rejects.toMatchObject({
        code: 'RATE_LIMITED',
        status: 429,
        data: { retryAfter: 60 },
      });
    expect(await isOnline(ana)).toBe(true);
    app.pass(60_000);
    await app.as(ana).presence.heartbeat(here);
  });
});

describe('live events of presence', () => {
  it('are sent when a member comes or goes, not at each heartbeat, and never name the member [RT-03] [AMB-146]', async () => {
    const ana = await app.member();
    const here = tab();
    const { liveEvents } = listenTo(app.services);
    const broadcasts = await countPublished(await app.sqlClient(), 'presence');
    await app.as(ana).presence.connect(here);
    expect(await broadcasts()).toBe(1);
    await app.as(ana).presence.heartbeat(here);
    await app.as(ana).presence.connect(tab());
    await app.as(ana).presence.disconnect(here);
    expect(await broadcasts()).toBe(0);
    await app.as(ana).presence.disconnect({});
    expect(await broadcasts()).toBe(1);
    await app.as(ana).presence.disconnect({});
    await app.as(ana).presence.disconnect(here);
    expect(await broadcasts()).toBe(0);
    expect(JSON.stringify(liveEvents)).not.toContain(ana.id);
  });
});

describe('waiting for a launch', () => {
  const waiting = async (id: string) => (await visitor.presence.waiting({ id })).waiting;

  it('counts members with its page open, each once, until 90 seconds after the last heartbeat of a tab', async () => {
    const { id: waitsFor } = await app.nextProject();
    const { id: another } = await app.nextProject();
    const [ana, eva] = [await app.member(), await app.member()];
    expect(await waiting(waitsFor)).toBe(0);
    const [one, two] = [tab(), tab()];
    await app.as(ana).presence.connect({ ...one, waitsFor });
    await app.as(ana).presence.connect({ ...two, waitsFor });
    expect(await waiting(waitsFor)).toBe(1);
    app.pass(60_000);
    await app.as(eva).presence.connect({ ...tab(), waitsFor });
    await app.as(eva).presence.connect(tab());
    expect([await waiting(waitsFor), await waiting(another)]).toEqual([2, 0]);
    app.pass(30_000 - 1);
    expect(await waiting(waitsFor)).toBe(2);
    app.pass(1);
    expect(await waiting(waitsFor)).toBe(1);
    await app.as(ana).presence.heartbeat({ ...one, waitsFor });
    expect(await waiting(waitsFor)).toBe(2);
    await app.as(ana).presence.disconnect(one);
    expect(await waiting(waitsFor)).toBe(1);
  });

  it('ends with a heartbeat that does not name the launch, and with the account; hidden members are counted', async () => {
    const { id: waitsFor } = await app.nextProject();
    const [ana, eva] = [await app.member(), await app.member()];
    const here = tab();
    await app.as(ana).presence.connect({ ...here, waitsFor });
    await app.as(eva).account.setPresence({ hide: true });
    await app.as(eva).presence.connect({ ...tab(), waitsFor });
    expect(await waiting(waitsFor)).toBe(2);
    expect(await isOnline(eva)).toBe(false);
    await app.as(ana).presence.heartbeat(here);
    expect(await waiting(waitsFor)).toBe(1);
    await app.sql('delete from users where id = $1', [eva.id]);
    expect(await waiting(waitsFor)).toBe(0);
  });
});
