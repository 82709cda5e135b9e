import { describe, expect, it, vi } from 'vitest';
import type { Db } from '#server/db/client.ts';
import {
  added,
  admin,
  app,
  balanced,
  candidates,
  entries,
  limits,
  proofGrowsOld,
  prove,
  vote,
  voted,
} from '#tests/fixtures/votes/manage-voting.ts';
import { listenTo, type Person } from '#tests/support/app/test-app.ts';
import { purgeArchivedVotes } from './manage-votes.service.ts';

describe('a reset of votes [A-VOTE-17] [A-VOTE-19] [AMB-121]', () => {
  it('removes all votes, lets members vote again on the same day, and notifies open pages', async () => {
    const { id } = await added();
    const [ana, bea] = (await voted(id, 2)) as [Person, Person];
    const liveEvents = listenTo(app.services);
    expect(await candidates.resetVotes({ id, reason: 'Bots' })).toMatchObject({
      totalVotes: 0,
      votesToday: 0,
      resetVotes: 2,
      resetAt: app.now.toISOString(),
    });
    expect(await balanced(id)).toBe(0);
    const none = { candidateId: id, totalVotes: 0, votesToday: 0, reachedAt: null };
    await liveEvents.until(
      (event) =>
        event.type === 'votes.changed' && event.tallies.some((tally) => JSON.stringify(tally) === JSON.stringify(none)),
    );
    expect(await app.as(ana).voting.mine()).toEqual([]);
    await vote(bea, id);
    expect(await balanced(id)).toBe(1);
    expect((await entries(id)).at(-1)).toMatchObject({
      action: 'candidate.votes_reset',
      before: { totalVotes: 2 },
      reason: 'Bots',
      actor_id: admin.id,
    });
  });

  it('is refused without a reason, and then removes nothing', async () => {
    const { id } = await added();
    await voted(id, 1);
    const withoutReason = candidates.resetVotes as (input: { id: string; reason?: string }) => Promise<unknown>;
    for (const input of [{ id }, { id, reason: '' }, { id, reason: '  ' }])
      await expect(withoutReason(input)).rejects.toMatchObject({ code: 'BAD_REQUEST', status: 400 });
    expect(await balanced(id)).toBe(1);
  });

  it('is refused without votes, and without a recent step-up [A-VOTE-10]', async () => {
    const { id } = await added();
    await expect(candidates.resetVotes({ id, reason: 'Bots' })).rejects.toMatchObject({
      code: 'ALREADY_DONE',
      status: 409,
    });
    await voted(id, 1);
    await proofGrowsOld();
    await expect(candidates.resetVotes({ id, reason: 'Bots' })).rejects.toMatchObject({
      code: 'STEP_UP_NEEDED',
      status: 403,
    });
    expect(await balanced(id)).toBe(1);
  });

  it('can be undone within 30 days; of two votes of a member on one day the newer one remains', async () => {
    const { id } = await added();
    const people = (await voted(id, 3)) as [Person, Person, Person];
    app.pass(1_000);
    const { resetId } = await candidates.resetVotes({ id, reason: 'Bots' });
    await vote(people[0], id);
    await app.sql('delete from users where id = $1', [people[1].id]);
    app.pass(86_400_000 * 29);
    await prove();
    await voted(id, 1);
    const undo = { id, resetId: resetId ?? '' };
    // Of three: one voted again on the same day, one was removed, one is restored.
    expect(await candidates.undoReset(undo)).toMatchObject({ totalVotes: 3, restored: 1, resetId: null });
    expect(await balanced(id)).toBe(3);
    await expect(candidates.undoReset(undo)).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    expect(await balanced(id)).toBe(3);
    expect((await entries(id)).at(-1)).toMatchObject({ action: 'candidate.reset_undone', after: { totalVotes: 3 } });
  });

  it('stores the days with votes only', async () => {
    const { id } = await added();
    const day = app.now.toISOString().slice(0, 10);
    await voted(id, 2);
    await app.sql('insert into candidate_daily_votes (candidate_id, day, votes) values ($1, $2::date - 1, 0)', [
      id,
      day,
    ]);
    const { resetId } = await candidates.resetVotes({ id, reason: 'Bots' });
    expect(await app.sql('select day::text, votes from vote_reset_days where reset_id = $1', [resetId])).toEqual([
      { day, votes: 2 },
    ]);
    await candidates.undoReset({ id, resetId: resetId ?? '' });
    expect(await balanced(id)).toBe(2);
  });

  it('from before generations can be undone too', async () => {
    const { id } = await added();
    await voted(id, 3);
    const [reset] = await app.sql<{ id: string }>(
      'insert into vote_resets (candidate_id, votes, reset_at) values ($1, 3, $2) returning id',
      [id, app.now],
    );
    await app.sql(
      `with taken as (delete from votes where candidate_id = $1 returning user_id, voted_on, created_at, state, round_id)
       insert into archived_votes (reset_id, user_id, voted_on, created_at, state, round_id) select $2::uuid, * from taken`,
      [id, reset?.id],
    );
    await app.sql('delete from candidate_daily_votes where candidate_id = $1', [id]);
    await app.sql('update voting_candidates set total_votes = 0, total_reached_at = null where id = $1', [id]);
    await voted(id, 1);
    expect(await candidates.undoReset({ id, resetId: reset?.id ?? '' })).toMatchObject({ totalVotes: 4, restored: 3 });
    expect(await balanced(id)).toBe(4);
    expect(await app.sql('select 1 from archived_votes where reset_id = $1', [reset?.id])).toEqual([]);
  });

  it('changes no row of a vote, and neither does its undo', async () => {
    const { id } = await added();
    await voted(id, 3);
    const rows = () =>
      app.sql('select id, xmin::text, ctid::text from votes where candidate_id = $1 order by id', [id]);
    const before = await rows();
    const { resetId } = await candidates.resetVotes({ id, reason: 'Bots' });
    expect(await rows()).toEqual(before);
    await candidates.undoReset({ id, resetId: resetId ?? '' });
    expect(await rows()).toEqual(before);
    expect(await balanced(id)).toBe(3);
  });

  it('cannot be undone after 30 days, when its votes are deleted', async () => {
    const { id } = await added();
    await voted(id, 2);
    const { resetId } = await candidates.resetVotes({ id, reason: 'Bots' });
    const stored = async () =>
      (
        await app.sql<{ n: number }>(
          `select count(*)::int as n from vote_resets r
           join votes v on v.candidate_id = r.candidate_id and v.generation = any(r.generations) where r.id = $1`,
          [resetId],
        )
      )[0]?.n;
    app.pass(86_400_000 * 30 - 1);
    await purgeArchivedVotes(app.services.db, app.now);
    expect(await stored()).toBe(2);
    app.pass(1);
    await prove();
    await expect(candidates.undoReset({ id, resetId: resetId ?? '' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await purgeArchivedVotes(app.services.db, app.now);
    expect(await stored()).toBe(0);
    expect((await candidates.list({ q: 'Alpha', size: 1_000 })).rows.find((one) => one.id === id)?.resetId).toBeNull();
  });

  it('that is undone during the purge loses no vote', async () => {
    const { id } = await added();
    await voted(id, 2);
    const { resetId } = await candidates.resetVotes({ id, reason: 'Bots' });
    const { db } = app.services;
    let undone = false;
    // The purge has read the expired resets; the undo comes before its first slice, from a server whose clock is behind.
    const transaction: Db['transaction'] = async (work, options) => {
      if (!undone) {
        undone = true;
        await candidates.undoReset({ id, resetId: resetId ?? '' });
      }
      return db.transaction(work, options);
    };
    const racing: Db = Object.assign(Object.create(db) as Db, { transaction });
    await purgeArchivedVotes(racing, new Date(app.now.getTime() + 86_400_000 * 31));
    expect(undone).toBe(true);
    expect(await balanced(id)).toBe(2);
    const emptied = await app.sql('select emptied_at from vote_resets where id = $1', [resetId]);
    expect(emptied).toEqual([{ emptied_at: null }]);
  });

  it('can be undone for its own candidate only', async () => {
    const [one, two] = [await added(), await added()];
    await voted(one.id, 1);
    const { resetId } = await candidates.resetVotes({ id: one.id, reason: 'Bots' });
    await expect(candidates.undoReset({ id: two.id, resetId: resetId ?? '' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('waits for a concurrent vote, and removes it with the others', async () => {
    const { id } = await added();
    await voted(id, 2);
    const [member] = await app.members(1);
    const client = await app.sqlClient();
    try {
      await client.query('begin');
      await client.query('select 1 from voting_candidates where id = $1 for no key update', [id]);
      const day = app.now.toISOString().slice(0, 10);
      await client.query('insert into votes (candidate_id, user_id, voted_on, created_at) values ($1, $2, $3, $4)', [
        id,
        member?.id,
        day,
        app.now,
      ]);
      await client.query('update voting_candidates set total_votes = total_votes + 1 where id = $1', [id]);
      await client.query('update candidate_daily_votes set votes = votes + 1 where candidate_id = $1 and day = $2', [
        id,
        day,
      ]);
      const resetting = candidates.resetVotes({ id, reason: 'Bots' });
      resetting.catch(() => {});
      await vi.waitUntil(async () => (await app.waiting()) > 0, { timeout: 10_000, interval: 10 });
      await client.query('commit');
      expect(await resetting).toMatchObject({ totalVotes: 0, resetVotes: 3 });
      expect(await balanced(id)).toBe(0);
    } finally {
      await client.end();
    }
  });

  it('loses no concurrent vote and counts none twice, on two servers', async () => {
    const { id } = await added();
    const other = await app.secondProcess();
    const people = await app.members(240);
    const kinds: string[] = [];
    const resets: string[] = [];
    for (let from = 0; from < people.length; from += 40) {
      const casting = people.slice(from, from + 40).map(async (person, i) => {
        await new Promise((done) => setTimeout(done, i * 2));
        const service = i % 2 ? other.votes : app.services.votes;
        await service.cast({ candidateId: id, userId: person.id, networks: [], limits });
        kinds.push('cast');
      });
      // With one vote present the resets have something to remove, however long the others take.
      await Promise.race(casting);
      // Two concurrent admins: the votes belong to one of the two resets.
      const both = await Promise.allSettled([
        candidates.resetVotes({ id, reason: 'Bots' }),
        candidates.resetVotes({ id, reason: 'Bots' }),
      ]);
      for (const one of both) if (one.status === 'fulfilled' && one.value.resetId) resets.push(one.value.resetId);
      await Promise.all(casting);
    }
    expect(kinds).toHaveLength(240);
    const archived = async () =>
      (
        await app.sql<{ n: number }>(
          `select count(*)::int as n from vote_resets r
           join votes v on v.candidate_id = r.candidate_id and v.generation = any(r.generations)
           where r.candidate_id = $1 and r.undone_at is null`,
          [id],
        )
      )[0]?.n ?? 0;
    expect(resets.length).toBeGreaterThan(1);
    expect((await balanced(id)) + (await archived())).toBe(240);

    // All resets are undone while members vote again and some withdraw: one vote each, at most.
    const list = await app.sql<{ id: string }>('select id from vote_resets where candidate_id = $1', [id]);
    const again = people.map((person, i) =>
      i % 3 === 0
        ? vote(person, id).catch((error: { code: string }) => expect(error.code).toBe('ALREADY_VOTED'))
        : Promise.resolve(),
    );
    const undoing = list.flatMap((reset) => [
      candidates.undoReset({ id, resetId: reset.id }),
      candidates
        .undoReset({ id, resetId: reset.id })
        .catch((error: { code: string }) => expect(error.code).toBe('ALREADY_DONE')),
    ]);
    const settled = await Promise.allSettled([...again, ...undoing]);
    for (const one of settled)
      if (one.status === 'rejected') expect((one.reason as { code: string }).code).toBe('ALREADY_DONE');
    expect(await archived()).toBe(0);
    expect(await balanced(id)).toBe(240);
  });
});
