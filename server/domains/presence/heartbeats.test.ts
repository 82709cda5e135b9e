import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { countPublished } from '#tests/support/app/published.ts';
import { type Person, startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();

interface Seat {
  person: Person;
  session: string;
  tab: string;
}

/** Members with a session and the id of a tab each; the tabs are not open yet. */
async function seats(count: number): Promise<Seat[]> {
  const people = await app.members(count);
  const rows = await app.sql<{ id: string; user_id: string }>(
    'select id, user_id from sessions where user_id = any($1)',
    [people.map(({ id }) => id)],
  );
  const sessions = new Map(rows.map((row) => [row.user_id, row.id]));
  return people.map((person) => ({ person, session: sessions.get(person.id) ?? '', tab: randomUUID() }));
}

/** One heartbeat, as the API hands it to the service. */
const see = ({ person, session, tab }: Seat, waitsFor: string | null = null) =>
  app.services.presence.see({
    userId: person.id,
    authSessionId: session,
    tabId: tab,
    waitsFor,
    limit: LIMITS.presenceAccountMinute,
  });

const outcomes = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map((one) =>
    one.status === 'fulfilled' ? 'done' : (one.reason as { code: string }).code,
  );

const tabsOf = ({ person }: Seat) =>
  app.sql<{ session_id: string; last_seen: Date; waits_for: string | null }>(
    'select session_id, last_seen, waits_for from user_connections where user_id = $1 and is_online order by last_seen',
    [person.id],
  );

it('heartbeats that arrive together each have their own outcome', async () => {
  const [ana, ben, eva, leo] = (await seats(4)) as [Seat, Seat, Seat, Seat];
  await Promise.all([ana, ben, eva, leo].map((seat) => see(seat)));
  await app.sql('update rate_limits set hits = 118 where key = $1', [`tab:${ben.person.id}`]);
  app.pass(30_000);
  await app.sql('delete from sessions where user_id = $1', [leo.person.id]);
  const second = { ...eva, tab: randomUUID() };
  expect(await outcomes([ana, ben, ben, ben, eva, second, leo].map((seat) => see(seat)))).toEqual([
    'done',
    'done',
    'done',
    'RATE_LIMITED',
    'done',
    'done',
    'UNAUTHORIZED',
  ]);
  for (const seat of [ana, ben]) expect(await tabsOf(seat)).toMatchObject([{ last_seen: app.now }]);
  expect(await tabsOf(eva)).toMatchObject([{ last_seen: app.now }, { last_seen: app.now }]);
  expect(await tabsOf(leo)).toEqual([]);
});

it('a refused heartbeat does not keep its tab open', async () => {
  const [ana] = (await seats(1)) as [Seat];
  await see(ana);
  const opened = app.now;
  app.pass(1_000);
  await app.sql('update rate_limits set hits = 120 where key = $1', [`tab:${ana.person.id}`]);
  expect(await outcomes([see(ana)])).toEqual(['RATE_LIMITED']);
  expect(await tabsOf(ana)).toMatchObject([{ last_seen: opened }]);
});

it('a heartbeat moves no tab of another member, and a tab ends with the session of its last heartbeat', async () => {
  const [ana, ben] = (await seats(2)) as [Seat, Seat];
  await see(ana);
  const before = await tabsOf(ana);
  app.pass(1_000);
  await see({ ...ben, tab: ana.tab });
  expect(await tabsOf(ana)).toEqual(before);
  const [other] = await app.sql<{ id: string }>(
    `insert into sessions (user_id, token, expires_at) values ($1, gen_random_uuid(), now() + interval '1 day') returning id`,
    [ana.person.id],
  );
  const later = { ...ana, session: other?.id ?? '' };
  await see(later);
  await app.sql('delete from sessions where id = $1', [ana.session]);
  expect(await tabsOf(ana)).toMatchObject([{ last_seen: app.now }]);
  await app.sql('delete from sessions where id = $1', [later.session]);
  expect(await tabsOf(ana)).toEqual([]);
});

it('a heartbeat does not wait for the end of another member’s session', async () => {
  const [ana, ben, eva] = (await seats(3)) as [Seat, Seat, Seat];
  await see(ana);
  const ending = await app.sqlClient();
  try {
    await ending.query('begin');
    await ending.query('delete from sessions where user_id = any($1)', [[ana.person.id, ben.person.id]]);
    // An open tab and a new one, of sessions that still appear valid.
    const late = outcomes([see(ana), see(ben)]);
    await see(eva);
    expect(await tabsOf(eva)).toHaveLength(1);
    await ending.query('commit');
    expect(await late).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED']);
  } finally {
    await ending.end();
  }
  expect([await tabsOf(ana), await tabsOf(ben)]).toEqual([[], []]);
});

it('a member who opens many tabs at once keeps the newest 20', async () => {
  const [ana] = (await seats(1)) as [Seat];
  for (let round = 0; round < 2; round++) {
    const tabs = Array.from({ length: 22 }, () => ({ ...ana, tab: randomUUID() }));
    expect(new Set(await outcomes(tabs.map((seat) => see(seat))))).toEqual(new Set(['done']));
    const stored = await tabsOf(ana);
    expect(stored.map((row) => row.session_id).toSorted()).toEqual(
      tabs
        .slice(2)
        .map((seat) => seat.tab)
        .toSorted(),
    );
    app.pass(1_000);
  }
});

it('of two concurrent heartbeats of one tab the later one is stored', async () => {
  const [ana] = (await seats(1)) as [Seat];
  const { id: waitsFor } = await app.nextProject();
  // First for a tab that is being opened, then for an open one.
  for (const stored of [waitsFor, null, waitsFor]) {
    await Promise.all([see(ana, stored === null ? waitsFor : null), see(ana, stored)]);
    expect(await tabsOf(ana)).toMatchObject([{ waits_for: stored }]);
  }
});

it('members who come online at once are published as one change', async () => {
  const broadcasts = await countPublished(await app.sqlClient(), 'presence');
  const coming = await seats(20);
  for (const changes of [1, 0]) {
    await Promise.all(coming.map((seat) => see(seat)));
    expect(await broadcasts()).toBe(changes);
  }
});

it('concurrent readers of who is online share one database query', async () => {
  const [ana] = (await seats(1)) as [Seat];
  const query = vi.spyOn(app.services.pool, 'query');
  onTestFinished(() => query.mockRestore());
  const read = () => app.as().presence.online();
  const before = await Promise.all(Array.from({ length: 20 }, read));
  expect(new Set(before.map(({ total }) => total)).size).toBe(1);
  const first = query.mock.calls.length;
  expect(first).toBe(1);
  // A read that began before a change is not shared with later readers.
  const early = read();
  await see(ana);
  const late = await read();
  expect(late.total).toBe((before[0]?.total ?? 0) + 1);
  await early;
});
