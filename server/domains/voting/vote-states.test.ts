import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { VoteState } from '#server/db/tables/voting.ts';
import { removeMember } from '#server/domains/account/removal.service.ts';
import { app, change, changesOf, counters, voted, voteIds } from '#tests/fixtures/votes/vote-states.ts';
import { listenTo, type Person } from '#tests/support/app/test-app.ts';
import { propertyRuns } from '#tests/support/runner/property-runs.ts';
import { recountVotes } from './manage-votes.service.ts';
import { changeVoteStates } from './vote-states.service.ts';
import { readNewestCounted } from './votes.sql.ts';

const { db } = app.services;

describe('the state of votes [AMB-213]', () => {
  it('takes a vote out of total, day and order, and restores them exactly', async () => {
    const { id, ids } = await voted(3);
    const before = await counters(id);
    expect(before).toMatchObject({ total: 3, review: 0, void: 0 });
    const listener = listenTo(app.services);
    expect(await change(ids.slice(2), 'under_review', 'burst')).toEqual({ changed: 1, candidateIds: [id] });
    expect(await counters(id)).toMatchObject({ total: 2, review: 1, void: 0 });
    const tally = `"candidateId":"${id}","totalVotes":2,"votesToday":2`;
    await listener.until((event) => JSON.stringify(event).includes(tally));
    await change(ids, 'void', 'moderator');
    expect(await counters(id)).toEqual({ total: 0, review: 0, void: 3, reached: null, days: {} });
    await change(ids, 'counted');
    expect(await counters(id)).toEqual(before);
    expect(await app.sql('select distinct state, state_reason from votes where candidate_id = $1', [id])).toEqual([
      { state: 'counted', state_reason: null },
    ]);
  });

  it('changes once, and deleted votes are skipped', async () => {
    const { id, ids } = await voted(2);
    await change(ids, 'void', 'moderator');
    const once = await counters(id);
    expect(await change([...ids, 999_999_999], 'void', 'other')).toEqual({ changed: 0, candidateIds: [] });
    expect(await counters(id)).toEqual(once);
    expect(await changesOf(id)).toHaveLength(4);
  });

  it('changes the counts of uncounted votes for votes of the open round only', async () => {
    const { id, ids } = await voted(2);
    await app.sql('update votes set round_id = gen_random_uuid() where id = $1', [ids[0]]);
    await app.sql('update votes set round_id = null where id = $1', [ids[1]]);
    await app.sql(`update voting_rounds set opens_at = $1, closes_at = now() + interval '1 day'`, [
      '2026-01-01T00:00:00Z',
    ]);
    await change(ids, 'void', 'moderator');
    expect(await counters(id)).toMatchObject({ total: 0, void: 1 });
    await change(ids, 'counted');
    expect(await counters(id)).toMatchObject({ total: 2, void: 0 });
  });

  it('keeps every counter equal to the votes after any sequence of changes', async () => {
    const state = fc.constantFrom<VoteState>('counted', 'under_review', 'void');
    const [one, two] = [await voted(4), await voted(3)];
    const all = [...one.ids, ...two.ids];
    const before = [await counters(one.id), await counters(two.id)];
    const steps = fc.array(fc.record({ of: fc.subarray(all, { minLength: 1 }), to: state }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        for (const { of, to } of list) {
          await change(of, to, 'moderator');
          for (const { id } of [one, two]) await counters(id);
        }
        await change(all, 'counted');
        expect([await counters(one.id), await counters(two.id)]).toEqual(before);
      }),
      { numRuns: propertyRuns(15) },
    );
  });
});

describe('changes of votes for the ledger', () => {
  it('have a row for each cast, state change and withdrawal, in the same transaction', async () => {
    const { id, people, ids } = await voted(2);
    const [ana, bea] = people as [Person, Person];
    await change(ids.slice(0, 1), 'under_review', 'burst');
    await app.as(bea).voting.withdraw({ candidateId: id });
    const [round] = await app.sql<{ id: string }>(`select id from voting_rounds where status = 'open'`);
    const of = (at: number, person: Person, state: string, reason: string | null = null) => ({
      vote_id: String(ids[at]),
      user_id: person.id,
      round_id: round?.id,
      state,
      reason,
    });
    expect(await changesOf(id)).toEqual([
      of(0, ana, 'counted'),
      of(1, bea, 'counted'),
      of(0, ana, 'under_review', 'burst'),
      of(1, bea, 'withdrawn', 'member'),
    ]);
    await db
      .transaction(async (tx) => {
        await changeVoteStates(tx, { voteIds: ids, to: 'void', reason: 'moderator', now: app.now });
        throw new Error('changed my mind');
      })
      .catch(() => {});
    expect(await changesOf(id)).toHaveLength(4);
  });

  it('include votes that are deleted with their account or their candidate', async () => {
    const { id, people } = await voted(3);
    await app.sql('delete from users where id = $1', [people[0]?.id]);
    await app.sql('delete from voting_candidates where id = $1', [id]);
    const gone = (await changesOf(id)).slice(3);
    expect(gone.map(({ user_id, state }) => `${user_id} ${state}`).sort()).toEqual(
      people.map(({ id }) => `${id} withdrawn`).sort(),
    );
  });

  it('include a reset and its undo, which restores votes in their former states', async () => {
    const admin = await app.member({ role: 'admin' });
    const prove = () => app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
    const { candidates } = app.as(admin).admin;
    const { id, ids } = await voted(3);
    await change(ids.slice(0, 1), 'void', 'moderator');
    const before = await counters(id);
    await prove();
    const { resetId } = await candidates.resetVotes({ id, reason: 'Bots' });
    expect(await counters(id)).toMatchObject({ total: 0, void: 0, reached: null });
    await candidates.undoReset({ id, resetId: resetId ?? '' });
    expect(await counters(id)).toEqual(before);
    const moves = await app.sql(
      'select generations, back, votes, id > $2 as later from vote_moves where candidate_id = $1 order by id',
      [
        id,
        (await app.sql<{ id: string }>('select max(id) as id from vote_changes where candidate_id = $1', [id]))[0]?.id,
      ],
    );
    expect(moves).toEqual([false, true].map((back) => ({ generations: [0], back, votes: 3, later: true })));
    // The undone reset has no effect on later changes.
    await change(ids.slice(1, 2), 'under_review', 'burst');
    expect(await counters(id)).toMatchObject({ total: 1, review: 1, void: 1 });
    await change(ids.slice(1, 2), 'counted');
    expect(await counters(id)).toEqual(before);
  });

  it('include votes of a reset that are held or released, which its undo restores in their new states', async () => {
    const admin = await app.member({ role: 'admin' });
    await app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
    const { candidates } = app.as(admin).admin;
    const { id, ids } = await voted(3);
    const { resetId } = await candidates.resetVotes({ id, reason: 'Bots' });
    expect(await change(ids.slice(0, 2), 'void', 'moderator')).toEqual({ changed: 2, candidateIds: [] });
    expect(await counters(id)).toMatchObject({ total: 0, void: 0, reached: null });
    expect((await changesOf(id)).slice(3).map(({ state }) => state)).toEqual(['withdrawn', 'withdrawn']);
    await change(ids.slice(2), 'under_review', 'burst');
    await change(ids.slice(0, 1), 'counted');
    expect(await candidates.undoReset({ id, resetId: resetId ?? '' })).toMatchObject({ totalVotes: 1, restored: 3 });
    expect(await counters(id)).toMatchObject({ total: 1, void: 1, review: 1 });
  });
});

it('a recount finds and corrects the counts of uncounted votes', async () => {
  const { id, ids } = await voted(2);
  await change(ids.slice(0, 1), 'void', 'moderator');
  const right = await counters(id);
  await app.sql('update voting_candidates set votes_void = 5, votes_under_review = 1 where id = $1', [id]);
  const actor = { id: null, role: 'system' as const, ipHash: null, requestId: null };
  expect(await recountVotes(db, actor, id, app.now)).toMatchObject({ id, underReview: 0, void: 1 });
  expect(await counters(id)).toEqual(right);
});

describe('votes of banned members [AMB-213]', () => {
  it('are void while they are banned, and afterwards exactly what they were', async () => {
    const admin = await app.member({ role: 'admin' });
    const { users } = app.as(admin).admin;
    const prove = () => app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
    const { id, people, ids } = await voted(4);
    const bad = people[1]?.id ?? '';
    // Also a vote under review for another candidate, and a vote of an earlier round.
    const other = await app.candidate();
    await app.as(people[1] as Person).voting.cast({ candidateId: other.id });
    await change(await voteIds(other.id), 'under_review', 'burst');
    const old = await app.candidate();
    await app.as(people[1] as Person).voting.cast({ candidateId: old.id });
    await app.sql('update votes set round_id = gen_random_uuid() where candidate_id = $1', [old.id]);
    const all = () => Promise.all([id, other.id, old.id].map(counters));
    const states = () => app.sql('select id, state, state_reason from votes where user_id = $1 order by id', [bad]);
    const [before, wasStates] = [await all(), await states()];
    await prove();
    await users.ban({ ids: [bad], days: null, reason: 'Votos comprados' });
    expect(await all()).toMatchObject([
      { total: 3, void: 1 },
      { total: 0, review: 0, void: 1 },
      { total: 1, void: 0 },
    ]);
    expect(await app.as().tokens.find({ slug: String(other['token_slug']) })).toMatchObject({
      votesUnderReview: 0,
      votesVoid: 1,
    });
    const [entry] = await app.sql<{ after: object }>(
      `select after from audit_events where action = 'member.disabled' and resource_id = $1`,
      [bad],
    );
    expect(entry?.after).toMatchObject({ votes: 2 });
    await users.unban({ ids: [bad] });
    expect(await all()).toEqual(before);
    expect(await states()).toEqual(wasStates);
    expect((await changesOf(id)).slice(-2).map(({ state, reason, vote_id }) => [state, reason, vote_id])).toEqual([
      ['void', 'member_banned', String(ids[1])],
      ['counted', null, String(ids[1])],
    ]);
  });

  it('keep the state that staff gave them during the ban', async () => {
    const admin = await app.member({ role: 'admin' });
    const { id, people, ids } = await voted(2);
    await app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
    await app.as(admin).admin.users.ban({ ids: [people[0]?.id ?? ''], days: 3, reason: 'Prueba' });
    await change(ids.slice(0, 1), 'void', 'moderator');
    await change(ids.slice(0, 1), 'under_review', 'moderator');
    await app.as(admin).admin.users.unban({ ids: [people[0]?.id ?? ''] });
    expect(await counters(id)).toMatchObject({ total: 1, review: 1, void: 0 });
  });

  it('are refused from the moment of the ban, also those that arrived before it', async () => {
    const { id } = await app.candidate();
    const [bad, good] = (await app.members(2)) as [Person, Person];
    const ban = await app.sqlClient();
    try {
      await ban.query('begin');
      await ban.query('select 1 from users where id = $1 for update', [bad.id]);
      const votes = Promise.allSettled([bad, good].map((person) => app.as(person).voting.cast({ candidateId: id })));
      await expect.poll(() => app.waiting()).toBeGreaterThan(0);
      await ban.query(`update users set banned_until = 'infinity' where id = $1`, [bad.id]);
      await ban.query('commit');
      const [one, two] = await votes;
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'UNAUTHORIZED' } });
      expect(two?.status).toBe('fulfilled');
    } finally {
      await ban.end();
    }
    expect(await counters(id)).toMatchObject({ total: 1 });
  });
});

it('an uncounted vote cannot be withdrawn and cast again', async () => {
  const { id, people, ids } = await voted(1);
  await change(ids, 'under_review', 'burst');
  const ana = app.as(people[0] as Person);
  const refused = { code: 'VOTE_UNCOUNTED', status: 409 };
  await expect(ana.voting.withdraw({ candidateId: id })).rejects.toMatchObject(refused);
  await change(ids, 'void', 'moderator');
  await expect(ana.voting.withdraw({ candidateId: id })).rejects.toMatchObject(refused);
  await change(ids, 'under_review', 'burst');
  await expect(ana.voting.cast({ candidateId: id })).rejects.toMatchObject({ code: 'ALREADY_VOTED' });
  expect(await counters(id)).toMatchObject({ total: 0, review: 1 });
});

it('votes from before the rounds change no counter while no round is open', async () => {
  const { id, people, ids } = await voted(3);
  await app.sql('update votes set round_id = null where candidate_id = $1', [id]);
  await app.sql("update voting_rounds set status = 'closed', closed_at = now() where status = 'open'");
  // As the end of a round does: these counters only cover the open one.
  await app.sql('update voting_candidates set votes_under_review = 0, votes_void = 0');
  await change(ids, 'void', 'moderator');
  expect(await counters(id)).toMatchObject({ total: 0, review: 0, void: 0 });
  await change(ids.slice(0, 2), 'under_review', 'burst');
  expect(await counters(id)).toMatchObject({ total: 0, review: 0, void: 0 });
  // The deletion of an account with an uncounted vote.
  await db.transaction((tx) => removeMember(tx, people[2]?.id ?? '', app.now));
  await change(ids, 'counted');
  expect(await counters(id)).toMatchObject({ total: 2, review: 0, void: 0 });
});

it('a withdrawal reads few pages, however many votes a candidate has', async () => {
  const { id } = await app.candidate();
  const people = await app.members(500);
  await app.sql(
    `insert into votes (candidate_id, user_id, voted_on, created_at)
     select $1, u, d::date, d + interval '1 hour' from unnest($2::uuid[]) u,
       generate_series(timestamptz '2025-12-01', '2025-12-30', '1 day') d`,
    [id, people.map((person) => person.id)],
  );
  await app.sql(
    `insert into candidate_daily_votes (candidate_id, day, votes)
     select candidate_id, voted_on, count(*) from votes where candidate_id = $1 group by 1, 2`,
    [id],
  );
  await app.sql('analyze votes');
  const client = await app.sqlClient();
  onTestFinished(() => client.end());
  const day = '2025-12-30';
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, unknown> }] }>(
    `explain (analyze, buffers, format json) ${readNewestCounted.described.text}`,
    [[id], day],
  );
  const [row] = rows;
  const plan = row?.['QUERY PLAN'][0].Plan ?? {};
  expect(JSON.stringify(plan)).toContain('newest_counted');
  expect(Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks'])).toBeLessThan(20);
});
