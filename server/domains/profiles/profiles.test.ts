import { describe, expect, it } from 'vitest';
import { RESTRICTIONS_MAX } from '#contract/domains/profiles.ts';
import { removeMember } from '#server/domains/account/removal.service.ts';
import { listenTo, type Person, startTestApp } from '#tests/support/app/test-app.ts';
import { badgesOf } from './profiles.service.ts';

const app = await startTestApp();
const visitor = app.as();
const live = listenTo(app.services);
const MINUTE = 60_000;
const ALL = { showPage: true, showVotes: true, showFollows: true, showCreated: true };
const NOTHING = { showPage: false, showVotes: false, showFollows: false, showCreated: false };

const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error: { code?: string }) => error.code ?? String(error),
  );
let serial = 0;
const words = () => `word${++serial}`;
/** A member whose account is not new. */
async function regular(): Promise<Person> {
  const person = await app.member();
  await app.sql(`update users set created_at = $2 where id = $1`, [
    person.id,
    new Date(app.now.getTime() - 2 * 86_400_000),
  ]);
  return person;
}
async function postBy(person: Person, content = words()) {
  app.pass(2 * MINUTE);
  return app.as(person).forum.create({ title: words(), content });
}
async function commentBy(person: Person, postId: string, over: { content?: string; quoted?: string } = {}) {
  app.pass(MINUTE);
  return app.as(person).forum.comment({ postId, content: words(), ...over });
}
const pageOf = (person: { username: string }) => visitor.profiles.page({ name: person.username });
const notified = (person: Person) =>
  app.sql<{ kind: string; gathered: number }>(
    'select kind, gathered from notifications where user_id = $1 order by created_at, kind',
    [person.id],
  );

describe('the public page of a member', () => {
  it('shows only what is public elsewhere until its member permits more', async () => {
    const [ana, eva] = [await regular(), await regular()];
    const post = await postBy(ana);
    await commentBy(ana, (await postBy(eva)).id);
    const candidate = await app.candidate();
    await app.as(ana).voting.cast({ candidateId: candidate.id });
    await app.as(ana).saved.set({ kind: 'candidate', id: candidate.id, saved: true });

    const before = await pageOf(ana);
    expect(before).toMatchObject({ username: ana.username, staff: false, posts: 1, comments: 1 });
    expect(before).toMatchObject({ voterSince: null, follows: null });
    expect(before.badges.map(({ badge }) => badge)).toEqual(['writer']);
    const text = JSON.stringify([before, await visitor.forum.posts({ by: ana.username })]);
    for (const secret of [ana.email, candidate.id, String(candidate['token_name'])]) expect(text).not.toContain(secret);

    expect(await app.as(ana).profiles.setSettings(ALL)).toEqual(ALL);
    const after = await pageOf({ username: ana.username.toUpperCase() });
    expect(after.voterSince).toBe(app.now.toISOString().slice(0, 10));
    expect(after.follows?.map(({ id }) => id)).toEqual([candidate.id]);
    expect(after.badges).toContainEqual({ badge: 'voter', step: 1, count: 1 });
    await app.as(ana).profiles.setSettings({ ...ALL, showVotes: false, showFollows: false });
    expect(await pageOf(ana)).toEqual(before);
    expect((await visitor.forum.posts({ by: ana.username })).items.map(({ id }) => id)).toEqual([post.id]);
  });

  it('does not exist for a member who wrote nothing, unless they enabled it, nor for an unknown name', async () => {
    const ana = await regular();
    expect(await outcome(pageOf(ana))).toBe('NOT_FOUND');
    expect(await outcome(pageOf({ username: 'Nobody_At_All' }))).toBe('NOT_FOUND');
    await app.as(ana).profiles.setSettings({ ...NOTHING, showPage: true });
    expect(await pageOf(ana)).toMatchObject({ posts: 0, comments: 0, badges: [] });
    expect((await visitor.forum.posts({ by: ana.username })).items).toEqual([]);
    await app.as(ana).profiles.setSettings(NOTHING);
    expect(await outcome(pageOf(ana))).toBe('NOT_FOUND');
  });

  it('leaves out hidden texts and void votes, and does not exist after the account was deleted', async () => {
    const ana = await regular();
    const post = await postBy(ana);
    await app.as(ana).profiles.setSettings({ ...ALL, showPage: false });
    const candidate = await app.candidate();
    await app.as(ana).voting.cast({ candidateId: candidate.id });
    await app.sql(`update votes set state = 'void' where user_id = $1`, [ana.id]);
    expect(await pageOf(ana)).toMatchObject({ posts: 1, voterSince: null });
    await app.sql(`update votes set state = 'counted' where user_id = $1`, [ana.id]);
    await app.as(ana).forum.deletePost({ id: post.id });
    expect(await outcome(pageOf(ana))).toBe('NOT_FOUND');
    expect((await visitor.forum.posts({ by: ana.username })).items).toEqual([]);
    await postBy(ana);
    expect(await outcome(pageOf(ana))).toBe('ok');
    await app.services.db.transaction((tx) => removeMember(tx, ana.id, app.now));
    expect(await outcome(pageOf(ana))).toBe('NOT_FOUND');
    expect((await visitor.forum.posts({ by: ana.username })).items).toEqual([]);
    expect(await app.sql('select 1 from profile_settings where user_id = $1', [ana.id])).toEqual([]);
  });

  it('shows a token that its member has proven to have created, while the proof is valid and if they permit it', async () => {
    const [ana, eva] = [await regular(), await regular()];
    const token = await app.project();
    const prove = (person: Person, state: string) =>
      app.sql(
        `insert into ownership_proofs (project_id, method, subject, token, state, started_at, started_by, proven_at,
           next_check_at, expires_at, ended_at, end_reason)
         values ($1, 'dns', $3, 't', $4::text, now(), $2, now(), now(), now() + interval '1 year',
           case when $4 = 'ended' then now() end, case when $4 = 'ended' then 'lapsed' end)`,
        [token.id, person.id, `${words()}.example`, state],
      );
    await prove(ana, 'valid');
    await prove(eva, 'ended');
    for (const person of [ana, eva]) await app.as(person).profiles.setSettings({ ...NOTHING, showPage: true });
    expect((await pageOf(ana)).created).toEqual([]);
    for (const person of [ana, eva]) await app.as(person).profiles.setSettings({ ...ALL });
    expect((await pageOf(ana)).created.map(({ id }) => id)).toEqual([token.id]);
    expect((await pageOf(eva)).created).toEqual([]);
    // A client that does not know the choice leaves it as it is.
    const { showCreated: _, ...known } = ALL;
    expect(await app.as(ana).profiles.setSettings(known)).toEqual(ALL);
    await app.sql(
      `update ownership_proofs set state = 'ended', ended_at = now(), end_reason = 'lapsed' where started_by = $1`,
      [ana.id],
    );
    expect((await pageOf(ana)).created).toEqual([]);
  });

  it('shows the NEXT project that a proven candidate became, while it is the same token', async () => {
    const ana = await regular();
    await app.as(ana).profiles.setSettings(ALL);
    const candidate = await app.candidate();
    await app.sql(
      `insert into ownership_proofs (candidate_id, method, subject, token, state, started_at, started_by, proven_at, next_check_at, expires_at)
       values ($1, 'dns', $3, 't', 'valid', now(), $2, now(), now(), now() + interval '1 year')`,
      [candidate.id, ana.id, `${words()}.example`],
    );
    const shown = async () => (await pageOf(ana)).created.map(({ kind, id }) => ({ kind, id }));
    expect(await shown()).toEqual([{ kind: 'candidate', id: candidate.id }]);
    const [round] = await app.sql<{ id: string }>(
      `insert into voting_rounds (number, status, opens_at, closes_at, closed_at, winner_candidate_id, winner_votes)
       select max(number) + 1, 'closed', $1, $2, $2, $3, 1 from voting_rounds returning id`,
      [new Date(app.now.getTime() - 2 * MINUTE), new Date(app.now.getTime() - MINUTE), candidate.id],
    );
    await app.sql('update voting_candidates set certified_round_id = $2 where id = $1', [candidate.id, round?.id]);
    const boss = await app.member({ role: 'admin' });
    await app.sql('update sessions set proved_at = now() where user_id = $1', [boss.id]);
    const { nextProjectId } = await app
      .as(boss)
      .admin.rounds.promoteWinner({ id: round?.id ?? '', candidateId: candidate.id });
    expect(await shown()).toEqual([{ kind: 'next', id: nextProjectId }]);
    await app.sql("update next_projects set website_url = 'https://another.example' where id = $1", [nextProjectId]);
    expect(await shown()).toEqual([]);
  });

  it('marks staff, and counts reactions of other members only', async () => {
    const [mod, ana] = [await app.member({ role: 'moderator' }), await regular()];
    const post = await postBy(mod);
    await app.as(mod).forum.react({ postId: post.id, emojiType: 'like', on: true });
    const [{ username }] = (await app.sql<{ username: string }>(
      'select username from forum_users where new_auth_user_id = $1',
      [mod.id],
    )) as [{ username: string }];
    const page = await pageOf({ username });
    expect(page.staff).toBe(true);
    await app.as(ana).forum.react({ postId: post.id, emojiType: 'love', on: true });
    const reactions = async () =>
      app.sql(`select 1 from post_reactions where post_id = $1 and user_id <> $2`, [post.id, mod.id]);
    expect((await reactions()).length).toBe(1);
    // Nine more people: the first level.
    for (let i = 0; i < 9; i++)
      await app.as(await app.member()).forum.react({ postId: post.id, emojiType: 'wow', on: true });
    expect((await pageOf({ username })).badges).toContainEqual({ badge: 'appreciated', step: 1, count: 10 });
  });

  it('has a badge for a vote for the winner of its round', async () => {
    const ana = await regular();
    await app.as(ana).profiles.setSettings(ALL);
    const candidate = await app.candidate();
    await app.as(ana).voting.cast({ candidateId: candidate.id });
    expect((await pageOf(ana)).badges.map(({ badge }) => badge)).toEqual(['voter']);
    const [round] = await app.sql<{ id: string }>(
      `insert into voting_rounds (number, status, opens_at, closes_at, closed_at,
      winner_candidate_id, winner_votes) select max(number) + 1, 'closed', $1, $2, $2, $3, 1 from voting_rounds returning id`,
      [new Date(app.now.getTime() - MINUTE), new Date(app.now.getTime() + MINUTE), candidate.id],
    );
    await app.sql('update votes set round_id = $2 where user_id = $1', [ana.id, round?.id]);
    expect((await pageOf(ana)).badges).toContainEqual({ badge: 'picker', step: 1, count: 1 });
  });

  it('is removed from the cache, in both languages, when its member changes what is shown, and not for equal settings', async () => {
    const ana = await regular();
    await postBy(ana);
    await live.forget();
    await app.as(ana).profiles.setSettings(ALL);
    await live.changed('forum');
    // Equal settings are not written.
    await app.as(ana).profiles.setSettings(ALL);
    const rows = await app.sql(`select 1 from audit_events where action = 'profile.set' and actor_id = $1`, [ana.id]);
    expect(rows).toHaveLength(1);
    const renders = async () => {
      for (const prefix of ['', '/en']) await app.http(`${prefix}/member/${ana.username}`);
      return app.rendered.filter((path) => path.endsWith(`/member/${ana.username}`)).length;
    };
    await live.forget();
    expect([await renders(), await renders()]).toEqual([2, 2]);
    await app.as(ana).profiles.setSettings(ALL);
    await app.as(ana).profiles.setSettings({ ...ALL, showVotes: false });
    await live.changed('forum');
    expect(live.changes('forum')).toBe(1);
    expect(await renders()).toBe(4);
    await app.as(ana).profiles.setSettings(ALL);
    expect(await app.as(ana).profiles.settings()).toEqual(ALL);
  });

  it('lists the posts of its member in pages, each once, newest first', async () => {
    const ana = await regular();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await postBy(ana)).id);
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: { id: string }[]; nextCursor: string | null } = await visitor.forum.posts({
        by: ana.username,
        limit: 2,
        cursor,
      });
      found.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(found).toEqual(ids);
  });
});

describe('the levels of badges', () => {
  it('begin at their first count, and the highest one reached is given', () => {
    const of = (writer: number) => badgesOf({ writer, appreciated: 0, voter: 0, picker: 0 });
    expect(of(0)).toEqual([]);
    expect([1, 24, 25, 99, 100].map((count) => of(count)[0]?.step)).toEqual([1, 1, 2, 2, 3]);
  });
});

describe.each(['mute', 'block'] as const)('a member who is restricted by %s', (level) => {
  it('notifies a member who restricted them neither by a comment, a reply, a mention nor a reaction, but others', async () => {
    const [ana, troll, eva] = [await regular(), await regular(), await regular()];
    const post = await postBy(ana);
    const mine = await commentBy(ana, post.id);
    await app.as(ana).profiles.restrict({ name: troll.username, level });
    await commentBy(troll, post.id, { content: `@${ana.username} hola`, quoted: mine.id });
    await app.as(troll).forum.react({ postId: post.id, emojiType: 'like', on: true });
    await postBy(troll, `@${ana.username} y @${eva.username}`);
    expect(await notified(ana)).toEqual([]);
    expect((await notified(eva)).map(({ kind }) => kind)).toEqual(['mentions']);
    // Reactions are grouped: a restricted one neither starts a notification nor joins another's.
    await app.as(eva).forum.react({ postId: post.id, emojiType: 'love', on: true });
    await app.as(troll).forum.react({ postId: post.id, emojiType: 'wow', on: true });
    await commentBy(eva, post.id);
    expect(await notified(ana)).toEqual([
      { kind: 'reactions', gathered: 1 },
      { kind: 'replies', gathered: 1 },
    ]);
    await app.as(ana).profiles.restrict({ name: troll.username, level: 'none' });
    await commentBy(troll, post.id);
    expect((await notified(ana)).length).toBe(3);
  });

  it('is not named in the list of notifications, including earlier ones, until the restriction ends', async () => {
    const [ana, troll, eva] = [await regular(), await regular(), await regular()];
    const post = await postBy(ana);
    await commentBy(troll, post.id);
    await app.as(eva).forum.react({ postId: post.id, emojiType: 'love', on: true });
    await app.as(troll).forum.react({ postId: post.id, emojiType: 'wow', on: true });
    const other = await postBy(ana);
    await app.as(troll).forum.react({ postId: other.id, emojiType: 'wow', on: true });
    const list = async () => {
      const { items } = await app.as(ana).notifications.list({});
      expect((await app.as(ana).notifications.unread()).unread).toBe(items.length);
      return items.map(({ kind, actor, count }) => [kind, actor, count]);
    };
    const all = await list();
    expect(all.toSorted()).toEqual([
      ['reactions', troll.username, 1],
      ['reactions', troll.username, 2],
      ['replies', troll.username, 1],
    ]);
    await app.as(ana).profiles.restrict({ name: troll.username, level });
    // What others did stays, without the name.
    expect(await list()).toEqual([['reactions', null, 2]]);
    await app.as(ana).profiles.restrict({ name: troll.username, level: 'none' });
    expect(await list()).toEqual(all);
  });

  it('does not have the titles of their posts in notifications caused by others there, when blocked', async () => {
    const [ana, troll, eva] = [await regular(), await regular(), await regular()];
    const post = await postBy(troll);
    await app.as(ana).profiles.restrict({ name: troll.username, level });
    const own = await commentBy(ana, post.id);
    await commentBy(eva, post.id, { content: `Hola @${ana.username}` });
    await commentBy(eva, post.id, { quoted: own.id });
    const { items } = await app.as(ana).notifications.list({});
    const titles = items.map(({ title }) => title);
    expect(items.map(({ kind }) => kind)).toEqual(['replies', 'mentions']);
    expect(new Set(titles)).toEqual(new Set([level === 'block' ? '' : post.title]));
    expect(items.every(({ path }) => path?.startsWith(`/forum/${post.id}`))).toBe(true);
  });

  it('is in the list of restrictions, which is deleted with either account and is part of the export', async () => {
    const [ana, troll, other] = [await regular(), await regular(), await regular()];
    for (const { username } of [troll, other]) {
      app.pass(1_000);
      await app.as(ana).profiles.restrict({ name: username.toLowerCase(), level });
    }
    const list = () => app.as(ana).profiles.restrictions();
    expect((await list()).map(({ username, level: set }) => [username, set])).toEqual([
      [other.username, level],
      [troll.username, level],
    ]);
    const data = await app.as(ana).account.export();
    expect(data['restrictions']).toMatchObject([
      { username: troll.username, level },
      { username: other.username, level },
    ]);
    expect(await app.as(troll).profiles.restrictions()).toEqual([]);
    await app.services.db.transaction((tx) => removeMember(tx, troll.id, app.now));
    expect((await list()).map(({ username }) => username)).toEqual([other.username]);
    await app.services.db.transaction((tx) => removeMember(tx, ana.id, app.now));
    expect(await app.sql('select 1 from member_restrictions where member_id = $1', [ana.id])).toEqual([]);
  });
});

describe('muting and blocking', () => {
  it('is refused for oneself and for unknown names, and idempotent', async () => {
    const [ana, eva] = [await regular(), await regular()];
    const set = (name: string, level: 'mute' | 'block' | 'none') => app.as(ana).profiles.restrict({ name, level });
    expect(await outcome(set(ana.username, 'mute'))).toBe('FORBIDDEN');
    expect(await outcome(set('Nobody_At_All', 'mute'))).toBe('NOT_FOUND');
    expect(await outcome(visitor.profiles.restrict({ name: ana.username, level: 'mute' }))).toBe('UNAUTHORIZED');
    await set(eva.username, 'mute');
    await set(eva.username, 'mute');
    await set(eva.username, 'block');
    await set(eva.username, 'none');
    await set(eva.username, 'none');
    const entries = await app.sql<{ action: string }>(
      `select action from audit_events where actor_id = $1 and resource_id = $2 order by id`,
      [ana.id, eva.id],
    );
    expect(entries.map(({ action }) => action)).toEqual(['member.muted', 'member.blocked', 'member.unrestricted']);
  });

  it('has a maximum, also for two concurrent requests', async () => {
    const ana = await regular();
    await app.sql(
      `with made as (insert into users (name, email) select 'x', 'room' || n || '@example.org' from generate_series(1, $2) n returning id)
       insert into member_restrictions (member_id, other_id, level, since) select $1, id, 'mute', now() from made`,
      [ana.id, RESTRICTIONS_MAX - 1],
    );
    const [one, two] = [await regular(), await regular()];
    const both = await Promise.all(
      [one, two].map(({ username }) => outcome(app.as(ana).profiles.restrict({ name: username, level: 'mute' }))),
    );
    expect(both.sort()).toEqual(['TOO_MANY_RESTRICTED', 'ok']);
  });

  it('notifies open pages of the restricting member only', async () => {
    const [ana, eva] = [await regular(), await regular()];
    await app.as(ana).profiles.restrict({ name: eva.username, level: 'mute' });
    const event = await live.until((one) => one.type === 'member.notified' && one.members?.includes(ana.id) === true);
    expect(event).toEqual({ type: 'member.notified', members: [ana.id] });
  });

  it('removes names from the suggestions of both members when one blocked the other, but not when muted', async () => {
    const [ana, eva] = [await regular(), await regular()];
    for (const one of [ana, eva]) await postBy(one);
    const suggested = async (by: Person, { username }: { username: string }) =>
      (await app.as(by).forum.names({ q: username })).names;
    expect(await suggested(eva, ana)).toEqual([ana.username]);
    await app.as(ana).profiles.restrict({ name: eva.username, level: 'mute' });
    expect(await suggested(eva, ana)).toEqual([ana.username]);
    await app.as(ana).profiles.restrict({ name: eva.username, level: 'block' });
    expect(await suggested(eva, ana)).toEqual([]);
    expect(await suggested(ana, eva)).toEqual([]);
    expect(await suggested(ana, ana)).toEqual([ana.username]);
  });
});

describe('the address of the page of a member', () => {
  it('is one: other spellings redirect to it, also for a name with accents', async () => {
    const name = `Ñandú ${words()}`;
    const ana = await app.member();
    await app.as(ana).account.setUsername({ username: name });
    await app.as(ana).profiles.setSettings({ ...NOTHING, showPage: true });
    const path = `/member/${encodeURIComponent(name)}`;
    const answer = await app.http(`/Member/${encodeURIComponent(name).toLowerCase().replace('%c3', '%C3')}/`, {
      redirect: 'manual',
    });
    expect(answer.status).toBe(308);
    expect((await app.http(path, { redirect: 'manual' })).status).not.toBe(308);
  });
});
