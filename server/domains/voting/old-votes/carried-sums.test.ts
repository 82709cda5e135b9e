import { describe, expect, it, vi } from 'vitest';
import { removeMember } from '#server/domains/account/removal.service.ts';
import { sumReports } from '#server/domains/admin/reports/reports.service.ts';
import { lockVotesOf, voidVotesOfBanned } from '#server/domains/voting/banned-votes.service.ts';
import { findMiscounts } from '#server/domains/voting/manage-votes.service.ts';
import {
  at,
  carry,
  change,
  DAY,
  dayIn,
  jobsDone,
  month,
  openRound,
  owner,
  publicFigures,
  verified,
} from '#tests/fixtures/votes/carry-votes.ts';
import { app, candidates, prove, vote } from '#tests/fixtures/votes/manage-voting.ts';
import type { Person } from '#tests/support/app/test-app.ts';
import { readCarryObstacles } from './carry-votes.sql.ts';

vi.setConfig({ testTimeout: 60_000 });

const { db } = app.services;

describe('votes of old months', () => {
  it('are aggregated into one sum per generation and day, and a further one for votes settled later', async () => {
    at(dayIn(1, 3));
    await openRound(`${dayIn(1, 1)}T00:00:00Z`);
    const [{ id }, other] = [await app.candidate(), await app.candidate()];
    const [ana, bea, cor, dan, eva, flo] = (await app.members(6)) as [Person, Person, Person, Person, Person, Person];
    const resetAndUndo = async (meanwhile = async () => {}) => {
      await prove();
      const { resetId } = await candidates.resetVotes({ id, reason: 'Bots' });
      await meanwhile();
      await candidates.undoReset({ id, resetId: resetId ?? '' });
    };
    await vote(ana, id);
    app.pass(1_000);
    await resetAndUndo(async () => {
      for (const person of [bea, cor, dan]) {
        await vote(person, id);
        app.pass(1_000);
      }
    });
    for (const person of [cor, dan]) await change(person, id, 'under_review', 'lockstep');
    await vote(bea, other.id);
    app.pass(1_000);
    await vote(cor, other.id);
    await change(cor, other.id, 'under_review', 'lockstep');
    at(dayIn(1, 4));
    await vote(eva, id);
    app.pass(1_000);
    await vote(flo, id);
    await openRound(`${dayIn(2, 1)}T00:00:00Z`);
    at(dayIn(2, 5));
    // A temporary ban, which voids votes of the open round only.
    await db.transaction(async (tx) => {
      await lockVotesOf(tx, flo.id);
      await tx.$client.query('update users set banned_until = $2 where id = $1', [
        flo.id,
        new Date(app.now.getTime() + 90 * DAY),
      ]);
      await voidVotesOfBanned(tx, flo.id, app.now);
    });
    // Decided exactly when the time to undo a decision ends.
    await app.sql(
      `with k as (insert into vote_review_clusters (round_id, signal, key, found_at, grown_at, state, decided_at)
         select id, 'lockstep', 'old', $1, $1, 'released', $1 from voting_rounds where status = 'open' returning id)
       insert into vote_review_votes (vote_id, cluster_id, candidate_id, user_id, held_at, decided_as)
       select v.id, k.id, v.candidate_id, v.user_id, $1, 'counted' from votes v, k where v.user_id = $2`,
      [new Date(app.now.getTime() - 30 * DAY), eva.id],
    );
    await jobsDone();
    await resetAndUndo();
    // The vote ledger has entered neither the reset nor its undo: only the vote of the other candidate is carried.
    expect(await carry(month(2))).toMatchObject({ votes: 1, obstacles: [] });

    await jobsDone();
    // A vote that the vote ledger has not entered: its voter's salts remain.
    await vote(eva, id);
    const salts = async () =>
      (
        await app.sql<{ user_id: string }>(
          `select s.user_id from ledger_salts s join voting_rounds r on r.number = s.round
           where r.opens_at = $1 and s.user_id = any($2)`,
          [`${dayIn(1, 1)}T00:00:00Z`, [ana, bea, cor, dan, eva, flo].map((one) => one.id)],
        )
      )
        .map((row) => row.user_id)
        .sort();
    expect(await salts()).toHaveLength(6);
    const before = await publicFigures();
    expect(await carry(month(2))).toMatchObject({ votes: 4, counted: 4, waiting: [{ why: 'under review', votes: 3 }] });
    expect(await publicFigures()).toEqual(before);
    const sums = () =>
      app.sql(
        `select dense_rank() over (order by generation)::int as generation, day::text, piece, votes,
           to_char(newest_at at time zone 'UTC', 'HH24:MI:SS') as newest
         from carried_votes where candidate_id = $1 order by 1, 2, 3`,
        [id],
      );
    const first = [
      { generation: 1, day: dayIn(1, 3), piece: 0, votes: 1, newest: '12:00:00' },
      { generation: 2, day: dayIn(1, 3), piece: 0, votes: 1, newest: '12:00:01' },
      { generation: 2, day: dayIn(1, 4), piece: 0, votes: 2, newest: '12:00:01' },
    ];
    expect(await sums()).toEqual(first);
    expect(await salts()).toEqual([cor.id, dan.id, eva.id].sort());
    for (const [i, person] of [cor, dan].entries()) {
      await change(person, id, 'counted', null);
      if (person === cor) await change(cor, other.id, 'counted', null);
      await jobsDone();
      const votes = person === cor ? 2 : 1;
      expect(await carry(month(2))).toMatchObject({ votes, counted: votes });
      expect(await salts()).toEqual(i === 0 ? [dan.id] : []);
      expect(await sums()).toContainEqual({
        generation: 2,
        day: dayIn(1, 3),
        piece: i + 1,
        votes: 1,
        newest: i === 0 ? '12:00:02' : '12:00:03',
      });
    }
    // Of two sums of one day the later one has the newest vote.
    await vote(ana, other.id);
    expect(await app.as(ana).voting.withdraw({ candidateId: other.id })).toMatchObject({
      totalVotes: 2,
      reachedAt: `${dayIn(1, 3)}T12:00:05.000000Z`,
    });
    expect(await findMiscounts(db)).toEqual([]);
    await verified();
  });

  it('are blocked by pending work on the days before, and not by work on the day itself or later', async () => {
    const before = month(4);
    const found = async () =>
      Object.entries((await readCarryObstacles(owner, { before }))[0] ?? {}).flatMap(([name, yes]) =>
        yes ? [name] : [],
      );
    at(dayIn(4, 1));
    await openRound(`${dayIn(4, 1)}T00:00:00Z`);
    await jobsDone();
    expect(await found()).toEqual([]);

    await app.sql('update ledger_log set next_day = $1', [before]);
    const ended = `insert into ledger_round_ends (round_id, last_change, stated_at) values (gen_random_uuid(), 0, $1)`;
    await app.sql(ended, [app.now]);
    expect(await found()).toEqual([]);
    await app.sql(ended, [null]);
    expect(await found()).toEqual(['results']);
    await app.sql('delete from ledger_round_ends where last_change = 0');
    await app.sql('update ledger_log set next_day = $1', [month(12)]);

    const voters = (await app.members(3)) as [Person, Person, Person];
    const { id } = await app.candidate();
    at(dayIn(3, 28));
    await vote(voters[0], id);
    await sumReports(db, app.now);
    expect(await found()).toEqual([]);
    await vote(voters[1], id);
    expect(await found()).toEqual(['sums']);
    await sumReports(db, app.now);
    at(dayIn(4, 1));
    await vote(voters[2], id);
    expect(await found()).toEqual([]);

    const waits = (opensAt: string) =>
      app.sql(
        `with r as (insert into voting_rounds (number, opens_at, closes_at, closed_at, status)
           select max(number) + 1, $1, $1::timestamptz + interval '1 hour', $1::timestamptz + interval '1 hour', 'closed' from voting_rounds
           returning id)
         insert into notified_rounds (round_id) select id from r`,
        [opensAt],
      );
    await waits(`${before}T00:00:00Z`);
    expect(await found()).toEqual([]);
    await waits(`${dayIn(3, 28)}T00:00:00Z`);
    expect(await found()).toEqual(['notices']);
    await app.sql('update notified_rounds set done_at = now() where done_at is null');

    const [reset] = await app.sql<{ id: string }>(
      'insert into vote_resets (candidate_id, votes, reset_at) values ($1, 1, $2) returning id',
      [id, app.now],
    );
    const archive = (day: string) =>
      app.sql('insert into archived_votes (reset_id, user_id, voted_on, created_at) values ($1, $2, $3, now())', [
        reset?.id,
        voters[0].id,
        day,
      ]);
    await archive(before);
    expect(await found()).toEqual([]);
    await archive(dayIn(3, 28));
    expect(await found()).toEqual(['resets']);
    await app.sql('update vote_resets set undone_at = now() where id = $1', [reset?.id]);
    expect(await found()).toEqual([]);
    for (const voter of voters) await db.transaction((tx) => removeMember(tx, voter.id, app.now));
    await jobsDone();
    expect(await findMiscounts(db)).toEqual([]);
  });
});
