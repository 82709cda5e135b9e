import { expect, it } from 'vitest';
import { admin, api, app, postBy } from '#tests/fixtures/manage-members.ts';
import { answerTo } from '#tests/support/app/access.ts';
import { halvesImage } from '#tests/support/samples/images.ts';
import { REMOVAL_REASON } from '#tests/support/samples/removal.ts';

it('people without a public name are shown to editors and moderators by a short id, not by e-mail', async () => {
  const { media } = app.services;
  const colleague = await app.member({ role: 'admin', staffRoles: ['editor', 'moderator'] });
  const theirs = app.as(colleague).admin;
  const author = await app.member();
  const post = await postBy(author);
  const bytes = await halvesImage(20, 20).png().toBuffer();
  const actor = { id: author.id, role: 'user', ipHash: null, requestId: null } as const;
  const owner = { userId: author.id };
  const image = await media.store({ bytes, declared: null, bucket: 'forum-images', owner, actor });
  await app.sql('update users set image = $2 where id = $1', [author.id, image.url]);
  const news = await api.news.create({ title: 'Uno', content: 'x' });
  const texts = { titleEs: 'a', bodyEs: 'b', titleEn: 'c', bodyEn: 'd' };
  await api.sitePages.save({ page: 'about', version: 0, ...texts });
  await api.forum.hide({ what: 'post', ids: [post], ...REMOVAL_REASON });
  await app.sql(`insert into forum_reports (reporter_id, post_id, reason) values ($1, $2, 'spam')`, [
    author.id,
    await postBy(author),
  ]);
  const [report] = (await api.inbox.list({ source: 'report' })).items;
  await api.inbox.take({ source: 'report', id: report?.id ?? '' });
  await api.editorial.editing({ kind: 'news', id: news.id, open: true });
  await app.sql('delete from forum_users where new_auth_user_id = $1', [admin.id]);
  await app.sql('update forum_users set new_auth_user_id = null where new_auth_user_id = $1', [author.id]);

  const [short, of] = [admin.id.slice(0, 8), author.id.slice(0, 8)];
  const shown = {
    list: (await theirs.media.list({})).rows,
    image: await theirs.media.read({ id: image.id }),
    versions: await theirs.editorial.versions({ kind: 'news', id: news.id }),
    pages: await theirs.sitePages.list(),
    history: await theirs.sitePages.history({ page: 'about' }),
    texts: (await theirs.forum.list({ q: post })).rows,
    inbox: (await theirs.inbox.list({})).items,
    editing: await theirs.editorial.editing({ kind: 'news', id: news.id, open: true }),
    conflict: await theirs.news
      .update({ id: news.id, version: 99, title: 'Dos', content: 'x' })
      .catch(({ data }) => data),
  };
  for (const [name, answer] of Object.entries(shown)) {
    const text = JSON.stringify(answer);
    for (const { email } of [admin, author])
      expect({ name, shown: text.includes(email) }).toEqual({ name, shown: false });
    expect({ name, named: text.includes(short) || text.includes(of) }).toEqual({ name, named: true });
  }
  expect(await answerTo(theirs.people.read({ id: author.id }))).toBe('STAFF_ROLE_NEEDED');
});
