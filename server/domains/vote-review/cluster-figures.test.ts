// The counters of clusters are maintained incrementally. In any case, they equal a recount.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removeMember } from '#server/domains/account/removal.service.ts';
import { changeVoteStates } from '#server/domains/voting/vote-states.service.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { propertyRuns } from '#tests/support/runner/property-runs.ts';
import { type FindingBatch, holdFinding } from './hold.service.ts';

const app = await startTestApp();
const { db } = app.services;
const MEMBERS = 8;

/** Recount of each cluster of a run from its votes. */
const COUNTED_ANEW = `
  select c.key, count(v.id)::int as votes, count(distinct r.user_id) filter (where v.id is not null)::int as members,
    count(distinct v.networks[1])::int as networks,
    coalesce(percentile_disc(0.5) within group (order by floor(extract(epoch from v.created_at - u.created_at) / 3600)::int)
      filter (where v.id is not null), 0) as age,
    count(p.id) filter (where p.state = 'under_review')::int as waiting
  from vote_review_clusters c left join vote_review_votes r on r.cluster_id = c.id
    left join votes v on v.id = r.vote_id left join present_votes p on p.id = v.id left join users u on u.id = r.user_id
  where c.key like $1 || '%' group by c.id order by c.key, c.id`;
const KEPT = `select c.key, c.votes, c.members, c.networks, c.age_hours as age,
    (select coalesce(sum(w.votes), 0)::int from vote_review_waiting w join voting_candidates k on k.id = w.candidate_id
     where w.cluster_id = c.id and w.generation = any(k.generations)) as waiting
  from vote_review_clusters c where c.key like $1 || '%' order by c.key, c.id`;

interface Vote extends Record<string, unknown> {
  id: number;
  userId: string;
  candidateId: string;
}

/** Votes of eight members for two candidates on five days, from five networks or an unknown one. */
async function insertVotes(seed: number) {
  const candidates = [(await app.candidate()).id, (await app.candidate()).id];
  const rows = await app.sql<Vote>(
    `with made as (
       insert into users (name, email, email_verified, created_at)
       select 'm', gen_random_uuid() || '@figures.test', true, $2::timestamptz - ((n * 7919 + $1) % 5000) * interval '10 minutes'
       from generate_series(1, ${MEMBERS}) n returning id
     )
     insert into votes (candidate_id, user_id, voted_on, created_at, round_id, networks)
     select c.id, m.id, ($2::timestamptz at time zone 'UTC')::date - d, $2::timestamptz - d * interval '1 day', r.id,
       case when (m.n * 31 + d * 17 + $1) % 6 > 0
         then array[decode(md5(((m.n * 31 + d * 17 + $1) % 6)::text), 'hex'), '\\x00'] end
     from (select id, row_number() over (order by id)::int as n from made) m, unnest($3::uuid[]) c (id), generate_series(0, 4) d,
       voting_rounds r where r.status = 'open'
     returning id::int, user_id as "userId", candidate_id as "candidateId"`,
    [seed, app.now, candidates],
  );
  const [round] = await app.sql<{ id: string }>("select id from voting_rounds where status = 'open'");
  await app.sql(
    `update voting_candidates c set total_votes = (select count(*) from votes where candidate_id = c.id),
       total_reached_at = (select max(created_at) from votes where candidate_id = c.id) where id = any($1::uuid[])`,
    [candidates],
  );
  await app.sql(
    `insert into candidate_daily_votes (candidate_id, day, votes)
     select candidate_id, voted_on, count(*) from votes where candidate_id = any($1::uuid[]) group by 1, 2`,
    [candidates],
  );
  return { votes: rows, roundId: round?.id ?? '', members: [...new Set(rows.map(({ userId }) => userId))] };
}

const anyAction = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('hold' as const),
      cluster: fc.nat({ max: 2 }),
      votes: fc.array(fc.nat({ max: 79 }), { minLength: 1, maxLength: 30 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('withdraw' as const, 'replace' as const), vote: fc.nat({ max: 79 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('several' as const), below: fc.nat({ max: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), member: fc.nat({ max: MEMBERS - 1 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      to: fc.constantFrom('counted' as const, 'under_review' as const, 'void' as const),
      from: fc.nat({ max: 79 }),
      many: fc.nat({ max: 40 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('reset' as const, 'unreset' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), cluster: fc.nat({ max: 2 }) }) },
);

describe('the figures of a cluster', () => {
  it('equal a recount of its votes after any sequence of changes', async () => {
    let held = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 5_000 }),
        fc.array(anyAction, { minLength: 4, maxLength: 14 }),
        async (seed, actions) => {
          const { votes, roundId, members } = await insertVotes(seed);
          const run = randomUUID();
          for (const one of actions) {
            if (one.do === 'hold') {
              const finding: FindingBatch = {
                signal: 'lockstep',
                key: `${run} ${one.cluster}`,
                candidateId: null,
                voteIds: one.votes.map((i) => votes[i]?.id ?? 0),
                facts: {},
              };
              held += (await holdFinding(db, roundId, finding, app.now)).held;
            } else if (one.do === 'withdraw') await app.sql('delete from votes where id = $1', [votes[one.vote]?.id]);
            else if (one.do === 'replace')
              await app.sql('update votes set id = default where id = $1', [votes[one.vote]?.id]);
            else if (one.do === 'several')
              await app.sql('delete from votes where id = any($1::bigint[])', [
                votes.slice(0, one.below).map(({ id }) => id),
              ]);
            else if (one.do === 'change')
              await db.transaction((tx) =>
                changeVoteStates(tx, {
                  voteIds: votes.slice(one.from, one.from + one.many).map(({ id }) => id),
                  to: one.to,
                  reason: one.to === 'counted' ? null : 'lockstep',
                  now: app.now,
                }),
              );
            // A reset removes generations without changing any vote.
            else if (one.do === 'reset')
              await app.sql(`update voting_candidates set generations = '{1}' where id = $1`, [votes[0]?.candidateId]);
            else if (one.do === 'unreset')
              await app.sql(`update voting_candidates set generations = '{0}' where id = $1`, [votes[0]?.candidateId]);
            else if (one.do === 'leave')
              await db.transaction((tx) => removeMember(tx, members[one.member] ?? '', app.now)).catch(() => {});
            else if (one.do === 'close')
              await app.sql(
                `update vote_review_clusters set state = 'released', decided_at = now() where key = $1 and state = 'open'`,
                [`${run} ${one.cluster}`],
              );
            expect(await app.sql(KEPT, [run])).toEqual(await app.sql(COUNTED_ANEW, [run]));
          }
        },
      ),
      { numRuns: propertyRuns(8) },
    );
    expect(held).toBeGreaterThan(0);
  });

  it('are exact for clusters that grow and shrink concurrently', async () => {
    const { votes, roundId } = await insertVotes(1);
    const run = randomUUID();
    const finding = (cluster: number, of: readonly Vote[]): FindingBatch => ({
      signal: 'lockstep',
      key: `${run} ${cluster}`,
      candidateId: null,
      voteIds: of.map(({ id }) => id),
      facts: {},
    });
    await holdFinding(db, roundId, finding(0, votes.slice(0, 20)), app.now);
    await Promise.all([
      ...[0, 1, 0, 1].map((cluster, i) =>
        holdFinding(db, roundId, finding(cluster, votes.slice(20 + i * 10, 30 + i * 10)), app.now),
      ),
      ...[0, 1, 2, 3].map((i) => app.sql('delete from votes where id = $1', [votes[i]?.id])),
    ]);
    const stored = await app.sql(KEPT, [run]);
    expect(stored).toEqual(await app.sql(COUNTED_ANEW, [run]));
    expect(stored).toMatchObject([
      { votes: 36, waiting: 36 },
      { votes: 20, waiting: 20 },
    ]);
  });

  it('include no network of deleted votes', async () => {
    const { votes, roundId } = await insertVotes(2);
    const run = randomUUID();
    await holdFinding(
      db,
      roundId,
      { signal: 'lockstep', key: run, candidateId: null, voteIds: votes.slice(0, 30).map(({ id }) => id), facts: {} },
      app.now,
    );
    await app.sql('delete from votes where id = any($1::bigint[])', [votes.slice(0, 30).map(({ id }) => id)]);
    expect(
      await app.sql(
        `select c.votes, (select count(*)::int from vote_review_networks n where n.cluster_id = c.id) as networks,
           (select count(*)::int from vote_review_votes r where r.cluster_id = c.id and r.network is not null) as kept
         from vote_review_clusters c where c.key = $1`,
        [run],
      ),
    ).toEqual([{ votes: 0, networks: 0, kept: 0 }]);
  });
});
