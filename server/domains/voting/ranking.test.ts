import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publish } from '#server/live/publish.ts';
import { app } from '#tests/fixtures/votes/voting.ts';
import { listenTo, type Person } from '#tests/support/app/test-app.ts';
import { generatedCases } from '#tests/support/runner/property-runs.ts';
import { rankCandidates } from './candidates.service.ts';
import { readCurrentRound } from './rounds/rounds.service.ts';

describe('the ranking', () => {
  it('is public: most votes first, then the earliest to reach them, then the oldest, active ones only [VOTE-04] [VOTE-18] [VOTE-21..22] [AMB-211]', async () => {
    await app.sql('delete from voting_candidates');
    const row = (token_name: string, total_votes: number, reached: string | null, day: number, order_index = 0) =>
      app.candidate({
        token_name,
        total_votes,
        total_reached_at: reached && `2026-02-01T${reached}Z`,
        created_at: `2026-01-0${day}T00:00:00Z`,
        order_index,
      });
    await row('fifth', 5, '12:00:00.000002', 2, -9);
    await row('fourth', 5, '12:00:00.000001', 3);
    await row('third', 5, '12:00:00.000001', 1, 9);
    await row('second', 5, null, 4);
    await row('first', 9, '20:00:00', 5, 7);
    await app.candidate({ token_name: 'hidden', total_votes: 99, is_active: false });
    await app.candidate({ token_name: 'trashed', total_votes: 99, deleted_at: new Date() });
    const ranking = await app.as().voting.ranking({});
    const names = ['first', 'second', 'third', 'fourth', 'fifth'];
    expect(ranking.items.map((candidate) => candidate.tokenName)).toEqual(names);
    expect(ranking.items[4]?.reachedAt).toBe('2026-02-01T12:00:00.000002Z');
    expect(ranking.total).toBe(5);
    const short = await app.as().voting.ranking({ limit: 2 });
    expect(short.items.map((candidate) => candidate.tokenName)).toEqual(['first', 'second']);
    expect(short.total).toBe(5);
  });

  it('has the order that determines the winner, in sets of ties [AMB-211]', async () => {
    const moments = [null, '2026-02-01T12:00:00Z', '2026-02-01T12:00:00.000001Z', '2026-02-02T00:00:00Z'];
    const one = fc.record({
      votes: fc.integer({ min: 1, max: 2 }),
      reached: fc.constantFrom(...moments),
      created: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'),
      place: fc.integer({ min: -2, max: 2 }),
      id: fc.uuid({ version: 4 }),
    });
    const sets = fc.sample(fc.uniqueArray(one, { minLength: 2, maxLength: 6, selector: ({ id }) => id }), {
      numRuns: generatedCases({ everyday: 150, long: 1_000 }),
      seed: 211,
    });
    // The expected order, computed independently of the database.
    const expected = (set: (typeof sets)[number]) =>
      set
        .toSorted(
          (a, b) =>
            b.votes - a.votes ||
            moments.indexOf(a.reached) - moments.indexOf(b.reached) ||
            a.created.localeCompare(b.created) ||
            a.id.localeCompare(b.id),
        )
        .map(({ id }) => id);
    for (const set of sets) {
      const column = (key: keyof (typeof set)[number]) => set.map((row) => row[key]);
      await app.sql(
        `with gone as (delete from voting_candidates)
         insert into voting_candidates (id, token_name, token_symbol, token_slug, total_votes, total_reached_at, created_at, order_index)
         select id, 'T', 'T', 't-' || id, votes, reached, created, place
         from unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::timestamptz[], $5::int[]) as t (id, votes, reached, created, place)`,
        [column('id'), column('votes'), column('reached'), column('created'), column('place')],
      );
      const ranking = await rankCandidates(app.services.db, 50, { fixedNow: app.now, confirmedOnly: false });
      const { leaders } = await readCurrentRound(app.services.db, app.now);
      const order = expected(set);
      expect(ranking.items.map(({ id }) => id)).toEqual(order);
      expect(leaders[0]?.id).toBe(order[0]);
    }
  });

  it('has no index on totals, which every vote would have to write; a coarse rank has one [VOTE-04]', async () => {
    const indexes = await app.sql<{ definition: string }>(
      `select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = 'voting_candidates'::regclass`,
    );
    expect(indexes.length).toBeGreaterThan(5);
    const ofVotes = indexes
      .map(({ definition }) => definition)
      .filter((definition) => /total_|\(.*votes_/.test(definition));
    expect(ofVotes).toEqual([expect.stringContaining('(votes_rank) WHERE (deleted_at IS NULL)')]);
  });

  it('has the same order each time for candidates that are equal otherwise: that of their ids', async () => {
    await app.sql('delete from voting_candidates');
    const twin = { created_at: '2026-01-01T00:00:00Z' };
    const ids = [await app.candidate(twin), await app.candidate(twin)].map(({ id }) => id).sort();
    const listed = async () => (await app.as().voting.ranking({})).items.map(({ id }) => id);
    expect(await listed()).toEqual(ids);
    // Each update moves a row behind the other one in the table.
    for (const id of ids) {
      await app.sql(`update voting_candidates set description = 'Moved' where id = $1`, [id]);
      expect(await listed()).toEqual(ids);
    }
  });

  it('returns nothing internal [DATA-09] [AMB-30]', async () => {
    await app.candidate({ admin_notes: 'SECRET-NOTE' });
    const ranking = await app.as().voting.ranking({});
    expect(JSON.stringify(ranking)).not.toContain('SECRET-NOTE');
    expect(Object.keys(ranking.items[0] ?? {}).sort()).toEqual(
      [
        'createdAt',
        'description',
        'id',
        'imageUrl',
        'orderIndex',
        'reachedAt',
        'tokenName',
        'tokenSlug',
        'tokenSymbol',
        'totalVotes',
        'trend',
        'verified',
        'votesToday',
      ].sort(),
    );
  });

  it('has the votes of the last 14 days, zero for days without votes, and a new day from midnight UTC', async () => {
    await app.sql('delete from voting_candidates');
    const { id: candidateId } = await app.candidate();
    const [ana, ben] = (await app.members(2)) as [Person, Person];
    app.setNow('2026-05-01T10:00:00Z');
    await app.as(ana).voting.cast({ candidateId });
    app.setNow('2026-05-14T10:00:00Z');
    await app.as(ana).voting.cast({ candidateId });
    await app.as(ben).voting.cast({ candidateId });
    const shown = (await app.as().voting.ranking({})).items[0];
    expect(shown).toMatchObject({ totalVotes: 3, votesToday: 2, trend: [1, ...Array(12).fill(0), 2] });
    app.setNow('2026-05-15T00:00:00Z');
    const after = (await app.as().voting.ranking({})).items[0];
    expect(after).toMatchObject({ totalVotes: 3, votesToday: 0, trend: [...Array(12).fill(0), 2, 0] });
  });

  it('has the open round and the time of the server', async () => {
    app.setNow('2026-05-20T10:00:00Z');
    const { round, serverTime } = await app.as().voting.ranking({});
    expect(serverTime).toBe('2026-05-20T10:00:00.000Z');
    expect(round).toMatchObject({ number: 1, next: true });
    await app.sql('update voting_rounds set next_days = null');
    expect((await app.as().voting.ranking({})).round).toMatchObject({ number: 1, next: false });
    await app.sql(`update voting_rounds set next_days = 15, status = 'closed'`);
    expect((await app.as().voting.ranking({})).round).toBeNull();
    await app.sql(`update voting_rounds set status = 'open'`);
  });

  it('has 30 days of history of an active candidate, oldest first, and none of others', async () => {
    const { id: candidateId } = await app.candidate();
    const ana = app.as(await app.member());
    app.setNow('2026-06-01T10:00:00Z');
    await ana.voting.cast({ candidateId });
    app.setNow('2026-06-30T10:00:00Z');
    const history = await app.as().voting.history({ candidateId });
    expect(history).toHaveLength(30);
    expect(history[0]).toEqual({ day: '2026-06-01', votes: 1 });
    expect(history.at(-1)).toEqual({ day: '2026-06-30', votes: 0 });
    app.setNow('2026-07-01T00:00:00Z');
    expect(await app.as().voting.history({ candidateId })).toEqual([]);
    app.setNow('2026-06-30T10:00:00Z');
    await app.sql('update voting_candidates set is_active = false where id = $1', [candidateId]);
    expect(await app.as().voting.history({ candidateId })).toEqual([]);
    await app.sql('update voting_candidates set is_active = true, deleted_at = now() where id = $1', [candidateId]);
    expect(await app.as().voting.history({ candidateId })).toEqual([]);
  });
});

describe('live events', () => {
  it('bring the absolute counts of a vote and of its withdrawal to a second process', async () => {
    const other = listenTo(await app.secondProcess());
    const { id: candidateId } = await app.candidate();
    const [ana, ben] = (await app.members(2)) as [Person, Person];
    const tally = (totalVotes: number) => (event: unknown) =>
      JSON.stringify(event).includes(
        `"candidateId":"${candidateId}","totalVotes":${totalVotes},"votesToday":${totalVotes}`,
      );
    await app.as(ana).voting.cast({ candidateId });
    await other.until(tally(1));
    await app.as(ben).voting.cast({ candidateId });
    await other.until(tally(2));
    other.liveEvents.length = 0;
    await app.as(ben).voting.withdraw({ candidateId });
    await other.until(tally(1));
  });

  it('are not sent for a transaction that is rolled back', async () => {
    const listener = listenTo(app.services);
    await app.services.db
      .transaction(async (tx) => {
        await publish(tx, { type: 'domain.changed', domain: 'news' });
        throw new Error('changed my mind');
      })
      .catch(() => {});
    await app.services.db.transaction((tx) => publish(tx, { type: 'domain.changed', domain: 'forum' }));
    await listener.changed('forum');
    expect(listener.liveEvents).not.toContainEqual({ type: 'domain.changed', domain: 'news' });
  });

  it('continue after a lost connection, with a resync', async () => {
    const other = await app.secondProcess();
    const again = new Promise<void>((resolve) => other.hub.onResync(resolve));
    await app.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'florka live' and datname = current_database()`,
    );
    await again;
    const listener = listenTo(other);
    await app.services.db.transaction((tx) => publish(tx, { type: 'domain.changed', domain: 'projects' }));
    await listener.changed('projects');
  });
});
