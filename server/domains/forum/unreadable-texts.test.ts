// Texts that are empty, too short or too long only after their normalization.
import { expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const [ana, admin] = [await app.member(), await app.member({ role: 'admin' })];
const REFUSED = { code: 'BAD_REQUEST', status: 400 };

it.each(['\u200b\u200b\u200b', 'a\u200b\u200b', '\u0958'.repeat(1_500)])(
  'an appeal with the text %j is refused, and a readable one is accepted afterwards',
  async (text) => {
    app.pass(120_000);
    const { id } = await app.as(ana).forum.create({ title: 'Una nota', content: `Se oculta ${app.now.getTime()}` });
    await app.as(admin).forum.deletePost({ id, rule: 'spam', reason: 'Es publicidad' });
    const [removal] = await app.as(ana).forum.myRemovals();
    const appeal = (words: string) => app.as(ana).forum.appeal({ id: removal?.id ?? '', text: words });
    await expect(appeal(text)).rejects.toMatchObject(REFUSED);
    expect((await app.as(ana).forum.myRemovals())[0]).toMatchObject({ appeal: null });
    await appeal('No es publicidad');
    expect((await app.as(ana).forum.myRemovals())[0]).toMatchObject({ appeal: 'No es publicidad' });
  },
);

it('an invisible reason for a removal, a ban or a view of a member’s data is refused', async () => {
  const reason = '\u200b\u2060\u200b';
  app.pass(120_000);
  const { id } = await app.as(ana).forum.create({ title: 'Otra nota', content: 'Se queda' });
  await expect(app.as(admin).forum.deletePost({ id, rule: 'spam', reason })).rejects.toMatchObject(REFUSED);
  const back = app.as(admin).admin;
  await expect(back.users.ban({ ids: [ana.id], days: 1, reason })).rejects.toMatchObject(REFUSED);
  await expect(back.people.look({ id: ana.id, reason })).rejects.toMatchObject(REFUSED);
  expect(await app.as(ana).forum.myRemovals()).toHaveLength(3);
});
