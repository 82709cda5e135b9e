import { expect, it } from 'vitest';
import { closeDueRound } from '#server/domains/voting/rounds/round-ends.service.ts';
import { type Person, startTestApp } from '#tests/support/app/test-app.ts';
import { notifyOfRounds } from './round-results.service.ts';

const app = await startTestApp();
const people = (count: number): Promise<Person[]> => app.members(count, { verified: true });
const listOf = async (one: Person) => (await app.as(one).notifications.list({})).items;

it('voters of a round, and nobody else, are notified of its result once, and not of earlier rounds', async () => {
  const [ana, bob, eva] = (await people(3)) as [Person, Person, Person];
  const { id } = await app.candidate({ token_name: 'Ganador' });
  await app.sql(
    `insert into votes (candidate_id, user_id, voted_on, created_at)
     select $1, u, '2026-03-05', '2026-03-05T10:00:00Z' from unnest($2::uuid[]) u`,
    [id, [ana.id, bob.id]],
  );
  await app.sql(
    `insert into voting_rounds (number, opens_at, closes_at, closed_at, status, winner_candidate_id)
     values (41, '2026-03-01', '2026-03-09', '2026-03-09', 'closed', $1)`,
    [id],
  );
  // A round whose voters are done, as those that ended before there were notifications; eva voted in this one only.
  await app.sql(
    `with earlier as (
       insert into voting_rounds (number, opens_at, closes_at, closed_at, status, winner_candidate_id)
       values (40, '2026-02-20', '2026-03-01', '2026-03-01', 'closed', $1) returning id)
     insert into notified_rounds (round_id, done_at) select id, now() from earlier`,
    [id],
  );
  await app.sql(
    `insert into votes (candidate_id, user_id, voted_on, created_at)
     select $1, u, '2026-02-25', '2026-02-25T10:00:00Z' from unnest($2::uuid[]) u`,
    [id, [ana.id, eva.id]],
  );
  const both = await Promise.all([notifyOfRounds(app.services.db, app.now), notifyOfRounds(app.services.db, app.now)]);
  expect(both[0] + both[1]).toBe(2);
  expect(await notifyOfRounds(app.services.db, app.now)).toBe(0);
  expect(await listOf(ana)).toMatchObject([
    { kind: 'rounds', detail: 'won', title: 'Ganador', count: 41, path: '/vote' },
  ]);
  expect((await listOf(bob)).length).toBe(1);
  expect(await listOf(eva)).toEqual([]);
});

it('the notification of a result links to the race of the round, with and without a winner', async () => {
  const ana = (await people(1))[0] as Person;
  const endRound = async () => {
    app.pass(3_600_000);
    await app.sql(
      `update voting_rounds set opens_at = least(opens_at, $1::timestamptz - interval '2 hours'), closes_at = $1 where status = 'open'`,
      [app.now],
    );
    await closeDueRound(app.services.db, app.now);
    await notifyOfRounds(app.services.db, app.now);
    const [latest] = await listOf(ana);
    return latest;
  };
  const { id } = await app.candidate({ token_name: 'Primera' });
  await app.as(ana).voting.cast({ candidateId: id });
  const won = await endRound();
  expect(won).toMatchObject({ detail: 'won', title: 'Primera' });
  expect(won?.path).toBe(`/vote/race?round=${won?.count}`);
  const { candidates, ended } = await app.as().race.days({ round: won?.count ?? 0 });
  expect([ended, candidates[0]?.id]).toEqual([true, id]);

  app.pass(86_400_000);
  const { id: other } = await app.candidate({ token_name: 'Segunda' });
  await app.as(ana).voting.cast({ candidateId: other });
  const { voteReview } = app.as(await app.member({ role: 'admin' })).admin;
  const { cluster } = await voteReview.hold({ memberId: ana.id, reason: 'Comprado' });
  await voteReview.void({ id: cluster.id, reason: 'Comprado' });
  await app.sql('update voting_candidates set is_active = false where id <> $1', [other]);
  const lost = await endRound();
  expect(lost).toMatchObject({ detail: 'ended', path: `/vote/race?round=${lost?.count}` });
});
