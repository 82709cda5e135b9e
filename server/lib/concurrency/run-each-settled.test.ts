import { describe, expect, it } from 'vitest';
import { runEachSettled } from './run-each-settled.ts';

const coded = (code: string) => Object.assign(new Error(`failed with ${code}`), { code });
/** Runs one item for each code, where '' succeeds. @returns the number of items that ran, and the error. */
async function run(codes: readonly string[]) {
  let ran = 0;
  const error = await runEachSettled(codes, async (code) => {
    ran++;
    if (code !== '') throw coded(code);
  }).catch((thrown: unknown) => thrown);
  return { ran, error };
}

describe('items that run in turn', () => {
  it('do not affect each other, and report every failure at the end', async () => {
    const { ran, error } = await run(['', '23503', '', '23514', '']);
    expect(ran).toBe(5);
    expect(error).toMatchObject({ errors: [{ code: '23503' }, { code: '23514' }] });
    expect(await run(['', '23503', ''])).toMatchObject({ ran: 3, error: { code: '23503' } });
    expect(await run(['', ''])).toEqual({ ran: 2, error: undefined });
  });

  it('end at once when the database is unreachable', async () => {
    expect(await run(['', '57P01', ''])).toMatchObject({ ran: 2, error: { code: '57P01' } });
    expect(await run(['08006', ''])).toMatchObject({ ran: 1, error: { code: '08006' } });
  });

  it.each(['57014', '25P04', '55P03', '40001', '40P01'])(
    'continue after one that exceeds a limit (%s), and end after three such failures in a row',
    async (code) => {
      expect(await run([code, '', code, ''])).toMatchObject({ ran: 4, error: { errors: [{ code }, { code }] } });
      expect(await run([code, code, code, '', ''])).toMatchObject({ ran: 3, error: { code } });
    },
  );
});
