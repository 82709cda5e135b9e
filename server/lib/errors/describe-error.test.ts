import { ORPCError, ValidationError } from '@orpc/server';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useDatabase } from '#tests/support/database/database.ts';
import { describeError, errorText } from './describe-error.ts';

const SECRETS = ['Secret-Words', 'ana@florka.test', 'f00dfeed'];
const failureOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

describe('the description of a failed query', () => {
  const database = useDatabase();
  const failures: [string, () => Promise<unknown>, Record<string, string>][] = [
    [
      'a unique key, whose detail quotes the row',
      async () => {
        const insert = () =>
          database.db.execute(sql`insert into users (name, email) values (${'Secret-Words'}, ${'ana@florka.test'})`);
        await insert();
        return insert();
      },
      { code: '23505', table: 'users', constraint: 'users_email_key' },
    ],
    [
      'a value of the wrong kind, which the message quotes',
      () => database.db.execute(sql`select ${'f00dfeed'}::uuid`),
      { code: '22P02' },
    ],
    ['a number out of range', () => database.db.execute(sql`select ${'99999999999999'}::int4`), { code: '22003' }],
    [
      'a check, whose detail quotes the row',
      () => database.db.execute(sql`insert into users (name, email) values (${'Secret-Words'}, ${'ANA@florka.test'})`),
      { code: '23514', table: 'users' },
    ],
    [
      'a missing table',
      () => database.db.execute(sql`select * from nowhere where a = ${'Secret-Words'}`),
      { code: '42P01' },
    ],
    [
      'a query without Drizzle',
      () => database.pool.query('insert into users (name, email) values ($1, $2)', ['Secret-Words', 'ANA@florka.test']),
      { code: '23514' },
    ],
  ];

  it.each(failures)('contains no values: %s', async (_name, work, facts) => {
    const error = await failureOf(work());
    const described = describeError(error);
    const text = JSON.stringify(described) + errorText(error);
    for (const secret of [...SECRETS, 'ANA@florka', '99999999999999']) expect(text).not.toContain(secret);
    expect({ ...described, ...described.cause }).toMatchObject(facts);
    expect(described.stack).toContain('describe-error.test.ts');
  });

  it('names the query itself', async () => {
    const error = await failureOf(database.db.execute(sql`select * from nowhere where a = ${'Secret-Words'}`));
    expect(describeError(error).message).toBe('Failed query: select * from nowhere where a = $1');
    expect(errorText(error)).toContain('Caused by error: relation "nowhere" does not exist');
  });
});

function catchSyntax(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

describe('the description of other errors', () => {
  it('contains their message without e-mail addresses, and their cause', () => {
    const error = new Error('550 no such user <ana@florka.test>', { cause: new TypeError('deeper') });
    expect(describeError(error)).toMatchObject({
      type: 'Error',
      message: '550 no such user <<e-mail>>',
      cause: { type: 'TypeError', message: 'deeper' },
    });
  });

  it.each([
    '{"password":"Secret-Words"',
    'Secret-Words',
    '["Secret-Words",}',
    '{"a":Secret-Words}',
    '"x\n    at Secret-Words',
  ])('does not quote text that a parser rejected: %j', (text) => {
    const error = catchSyntax(text);
    expect(JSON.stringify(describeError(error)) + errorText(error)).not.toMatch(/Secret/);
  });

  it('names the invalid fields of a response, never their values', () => {
    const { error } = z.object({ items: z.array(z.object({ name: z.string() })) }).safeParse({ items: [{ name: 7 }] });
    const cause = new ValidationError({ message: 'Output', issues: error?.issues ?? [], data: 'Secret-Words' });
    const description = describeError(
      new ORPCError('INTERNAL_SERVER_ERROR', { cause, data: { words: 'Secret-Words' } }),
    );
    expect(description).toMatchObject({ status: 500, cause: { issues: [expect.stringMatching(/^items\.0\.name: /)] } });
    expect(JSON.stringify(description)).not.toContain('Secret-Words');
  });

  it('contains nothing of values that are not errors', () => {
    expect(JSON.stringify(describeError('Secret-Words'))).not.toContain('Secret-Words');
    const loop: Error & { cause?: unknown } = new Error('round');
    loop.cause = loop;
    expect(errorText(loop)).toContain('round');
  });
});
