import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { openPool } from '#server/db/client.ts';
import { migrate, readMigrations } from '#server/db/migrate.ts';
import { signStop } from '#server/domains/notifications/unsubscribe-tokens.service.ts';
import { added, app, rounds, voted } from '#tests/fixtures/votes/manage-voting.ts';
import type { Person } from '#tests/support/app/test-app.ts';
import { onDatabase, runStatements } from '#tests/support/database/test-server.ts';
import { notifyLaunches } from './launches.service.ts';
import { notifyFollowers } from './notices.service.ts';

// One open round without other candidates.
beforeEach(async () => {
  await app.sql('update voting_candidates set is_active = false, certified_round_id = null');
  if ((await rounds.current()).round === null) await rounds.open({ days: 15 });
  await app.sql(`update voting_rounds set opens_at = $1, closes_at = $2, next_days = 15 where status = 'open'`, [
    app.now,
    new Date(app.now.getTime() + 90 * 86_400_000),
  ]);
});

const notify = () => notifyLaunches({ db: app.services.db, now: app.now });
const listOf = async (one: Person) =>
  (await app.as(one).notifications.list({})).items.map(({ detail, path: page }) => [detail, page]);

/** A candidate that wins the open round; `promote` graduates it. */
async function winner() {
  const { id } = await added({ tokenName: 'Colibrí' });
  await voted(id, 1);
  const follow = async (one: Person, on = false) => {
    await app.as(one).saved.set({ kind: 'candidate', id, saved: true });
    if (on) await app.as(one).saved.setNotice({ kind: 'candidate', id, on, locale: 'en' });
  };
  async function promote(): Promise<string> {
    const { round } = await rounds.current();
    if (!round) throw new Error('no round');
    await rounds.closeEarly({ id: round.id, seenClosesAt: round.closesAt, reason: 'Test' });
    return (await rounds.promoteWinner({ id: round.id, candidateId: id })).nextProjectId;
  }
  return { id, follow, promote };
}

describe('a saved candidate that graduates', () => {
  it('is saved as the NEXT project: its place, its mails, its promotion and its launch, each once', async () => {
    const [ana, bob] = (await app.members(2, { verified: true })) as [Person, Person];
    const token = await winner();
    await token.follow(ana, true);
    await token.follow(bob);
    app.pass(1_000);
    const later = await app.project();
    await app.as(ana).saved.set({ kind: 'project', id: later.id, saved: true });
    const next = { kind: 'next', id: await token.promote() } as const;
    expect(await app.as(ana).saved.list()).toEqual([{ kind: 'project', id: later.id }, next]);
    expect(await app.as(ana).saved.notices()).toEqual([next]);
    expect(await app.as(bob).saved.list()).toEqual([next]);
    expect(await app.as(bob).saved.resolve({ refs: [next] })).toMatchObject([{ ...next, tokenName: 'Colibrí' }]);
    await notify();
    await app.sql(`update next_projects set status = 'launched' where id = $1`, [next.id]);
    await notify();
    await notify();
    const page = `/token/${next.id}`;
    for (const one of [ana, bob])
      expect((await listOf(one)).toSorted()).toEqual([
        ['launchedByTeam', page],
        ['promoted', page],
      ]);
    const mails = (await app.deliverMails()).filter(({ subject }) => subject === 'News of Colibrí');
    expect(mails.map(({ to }) => to)).toEqual([ana.email, ana.email]);
    await app.as(ana).saved.set({ ...next, saved: false });
    expect(await app.as(ana).saved.list()).toEqual([{ kind: 'project', id: later.id }]);
  });

  it('is saved once, also by a member who saved it during the graduation, or saved both', async () => {
    const [ana, bob] = (await app.members(2, { verified: true })) as [Person, Person];
    const token = await winner();
    const next = { kind: 'next', id: await token.promote() } as const;
    await app.as(ana).saved.set({ ...next, saved: true });
    await app.sql(
      `insert into saved_tokens (candidate_id, user_id, notify, notify_locale) select $1, u, true, 'en' from unnest($2::uuid[]) u`,
      [token.id, [ana.id, bob.id]],
    );
    await notify();
    for (const one of [ana, bob]) {
      expect(await app.as(one).saved.list()).toEqual([next]);
      expect(await app.as(one).saved.notices()).toEqual([next]);
      expect(await listOf(one)).toEqual([['promoted', `/token/${next.id}`]]);
    }
  });

  it('stays saved as the candidate when its graduation fails', async () => {
    const [ana] = (await app.members(1)) as [Person];
    const token = await winner();
    await token.follow(ana);
    await app.sql(
      `create function no_carry() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
    );
    await app.sql(
      "create trigger no_carry before insert on audit_events for each row when (new.action = 'next_project.created') execute function no_carry()",
    );
    await expect(token.promote()).rejects.toThrow();
    await app.sql('drop trigger no_carry on audit_events');
    expect(await app.as(ana).saved.list()).toEqual([{ kind: 'candidate', id: token.id }]);
  });

  it('can still be unsubscribed from by the link of an earlier mail', async () => {
    const [ana] = (await app.members(1, { verified: true })) as [Person];
    const token = await winner();
    await token.follow(ana, true);
    await token.promote();
    await app.http(`/unsubscribe?token=${signStop(app.secret, [ana.id, 'candidate', token.id])}`, { method: 'POST' });
    expect(await app.as(ana).saved.notices()).toEqual([]);
  });

  it.each([
    ['sent to a follower of the NEXT project', false, 1],
    ['not sent after the unsubscribe link of an earlier mail was used', true, 0],
  ] as const)('has mails queued before its graduation %s', async (_, stops, expected) => {
    const [ana] = (await app.members(1, { verified: true })) as [Person];
    const token = await winner();
    await token.follow(ana, true);
    await app.as(ana).notifications.setKind({ kind: 'follows', inApp: true, mail: 'daily', push: false });
    await app.services.db.transaction((tx) =>
      notifyFollowers(
        tx,
        { kind: 'candidate', id: token.id },
        { name: 'Colibrí', news: 'unverified', path: `/token/${token.id}`, now: app.now },
      ),
    );
    await token.promote();
    if (stops)
      await app.http(`/unsubscribe?token=${signStop(app.secret, [ana.id, 'candidate', token.id])}`, { method: 'POST' });
    app.pass(2 * 86_400_000);
    expect((await app.deliverMails()).filter(({ to }) => to === ana.email).length).toBe(expected);
  });

  it('is shown once, as its NEXT project, to a visitor whose browser saved the candidate', async () => {
    const token = await winner();
    const old = { kind: 'candidate', id: token.id } as const;
    const shown = (refs: { kind: 'candidate' | 'next'; id: string }[]) => app.as().saved.resolve({ refs });
    expect(await shown([old])).toMatchObject([{ ...old, candidateId: null }]);
    const next = { kind: 'next', id: await token.promote() } as const;
    const expected = [{ ...next, tokenName: 'Colibrí', candidateId: token.id }];
    expect(await shown([old])).toMatchObject(expected);
    expect(await shown([next, old])).toMatchObject(expected);
    expect(await shown([next])).toMatchObject([{ ...next, candidateId: null }]);
  });

  it('is merged into the account once, from a browser that saved it before', async () => {
    const [ana] = (await app.members(1)) as [Person];
    const token = await winner();
    const next = { kind: 'next', id: await token.promote() } as const;
    const old = { kind: 'candidate', id: token.id } as const;
    expect(await app.as(ana).saved.merge({ refs: [old] })).toEqual([next]);
    expect(await app.as(ana).saved.merge({ refs: [old, next] })).toEqual([next]);
  });
});

it('saved candidates that graduated before are changed to their NEXT projects by the migration', async () => {
  const { template: _, ...server } = inject('testServer');
  const name = `florka_saved_${process.pid}_${randomBytes(4).toString('hex')}`;
  await runStatements(server, `create database ${name} encoding 'UTF8' template template0`);
  const pool = openPool({ ...onDatabase(server, name), max: 3 });
  onTestFinished(async () => {
    await pool.end();
    await runStatements(server, `drop database if exists ${name} with (force)`);
  });
  const all = readMigrations(path.join(import.meta.dirname, '../../db/migrations'));
  const at = all.findIndex((one) => one.name.includes('saved_of_graduated'));
  await migrate(pool, all.slice(0, at));
  const idOf = async (sql: string, values: unknown[] = []) => (await pool.query(sql, values)).rows[0].id as string;
  const candidate = (slug: string, isActive: boolean) =>
    idOf(
      `insert into voting_candidates (token_name, token_symbol, token_slug, is_active) values ('A', 'A', $1, $2) returning id`,
      [slug, isActive],
    );
  const [gone, waiting] = [await candidate('gone', false), await candidate('waiting', true)];
  let next = '';
  for (const [number, winnerId] of [gone, gone, waiting].entries()) {
    const round = await idOf(
      `insert into voting_rounds (number, opens_at, closes_at, status, winner_candidate_id)
       values ($1, '2026-01-01', '2026-01-02', 'closed', $2) returning id`,
      [number + 90, winnerId],
    );
    if (winnerId === gone)
      next = await idOf(
        `insert into next_projects (token_name, token_symbol, voting_round_id) values ('A', 'A', $1) returning id`,
        [round],
      );
  }
  const [ana, bob] = [
    await idOf(`insert into users (name, email) values ('Ana', 'ana@florka.test') returning id`),
    await idOf(`insert into users (name, email) values ('Bob', 'bob@florka.test') returning id`),
  ];
  await pool.query(
    `insert into saved_tokens (user_id, candidate_id, notify) values ($1, $3, true), ($2, $3, false), ($1, $4, true)`,
    [ana, bob, gone, waiting],
  );
  await pool.query('insert into saved_tokens (user_id, next_project_id) values ($1, $2)', [ana, next]);
  await migrate(pool, all);
  const { rows } = await pool.query(
    'select user_id, candidate_id, next_project_id, notify from saved_tokens order by candidate_id nulls last, notify desc',
  );
  expect(rows).toEqual([
    { user_id: ana, candidate_id: waiting, next_project_id: null, notify: true },
    { user_id: ana, candidate_id: null, next_project_id: next, notify: true },
    { user_id: bob, candidate_id: null, next_project_id: next, notify: false },
  ]);
});

describe('the address of a candidate that graduated', () => {
  const find = (slug: string) => app.as().tokens.find({ slug });

  it('leads to its NEXT project, by slug and by id, and is not found while that is not public', async () => {
    const token = await winner();
    const { tokenSlug } = await find(token.id);
    const id = await token.promote();
    for (const address of [token.id, String(tokenSlug)])
      expect(await find(address)).toMatchObject({ kind: 'next', id, tokenName: 'Colibrí' });
    // A candidate with the slug is found before the graduated one that had it.
    await app.sql(`update voting_candidates set token_slug = token_slug || '-old' where id = $1`, [token.id]);
    const other = await app.candidate({ token_slug: tokenSlug });
    expect(await find(String(tokenSlug))).toMatchObject({ kind: 'candidate', id: other.id });
    await app.sql('update next_projects set is_active = false where id = $1', [id]);
    await expect(find(token.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
