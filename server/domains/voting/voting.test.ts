import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import type { Tally } from '#contract/voting.ts';
import { hashNetworks } from '#server/lib/address.ts';
import { publish } from '#server/live/publish.ts';
import { type Api, listenTo, type Person, startTestApp } from '#tests/support/test-app.ts';
import { rankCandidates } from './candidates.service.ts';
import { readCurrentRound } from './rounds.service.ts';

const app = await startTestApp();

/** What the tables say about a candidate: its counter, its votes, and both per day. */
async function books(candidateId: string) {
  const [counter] = await app.sql<{ total: number }>(
    'select total_votes as total from voting_candidates where id = $1',
    [candidateId],
  );
  const votes = await app.sql<{ day: string; votes: number }>(
    'select voted_on::text as day, count(*)::int as votes from votes where candidate_id = $1 group by 1 order by 1',
    [candidateId],
  );
  const days = await app.sql<{ day: string; votes: number }>(
    'select day::text, votes from candidate_daily_votes where candidate_id = $1 and votes > 0 order by 1',
    [candidateId],
  );
  return { total: counter?.total, votes, days, rows: votes.reduce((sum, day) => sum + day.votes, 0) };
}

/** Counter, rows and daily counters agree; the number of votes. */
async function balanced(candidateId: string): Promise<number> {
  const { total, votes, days, rows } = await books(candidateId);
  expect(total).toBe(rows);
  expect(days).toEqual(votes);
  return rows;
}

const outcomes = (results: PromiseSettledResult<unknown>[]) =>
  results.map((result) =>
    result.status === 'fulfilled' ? 'ok' : ((result.reason as { code?: string }).code ?? String(result.reason)),
  );
const countOf = (list: string[], code: string) => list.filter((entry) => entry === code).length;

describe('the daily rule', () => {
  it('lets a member vote once a UTC day for a candidate, and again from 00:00 on [VOTE-13..14] [AMB-114]', async () => {
    const ana = app.as(await app.member());
    const { id: candidateId } = await app.candidate();

    app.setNow('2026-01-10T23:59:59.999Z');
    expect(await ana.voting.cast({ candidateId })).toMatchObject({ candidateId, totalVotes: 1, votesToday: 1 });
    await expect(ana.voting.cast({ candidateId })).rejects.toMatchObject({
      code: 'ALREADY_VOTED',
      // Callers know it by these words too [ERR-35] [AMB-09].
      message: 'Ya has votado por este candidato hoy. Solo puedes votar una vez por día por candidato.',
      status: 409,
      data: { nextVoteAt: '2026-01-11T00:00:00.000Z' },
    });

    app.setNow('2026-01-11T00:00:00.000Z');
    expect(await ana.voting.mine()).toEqual([]);
    expect(await ana.voting.cast({ candidateId })).toMatchObject({ candidateId, totalVotes: 2, votesToday: 1 });
    expect(await balanced(candidateId)).toBe(2);
  });

  it('is one per candidate: the same day another candidate may be voted for', async () => {
    const ana = app.as(await app.member());
    const [one, two] = [await app.candidate(), await app.candidate()];
    await ana.voting.cast({ candidateId: one.id });
    expect(await ana.voting.cast({ candidateId: two.id })).toMatchObject({ totalVotes: 1 });
    expect((await ana.voting.mine()).sort()).toEqual([one.id, two.id].sort());
  });

  it('answers whether I voted today; true means already voted [VOTE-17] [AMB-117]', async () => {
    const ana = app.as(await app.member());
    const { id: candidateId } = await app.candidate();
    expect(await ana.voting.votedToday({ candidateId })).toBe(false);
    await ana.voting.cast({ candidateId });
    expect(await ana.voting.votedToday({ candidateId })).toBe(true);
  });
});

describe('taking a vote back', () => {
  it('returns to not voted and allows to vote again the same day [VOTE-15..16]', async () => {
    const ana = app.as(await app.member());
    const { id: candidateId } = await app.candidate();
    await ana.voting.cast({ candidateId });
    expect(await ana.voting.withdraw({ candidateId })).toMatchObject({ candidateId, totalVotes: 0, votesToday: 0 });
    expect(await ana.voting.mine()).toEqual([]);
    expect(await ana.voting.cast({ candidateId })).toMatchObject({ candidateId, totalVotes: 1, votesToday: 1 });
    await balanced(candidateId);
  });

  it('is refused without a vote of today, also for a vote of yesterday [VOTE-12] [AMB-115]', async () => {
    const ana = app.as(await app.member());
    const { id: candidateId } = await app.candidate();
    await expect(ana.voting.withdraw({ candidateId })).rejects.toMatchObject({ code: 'NO_VOTE', status: 409 });
    app.setNow('2026-02-01T12:00:00Z');
    await ana.voting.cast({ candidateId });
    app.setNow('2026-02-02T00:00:00Z');
    await expect(ana.voting.withdraw({ candidateId })).rejects.toMatchObject({ code: 'NO_VOTE' });
    expect(await balanced(candidateId)).toBe(1);
  });

  it('takes only my own vote', async () => {
    const [ana, ben] = (await app.members(2)) as [Person, Person];
    const { id: candidateId } = await app.candidate();
    await app.as(ana).voting.cast({ candidateId });
    await expect(app.as(ben).voting.withdraw({ candidateId })).rejects.toMatchObject({ code: 'NO_VOTE' });
    expect(await balanced(candidateId)).toBe(1);
  });

  it('remembers when the lower total was first reached', async () => {
    const [ana, ben] = (await app.members(2)) as [Person, Person];
    const { id: candidateId } = await app.candidate();
    app.setNow('2026-02-03T10:00:00.000Z');
    await app.as(ana).voting.cast({ candidateId });
    app.setNow('2026-02-03T11:00:00.000Z');
    await app.as(ben).voting.cast({ candidateId });
    await app.as(ben).voting.withdraw({ candidateId });
    const [row] = await app.sql<{ at: Date }>('select total_reached_at as at from voting_candidates where id = $1', [
      candidateId,
    ]);
    expect(row?.at.toISOString()).toBe('2026-02-03T10:00:00.000Z');
  });

  it('leaves a trace in the audit', async () => {
    const ana = await app.member();
    const { id: candidateId } = await app.candidate();
    await app.as(ana).voting.cast({ candidateId });
    await app.as(ana).voting.withdraw({ candidateId });
    const [entry] = await app.sql('select actor_id, action, ip_hash from audit_events where resource_id = $1', [
      candidateId,
    ]);
    expect(entry).toMatchObject({ actor_id: ana.id, action: 'vote.withdrawn' });
    expect(entry?.['ip_hash']).toHaveLength(16);
  });

  it('stops after ten times a day for one candidate', async () => {
    const ana = app.as(await app.member());
    const [{ id: candidateId }, other] = [await app.candidate(), await app.candidate()];
    for (let i = 0; i < LIMITS.voteWithdrawCandidateDay.hits; i++) {
      await ana.voting.cast({ candidateId });
      await ana.voting.withdraw({ candidateId });
    }
    await ana.voting.cast({ candidateId });
    await expect(ana.voting.withdraw({ candidateId })).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429 });
    await ana.voting.cast({ candidateId: other.id });
    await ana.voting.withdraw({ candidateId: other.id });
    expect(await balanced(candidateId)).toBe(1);
  });
});

describe('who and what', () => {
  const ABSENT = '11111111-1111-4111-8111-111111111111';

  it('needs a session for every act [VOTE-10] [SEC-03..04] [ERR-38]', async () => {
    const visitor = app.as();
    const { id: candidateId } = await app.candidate();
    for (const act of ['cast', 'withdraw', 'votedToday'] as const)
      await expect(visitor.voting[act]({ candidateId })).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
    expect(await visitor.voting.mine()).toEqual([]);
    expect(await balanced(candidateId)).toBe(0);
  });

  it('accepts my own id and refuses any other [VOTE-16..17] [VOTE-19] [AMB-07]', async () => {
    const [ana, ben] = (await app.members(2)) as [Person, Person];
    const { id: candidateId } = await app.candidate();
    for (const act of ['cast', 'votedToday', 'withdraw'] as const)
      await expect(app.as(ana).voting[act]({ candidateId, userId: ben.id })).rejects.toMatchObject({
        code: 'FORBIDDEN',
        status: 403,
      });
    expect(await balanced(candidateId)).toBe(0);
    await app.as(ana).voting.cast({ candidateId, userId: ana.id });
    expect(await app.sql('select user_id from votes where candidate_id = $1', [candidateId])).toEqual([
      { user_id: ana.id },
    ]);
  });

  it('refuses an address sent by the client, and stores a keyed hash of the real one [VOTE-20] [AMB-08]', async () => {
    const ana = await app.member();
    const { id: candidateId } = await app.candidate();
    const cast = app.as(ana).voting.cast as (input: unknown) => Promise<Tally>;
    await expect(cast({ candidateId, voterIp: '198.51.100.1' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await cast({ candidateId });
    const ofVote = () =>
      app.sql<{ ip_hash: null; networks: Buffer[] }>(
        'select ip_hash, networks from votes where candidate_id = $1 order by id',
        [candidateId],
      );
    const [vote] = await ofVote();
    // The address and its /24.
    expect(vote?.networks.map((hash) => hash.length)).toEqual([16, 16]);
    expect(vote?.ip_hash).toBeNull();
    const plain = hashNetworks(app.secret, '203.0.113.1').map((hash) => hash.toString('hex'));
    for (const hash of vote?.networks ?? []) expect(plain).not.toContain(hash.toString('hex'));
    // Equal within a round, another one with the key of another round.
    await app.as(await app.member()).voting.cast({ candidateId });
    await app.sql(`update voting_rounds set network_key = '\\x01' where status = 'open'`);
    await app.as(await app.member()).voting.cast({ candidateId });
    const [one, two, other] = (await ofVote()).map(({ networks }) =>
      networks.map((hash) => hash.toString('hex')).join(),
    );
    expect(two).toBe(one);
    expect(other).not.toBe(one);
  });

  it.each([
    ['unknown', async () => ABSENT],
    ['inactive', async () => (await app.candidate({ is_active: false })).id],
    ['in the trash', async () => (await app.candidate({ deleted_at: new Date() })).id],
  ])('refuses a candidate that is %s [AMB-120]', async (_name, make) => {
    const ana = app.as(await app.member());
    const candidateId = await make();
    for (const act of ['cast', 'withdraw'] as const)
      await expect(ana.voting[act]({ candidateId })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        status: 404,
        data: { what: 'candidate' },
      });
    expect(await app.sql('select 1 from votes where candidate_id = $1', [candidateId])).toEqual([]);
  });

  it('keeps an unknown candidate from spoiling the votes it is written with', async () => {
    const [ana, ben] = (await app.members(2)) as [Person, Person];
    const { id: candidateId } = await app.candidate();
    const results = await Promise.allSettled([
      app.as(ana).voting.cast({ candidateId: ABSENT }),
      app.as(ben).voting.cast({ candidateId }),
    ]);
    expect(outcomes(results)).toEqual(['NOT_FOUND', 'ok']);
  });
});

describe('limits', () => {
  it('are 20 votes a minute, with the seconds to wait, and the next minute is free again', async () => {
    app.setNow('2026-03-01T10:00:00Z');
    const ana = app.as(await app.member());
    const candidates = await Promise.all(Array.from({ length: 22 }, () => app.candidate()));
    for (const { id } of candidates.slice(0, 20)) await ana.voting.cast({ candidateId: id });
    app.pass(15_000);
    const next = { candidateId: candidates[20]?.id ?? '' };
    await expect(ana.voting.cast(next)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      status: 429,
      data: { retryAfter: 45 },
    });
    expect(await balanced(next.candidateId)).toBe(0);
    app.pass(45_000);
    await ana.voting.cast(next);
    await app.as(await app.member()).voting.cast(next);
  });

  it('are 60 votes a day, counting every try', async () => {
    app.setNow('2026-03-02T01:00:00Z');
    const ana = app.as(await app.member());
    const { id: candidateId } = await app.candidate();
    for (let i = 0; i < 60; i++) {
      await ana.voting
        .cast({ candidateId })
        .catch((error: { code: string }) => expect(error.code).toBe('ALREADY_VOTED'));
      app.pass(10_000);
    }
    const other = await app.candidate();
    await expect(ana.voting.cast({ candidateId: other.id })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    // Who already voted is told that, not to wait.
    await expect(ana.voting.cast({ candidateId })).rejects.toMatchObject({ code: 'ALREADY_VOTED' });
    app.setNow('2026-03-03T01:00:01Z');
    await ana.voting.cast({ candidateId: other.id });
  });
});

describe('only confirmed members, where the operator wants it [AMB-10]', () => {
  it('turns others away without counting anything, and lets in who proved the mailbox or was confirmed by an admin', async () => {
    const strict = await startTestApp({ voteConfirmedOnly: true });
    const { id: candidateId } = await strict.candidate();
    const [byMail, byAdmin, nobody] = [
      await strict.member({ verified: true }),
      await strict.member(),
      await strict.member(),
    ];
    await strict.sql('update users set confirmed_at = now() where id = $1', [byAdmin.id]);
    const results = await Promise.allSettled(
      [nobody, byMail, byAdmin].map((person) => strict.as(person).voting.cast({ candidateId })),
    );
    expect(results[0]).toMatchObject({ reason: { code: 'UNCONFIRMED', status: 403 } });
    expect(results.slice(1).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect((await strict.as().voting.ranking({})).items[0]).toMatchObject({ totalVotes: 2 });
    await strict.sql('update users set email_verified = true where id = $1', [nobody.id]);
    expect(await strict.as(nobody).voting.cast({ candidateId })).toMatchObject({ totalVotes: 3 });
  });

  it('is off by default', async () => {
    const { id: candidateId } = await app.candidate();
    expect(await app.as(await app.member()).voting.cast({ candidateId })).toMatchObject({ totalVotes: 1 });
  });
});

describe('many at once', () => {
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

  it('loses none of 1,000 members, and the last answer holds the total', async () => {
    const concurrent = await app.members(1_000);
    const { id: candidateId } = await app.candidate();
    const tallies = await Promise.all(concurrent.map((person) => app.as(person).voting.cast({ candidateId })));
    expect(Math.max(...tallies.map((tally) => tally.totalVotes))).toBe(1_000);
    expect(await balanced(candidateId)).toBe(1_000);
  });

  it('agrees between two processes that vote and withdraw on the same candidates at once', async () => {
    // As after an analyze or the sixth call of a prepared statement: the other process runs other plans.
    const other = await app.secondProcess({ options: '-c enable_hashjoin=off -c enable_mergejoin=off' });
    const concurrent = await app.members(120);
    const candidates = await Promise.all(Array.from({ length: 6 }, () => app.candidate()));
    const act = async (person: Person, i: number) => {
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
    await Promise.all(concurrent.map(act));
    let total = 0;
    for (const { id } of candidates) total += await balanced(id);
    expect(total).toBe(120 * 6 - 40);
  });

  it('fails only the votes of members who are removed at that moment, each with a clear answer', async () => {
    const { id } = await app.candidate();
    const [leaving, staying] = [await app.members(6), await app.members(20)];
    const removal = await app.sqlClient();
    try {
      await removal.query('begin');
      // As the removal of accounts does: the row is locked, and gone with the commit.
      await removal.query('select 1 from users where id = any($1) order by id for update', [
        leaving.map((person) => person.id),
      ]);
      const votes = Promise.allSettled(
        [...leaving, ...staying].map((person) => app.as(person).voting.cast({ candidateId: id })),
      );
      await expect
        .poll(() =>
          app.sql(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%with asked%'`),
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
    const [books] = await app.sql(
      `select total_votes as total, (select count(*)::int from votes where candidate_id = c.id) as rows
       from voting_candidates c where id = $1`,
      [id],
    );
    expect(books).toEqual({ total: staying.length, rows: staying.length });
  });

  it.each([
    ['the usual plan', ''],
    ['nested loops', '-c enable_hashjoin=off -c enable_mergejoin=off'],
    ['merges', '-c enable_hashjoin=off -c enable_nestloop=off'],
    ['hashes', '-c enable_mergejoin=off -c enable_nestloop=off'],
  ])('holds no candidate while it waits for the counters of a member, with %s', async (_name, options) => {
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
        for (const { who, day, act, together } of steps) {
          const vote = `${who}:${day}`;
          // What is under way together concerns different votes of one day, or the outcome would be open.
          if (!together || open.has(vote) || day !== today) {
            await Promise.all(waiting);
            waiting = [];
            open = new Set();
          }
          today = day;
          app.setNow(DAYS[day] ?? '');
          const should = act === 'cast' ? !expected.has(vote) : expected.has(vote);
          const done = people[who]?.voting[act]({ candidateId }).then(
            () => expect(should).toBe(true),
            (error: { code?: string }) => {
              expect(error.code).toBe(act === 'cast' ? 'ALREADY_VOTED' : 'NO_VOTE');
              expect(should).toBe(false);
            },
          );
          if (act === 'cast') expected.add(vote);
          else expected.delete(vote);
          if (done) waiting.push(done);
          open.add(vote);
        }
        await Promise.all(waiting);
        expect(await balanced(candidateId)).toBe(expected.size);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the ranking', () => {
  it('is for everybody: most votes first, then who reached them earlier, then the older one, active ones only [VOTE-04] [VOTE-18] [VOTE-21..22] [AMB-211]', async () => {
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

  it('is the order of the winner, in 1,000 sets of ties [AMB-211]', async () => {
    const moments = [null, '2026-02-01T12:00:00Z', '2026-02-01T12:00:00.000001Z', '2026-02-02T00:00:00Z'];
    const one = fc.record({
      votes: fc.integer({ min: 1, max: 2 }),
      reached: fc.constantFrom(...moments),
      created: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'),
      place: fc.integer({ min: -2, max: 2 }),
      id: fc.uuid({ version: 4 }),
    });
    const sets = fc.sample(fc.uniqueArray(one, { minLength: 2, maxLength: 6, selector: ({ id }) => id }), {
      numRuns: 1_000,
      seed: 211,
    });
    // Said here once more, without the database.
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
      const ranking = await rankCandidates(app.services.db, 50, { present: app.now, confirmedOnly: false });
      const { leaders } = await readCurrentRound(app.services.db, app.now);
      const order = expected(set);
      expect(ranking.items.map(({ id }) => id)).toEqual(order);
      expect(leaders[0]?.id).toBe(order[0]);
    }
  });

  it('stands in no index: a vote would write all indexes of its candidate [VOTE-04]', async () => {
    const indexes = await app.sql<{ definition: string }>(
      `select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = 'voting_candidates'::regclass`,
    );
    expect(indexes.length).toBeGreaterThan(5);
    expect(indexes.filter(({ definition }) => /total_|votes_/.test(definition))).toEqual([]);
  });

  it('orders two that are equal in everything the same way each time', async () => {
    await app.sql('delete from voting_candidates');
    const twin = { created_at: '2026-01-01T00:00:00Z' };
    const ids = [await app.candidate(twin), await app.candidate(twin)].map(({ id }) => id).sort();
    expect((await app.as().voting.ranking({})).items.map(({ id }) => id)).toEqual(ids);
  });

  it('shows nothing internal [DATA-09] [AMB-30]', async () => {
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

  it('gives the votes of the last 14 days with gaps as zero, today last, and falls to zero at midnight', async () => {
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

  it('tells the running round and the time of the server', async () => {
    app.setNow('2026-05-20T10:00:00Z');
    const { round, serverTime } = await app.as().voting.ranking({});
    expect(serverTime).toBe('2026-05-20T10:00:00.000Z');
    expect(round).toMatchObject({ number: 1 });
    await app.sql(`update voting_rounds set status = 'closed'`);
    expect((await app.as().voting.ranking({})).round).toBeNull();
    await app.sql(`update voting_rounds set status = 'open'`);
  });

  it('gives 30 days of history of an active candidate, oldest first; none of another', async () => {
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
  });
});

describe('live', () => {
  it('tells a second process the absolute counts of a vote and of its withdrawal', async () => {
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

  it('says nothing of what was rolled back', async () => {
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

  it('connects again after its connection was cut, and says that everything may have changed', async () => {
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
