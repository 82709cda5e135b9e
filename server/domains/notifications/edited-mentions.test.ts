import { beforeEach, describe, expect, it } from 'vitest';
import { MENTIONS_MAX } from '#contract/limits.ts';
import { type Person, startTestApp } from '#tests/support/app/test-app.ts';
import { mentionedIn } from './mentions.policy.ts';

const app = await startTestApp();
// Rate limits of writing are not tested here.
beforeEach(() => app.pass(120_000));

let counter = 0;
const person = async (): Promise<Person & { username: string }> => {
  const one = await app.member({ verified: true });
  const username = `Edited_${++counter}`;
  await app.sql('update forum_users set username = $2 where id = $1', [one.id, username]);
  return { ...one, username };
};
const listOf = async (one: Person) =>
  (await app.as(one).notifications.list({})).items.map(({ kind, detail }) => `${kind}:${detail}`);
const post = (one: Person, content: string) => app.as(one).forum.create({ title: `Nota ${++counter}`, content });
const editPost = (one: Person, { id, title }: { id: string; title: string }, content: string) =>
  app.as(one).forum.editPost({ id, title, content });

describe('a mention that an edit adds', () => {
  it('notifies once in a post, however often it is edited back and forth', async () => {
    const [ana, bob, eva] = [await person(), await person(), await person()];
    const note = await post(ana, `Hola @${bob.username}`);
    await editPost(ana, note, `Hola @${bob.username} y @${eva.username}, y yo @${ana.username}`);
    expect(await listOf(eva)).toEqual(['mentions:post']);
    await app.sql('delete from notifications where user_id = any($1::uuid[])', [[bob.id, eva.id]]);
    for (const text of ['Hola', `Hola @${eva.username} y @${bob.username}`, `Sin @${eva.username}.`])
      await editPost(ana, note, text);
    // Not even when their first notifications are gone.
    for (const one of [ana, bob, eva]) expect(await listOf(one), one.username).toEqual([]);
  });

  it('notifies in the title of a post', async () => {
    const [ana, bob] = [await person(), await person()];
    const note = await post(ana, 'Hola');
    await app.as(ana).forum.editPost({ id: note.id, title: `Para @${bob.username}`, content: 'Hola' });
    expect(await listOf(bob)).toEqual(['mentions:post']);
  });

  it('notifies in a comment, also by mail if chosen, but nobody already notified of the comment', async () => {
    const [ana, bob, eva] = [await person(), await person(), await person()];
    await app.as(eva).notifications.setKind({ kind: 'mentions', inApp: true, mail: 'now', push: false });
    const note = await post(ana, 'Hola');
    const { id } = await app.as(bob).forum.comment({ postId: note.id, content: 'Cierto' });
    const content = `Cierto, @${ana.username} y @${eva.username}`;
    await app.as(bob).forum.editComment({ id, content });
    expect(await listOf(ana)).toEqual(['replies:comment']);
    expect(await listOf(eva)).toEqual(['mentions:comment']);
    const mails = (await app.deliverMails()).filter(({ to }) => to === eva.email);
    expect(mails.map(({ text }) => text.includes(`#comment-${id}`))).toEqual([true]);
  });

  it('notifies no member who muted or blocked the author', async () => {
    const [ana, bob, eva] = [await person(), await person(), await person()];
    const note = await post(ana, 'Hola');
    await app.as(bob).profiles.restrict({ name: ana.username, level: 'mute' });
    await app.as(eva).profiles.restrict({ name: ana.username, level: 'block' });
    await editPost(ana, note, `Hola @${bob.username} y @${eva.username}`);
    for (const one of [bob, eva]) expect(await listOf(one)).toEqual([]);
  });

  it('notifies nobody while the post is hidden, nor when the edit is refused', async () => {
    const [ana, bob, eva, mod] = [
      await person(),
      await person(),
      await person(),
      await app.member({ role: 'moderator' }),
    ];
    const note = await post(ana, 'Hola');
    const { id } = await app.as(bob).forum.comment({ postId: note.id, content: 'Cierto' });
    const content = `Cierto @${eva.username}`;
    for (const other of [ana, mod])
      await expect(app.as(other).forum.editComment({ id, content })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await app.as(ana).forum.deletePost({ id: note.id });
    await app.as(bob).forum.editComment({ id, content });
    expect(await listOf(eva)).toEqual([]);
  });

  it('counts against the maximum of mentions over all versions of a text', async () => {
    const [ana, bob, eva] = [await person(), await person(), await person()];
    const names = Array.from({ length: MENTIONS_MAX - 1 }, (_, n) => `@nobody_${n}`).join(' ');
    const note = await post(ana, names);
    await editPost(ana, note, `@${bob.username} @${eva.username}`);
    expect(await listOf(bob)).toEqual(['mentions:post']);
    await editPost(ana, note, `@${eva.username}`);
    expect(await listOf(eva)).toEqual([]);
  });
});

it.each([
  ['@ana @bob', ['@ana'], ['bob']],
  ['@Ana. y @bob', ['@ana', '@eva'], ['bob']],
  ['@bob', ['@bob', 'nobody'], []],
  ['hello', ['@bob'], []],
])('%s after %j mentions %j for the first time', (text, earlier, names) => {
  expect(mentionedIn(text, earlier)).toEqual(names);
});
