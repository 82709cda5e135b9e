import { expect, it } from 'vitest';
import { CommitUnknown } from '#server/db/transaction.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { forEachRecord } from './bulk.ts';

const away = () => {
  throw new CommitUnknown('no answer to commit');
};

it('a bulk action fails as a whole when the database is unreachable and no record was changed before', async () => {
  await expect(forEachRecord(['a', 'b'], async () => away())).rejects.toThrow(CommitUnknown);
  // Records that were refused before changed nothing either.
  const work = async (id: string) => (id === 'a' ? fail('FORBIDDEN') : away());
  await expect(forEachRecord(['a', 'b'], work)).rejects.toThrow(CommitUnknown);
});

it('a bulk action reports what was done before an outage, what is unknown, and what was not attempted', async () => {
  const tried: string[] = [];
  const work = async (id: string) => {
    tried.push(id);
    return id === 'a' ? ('done' as const) : away();
  };
  expect((await forEachRecord(['a', 'b', 'c', 'a'], work)).results).toEqual([
    { id: 'a', outcome: 'done', code: null },
    { id: 'b', outcome: 'refused', code: 'UNEXPECTED' },
    { id: 'c', outcome: 'refused', code: 'BUSY' },
  ]);
  expect(tried).toEqual(['a', 'b']);
});
