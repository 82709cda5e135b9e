// A process that executes a decision about a cluster is killed at any point: between statements, or by SIGKILL at a random moment.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openDb } from '#server/db/client.ts';
import { findMiscounts } from '#server/domains/voting/manage-votes.service.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { crashingPool } from '#tests/support/database/crashing-pool.ts';
import { randomOf } from '#tests/support/ledger/test-ledger.ts';
import type { DecideProcess } from '#tests/support/processes/decide-process.ts';
import { generatedCases } from '#tests/support/runner/property-runs.ts';
import { finishDecisions } from './decide.service.ts';
import { holdFinding } from './hold.service.ts';

const KILLS = generatedCases({ everyday: 4, long: 12 });
const app = await startTestApp();
const { db } = app.services;
const admin = await app.member({ role: 'admin' });
const back = app.as(admin).admin.voteReview;
const random = randomOf(59);

/** A candidate with this many votes, each in one open cluster. */
async function clusterOf(votes: number) {
  const { id: candidate } = await app.candidate();
  const ids = await app.sql<{ id: number }>(
    `with made as (
       insert into users (name, email, email_verified) select 'm', gen_random_uuid() || '@kill.test', true
       from generate_series(1, $2::int) returning id
     ), cast_votes as (
       insert into votes (candidate_id, user_id, voted_on, created_at, round_id)
       select $1, m.id, ($3::timestamptz at time zone 'UTC')::date, $3, r.id from made m, voting_rounds r where r.status = 'open'
       returning id, voted_on
     ), days as (
       insert into candidate_daily_votes (candidate_id, day, votes) select $1, voted_on, count(*) from cast_votes group by 2
     ), total as (
       update voting_candidates set total_votes = $2, total_reached_at = $3 where id = $1
     )
     select id::int from cast_votes`,
    [candidate, votes, app.now],
  );
  const [round] = await app.sql<{ id: string }>("select id from voting_rounds where status = 'open'");
  for (let from = 0; from < ids.length; from += 500)
    await holdFinding(
      db,
      round?.id ?? '',
      {
        signal: 'lockstep',
        key: candidate,
        candidateId: candidate,
        facts: {},
        voteIds: ids.slice(from, from + 500).map((vote) => vote.id),
      },
      app.now,
    );
  const [cluster] = await app.sql<{ id: string }>('select id from vote_review_clusters where key = $1', [candidate]);
  return { candidate, cluster: cluster?.id ?? '' };
}

/** State of a candidate and its cluster, and the number of changes of its votes into each state. */
async function stateOf({ candidate, cluster }: { candidate: string; cluster: string }) {
  expect(await findMiscounts(db)).toEqual([]);
  const [row] = await app.sql(
    `select c.total_votes as total, c.votes_under_review as review, c.votes_void as void, k.state, k.deciding,
       (select count(*)::int from vote_review_votes r where r.cluster_id = k.id and r.decided_as is not null) as decided,
       (select coalesce(sum(votes), 0)::int from vote_review_waiting w where w.cluster_id = k.id) as waiting,
       (select count(*)::int from vote_review_decisions d where d.cluster_id = k.id and finished_at is null) as running,
       (select bool_and(done = votes) from vote_review_decisions d where d.cluster_id = k.id and finished_at is not null) as whole
     from voting_candidates c, vote_review_clusters k where c.id = $1 and k.id = $2`,
    [candidate, cluster],
  );
  return row;
}
/** Per state: changes of votes of the candidate into it, changed votes, and the count in the audit log. */
const changesOf = ({ candidate, cluster }: { candidate: string; cluster: string }) =>
  app.sql(
    `select c.state, count(*)::int as changes, count(distinct c.vote_id)::int as votes,
       (select sum((after->>'votes')::int)::int from audit_events e where e.resource_id = $2 and e.action =
         case c.state when 'void' then 'votes.voided' when 'counted' then 'votes.released' else 'votes.review_undone' end) as audited
     from vote_changes c where c.candidate_id = $1 and c.id > $3 group by c.state order by c.state`,
    [candidate, cluster, since],
  );
let since = 0;
async function fromNow() {
  const [row] = await app.sql<{ id: number }>('select coalesce(max(id), 0)::int as id from vote_changes');
  since = row?.id ?? 0;
}

describe('an interrupted decision about a cluster', () => {
  it.each(['before', 'after'] as const)(
    'is completed after a crash at any statement, %s its effect, and changes each vote once',
    async (when) => {
      const one = await clusterOf(1_100);
      const before = await stateOf(one);
      await fromNow();
      expect(await back.void({ id: one.cluster, reason: 'a farm' })).toMatchObject({ changed: 500 });
      let places = 0;
      for (let at = 0; ; at++) {
        const { pool } = crashingPool(app.config, at, when);
        // One slice only, then this process ends as well.
        let pieces = 0;
        const end = await finishDecisions(
          openDb(pool),
          () => app.now,
          (work) => work().finally(() => pieces++),
          () => pieces > 0,
        ).then(
          () => 'done',
          () => 'crashed',
        );
        await pool.end().catch(() => {});
        if (end === 'done') break;
        places++;
      }
      expect(places).toBeGreaterThan(5);
      await app.services.voteReview.finishDecisions();
      expect(await stateOf(one)).toMatchObject({
        total: 0,
        review: 0,
        void: 1_100,
        state: 'void',
        waiting: 0,
        running: 0,
        whole: true,
      });
      expect(await changesOf(one)).toEqual([{ state: 'void', changes: 1_100, votes: 1_100, audited: 1_100 }]);
      // Undoing is exact.
      await back.undo({ id: one.cluster });
      await app.services.voteReview.finishDecisions();
      expect(await stateOf(one)).toEqual({ ...before, whole: true });
    },
    600_000,
  );

  it(`is completed after SIGKILL at a random moment, ${KILLS} times, by two processes at once`, async () => {
    const votes = 3_200;
    const one = await clusterOf(votes);
    const before = await stateOf(one);
    let halfway = 0;
    for (let n = 0; n < KILLS || (halfway === 0 && n < 60); n++) {
      const decision = (['void', 'undo', 'release', 'undo'] as const)[n % 4] ?? 'undo';
      await fromNow();
      const settings: DecideProcess = {
        config: app.config,
        begin: { id: one.cluster, decision: decision, by: admin.id },
      };
      const child = spawn(process.execPath, ['tests/support/processes/decide-process.ts'], {
        env: { ...process.env, DECIDE_PROCESS: JSON.stringify(settings) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const gone = once(child, 'exit');
      await once(child.stdout, 'data');
      // The decision is stored, with this many slices of it; then it is killed anywhere in the next one.
      for (let piece = 0; piece < n % 3; piece++) await Promise.race([once(child.stdout, 'data'), gone]);
      await pause(random() * 120);
      child.kill('SIGKILL');
      await gone;
      // Its transaction may persist for a moment; the next process waits for its locks.
      const [left] = await app.sql<{ done: number; votes: number }>(
        'select done, votes from vote_review_decisions where cluster_id = $1 and finished_at is null',
        [one.cluster],
      );
      if (left && left.done > 0 && left.done < left.votes) halfway++;
      const states = (await stateOf(one)) as { running: number; decided: number; state: string };
      if (states.running === 0 && (states.state === 'open') === (decision !== 'undo')) {
        // Killed before it was decided.
        await (decision === 'undo'
          ? back.undo({ id: one.cluster })
          : decision === 'void'
            ? back.void({ id: one.cluster, reason: 'a farm' })
            : back.release({ id: one.cluster }));
      }
      await Promise.all([
        app.services.voteReview.finishDecisions(),
        finishDecisions(
          db,
          () => app.now,
          (work) => work(),
          () => false,
        ),
      ]);
      const to = decision === 'void' ? 'void' : decision === 'release' ? 'counted' : 'under_review';
      expect(await stateOf(one)).toMatchObject(
        decision === 'undo'
          ? { ...before, whole: true }
          : {
              total: decision === 'release' ? votes : 0,
              void: decision === 'void' ? votes : 0,
              review: 0,
              waiting: 0,
              running: 0,
              state: decision === 'void' ? 'void' : 'released',
              whole: true,
            },
      );
      expect(await changesOf(one)).toMatchObject([{ state: to, changes: votes, votes }]);
    }
    expect(halfway).toBeGreaterThan(0);
  }, 600_000);
});
