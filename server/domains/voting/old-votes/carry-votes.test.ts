import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openPool } from '#server/db/client.ts';
import { dropEmptyVoteMonths } from '#server/db/vote-months.ts';
import { removeMember } from '#server/domains/account/removal.service.ts';
import { lockVotesOf, restoreVotesOfBanned, voidVotesOfBanned } from '#server/domains/voting/banned-votes.service.ts';
import { findMiscounts, purgeArchivedVotes, recountVotes } from '#server/domains/voting/manage-votes.service.ts';
import {
  at,
  carry,
  change,
  DAY,
  dayIn,
  jobsDone,
  month,
  openRound,
  pool,
  publicFigures,
  SYSTEM,
  verified,
} from '#tests/fixtures/votes/carry-votes.ts';
import { app, candidates, limits, prove, vote } from '#tests/fixtures/votes/manage-voting.ts';
import type { Person } from '#tests/support/app/test-app.ts';

vi.setConfig({ testTimeout: 60_000 });

const { db } = app.services;

async function drop(before: string): Promise<string[]> {
  const client = await pool.connect();
  try {
    return await dropEmptyVoteMonths(client, before);
  } finally {
    client.release(true);
  }
}

/** Waits for a statement that waits to detach a month. @returns when it began. */
async function waitingDetach(): Promise<string> {
  let began: string | undefined;
  await vi.waitFor(
    async () => {
      const [row] = await app.sql<{ began: string }>(
        `select query_start::text as began from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock' and query like 'alter table votes detach partition %'`,
      );
      began = row?.began;
      expect(began).toBeDefined();
    },
    { timeout: 30_000 },
  );
  return `${began}`;
}

/** Sum of the leaves of a candidate, by state. */
async function inLedger(candidateId: string): Promise<Record<string, number>> {
  const rows = await app.sql<{ entry: string }>('select entry from ledger_leaves where entry like $1 order by seq', [
    `florka-vote/1 %candidate=${candidateId}%`,
  ]);
  const last = new Map(
    rows.map(({ entry }) => [
      /voter=\w+/.exec(entry)?.[0] + (/day=\S+/.exec(entry)?.[0] ?? ''),
      /state=(\w+)/.exec(entry)?.[1],
    ]),
  );
  const byState = [...Map.groupBy(last.values(), (state) => state ?? '')];
  return Object.fromEntries(byState.map(([state, all]) => [state, all.length]));
}

describe('votes of old months', () => {
  it('are aggregated without a change of any total, day, rank or leaf, and their months are dropped', async () => {
    at(dayIn(0, 5));
    await openRound(`${dayIn(0, 1)}T00:00:00Z`);
    const [one, two] = [await app.candidate(), await app.candidate()];
    const people = (await app.members(8)) as [Person, Person, ...Person[]];
    for (const day of [5, 6, 28]) {
      at(dayIn(0, day));
      for (const [i, person] of people.entries()) await vote(person, i % 2 ? one.id : two.id);
    }
    at(dayIn(1, 2));
    const [ana, bea, cor, dan] = (await app.members(4)) as [Person, Person, Person, Person];
    for (const person of [ana, bea, cor, dan]) await vote(person, one.id);
    await change(bea, one.id, 'void', 'moderator');
    await change(dan, one.id, 'under_review', 'lockstep');
    const ticket = await app.as(ana).race.keepTicket({ candidateId: one.id });
    await openRound(`${dayIn(2, 1)}T00:00:00Z`);
    at(dayIn(2, 1), 0);
    await vote(ana, one.id);
    await jobsDone();
    await verified();
    const before = await publicFigures();
    const leaves = (await app.sql('select 1 from ledger_leaves')).length;

    const done = await carry(month(2));
    expect(done).toMatchObject({ votes: 27, counted: 26, obstacles: [], waiting: [{ why: 'under review', votes: 1 }] });
    expect(await publicFigures()).toEqual(before);
    expect(before.miscounts).toEqual([]);
    // The month of the waiting vote remains, and the first partition, which has no vote, is dropped with the empty month.
    expect(await drop(month(2))).toEqual(['votes_before', `votes_${month(0).slice(0, 7).replace('-', '_')}`].sort());
    expect(await publicFigures()).toEqual(before);
    expect((await app.sql('select 1 from ledger_leaves')).length).toBe(leaves);
    await verified();
    // No leaf refers to a deleted vote: two of these are of the pending vote, one is of the newest one.
    expect(await app.sql('select 1 from ledger_leaves where vote_id is not null')).toHaveLength(3);
    expect(
      await app.sql('select user_id from ledger_salts where user_id = any($1)', [people.map(({ id }) => id)]),
    ).toEqual([]);
    expect(await app.as().race.ticket({ id: ticket.id })).toMatchObject({ state: 'counted', signed: null });
    expect(
      await app.sql(
        `select distinct action, after->>'votes' is not null as counted from audit_events where action = 'votes.carried'`,
      ),
    ).toEqual([{ action: 'votes.carried', counted: true }]);

    // The removal of a member deletes the votes that are stored individually; the sums remain.
    const total = async (id: string) =>
      (await app.sql<{ n: number }>('select total_votes as n from voting_candidates where id = $1', [id]))[0]?.n;
    const was = (await total(one.id)) ?? 0;
    await db.transaction((tx) => removeMember(tx, ana.id, app.now));
    expect(await total(one.id)).toBe(was - 1);
    await db.transaction((tx) => removeMember(tx, people[1].id, app.now));
    expect(await total(one.id)).toBe(was - 1);
    expect(await findMiscounts(db)).toEqual([]);
    // The time at which a total was reached is restored: the newest remaining vote is a carried one.
    const [reached] = await app.sql<{ day: string }>(
      `select to_char(total_reached_at at time zone 'UTC', 'YYYY-MM-DD') as day from voting_candidates where id = $1`,
      [one.id],
    );
    expect(reached?.day).toBe(dayIn(1, 2));
    await verified();

    // Recounted from scratch.
    await app.sql('update voting_candidates set total_votes = 1 where id = $1', [one.id]);
    await app.sql('update candidate_daily_votes set votes = 3 where candidate_id = $1', [one.id]);
    await recountVotes(db, SYSTEM, one.id, app.now);
    expect(await total(one.id)).toBe(was - 1);
    expect(await findMiscounts(db)).toEqual([]);

    // When the waiting one is decided, its month is deleted as well.
    await change(dan, one.id, 'counted', null);
    await jobsDone();
    expect(await carry(month(2))).toMatchObject({ votes: 1, counted: 1, waiting: [] });
    expect(await drop(month(2))).toEqual([`votes_${month(1).slice(0, 7).replace('-', '_')}`]);
    expect(await total(one.id)).toBe(was);
    await verified();
  });

  it('are, as sums, removed by a reset, restored by its undo, and deleted 30 days after one', async () => {
    at(dayIn(3, 1));
    await openRound(`${dayIn(3, 1)}T00:00:00Z`);
    const { id } = await app.candidate();
    for (const person of await app.members(5)) await vote(person, id);
    at(dayIn(4, 1));
    await openRound(`${dayIn(4, 1)}T00:00:00Z`);
    for (const person of await app.members(2)) await vote(person, id);
    await jobsDone();
    expect(await carry(month(4))).toMatchObject({ votes: 5, counted: 5 });
    const before = await publicFigures();
    await prove();
    const { resetId } = await candidates.resetVotes({ id, reason: 'Bots' });
    expect(await findMiscounts(db)).toEqual([]);
    await verified();
    expect(await inLedger(id)).toEqual({ withdrawn: 7 });
    expect(await candidates.undoReset({ id, resetId: resetId ?? '' })).toMatchObject({ totalVotes: 7, restored: 7 });
    expect(await publicFigures()).toEqual(before);
    await verified();
    expect(await inLedger(id)).toEqual({ counted: 7 });
    app.pass(1_000);
    await prove();
    await candidates.resetVotes({ id, reason: 'Bots' });
    app.pass(31 * DAY);
    // Before the ledger has the withdrawals, nothing is deleted.
    await purgeArchivedVotes(db, app.now);
    expect(await app.sql('select votes from carried_votes where candidate_id = $1', [id])).toEqual([{ votes: 5 }]);
    await verified();
    await purgeArchivedVotes(db, app.now);
    expect(await app.sql('select votes from carried_votes where candidate_id = $1', [id])).toEqual([]);
    expect(await inLedger(id)).toEqual({ withdrawn: 7 });
    expect(await findMiscounts(db)).toEqual([]);
  });

  it('are not aggregated while something can still change them', async () => {
    at(dayIn(4, 20));
    await openRound(`${dayIn(4, 20)}T00:00:00Z`);
    const { id } = await app.candidate();
    const [banned, disabled, decided, late, taken] = (await app.members(5)) as [Person, Person, Person, Person, Person];
    for (const person of [banned, disabled, decided, late]) await vote(person, id);
    const other = await app.candidate();
    await vote(taken, other.id);
    for (const [person, until] of [
      [banned, new Date(app.now.getTime() + 90 * DAY).toISOString()],
      [disabled, 'infinity'],
    ] as const)
      await db.transaction(async (tx) => {
        await lockVotesOf(tx, person.id);
        await tx.$client.query('update users set banned_until = $2 where id = $1', [person.id, until]);
        await voidVotesOfBanned(tx, person.id, app.now);
      });
    const [cluster] = await app.sql<{ id: string }>(
      `insert into vote_review_clusters (round_id, signal, key, found_at, grown_at, state, decided_at)
       select id, 'lockstep', 'k', $1, $1, 'released', $1 from voting_rounds where status = 'open' returning id`,
      [app.now],
    );
    await app.sql(
      `insert into vote_review_votes (vote_id, cluster_id, candidate_id, user_id, held_at, decided_as)
       select v.id, $1, v.candidate_id, v.user_id, $2, 'counted' from votes v where v.user_id = $3`,
      [cluster?.id, app.now, decided.id],
    );
    at(dayIn(5, 1));
    await openRound(`${dayIn(5, 1)}T00:00:00Z`);
    await prove();
    await candidates.resetVotes({ id: other.id, reason: 'Bots' });
    await jobsDone();
    await change(late, id, 'under_review', 'lockstep');
    await change(late, id, 'counted', null);
    // The ledger has not entered one of them, a temporary ban and a recent decision can still end, and a reset can be undone.
    expect(await carry(month(5))).toMatchObject({
      votes: 1,
      counted: 0,
      waiting: [
        { why: 'not settled yet', votes: 3 },
        { why: 'taken by a reset', votes: 1 },
      ],
    });
    expect(await app.sql('select user_id from votes where candidate_id = $1 order by 1', [id])).toEqual(
      [banned.id, decided.id, late.id].sort().map((user_id) => ({ user_id })),
    );
    const held = () => app.sql('select 1 from vote_review_votes where cluster_id = $1', [cluster?.id]);
    expect(await held()).toHaveLength(1);
    await db.transaction(async (tx) => {
      await lockVotesOf(tx, banned.id);
      await tx.$client.query('update users set banned_until = null where id = $1', [banned.id]);
      expect(await restoreVotesOfBanned(tx, banned.id, app.now)).toBe(1);
    });
    await jobsDone();
    app.pass(31 * DAY);
    await purgeArchivedVotes(db, app.now);
    await jobsDone();
    expect(await carry(month(5))).toMatchObject({ votes: 3, counted: 3, waiting: [] });
    expect(await held()).toEqual([]);
    expect(await findMiscounts(db)).toEqual([]);
    await verified();
  });

  it('are not aggregated at all while a round, the ledger or a job still needs them', async () => {
    const all = async () => (await carry(month(5))).obstacles.length;
    expect(await all()).toBe(0);
    await app.sql(`update voting_rounds set opens_at = opens_at - interval '40 days' where status = 'open'`);
    expect((await carry(month(5))).obstacles).toEqual(['the round that is open began before']);
    await app.sql(`update voting_rounds set opens_at = opens_at + interval '40 days' where status = 'open'`);
    await app.sql(`update ledger_log set next_day = $1::date - 1`, [month(5)]);
    expect((await carry(month(5))).obstacles).toEqual(['the ledger has not stated all results']);
    await app.sql(`update ledger_log set next_day = $1`, [month(12)]);
    await app.sql(
      `insert into notified_rounds (round_id) select id from voting_rounds where status = 'closed' order by number limit 1`,
    );
    expect((await carry(month(5))).obstacles).toEqual(['the voters of a round are not notified yet']);
    await app.sql('update notified_rounds set done_at = now()');
    expect(await all()).toBe(0);
  });

  it('are aggregated and dropped while members vote, and every vote is accepted and counted', async () => {
    at(dayIn(5, 20));
    await openRound(`${dayIn(5, 20)}T00:00:00Z`);
    const { id } = await app.candidate();
    const many = await app.members(60);
    for (const person of many.slice(0, 20)) await vote(person, id);
    at(dayIn(6, 1));
    await openRound(`${dayIn(6, 1)}T00:00:00Z`);
    await jobsDone();
    const [early, late, duringDetach] = [many.slice(20, 40), many.slice(40, 55), many.slice(55)];
    const cast = (person: Person) =>
      app.services.votes.cast({ candidateId: id, userId: person.id, networks: [], limits });
    const voting = (async () => {
      for (const person of early) await cast(person);
    })();
    const done = await carry(month(6));
    await voting;
    expect(done).toMatchObject({ counted: 20, waiting: [] });

    // A long read of the table delays the deletion of a month, which blocks no vote meanwhile.
    const readers = openPool({ ...app.config, max: 1, work: 'maintenance' });
    onTestFinished(() => readers.end());
    const reader = await readers.connect();
    await reader.query('begin');
    await reader.query('select count(*) from votes');
    const dropping = drop(month(6));
    let passed = 0;
    for (const person of duringDetach) {
      const before = await waitingDetach();
      await cast(person);
      // Otherwise the vote has waited until that statement gave up.
      if ((await waitingDetach()) === before) passed++;
    }
    await reader.query('commit');
    reader.release();
    for (const person of late) await cast(person);
    expect(await dropping).not.toEqual([]);
    expect(passed).toBeGreaterThan(0);
    const [row] = await app.sql<{ n: number }>('select total_votes as n from voting_candidates where id = $1', [id]);
    expect(row?.n).toBe(60);
    expect(await findMiscounts(db)).toEqual([]);
    await verified();
  });
});
