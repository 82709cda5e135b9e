import { randomBytes, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { purgeTrashJob, TRASH } from '#server/jobs/upkeep/purge-trash.job.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { purgeTrash } from './trash.ts';

const app = await startTestApp();
const admin = await app.member({ role: 'admin' });
const api = app.as(admin);

const call = (method: string, path: string, cookie: string, body?: unknown) =>
  app.http(`/api/admin${path}`, {
    method,
    headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

describe('editing', () => {
  let serial = 0;
  const network = () => api.admin.networks.create({ name: `Chain ${++serial}`, symbol: `CH${serial}` });

  it('never overwrites silently: the second of two editors receives who changed what [AMB-24]', async () => {
    const other = await app.member({ role: 'admin' });
    const seen = await network();
    await api.admin.networks.update({ ...pick(seen), name: 'First wins' });
    const late = app.as(other).admin.networks.update({ ...pick(seen), name: 'Too late' });
    await expect(late).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      status: 409,
      data: { version: 2, current: { name: 'First wins', symbol: seen.symbol }, by: admin.username, deleted: false },
    });
    expect(await app.sql('select name, version from blockchain_networks where id = $1', [seen.id])).toEqual([
      { name: 'First wins', version: 2 },
    ]);
    // Saved anyway, from the version that the conflict showed.
    await app.as(other).admin.networks.update({ ...pick(seen), version: 2, name: 'Chosen' });
  });

  it('accepts one of twenty concurrent changes', async () => {
    const seen = await network();
    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => api.admin.networks.update({ ...pick(seen), name: `Race ${i}` })),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const entries = await app.sql(`select 1 from audit_events where action = 'network.updated' and resource_id = $1`, [
      seen.id,
    ]);
    expect(entries).toHaveLength(1);
  });

  it('refuses a name or symbol that another network has, in upper or lower case [AMB-191]', async () => {
    const one = await network();
    await expect(api.admin.networks.create({ name: one.name.toUpperCase(), symbol: 'NEW1' })).rejects.toMatchObject({
      code: 'DUPLICATE',
      data: { fields: ['name'] },
    });
    const two = await network();
    await expect(api.admin.networks.update({ ...pick(two), symbol: one.symbol.toLowerCase() })).rejects.toMatchObject({
      code: 'DUPLICATE',
      data: { fields: ['symbol'] },
    });
  });

  it('refuses blank and too long values, with the field [A-NET-10] [A-NET-02]', async () => {
    const answer = await call('POST', '/networks', admin.cookie, { name: '  ', symbol: 'ELEVENCHARS' });
    expect(answer.status).toBe(400);
    const { data } = (await answer.json()) as { data: { issues: { path: string[] }[] } };
    expect(data.issues.map(({ path }) => path[0])).toEqual(['name', 'symbol']);
  });

  it('records who changed what from which address [SEC-26]', async () => {
    const seen = await network();
    await api.admin.networks.update({ ...pick(seen), isActive: false });
    const { rows } = await api.admin.audit.list({ resourceType: 'network', resourceId: seen.id });
    expect(rows.map(({ action }) => action)).toEqual(['network.updated', 'network.created']);
    expect(rows[0]).toMatchObject({
      actorId: admin.id,
      actorName: admin.username,
      actorRole: 'admin',
      address: '203.0.113.1',
      before: { isActive: true },
      after: { isActive: false },
    });
    // Equal values are no change.
    await api.admin.networks.update({ ...pick(seen), version: 2, isActive: false });
    expect((await api.admin.audit.list({ resourceType: 'network', resourceId: seen.id })).rows).toHaveLength(2);
  });

  it('changes nothing when its audit entry cannot be written [SEC-26]', async () => {
    const seen = await network();
    const entries = () => app.sql('select action from audit_events where resource_id = $1', [seen.id]);
    await app.sql(`create or replace function refuse_entry() returns trigger language plpgsql as
      $$ begin raise exception 'no entry'; end $$`);
    await app.sql(`create trigger refuse_entry before insert on audit_events for each row
      when (new.action = 'network.updated') execute function refuse_entry()`);
    try {
      await expect(api.admin.networks.update({ ...pick(seen), name: 'Without entry' })).rejects.toThrow();
      expect(await app.sql('select name, version from blockchain_networks where id = $1', [seen.id])).toEqual([
        { name: seen.name, version: 1 },
      ]);
      expect(await entries()).toEqual([{ action: 'network.created' }]);
    } finally {
      await app.sql('drop trigger refuse_entry on audit_events');
    }
    await api.admin.networks.update({ ...pick(seen), name: 'With entry' });
    expect(await entries()).toHaveLength(2);
  });

  it('deletes into the trash and restores from it; the public list follows [A-NET-14]', async () => {
    const seen = await network();
    const names = async () => (await app.as().networks.list()).map(({ name }) => name);
    expect(await names()).toContain(seen.name);
    const gone = await api.admin.networks.remove({ id: seen.id, version: 1 });
    expect(await names()).not.toContain(seen.name);
    const trash = await api.admin.networks.list({ shelf: 'trash', q: seen.name });
    expect(trash.rows.map(({ id }) => id)).toEqual([seen.id]);
    await expect(api.admin.networks.update({ ...pick(seen), version: gone.version, name: 'x' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(api.admin.networks.update({ ...pick(seen), name: 'x' })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { deleted: true },
    });
    await api.admin.networks.restore({ id: seen.id });
    expect(await names()).toContain(seen.name);
    await expect(api.admin.networks.restore({ id: seen.id })).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
    // Another network has its name meanwhile.
    await api.admin.networks.remove({ id: seen.id, version: 3 });
    const next = await api.admin.networks.create({ name: seen.name, symbol: 'TAKEN' });
    expect(next.key).not.toBe(seen.key);
    await expect(api.admin.networks.restore({ id: seen.id })).rejects.toMatchObject({ code: 'DUPLICATE' });
  });

  it('searches without accents, sorts, pages and counts', async () => {
    await api.admin.networks.create({ name: 'Ñandú Cápsula', symbol: 'CAP' });
    const found = await api.admin.networks.list({ q: 'capsula' });
    expect(found).toMatchObject({ total: 1, rows: [{ name: 'Ñandú Cápsula', key: 'nandu-capsula' }] });
    expect((await api.admin.networks.list({ q: '100%' })).total).toBe(0);
    const down = await api.admin.networks.list({ sort: '-name', size: 3 });
    const all = await api.admin.networks.list({ sort: 'name', size: 1_000 });
    expect(down.rows.map(({ id }) => id)).toEqual(
      all.rows
        .map(({ id }) => id)
        .toReversed()
        .slice(0, 3),
    );
    const second = await api.admin.networks.list({ sort: 'name', size: 3, page: 2 });
    expect(second.rows.map(({ id }) => id)).toEqual(all.rows.slice(3, 6).map(({ id }) => id));
    await expect(api.admin.networks.list({ sort: 'key; drop table votes' as never })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });
});

const pick = ({ id, version, name, symbol, isActive }: Awaited<ReturnType<typeof api.admin.networks.create>>) => ({
  id,
  version,
  name,
  symbol,
  isActive,
});

describe('trash', () => {
  it('is emptied after 30 days, with an entry for each record, except of records that others depend on', async () => {
    const day = 86_400_000;
    const ago = (days: number) => new Date(app.now.getTime() - days * day);
    const old = await app.project({ deleted_at: ago(31) });
    const young = await app.project({ deleted_at: ago(29) });
    const live = await app.project();
    const winner = await app.candidate({ deleted_at: ago(40) });
    await app.sql("update voting_rounds set winner_candidate_id = $1, status = 'closed', closed_at = now()", [
      winner.id,
    ]);
    const author = await app.member();
    const silent = await app.as(author).forum.create({ title: 'Silent', content: 'Nobody answered' });
    app.pass(120_000);
    const talk = await app.as(author).forum.create({ title: 'Talk', content: 'Somebody answered' });
    await app.as(await app.member()).forum.comment({ postId: talk.id, content: 'Here I am' });
    await app.sql('update forum_posts set is_hidden = true, deleted_at = $2 where id = any($1)', [
      [silent.id, talk.id],
      ago(31),
    ]);
    expect(await purgeTrash({ db: app.services.db, images: app.services.media }, TRASH, app.now)).toMatchObject({
      project: 1,
      candidate: 0,
      post: 1,
    });
    const left = await app.sql<{ id: string }>('select id from projects where id = any($1)', [
      [old.id, young.id, live.id],
    ]);
    expect(left.map(({ id }) => id).sort()).toEqual([young.id, live.id].sort());
    expect(await app.sql('select id from forum_posts where id = any($1)', [[silent.id, talk.id]])).toEqual([
      { id: talk.id },
    ]);
    expect((await api.admin.audit.list({ resourceId: old.id })).rows).toMatchObject([
      { action: 'project.purged', actorRole: 'system', before: { tokenName: old.token_name } },
    ]);
    expect(await purgeTrash({ db: app.services.db, images: app.services.media }, TRASH, app.now)).toMatchObject({
      project: 0,
      post: 0,
    });
  });

  it('keeps a post while one of its comments is in the trash, and a text while its appeal is undecided', async () => {
    const ago = (days: number) => new Date(app.now.getTime() - days * 86_400_000);
    const author = await app.member();
    const post = await app.as(await app.member()).forum.create({ title: 'Gone', content: 'With one answer' });
    const comment = await app.as(author).forum.comment({ postId: post.id, content: 'Removed later' });
    await app.sql('update forum_posts set is_hidden = true, deleted_at = $2 where id = $1', [post.id, ago(31)]);
    const removeComment = (at: Date) =>
      app.sql('update forum_comments set is_hidden = true, deleted_at = $2 where id = $1', [comment.id, at]);
    const left = async () => {
      await purgeTrash({ db: app.services.db, images: app.services.media }, TRASH, app.now);
      const posts = await app.sql('select 1 from forum_posts where id = $1', [post.id]);
      const comments = await app.sql('select 1 from forum_comments where id = $1', [comment.id]);
      return [posts.length, comments.length];
    };
    await removeComment(ago(1));
    expect(await left()).toEqual([1, 1]);
    await removeComment(ago(31));
    const [removal] = await app.sql<{ id: string }>(
      `insert into forum_removals (what, text_id, rule, removed_at, removed_by_role)
       values ('comment', $1, 'spam', $2, 'admin') returning id`,
      [comment.id, ago(31)],
    );
    await app.sql(
      `insert into forum_removal_notices (removal_id, author_id, title, content, reason, appeal, appealed_at)
       values ($1, $2, 'Gone', 'Removed later', 'Advertising', 'It was an answer', $3)`,
      [removal?.id, author.id, ago(20)],
    );
    expect(await left()).toEqual([1, 1]);
    await app.sql("update forum_removals set outcome = 'upheld', ended_at = now() where id = $1", [removal?.id]);
    expect(await left()).toEqual([0, 0]);
  });

  it('keeps a network that a request names, so that no other one gets its key', async () => {
    const used = await api.admin.networks.create({ name: 'Named once', symbol: 'NAMED' });
    const unused = await api.admin.networks.create({ name: 'Never named', symbol: 'NEVER' });
    await app.sql("insert into token_creation_submissions (edit_secret_hash, selected_network) values ('\\x00', $1)", [
      used.key,
    ]);
    await app.sql('update blockchain_networks set deleted_at = $2 where id = any($1)', [
      [used.id, unused.id],
      new Date(app.now.getTime() - 31 * 86_400_000),
    ]);
    await purgeTrash({ db: app.services.db, images: app.services.media }, TRASH, app.now);
    expect(await app.sql('select key from blockchain_networks where id = any($1)', [[used.id, unused.id]])).toEqual([
      { key: used.key },
    ]);
    expect((await api.admin.networks.create({ name: 'Named once', symbol: 'OTHER' })).key).not.toBe(used.key);
  });

  it('releases the images of what it deletes, unless something else shows them', async () => {
    const ago = new Date(app.now.getTime() - 31 * 86_400_000);
    const image = async () => {
      const name = randomBytes(16).toString('hex');
      await app.sql(
        `insert into media (name, bucket, status, used_at, width, height, frames, bytes, sha256, variants)
         values ($1, 'project-images', 'used', now(), 9, 9, 1, 9, sha256('x'), '[]')`,
        [name],
      );
      return `/media/${name}.webp`;
    };
    const [own, shared, inText] = [await image(), await image(), await image()];
    await app.project({ deleted_at: ago, image_url: own });
    await app.project({ deleted_at: ago, image_url: shared });
    await app.project({ image_url: shared });
    await app.sql("insert into news (title, content, author_name, deleted_at) values ('Old', $1, 'Editor', $2)", [
      `![A picture](${inText})`,
      ago,
    ]);
    await purgeTrash({ db: app.services.db, images: app.services.media }, TRASH, app.now);
    const released = async (url: string) =>
      (await app.sql('select 1 from media where name = $1 and deleted_at is not null', [url.slice(7, 39)])).length > 0;
    expect([await released(own), await released(shared), await released(inText)]).toEqual([true, false, true]);
  });

  it('is emptied of everything else when one record cannot be deleted, which the next run retries', async () => {
    const ago = (days: number) => new Date(app.now.getTime() - days * 86_400_000);
    const stuck = await app.project({ deleted_at: ago(40) });
    const project = await app.project({ deleted_at: ago(35) });
    const [post] = await app.sql<{ id: string }>(
      `insert into news (title, content, author_name, deleted_at) values ('Later kind', 'x', 'Editor', $1) returning id`,
      [ago(35)],
    );
    const [image] = await app.sql<{ id: string }>(
      `insert into media (name, bucket, status, used_at, width, height, frames, bytes, sha256, variants, trashed_at)
       values ($1, 'project-images', 'used', now(), 9, 9, 1, 9, sha256('x'), '[]', $2) returning id`,
      [randomBytes(16).toString('hex'), ago(35)],
    );
    await app.sql('create table pins (project_id uuid references projects)');
    await app.sql('insert into pins values ($1)', [stuck.id]);
    const log = pino({ level: 'silent' });
    const purge = () =>
      purgeTrashJob({}, { services: app.services, log }, { jobId: randomUUID(), attempt: 1, last: false });
    await expect(purge()).rejects.toThrow();
    expect(await app.sql('select id from projects where id = any($1)', [[stuck.id, project.id]])).toEqual([
      { id: stuck.id },
    ]);
    expect(await app.sql('select 1 from news where id = $1', [post?.id])).toEqual([]);
    expect(await app.sql('select deleted_at from media where id = $1', [image?.id])).toEqual([{ deleted_at: app.now }]);
    await app.sql('drop table pins');
    await purge();
    expect(await app.sql('select 1 from projects where id = $1', [stuck.id])).toEqual([]);
  });
});
