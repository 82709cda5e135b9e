import { expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { addressLimits, consumeRateLimits } from './rate-limit.ts';

const app = await startTestApp();
const LIMIT = { hits: 2, seconds: 60 };

/** How many of these requests pass, one after the other. */
async function passing(name: string, addresses: string[]): Promise<number> {
  let passed = 0;
  for (const address of addresses)
    await consumeRateLimits(app.services.db, addressLimits(name, address, LIMIT), app.now).then(
      () => passed++,
      (error) => expect(error).toMatchObject({ code: 'RATE_LIMITED', data: { retryAfter: 60 } }),
    );
  return passed;
}
const numbers = Array.from({ length: 20 }, (_, i) => i + 1);

it.each([
  ['one IPv4', numbers.map(() => '203.0.113.9'), 2],
  ['a /24', numbers.map((i) => `203.0.113.${i}`), 16],
  ['IPv4 of many networks', numbers.map((i) => `203.0.${i}.9`), 20],
  ['a /64', numbers.map((i) => `2001:db8:1:2::${i}`), 2],
  ['a /56', numbers.map((i) => `2001:db8:1:${i}::1`), 4],
  ['a /48', numbers.map((i) => `2001:db8:1:${i}00::1`), 16],
  ['IPv6 of many sites', numbers.map((i) => `2001:db8:${i}::1`), 20],
])('a limit of two per address allows as many requests as expected from %s', async (name, addresses, max) => {
  expect(await passing(name, addresses)).toBe(max);
});

it('requests of one address beyond its limit do not count for its network', async () => {
  expect(
    await passing(
      'neighbours',
      [...numbers, ...numbers].map(() => '198.51.100.1'),
    ),
  ).toBe(2);
  expect(await passing('neighbours', ['198.51.100.2', '198.51.100.3'])).toBe(2);
  const flood = [...numbers, ...numbers].map((i) => `2001:db8:9:${(i % 8).toString(16)}::1`);
  expect(await passing('neighbours', flood)).toBe(4);
  expect(await passing('neighbours', ['2001:db8:9:f000::1'])).toBe(1);
});

it('limits count concurrent requests exactly, without deadlocks', async () => {
  const attempts = Array.from({ length: 60 }, (_, i) =>
    consumeRateLimits(
      app.services.db,
      [
        ...addressLimits('rush:b', `203.0.113.${i % 30}`, LIMIT),
        ...addressLimits('rush:a', `203.0.113.${i % 30}`, LIMIT),
        { key: 'rush:all', limit: { hits: 1_000, seconds: 60 } },
      ],
      app.now,
    ),
  );
  const outcomes = await Promise.allSettled(attempts);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(16);
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []));
  expect(new Set(refused)).toEqual(new Set(['RATE_LIMITED']));
  expect(await app.sql("select hits from rate_limits where key = 'rush:all'")).toEqual([{ hits: 60 }]);
});

it('a limit resets at the end of its window', async () => {
  expect(await passing('again', ['192.0.2.1', '192.0.2.1', '192.0.2.1'])).toBe(2);
  app.pass(60_000);
  expect(await passing('again', ['192.0.2.1'])).toBe(1);
});
