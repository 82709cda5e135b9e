import { expect, it } from 'vitest';
import { added, admin, app, entries, prove, rounds, vote, voted } from '#tests/fixtures/votes/manage-voting.ts';
import { closeRoundOnTime } from './close-round.job.ts';

const PATIENT = { timeout: 60_000 };
const openRound = async () => (await rounds.current()).round ?? expect.unreachable('no round is open');

const warnings: string[] = [];
const log = { info: () => {}, warn: (_about: object, text: string) => void warnings.push(text) };
let away = false;
let refused = 0;
/** The database of the process, which an outage can take away. */
const db = new Proxy(app.services.db, {
  get(target, name) {
    if (away) {
      refused++;
      throw new Error('the database is away');
    }
    return Reflect.get(target, name, target);
  },
});
/** Gives the open round this end. */
const endsAt = (end: string) =>
  app.sql(`update voting_rounds set opens_at = $1, closes_at = $2, next_days = 15 where status = 'open'`, [
    app.now,
    end,
  ]);
const later = (ms: number) => new Date(app.now.getTime() + ms).toISOString();
await endsAt(later(90 * 86_400_000));
/** How many of the next reviews fail. */
let failures = 0;
/** How many of the next attempts to complete decisions fail. */
let unfinished = 0;
const voteReview = {
  ...app.services.voteReview,
  run() {
    if (failures === 0) return app.services.voteReview.run();
    failures--;
    return Promise.reject(new Error('the thread of the signals ended'));
  },
  finishDecisions(stopped?: () => boolean) {
    if (unfinished === 0) return app.services.voteReview.finishDecisions(stopped);
    unfinished--;
    return Promise.reject(new Error('the database is away'));
  },
};
// No job runs in this file: the queue was not started.
closeRoundOnTime({ services: { ...app.services, db, voteReview }, log: log as never });

it('a round closes at the end to which it was moved, without a job [AMB-212]', async () => {
  const { id } = await added();
  await voted(id, 1);
  const before = await openRound();
  const closesAt = later(5_000);
  await rounds.setEnd({ id: before.id, seenClosesAt: before.closesAt, closesAt });
  app.setNow(closesAt);
  await expect.poll(async () => (await openRound()).number, PATIENT).toBe(before.number + 1);
  expect((await openRound()).opensAt).toBe(closesAt);
  expect((await rounds.current()).winner).toMatchObject({ id, roundId: before.id, closedEarly: null });
  expect((await entries(before.id)).map(({ action }) => action)).toEqual(['round.end_moved', 'round.closed']);
});

it('a round closes after an outage of the database, which is reported once', async () => {
  await endsAt(later(5_000));
  const before = await openRound();
  away = true;
  const already = refused;
  await expect.poll(() => refused - already, PATIENT).toBeGreaterThan(2);
  app.pass(5_000);
  away = false;
  await expect.poll(async () => (await openRound()).number, PATIENT).toBe(before.number + 1);
  expect(warnings).toEqual(['closing the round failed']);
});

it('a round closes after the review of its last votes, so bought ones cannot win it [AMB-212] [AMB-213]', async () => {
  const [honest, bought] = [await added(), await added()];
  await voted(honest.id, 1);
  const accounts = await voted(bought.id, 3);
  await app.sql(`update users set email = id || '@mailinator.com' where id = any($1::uuid[])`, [
    accounts.map(({ id }) => id),
  ]);
  await endsAt(later(5_000));
  const before = await openRound();
  app.pass(5_000);
  await expect.poll(async () => (await openRound()).number, PATIENT).toBe(before.number + 1);
  expect(await app.sql('select winner_candidate_id as id from voting_rounds where id = $1', [before.id])).toEqual([
    { id: honest.id },
  ]);
  expect(await app.sql('select distinct state from votes where candidate_id = $1', [bought.id])).toEqual([
    { state: 'under_review' },
  ]);
});

/** Candidates with a vote each, of which a decision has released ten so far, and its cluster. */
async function halfReleased() {
  const { voteReview: back } = app.as(admin).admin;
  const [voter] = await app.members(1);
  if (!voter) throw new Error('no member');
  // A decision is executed for ten candidates at a time.
  const candidates: string[] = [];
  for (let i = 0; i < 11; i++) candidates.push((await added()).id);
  for (const id of candidates) await vote(voter, id);
  const { cluster } = await back.hold({ memberId: voter.id, reason: 'Por comprobar' });
  expect((await back.release({ id: cluster.id })).cluster.decision).toMatchObject({ done: 10, votes: 11 });
  return { candidates, cluster };
}

it('a round closes after decisions made before its end are complete, so standings include them [AMB-213]', async () => {
  const { voteReview: back } = app.as(admin).admin;
  const { candidates, cluster } = await halfReleased();
  await endsAt(later(5_000));
  const before = await openRound();
  app.pass(5_000);
  await expect.poll(async () => (await openRound()).number, PATIENT).toBe(before.number + 1);
  expect(
    await app.sql(
      'select count(*)::int as n, sum(total_votes)::int as votes from round_standings where round_id = $1 and candidate_id = any($2)',
      [before.id, candidates],
    ),
  ).toEqual([{ n: 11, votes: 11 }]);
  expect((await back.list({ id: cluster.id, state: 'all' })).rows).toMatchObject([
    { state: 'released', decision: null },
  ]);
});

it('a round cannot be closed early while a decision is incomplete, and can be afterwards [AMB-213]', async () => {
  const { candidates } = await halfReleased();
  const before = await openRound();
  await prove();
  const close = () => rounds.closeEarly({ id: before.id, seenClosesAt: before.closesAt, reason: 'Mantenimiento' });
  await expect(close()).rejects.toMatchObject({ code: 'VOTES_BEING_DECIDED' });
  expect(await openRound()).toEqual(before);
  await app.services.voteReview.finishDecisions();
  expect(await close()).toMatchObject({ opened: before.number + 1 });
  expect(
    await app.sql('select total_votes as votes from round_standings where round_id = $1 and candidate_id = any($2)', [
      before.id,
      candidates,
    ]),
  ).toEqual(candidates.map(() => ({ votes: 1 })));
});

it('a round closes although the decisions cannot be completed, which is reported', async () => {
  await voted((await added()).id, 1);
  warnings.length = 0;
  unfinished = 1;
  await endsAt(later(5_000));
  const before = await openRound();
  app.pass(5_000);
  await expect.poll(async () => (await openRound()).number, PATIENT).toBe(before.number + 1);
  expect(warnings).toEqual(['completing decisions about votes before the round closes failed']);
});

it('a round closes although the review fails, which is reported', async () => {
  await voted((await added()).id, 2);
  warnings.length = 0;
  failures = 2;
  await endsAt(later(5_000));
  const before = await openRound();
  app.pass(5_000);
  await expect.poll(async () => (await openRound()).number, PATIENT).toBe(before.number + 1);
  expect(failures).toBe(0);
  expect(warnings).toEqual(Array(2).fill('reviewing the last votes of the round failed'));
});
