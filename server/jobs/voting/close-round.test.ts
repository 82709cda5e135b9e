import { expect, it } from 'vitest';
import { added, app, entries, rounds, voted } from '#tests/fixtures/votes/manage-voting.ts';
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
const voteReview = {
  ...app.services.voteReview,
  run() {
    if (failures === 0) return app.services.voteReview.run();
    failures--;
    return Promise.reject(new Error('the thread of the signals ended'));
  },
};
// No job runs in this file: the queue was not started.
closeRoundOnTime({ services: { ...app.services, db, voteReview }, log: log as never });

it('closes the round at the end to which it was moved meanwhile, without a job [AMB-212]', async () => {
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

it('closes it after an outage of the database, which is reported once', async () => {
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

it('reviews the votes of the last seconds first, so that bought ones decide no round [AMB-212] [AMB-213]', async () => {
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

it('closes it although the review fails, which is reported', async () => {
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
