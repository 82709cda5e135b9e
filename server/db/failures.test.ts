import { describe, expect, it } from 'vitest';
import { databaseCode, isDatabaseAway } from './failures.ts';

const coded = (code: string) => Object.assign(new Error('from the database'), { code });
const named = (name: string) => Object.assign(new Error('from our layer'), { name });
const wrapped = (cause: unknown) => new Error('Failed query', { cause });

describe('the database is away', () => {
  it.each([
    ['a lock was not given in time', '55P03'],
    ['a statement was ended', '57014'],
    ['it is read-only', '25006'],
    ['a transaction stood idle', '25P03'],
    ['a transaction took too long', '25P04'],
    ['the disk is full', '53100'],
    ['it shuts down', '57P01'],
    ['a connection failed', '08006'],
    ['a deadlock that could not be repeated', '40P01'],
    ['nobody listens', 'ECONNREFUSED'],
  ])('when %s (%s), bare or wrapped', (_what, code) => {
    expect([isDatabaseAway(coded(code)), isDatabaseAway(wrapped(wrapped(coded(code))))]).toEqual([true, true]);
  });

  it.each(['ConnectionLost', 'CommitUnknown'])('when our own layer says %s', (name) => {
    expect(isDatabaseAway(wrapped(named(name)))).toBe(true);
  });

  it('but not when it refused what was asked, or something else failed', () => {
    for (const code of ['23505', '23503', '22P02', '42P01', 'P0001'])
      expect([code, isDatabaseAway(coded(code))]).toEqual([code, false]);
    expect([isDatabaseAway(new Error('a bug')), isDatabaseAway(null), isDatabaseAway('away')]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('and a failure that wraps itself ends', () => {
    const circle: Error & { cause?: unknown } = new Error('again');
    circle.cause = circle;
    expect(isDatabaseAway(circle)).toBe(false);
  });
});

it('the code of PostgreSQL is found under what wraps it, and no other', () => {
  expect(databaseCode(wrapped(coded('23505')))).toBe('23505');
  expect([databaseCode(coded('ECONNRESET')), databaseCode(coded('EPIPE'))]).toEqual([undefined, undefined]);
});
