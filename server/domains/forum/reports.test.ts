import { describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { REMOVAL_REASON } from '#tests/support/samples/removal.ts';

const app = await startTestApp();
const admin = await app.member({ role: 'admin' });
const moderator = await app.member({ role: 'moderator' });
const [author, reader] = [await app.member(), await app.member()];
const inbox = app.as(admin).admin.inbox;

let serial = 0;
async function writeReported(): Promise<{ post: string; comment: string }> {
  app.pass(120_000);
  const number = ++serial;
  const { id } = await app.as(author).forum.create({ title: `Título ${number}`, content: `Texto ${number}` });
  const comment = await app.as(author).forum.comment({ postId: id, content: `Comentario ${number}` });
  await app.as(reader).forum.report({ what: 'post', id, reason: 'scam' });
  await app.as(reader).forum.report({ what: 'comment', id: comment.id, reason: 'abuse' });
  return { post: id, comment: comment.id };
}
const waiting = async () => (await inbox.list({ source: 'report' })).items.map(({ id }) => id);
const entryOf = async (action: string, id: string) =>
  (
    await app.sql<{ after: unknown }>(`select after from audit_events where action = $1 and resource_id = $2`, [
      action,
      id,
    ])
  )[0]?.after;

describe('reports of a text that is removed on the site', () => {
  it('are resolved by the moderator who removes it, and are open again after the undo', async () => {
    const { post, comment } = await writeReported();
    await app.as(moderator).forum.deleteComment({ id: comment, ...REMOVAL_REASON });
    expect(await waiting()).toEqual([post]);
    await app.as(admin).forum.deletePost({ id: post, ...REMOVAL_REASON });
    expect(await waiting()).toEqual([]);
    expect(await entryOf('comment.deleted', comment)).toEqual({ reports: 1 });
    const resolved = await app.sql(
      `select resolution, resolved_by from forum_reports where post_id = $1 or comment_id = $2`,
      [post, comment],
    );
    expect(resolved).toEqual(
      expect.arrayContaining([
        { resolution: 'hidden', resolved_by: moderator.id },
        { resolution: 'hidden', resolved_by: admin.id },
      ]),
    );
    await app.as(admin).admin.forum.restore({ what: 'post', ids: [post], undo: true });
    expect(await waiting()).toEqual([post]);
  });

  it('are resolved when its restoration is undone, also those made while it was shown', async () => {
    const { post } = await writeReported();
    const forum = app.as(admin).admin.forum;
    await forum.hide({ what: 'post', ids: [post], ...REMOVAL_REASON });
    await forum.restore({ what: 'post', ids: [post] });
    await app.as(moderator).forum.report({ what: 'post', id: post, reason: 'spam' });
    expect(await waiting()).toContain(post);
    expect((await forum.hideAgain({ what: 'post', ids: [post] })).results).toMatchObject([{ outcome: 'done' }]);
    expect(await waiting()).not.toContain(post);
  });

  it('stay open when its author deletes it: the team can still decide about it', async () => {
    const before = await waiting();
    const { post, comment } = await writeReported();
    await app.as(author).forum.deleteComment({ id: comment });
    await app.as(author).forum.deletePost({ id: post });
    const { items } = await inbox.list({ source: 'report' });
    expect(items.filter(({ id }) => !before.includes(id)).map(({ id, details }) => [id, details])).toEqual(
      expect.arrayContaining([
        [post, ['post', '1', 'scam', 'author_deleted']],
        [comment, ['comment', '1', 'abuse', 'author_deleted']],
      ]),
    );
    expect((await waiting()).filter((id) => !before.includes(id)).toSorted()).toEqual([post, comment].toSorted());
  });
});

describe('reports of a text that is hidden because of them', () => {
  const hide = (by: typeof admin, id: string) =>
    app.as(by).admin.inbox.resolveReport({ id, decision: 'hidden', ...REMOVAL_REASON });
  const undo = async (id: string) =>
    (await app.as(admin).admin.forum.restore({ what: 'post', ids: [id], undo: true })).results;

  it('are open again when that is undone, unless a colleague has hidden the text since', async () => {
    const { post } = await writeReported();
    await hide(admin, post);
    expect(await waiting()).not.toContain(post);
    expect(await undo(post)).toMatchObject([{ outcome: 'done' }]);
    expect(await waiting()).toContain(post);
    const colleague = await app.member({ role: 'admin' });
    await hide(colleague, post);
    expect(await undo(post)).toMatchObject([{ code: 'VERSION_CONFLICT', by: colleague.username }]);
    expect(await waiting()).not.toContain(post);
  });

  it('are resolved together with one that is inserted concurrently', async () => {
    const { post } = await writeReported();
    const late = await app.member();
    const reporting = await app.sqlClient();
    await reporting.query('begin');
    await reporting.query('select 1 from forum_posts where id = $1 for share', [post]);
    const hidden = hide(admin, post);
    await expect.poll(() => app.waiting()).toBe(1);
    await reporting.query(
      `insert into forum_reports (post_id, reporter_id, reason, text_created_at) values ($1, $2, 'spam', now())`,
      [post, late.id],
    );
    await reporting.query('commit');
    await reporting.end();
    await hidden;
    expect(await waiting()).not.toContain(post);
    expect(await entryOf('post.report_hidden', post)).toEqual({ reports: 2 });
  });
});

describe('reports of a text by a member of the team', () => {
  const colleagues: (typeof admin)[] = [];
  /** Leaves one admin with the rights of deciding, until the test ends. */
  const alone = async (work: () => Promise<void>) => {
    await app.sql(`update admin_profiles set staff_roles = '{editor}' where id <> $1`, [admin.id]);
    try {
      await work();
    } finally {
      await app.sql(`update admin_profiles set staff_roles = '{owner}' where id <> $1`, [admin.id]);
    }
  };
  async function writtenByAdmin(): Promise<{ post: string; comment: string }> {
    if (colleagues.length === 0) colleagues.push(await app.member({ role: 'admin' }));
    app.pass(120_000);
    const number = ++serial;
    const { forum } = app.as(admin);
    const { id } = await forum.create({ title: `Del equipo ${number}`, content: `Texto ${number}` });
    const comment = await forum.comment({ postId: id, content: `Comentario ${number}` });
    const reporter = app.as(await app.member()).forum;
    await reporter.report({ what: 'post', id, reason: 'scam' });
    await reporter.report({ what: 'comment', id: comment.id, reason: 'abuse' });
    return { post: id, comment: comment.id };
  }
  const OWN = { code: 'OWN_TEXT', status: 403 };
  const detailsOf = async (id: string, by = admin) =>
    (await app.as(by).admin.inbox.list({ source: 'report' })).items.find((item) => item.id === id)?.details;

  it('are decided by a colleague, and not by its author, singly or in bulk', async () => {
    const { post, comment } = await writtenByAdmin();
    const colleague = colleagues[0] ?? admin;
    for (const id of [post, comment]) {
      await expect(inbox.resolveReport({ id, decision: 'kept' })).rejects.toMatchObject(OWN);
      await expect(inbox.resolveReport({ id, decision: 'hidden', ...REMOVAL_REASON })).rejects.toMatchObject(OWN);
      expect(await detailsOf(id)).toContain('own_text');
      expect(await detailsOf(id, colleague)).not.toContain('own_text');
    }
    const items = [{ source: 'report' as const, id: post }];
    expect((await inbox.changeMany({ action: 'keep', items })).results).toMatchObject([{ code: 'OWN_TEXT' }]);
    expect(await waiting()).toEqual(expect.arrayContaining([post, comment]));
    await app.as(colleague).admin.inbox.resolveReport({ id: post, decision: 'kept' });
    await app.as(colleague).admin.inbox.resolveReport({ id: comment, decision: 'hidden', ...REMOVAL_REASON });
    const more = await writtenByAdmin();
    const both = [more.post, more.comment].map((id) => ({ source: 'report' as const, id }));
    const { results } = await app.as(colleague).admin.inbox.changeMany({ action: 'keep', items: both });
    expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    const left = await waiting();
    for (const id of [post, comment, more.post, more.comment]) expect(left).not.toContain(id);
    // Nor can its author restore it.
    const again = await app.as(admin).admin.forum.restore({ what: 'comment', ids: [comment] });
    expect(again.results).toMatchObject([{ outcome: 'refused', code: 'OWN_TEXT' }]);
  });

  it('stay open when its author hides it in the back office', async () => {
    const { post } = await writtenByAdmin();
    await app.as(admin).admin.forum.hide({ what: 'post', ids: [post], ...REMOVAL_REASON });
    expect(await detailsOf(post)).toEqual(['post', '1', 'scam', 'author_deleted', 'own_text']);
  });

  it('are decided by its author while nobody else on the team can', async () => {
    const { post } = await writtenByAdmin();
    await alone(async () => {
      expect(await detailsOf(post)).not.toContain('own_text');
      await inbox.resolveReport({ id: post, decision: 'kept' });
    });
    expect(await waiting()).not.toContain(post);
  });
});
