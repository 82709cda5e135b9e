import { expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const [one, other] = [await app.member({ role: 'admin' }), await app.member({ role: 'admin' })];
const [mine, theirs] = [app.as(one).admin.lists, app.as(other).admin.lists];
const NOTHING = { hidden: [], views: [] };

it('list preferences belong to one admin and one list, and are deleted with the account', async () => {
  expect(await mine.read({ list: 'news' })).toEqual(NOTHING);
  const views = [
    { name: ' Sin\u202e publicar ', query: 'status=inactive' },
    { name: 'Sin publicar', query: 'status=inactive&sort=title' },
    { name: '\u200b', query: 'q=x' },
  ];
  const preferences = { hidden: ['author'], views: [{ name: 'Sin publicar', query: 'status=inactive&sort=title' }] };
  expect(await mine.save({ list: 'news', hidden: ['author', 'author'], views })).toEqual(preferences);
  expect(await mine.read({ list: 'news' })).toEqual(preferences);
  expect(await mine.read({ list: 'users' })).toEqual(NOTHING);
  expect(await theirs.read({ list: 'news' })).toEqual(NOTHING);
  const all = Array.from({ length: 31 }, (_, i) => ({ name: `Vista ${i}`, query: '' }));
  await expect(mine.save({ list: 'news', hidden: [], views: all })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await app.sql('delete from users where id = $1', [one.id]);
  expect(await app.sql('select 1 from admin_lists where user_id = $1', [one.id])).toEqual([]);
});
