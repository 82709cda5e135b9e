import { expect, it } from 'vitest';
import { added, app, entries, rounds, voted } from '#tests/fixtures/manage-voting.ts';
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
// No job runs in this file: the queue was not started.
closeRoundOnTime({ services: { ...app.services, db }, log: log as never });

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
