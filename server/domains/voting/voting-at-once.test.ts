import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { app, balanced, outcomes } from '#tests/fixtures/votes/voting.ts';
import type { Api, Person } from '#tests/support/app/test-app.ts';
import { propertyRuns } from '#tests/support/runner/property-runs.ts';

const countOf = (list: string[], code: string) => list.filter((entry) => entry === code).length;

describe('concurrent voting', () => {
  it('counts 50 parallel votes of one member once [VOTE-13] [AMB-09]', async () => {
    const ana = app.as(await app.member());
    const { id: candidateId } = await app.candidate();
    const found = outcomes(
      await Promise.allSettled(Array.from({ length: 50 }, () => ana.voting.cast({ candidateId }))),
    );
    expect(countOf(found, 'ok')).toBe(1);
    expect(countOf(found, 'ALREADY_VOTED') + countOf(found, 'RATE_LIMITED')).toBe(49);
    expect(await balanced(candidateId)).toBe(1);
  });

  it('loses no vote of 1,000 members, and the highest total returned is the final one', async () => {
    const concurrent = await app.members(1_000);
    const { id: candidateId } = await app.candidate();
    const tallies = await Promise.all(concurrent.map((person) => app.as(person).voting.cast({ candidateId })));
    expect(Math.max(...tallies.map((tally) => tally.totalVotes))).toBe(1_000);
    expect(await balanced(candidateId)).toBe(1_000);
  });

  it('is consistent between two processes that vote and withdraw on the same candidates', async () => {
    // As after an analyze or the sixth call of a prepared statement: the other process uses other plans.
    const other = await app.secondProcess({ options: '-c enable_hashjoin=off -c enable_mergejoin=off' });
    const concurrent = await app.members(120);
    const candidates = await Promise.all(Array.from({ length: 6 }, () => app.candidate()));
    const action = async (person: Person, i: number) => {
      const here = app.as(person);
      const there = app.as(person, { at: other });
      // Opposite orders, and the same vote from both sides.
      const order = i % 2 === 0 ? candidates : candidates.toReversed();
      const found = outcomes(
        await Promise.allSettled(
          order.flatMap(({ id }) => [here.voting.cast({ candidateId: id }), there.voting.cast({ candidateId: id })]),
        ),
      );
      expect(countOf(found, 'ok'), found.join()).toBe(candidates.length);
      expect(countOf(found, 'ALREADY_VOTED'), found.join()).toBe(candidates.length);
      if (i % 3 === 0) await (i % 2 === 0 ? here : there).voting.withdraw({ candidateId: candidates[i % 6]?.id ?? '' });
    };
    await Promise.all(concurrent.map(action));
    let total = 0;
    for (const { id } of candidates) total += await balanced(id);
    expect(total).toBe(120 * 6 - 40);
  });

  it('fails only for members who are removed at that moment, each with UNAUTHORIZED', async () => {
    const { id } = await app.candidate();
    const [leaving, staying] = [await app.members(6), await app.members(20)];
    const removal = await app.sqlClient();
    try {
      await removal.query('begin');
      // Like the removal of accounts: the row is locked, and deleted with the commit.
      await removal.query('select 1 from users where id = any($1) order by id for update', [
        leaving.map((person) => person.id),
      ]);
      const votes = Promise.allSettled(
        [...leaving, ...staying].map((person) => app.as(person).voting.cast({ candidateId: id })),
      );
      await expect
        .poll(() =>
          app.sql(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%with requested%'`),
        )
        .toHaveLength(1);
      await removal.query('delete from users where id = any($1)', [leaving.map((person) => person.id)]);
      await removal.query('commit');
      const results = await votes;
      for (const result of results.slice(0, leaving.length))
        expect(result).toMatchObject({ status: 'rejected', reason: { code: 'UNAUTHORIZED', status: 401 } });
      for (const result of results.slice(leaving.length)) expect(result.status).toBe('fulfilled');
    } finally {
      await removal.end();
    }
    const [counts] = await app.sql(
      `select total_votes as total, (select count(*)::int from votes where candidate_id = c.id) as rows
       from voting_candidates c where id = $1`,
      [id],
    );
    expect(counts).toEqual({ total: staying.length, rows: staying.length });
  });

  it.each([
    ['the usual plan', ''],
    ['nested loops', '-c enable_hashjoin=off -c enable_mergejoin=off'],
    ['merges', '-c enable_hashjoin=off -c enable_nestloop=off'],
    ['hashes', '-c enable_mergejoin=off -c enable_nestloop=off'],
  ])('locks no candidate while it waits for the counters of a member, with %s', async (_name, options) => {
    const process = await app.secondProcess({ options });
    const person = await app.member();
    const [{ id: before }, { id: candidateId }] = [await app.candidate(), await app.candidate()];
    await app.as(person).voting.cast({ candidateId: before });
    const holder = new pg.Client(app.config);
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query(`select 1 from vote_tries where user_id = $1 for update`, [person.id]);
      const cast = app.as(person, { at: process }).voting.cast({ candidateId });
      await expect
        .poll(() =>
          app.sql(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`),
        )
        .toHaveLength(1);
      const free = await holder.query('select 1 from voting_candidates where id = $1 for update nowait', [candidateId]);
      expect(free.rowCount).toBe(1);
      await holder.query('rollback');
      expect(await cast).toMatchObject({ totalVotes: 1 });
    } finally {
      await holder.end();
    }
  });

  it('keeps counter, votes and days equal after any sequence of votes and withdrawals', async () => {
    const DAYS = ['2026-04-01T08:00:00Z', '2026-04-02T08:00:00Z'];
    const step = fc.record({
      who: fc.nat(2),
      day: fc.nat(1),
      act: fc.constantFrom('cast' as const, 'withdraw' as const),
      together: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        const { id: candidateId } = await app.candidate();
        const people = (await app.members(3)).map((person): Api => app.as(person));
        const expected = new Set<string>();
        let waiting: Promise<unknown>[] = [];
        let open = new Set<string>();
        let today = 0;
        for (const { who, day, act: action, together } of steps) {
          const vote = `${who}:${day}`;
          // Concurrent actions concern different votes of one day, otherwise the outcome would be undefined.
          if (!together || open.has(vote) || day !== today) {
            await Promise.all(waiting);
            waiting = [];
            open = new Set();
          }
          today = day;
          app.setNow(DAYS[day] ?? '');
          const should = action === 'cast' ? !expected.has(vote) : expected.has(vote);
          const done = people[who]?.voting[action]({ candidateId }).then(
            () => expect(should).toBe(true),
            (error: { code?: string }) => {
              expect(error.code).toBe(action === 'cast' ? 'ALREADY_VOTED' : 'NO_VOTE');
              expect(should).toBe(false);
            },
          );
          if (action === 'cast') expected.add(vote);
          else expected.delete(vote);
          if (done) waiting.push(done);
          open.add(vote);
        }
        await Promise.all(waiting);
        expect(await balanced(candidateId)).toBe(expected.size);
      }),
      { numRuns: propertyRuns(60) },
    );
  });
});
