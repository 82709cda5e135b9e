import { describe, expect, it } from 'vitest';
import { databaseCode, isDatabaseAway } from './failures.ts';

const coded = (code: string) => Object.assign(new Error('from the database'), { code });
const named = (name: string) => Object.assign(new Error('from our layer'), { name });
const wrapped = (cause: unknown) => new Error('Failed query', { cause });

describe('an error means that the database is unreachable', () => {
  it.each([
    ['a lock was not granted in time', '55P03'],
    ['a statement was canceled', '57014'],
    ['the database is read-only', '25006'],
    ['a transaction was idle for too long', '25P03'],
    ['a transaction took too long', '25P04'],
    ['the disk is full', '53100'],
    ['the server shuts down', '57P01'],
    ['a connection failed', '08006'],
    ['a transaction still deadlocked after all retries', '40P01'],
    ['the connection is refused', 'ECONNREFUSED'],
  ])('if %s (%s), bare or wrapped', (_what, code) => {
    expect([isDatabaseAway(coded(code)), isDatabaseAway(wrapped(wrapped(coded(code))))]).toEqual([true, true]);
  });

  it.each(['ConnectionLost', 'CommitUnknown'])('if our database layer threw %s', (name) => {
    expect(isDatabaseAway(wrapped(named(name)))).toBe(true);
  });

  it('but not if PostgreSQL rejected the statement, or something else failed', () => {
    for (const code of ['23505', '23503', '22P02', '42P01', 'P0001'])
      expect([code, isDatabaseAway(coded(code))]).toEqual([code, false]);
    expect([isDatabaseAway(new Error('a bug')), isDatabaseAway(null), isDatabaseAway('away')]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('but not if it wraps itself, which does not loop', () => {
    const circle: Error & { cause?: unknown } = new Error('again');
    circle.cause = circle;
    expect(isDatabaseAway(circle)).toBe(false);
  });
});

it('databaseCode finds the code of a wrapped PostgreSQL error, and no codes of other errors', () => {
  expect(databaseCode(wrapped(coded('23505')))).toBe('23505');
  expect([databaseCode(coded('ECONNRESET')), databaseCode(coded('EPIPE'))]).toEqual([undefined, undefined]);
});
