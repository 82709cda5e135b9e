import { expect, it } from 'vitest';
import { api, app, asking } from '#tests/fixtures/manage-members.ts';

it('banning an admin releases the inbox items claimed by them, and not those of a colleague', async () => {
  const [gone, colleague] = [await app.member({ role: 'admin' }), await app.member({ role: 'admin' })];
  const [theirs, other] = [await asking(), await asking()];
  const take = (by: typeof gone, id: string) => app.as(by).admin.inbox.take({ source: 'moderator', id });
  await take(gone, theirs.id);
  await take(colleague, other.id);
  const ownersOf = async () => {
    const { items } = await api.inbox.list({ source: 'moderator' });
    return [theirs, other].map(({ id }) => items.find((item) => item.id === id)?.owner?.id ?? null);
  };
  expect(await ownersOf()).toEqual([gone.id, colleague.id]);
  expect((await api.users.ban({ ids: [gone.id], days: 7, reason: 'left' })).results[0]).toMatchObject({ code: null });
  expect(await ownersOf()).toEqual([null, colleague.id]);
});
