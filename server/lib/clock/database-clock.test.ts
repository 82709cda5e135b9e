import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PASSWORD, peopleOf } from '#tests/support/app/people.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { createDatabaseClock } from './database-clock.ts';

const app = await startTestApp({ clock: 'database' });
const { newcomer, newestToken } = peopleOf(app);
const DAY = 86_400_000;

const databaseTime = async () => (await app.sql<{ at: Date }>('select clock_timestamp() as at'))[0]?.at.getTime() ?? 0;
/** Difference of a clock from the database's. Milliseconds. */
const differenceOf = async (now: () => Date) => Math.abs(now().getTime() - (await databaseTime()));

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe.each([
  ['two days ahead', 2 * DAY],
  ['two days behind', -2 * DAY],
])('with the clock of a process %s', (_words, offset) => {
  it('the time is the database’s, also after the clock of the process is set', async () => {
    vi.setSystemTime((await databaseTime()) + offset);
    const clock = createDatabaseClock(app.services.db, () => {});
    expect(await differenceOf(clock.now)).toBeGreaterThan(DAY);
    await clock.start();
    clock.stop();
    expect(await differenceOf(clock.now)).toBeLessThan(DAY);
    vi.setSystemTime((await databaseTime()) - 3 * offset);
    expect(await differenceOf(clock.now)).toBeLessThan(DAY);
  });

  it('a password reset link of another process is valid until its expiry by the clock of the database', async () => {
    vi.setSystemTime(await databaseTime());
    const { api, email } = await newcomer();
    const reset = async (left: string) => {
      await api.account.requestPasswordReset({ email, locale: 'es' });
      const token = await newestToken(email);
      await app.sql(`update account_tokens set expires_at = now() + $1::interval where purpose = 'reset_password'`, [
        left,
      ]);
      vi.setSystemTime((await databaseTime()) + offset);
      return app
        .as(null, { address: '198.51.100.7' })
        .account.resetPassword({ token, password: `${PASSWORD}-2`, locale: 'es' });
    };
    await expect(reset('-1 second')).rejects.toMatchObject({ code: 'TOKEN_REFUSED' });
    await reset('1 minute');
  });
});

it('a reading that fails is reported, and without an earlier one the clock of the process is used', async () => {
  const errors: unknown[] = [];
  const failing = { execute: () => Promise.reject(new Error('gone')), $client: null } as never;
  const clock = createDatabaseClock(failing, (error) => errors.push(error));
  await clock.start();
  clock.stop();
  expect(errors).toHaveLength(1);
  vi.setSystemTime(0);
  expect(clock.now().getTime()).toBe(0);
});

it('a reading that fails after another is reported, and the former one remains in use', async () => {
  const errors: unknown[] = [];
  const gone = new Error('gone');
  let client: unknown = app.services.pool;
  const db = {
    get $client() {
      return client;
    },
  } as never;
  const clock = createDatabaseClock(db, (error) => errors.push(error));
  vi.setSystemTime((await databaseTime()) + 2 * DAY);
  await clock.start();
  expect(errors).toEqual([]);
  client = { query: () => Promise.reject(gone) };
  await clock.start();
  clock.stop();
  expect(errors).toEqual([gone]);
  expect(await differenceOf(clock.now)).toBeLessThan(DAY);
});
