import { describe, expect, it } from 'vitest';
import { REVIEWS_WAITING, TRUST } from '#contract/trust.ts';
import { listenTo, type Person, startTestApp } from '#tests/support/app/test-app.ts';
import { REMOVAL_REASON } from '#tests/support/samples/removal.ts';
import { holdsLink, levelBy, whyWaits } from './trust.policy.ts';

const app = await startTestApp({ given: { forumReview: true } });
const visitor = app.as(null).forum;
const admin = await app.member({ role: 'admin' });
const moderator = await app.member({ role: 'moderator' });
const staff = app.as(moderator).forum;
const DAY = 86_400_000;

let serial = 0;
/** A new account: the test's clock has not moved since. */
const newcomer = async () => {
  const person = await app.member();
  await app.sql('update users set created_at = $2 where id = $1', [person.id, new Date(app.now.getTime())]);
  return person;
};
/** Publishes a post, or holds it for a review. */
function post(author: Person, content = 'Texto') {
  app.pass(61_000);
  const title = `Nota ${++serial} de la feria`;
  return app.as(author).forum.create({ title, content: `${content} ${serial}` });
}
function comment(author: Person, postId: string, content = 'Comentario') {
  app.pass(61_000);
  return app.as(author).forum.comment({ postId, content: `${content} ${++serial}` });
}
const levelOf = async (person: Person) => (await app.as(person).forum.myReview()).level;
/** A member with enough texts for level 1, old enough. */
async function known() {
  const person = await newcomer();
  for (let i = 0; i < TRUST.firstTexts; i++) await staff.release({ id: (await post(person)).id });
  app.pass(TRUST.memberDays * DAY);
  return person;
}
const actions = async (id: string) =>
  (await app.sql<{ action: string }>('select action from audit_events where resource_id = $1 order by id', [id])).map(
    ({ action }) => action,
  );

describe('the rules of trust and review', () => {
  it('raise a level by days and texts, lower it by removals only', () => {
    const { memberDays: days, firstTexts: texts, regularDays, regularTexts } = TRUST;
    expect(levelBy(0, { days, texts: texts - 1, removals: 0 })).toBe(0);
    expect(levelBy(0, { days: days - 1, texts, removals: 0 })).toBe(0);
    expect(levelBy(0, { days, texts, removals: 0 })).toBe(1);
    expect(levelBy(1, { days: regularDays, texts: regularTexts, removals: 0 })).toBe(2);
    // Deleted texts do not lower the level.
    expect(levelBy(2, { days: regularDays, texts: 0, removals: 0 })).toBe(2);
    expect(levelBy(2, { days: regularDays, texts: regularTexts, removals: 1 })).toBe(1);
    expect(levelBy(2, { days: regularDays, texts: regularTexts, removals: 2 })).toBe(0);
    expect(levelBy(0, { days: regularDays, texts: regularTexts, removals: 1 })).toBe(1);
  });

  it('hold first texts and links for review, by level', () => {
    expect(whyWaits({ level: 0, shown: 0, links: 0 }, false)).toBe('first');
    expect(whyWaits({ level: 0, shown: TRUST.firstTexts, links: 9 }, false)).toBeNull();
    expect(whyWaits({ level: 0, shown: TRUST.firstTexts, links: 9 }, true)).toBe('link');
    expect(whyWaits({ level: 1, shown: 0, links: 0 }, false)).toBeNull();
    expect(whyWaits({ level: 1, shown: 9, links: TRUST.firstLinks - 1 }, true)).toBe('link');
    expect(whyWaits({ level: 1, shown: 9, links: TRUST.firstLinks }, true)).toBeNull();
    expect(whyWaits({ level: 2, shown: 0, links: 0 }, true)).toBeNull();
  });

  it.each([
    'Mira https://estafa.example/a',
    'HTTP://ESTAFA.EXAMPLE',
    'www.estafa.example',
    'entra en estafa.com ya',
    't.me/grupo',
    'bit.ly/abc',
    'estafa.example/regalo',
    'es​tafa.com',
    'ｅｓｔａｆａ。ｃｏｍ',
    'tg://resolve?domain=a',
    'https://florka.test.estafa.example/token/luna',
    'https://florka.test@estafa.example',
    'https://estafa.example/?a=florka.test',
    'ayuda-florka.test.xyz/luna',
  ])('recognize a link in %j', (text) => {
    expect(holdsLink(text, 'florka.test')).toBe(true);
  });

  it.each([
    'Nada que ver.Otra frase',
    'El token sube 3.5 veces',
    'a las 10.30h',
    'ana@correo',
    'https://florka.test/token/luna',
    'florka.test/token/luna',
    'Mira florka.test.',
    'versión 1.2.3 y/o 4',
  ])('recognize no link in %j', (text) => {
    expect(holdsLink(text, 'florka.test')).toBe(false);
  });
});

describe('a first text', () => {
  it('is visible to author and staff only, in no list, count, search, notice or event, until its release', async () => {
    const [ana, ben] = [await newcomer(), await known()];
    const { liveEvents, until } = listenTo(app.services);
    const place = await post(ben);
    await until((event) => event.type === 'post.created' && event.postId === place.id);
    liveEvents.length = 0;
    app.pass(61_000);
    const word = `cometa${++serial}`;
    const text = `${word} para @${ben.username}`;
    const made = await app.as(ana).forum.create({ title: word, content: text, tags: [word] });
    expect(made.review).toEqual({ why: 'first', dueAt: new Date(app.now.getTime() + 2 * DAY).toISOString() });
    const answer = await comment(ana, place.id, word);
    expect(answer.review?.why).toBe('first');

    const unseen = async () => {
      await expect(visitor.post({ id: made.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(app.as(ben).forum.post({ id: made.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      for (const found of [{ q: word }, { tag: word }, {}])
        expect((await visitor.posts(found)).items.map(({ id }) => id)).not.toContain(made.id);
      expect((await visitor.tags({})).tags).not.toContain(word);
      expect(await visitor.post({ id: place.id })).toMatchObject({ commentCount: 0, comments: [] });
      expect((await app.as(ben).notifications.list({})).items.filter(({ actor }) => actor === ana.username)).toEqual(
        [],
      );
      await expect(app.as(ben).forum.myReview()).resolves.toMatchObject({ waiting: [] });
      await expect(app.as(ben).forum.reviewQueue()).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(app.as(ben).forum.comment({ postId: made.id, content: 'Hola' })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    };
    await unseen();
    expect(liveEvents.filter((event) => 'postId' in event)).toEqual([]);
    expect((await app.as(ana).forum.myReview()).waiting).toMatchObject([
      { id: made.id, what: 'post', why: 'first', title: word, content: text },
      { id: answer.id, what: 'comment', title: place.title },
    ]);
    expect((await staff.reviewQueue()).items).toMatchObject([
      { id: made.id, postId: made.id, username: ana.username, level: 0 },
      { id: answer.id, postId: place.id },
    ]);
    const { items } = await app.as(admin).admin.inbox.list({ source: 'review' });
    expect(items).toMatchObject([
      { id: made.id, title: word, details: ['post', 'first'], dueAt: made.review?.dueAt },
      { id: answer.id, details: ['comment', 'first'] },
    ]);

    app.pass(3_600_000);
    await staff.release({ id: made.id });
    await staff.release({ id: answer.id });
    await until((event) => event.type === 'post.created' && event.postId === made.id);
    await until((event) => event.type === 'post.changed' && event.postId === place.id);
    // It has the time of its publication, so that it is listed among the newest.
    expect(await visitor.post({ id: made.id })).toMatchObject({ createdAt: app.now.toISOString(), tags: [word] });
    expect((await visitor.posts({ tag: word })).items[0]?.id).toBe(made.id);
    expect(await visitor.post({ id: place.id })).toMatchObject({ commentCount: 1, comments: [{ id: answer.id }] });
    expect((await app.as(ben).notifications.list({})).items.map(({ kind }) => kind).toSorted()).toEqual(
      expect.arrayContaining(['mentions', 'replies']),
    );
    // In any order: both have the same time.
    expect(
      (await app.as(ana).notifications.list({})).items.map(({ detail, path }) => [detail, path]).toSorted(),
    ).toEqual(
      [
        ['text_released', `/forum/${made.id}`],
        ['text_released', `/forum/${place.id}#comment-${answer.id}`],
      ].toSorted(),
    );
    expect((await app.as(admin).admin.inbox.list({ source: 'review' })).items).toEqual([]);
    expect(await actions(made.id)).toEqual(['post.review_asked', 'post.review_released']);
    await expect(staff.release({ id: made.id })).rejects.toMatchObject({ code: 'ALREADY_DONE' });
  });

  it('cannot be shown by an SQL statement that bypasses the review', async () => {
    const { id } = await post(await newcomer());
    await expect(app.sql('update forum_posts set is_hidden = false where id = $1', [id])).rejects.toThrow(/waits/);
    await expect(
      app.sql(
        `update forum_reviews set state = 'released', decided_at = now(), decided_by = author_id where text_id = $1`,
        [id],
      ),
    ).rejects.toThrow(/check constraint/);
    await staff.release({ id });
  });

  it('is declined with a rule and a reason, with a copy for its author, and shown after an appeal', async () => {
    const ana = await newcomer();
    const { id } = await post(ana, 'Compra ya');
    await staff.decline({ id, ...REMOVAL_REASON });
    const [mine] = await app.as(ana).forum.myRemovals();
    expect(mine).toMatchObject({ rule: REMOVAL_REASON.rule, reason: REMOVAL_REASON.reason, unseen: true });
    expect(mine?.content).toContain('Compra ya');
    expect((await app.as(ana).notifications.list({})).items[0]).toMatchObject({ detail: 'text_declined' });
    expect((await visitor.removalLog({})).items[0]).toMatchObject({
      rule: REMOVAL_REASON.rule,
      unseen: true,
      by: 'moderator',
    });
    await app.as(ana).forum.appeal({ id: mine?.id ?? '', text: 'Es mi primera nota' });
    await expect(visitor.post({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await app.as(admin).admin.forum.decideAppeal({ id: mine?.id ?? '', outcome: 'reversed', answer: 'Vale' });
    expect(await visitor.post({ id })).toMatchObject({ createdAt: app.now.toISOString() });
  });

  it('can be withdrawn permanently by its author, and by nobody else', async () => {
    const [ana, ben] = [await newcomer(), await newcomer()];
    const place = await post(await known());
    const [note, answer] = [await post(ana), await comment(ana, place.id)];
    await expect(app.as(ben).forum.withdraw({ id: note.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (const { id } of [note, answer]) await app.as(ana).forum.withdraw({ id });
    expect(await app.as(ana).forum.myReview()).toMatchObject({ waiting: [] });
    // Not even the placeholder of a deleted comment.
    expect((await visitor.post({ id: place.id })).comments).toEqual([]);
    await expect(staff.release({ id: note.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await actions(note.id)).toEqual(['post.review_asked', 'post.review_withdrawn']);
  });

  it('is held once when it is sent again after a lost response', async () => {
    const [ana, { id: postId }] = [await newcomer(), await post(moderator)];
    const api = app.as(ana).forum;
    const written = { title: `Perdida ${++serial}`, content: 'Hola' };
    for (const send of [() => api.create(written), () => api.comment({ postId, content: written.content })]) {
      app.pass(61_000);
      const { id } = await send();
      app.pass(61_000);
      await expect(send()).rejects.toMatchObject({ code: 'DUPLICATE_POST', data: { id } });
      expect((await api.myReview()).waiting.map((text) => text.id)).toEqual([id]);
      // Once withdrawn, it can be written again at once.
      await api.withdraw({ id });
      await api.withdraw({ id: (await send()).id });
    }
  });

  it('is deleted with the account of its author', async () => {
    const ana = await newcomer();
    const { id } = await post(ana);
    await app.as(await app.member({ role: 'admin' })).admin.users.remove({ ids: [ana.id], reason: 'lo pidió' });
    expect(await app.sql('select 1 from forum_posts where id = $1', [id])).toEqual([]);
  });

  it('is refused when its author has the maximum of texts under review', async () => {
    const ana = await newcomer();
    for (let i = 0; i < REVIEWS_WAITING; i++) await post(ana);
    await expect(post(ana)).rejects.toMatchObject({ code: 'REVIEWS_FULL' });
  });

  it('is published once when two release it concurrently', async () => {
    const ana = await newcomer();
    const place = await post(await known());
    const { id } = await comment(ana, place.id);
    const answers = await Promise.allSettled([staff.release({ id }), app.as(admin).forum.release({ id })]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await visitor.post({ id: place.id })).commentCount).toBe(1);
  });

  it('is also released by a restoration in the back office', async () => {
    const { id } = await post(await newcomer());
    await app.as(admin).admin.forum.restore({ what: 'post', ids: [id] });
    expect(await visitor.post({ id })).toMatchObject({ id });
    expect((await staff.reviewQueue()).items.map((item) => item.id)).not.toContain(id);
  });
});

describe('a level of trust', () => {
  it('rises with published texts and days, each change with its figures; then only first links are held', async () => {
    const ana = await newcomer();
    for (let i = 0; i < TRUST.firstTexts; i++) await staff.release({ id: (await post(ana)).id });
    expect(await levelOf(ana)).toBe(0);
    expect((await post(ana)).review).toBeUndefined();
    expect((await post(ana, 'Ver https://otro.example')).review?.why).toBe('link');
    app.pass(TRUST.memberDays * DAY);
    expect((await post(ana)).review).toBeUndefined();
    expect(await levelOf(ana)).toBe(1);
    expect((await staff.trust({ username: ana.username.toUpperCase() })).changes).toMatchObject([
      { cause: 'rule', from: 0, to: 1, by: null, counted: { removals: 0 } },
    ]);
    const waits = (await app.as(ana).forum.myReview()).waiting[0]?.id ?? '';
    await staff.release({ id: waits });
    const second = await post(ana, 'Ver https://otro.example');
    expect(second.review?.why).toBe('link');
    await staff.release({ id: second.id });
    expect((await post(ana, 'Ver https://otro.example')).review).toBeUndefined();
  });

  it('falls with a removal once it cannot be appealed, and rises again when the text is restored', async () => {
    const ana = await known();
    await post(ana);
    expect(await levelOf(ana)).toBe(1);
    const removed = [await post(ana), await post(ana)];
    await app.as(admin).admin.forum.hide({ what: 'post', ids: removed.map(({ id }) => id), ...REMOVAL_REASON });
    await post(ana);
    expect(await levelOf(ana)).toBe(1);
    app.pass(14 * DAY + 1);
    await post(ana);
    expect(await levelOf(ana)).toBe(0);
    await app.as(admin).admin.forum.restore({ what: 'post', ids: [removed[0]?.id ?? ''] });
    await post(ana);
    expect(await levelOf(ana)).toBe(1);
    app.pass(TRUST.removalDays * DAY);
    expect((await staff.trust({ username: ana.username })).changes.map(({ from, to }) => [from, to])).toEqual([
      [0, 1],
      [1, 0],
      [0, 1],
    ]);
  });

  it('falls at once when an appeal is refused', async () => {
    const ana = await known();
    await app.as(moderator).forum.setTrust({ userId: ana.id, level: 2, reason: 'Conocida' });
    await app.as(moderator).forum.setTrust({ userId: ana.id, level: null, reason: 'Según las reglas' });
    expect(await levelOf(ana)).toBe(2);
    const { id } = await post(ana);
    await app.as(moderator).forum.deletePost({ id, ...REMOVAL_REASON });
    const [mine] = await app.as(ana).forum.myRemovals();
    await app.as(ana).forum.appeal({ id: mine?.id ?? '', text: 'No es justo' });
    await app.as(admin).admin.forum.decideAppeal({ id: mine?.id ?? '', outcome: 'upheld', answer: 'Lo es' });
    expect(await levelOf(ana)).toBe(1);
  });

  it('set by staff stays, with its reason, until it is undone; every change is recorded', async () => {
    const ana = await newcomer();
    const set = await staff.setTrust({ userId: ana.id, level: 2, reason: 'La conocemos' });
    expect(set).toMatchObject({ level: 2, held: true });
    expect((await post(ana, 'https://otro.example')).review).toBeUndefined();
    const undone = await staff.undoTrust({ userId: ana.id, changeId: set.changes[0]?.id ?? '', reason: 'Era otra' });
    expect(undone).toMatchObject({ level: 0, held: false });
    expect(undone.changes).toMatchObject([
      { cause: 'undo', from: 2, to: 0, reason: 'Era otra', by: moderator.username },
      { cause: 'staff', from: 0, to: 2, reason: 'La conocemos', by: moderator.username },
    ]);
    await expect(
      staff.undoTrust({ userId: ana.id, changeId: set.changes[0]?.id ?? '', reason: 'Otra vez' }),
    ).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    expect((await post(ana)).review?.why).toBe('first');
    expect((await actions(ana.id)).filter((action) => action.startsWith('trust'))).toEqual([
      'trust.set',
      'trust.undone',
    ]);
    await expect(
      app.services.pool.query('update member_trust_changes set reason = $1 where user_id = $2', ['otra cosa', ana.id]),
    ).rejects.toThrow(/permission denied/);
  });

  it('of an unknown member can be neither set nor undone, and that of staff not by moderators', async () => {
    const nobody = { userId: '11111111-1111-4111-8111-111111111111', reason: 'Nadie' };
    await expect(staff.setTrust({ ...nobody, level: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(staff.undoTrust({ ...nobody, changeId: nobody.userId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    // Those of staff are set by owners.
    const other = { userId: (await app.member({ role: 'moderator' })).id, reason: 'Colega' };
    await expect(staff.setTrust({ ...other, level: 1 })).rejects.toMatchObject({ code: 'STAFF_ROLE_NEEDED' });
    const { changes } = await app.as(admin).forum.setTrust({ ...other, level: 1 });
    const undo = { ...other, changeId: changes[0]?.id ?? '' };
    await expect(staff.undoTrust(undo)).rejects.toMatchObject({ code: 'STAFF_ROLE_NEEDED' });
  });

  it('stays fixed after undoing a rise by the rules, which would raise it again', async () => {
    const ana = await known();
    await post(ana);
    const { changes } = await staff.trust({ username: ana.username });
    const back = await staff.undoTrust({ userId: ana.id, changeId: changes[0]?.id ?? '', reason: 'Textos copiados' });
    expect(back).toMatchObject({ level: 0, held: true });
    await post(ana);
    expect(await levelOf(ana)).toBe(0);
  });

  it('has no effect for staff, nor while reviews are off', async () => {
    expect((await post(moderator, 'https://otro.example')).review).toBeUndefined();
    const plain = await startTestApp();
    const ana = await plain.member();
    const made = await plain.as(ana).forum.create({ title: 'Primera', content: 'https://otro.example' });
    expect(made.review).toBeUndefined();
    expect(await plain.as(null).forum.post({ id: made.id })).toMatchObject({ id: made.id });
    expect((await plain.as(null).forum.removalLog({})).reviews).toBe(false);
    expect((await visitor.removalLog({})).reviews).toBe(true);
  });
});

describe('an edit', () => {
  it('cannot add to a public text what would have to be reviewed', async () => {
    const ana = await known();
    const made = await post(ana);
    const { id, title } = made;
    await expect(app.as(ana).forum.editPost({ id, title, content: 'Ver https://otro.example' })).rejects.toMatchObject({
      code: 'EDIT_NEEDS_REVIEW',
    });
    expect(await app.as(ana).forum.editPost({ id, title, content: 'Otra cosa' })).toMatchObject({
      content: 'Otra cosa',
    });
    const ben = await newcomer();
    const first = await post(ben);
    await expect(app.as(ben).forum.editPost({ id: first.id, title, content: 'Otra' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await staff.release({ id: first.id });
    await expect(app.as(ben).forum.editPost({ id: first.id, title, content: 'Otra' })).rejects.toMatchObject({
      code: 'EDIT_NEEDS_REVIEW',
    });
  });
});
