import { describe, expect, it } from 'vitest';
import { admin, api, app } from '#tests/fixtures/admin.ts';
import { dropEndedClaims } from './inbox.service.ts';

const UNKNOWN_ID = '11111111-1111-4111-8111-111111111111';
const submission = async () =>
  (
    await app.sql<{ id: string }>(
      `insert into project_submissions (submitter_name, project_data) values ('Ana', '{"projectName": "Luna"}') returning id`,
    )
  )[0]?.id ?? '';
const item = (id: string) => ({ source: 'submission' as const, id });
const ownerOf = async (id: string) =>
  (await app.sql<{ owner_id: string }>('select owner_id from inbox_owners where item_id = $1', [id]))[0]?.owner_id ??
  null;
const entries = (id: string) =>
  app.sql<{ action: string; after: unknown }>(
    `select action, after from audit_events where resource_id = $1 and action like 'inbox.%' order by id`,
    [id],
  );

describe('several items of the inbox', () => {
  it('are claimed with an outcome each, and are unclaimed again by an undo', async () => {
    const other = await app.member({ role: 'admin' });
    const [mine, theirs, free] = [await submission(), await submission(), await submission()];
    await api.admin.inbox.take(item(mine));
    await app.as(other).admin.inbox.take(item(theirs));
    const items = [mine, theirs, UNKNOWN_ID, free, free].map(item);
    expect((await api.admin.inbox.changeMany({ action: 'take', items })).results).toEqual([
      { ...item(mine), outcome: 'unchanged', code: null },
      { ...item(theirs), outcome: 'refused', code: 'TAKEN', by: other.username },
      { ...item(UNKNOWN_ID), outcome: 'refused', code: 'NOT_FOUND' },
      { ...item(free), outcome: 'done', code: null },
    ]);
    expect([await ownerOf(mine), await ownerOf(theirs), await ownerOf(free)]).toEqual([admin.id, other.id, admin.id]);
    expect(await entries(free)).toEqual([{ action: 'inbox.taken', after: null }]);

    // A colleague has released and claimed it since: the undo leaves it to them.
    const undone = { action: 'undo_take' as const, items: [item(free)] };
    await app.as(other).admin.inbox.release(item(free));
    await app.as(other).admin.inbox.take(item(free));
    expect((await api.admin.inbox.changeMany(undone)).results).toMatchObject([{ code: 'TAKEN', by: other.username }]);
    expect(await ownerOf(free)).toBe(other.id);
    await api.admin.inbox.changeMany({ action: 'release', items: [item(free)] });
    await api.admin.inbox.take(item(free));
    expect((await api.admin.inbox.changeMany(undone)).results).toMatchObject([{ outcome: 'done' }]);
    expect(await ownerOf(free)).toBeNull();
  });

  it('are claimed by their previous owners again when a release is undone, unless they changed since', async () => {
    const other = await app.member({ role: 'admin' });
    const [mine, theirs, retaken, lowered] = [
      await submission(),
      await submission(),
      await submission(),
      await submission(),
    ];
    const leaving = await app.member({ role: 'admin' });
    await api.admin.inbox.take(item(mine));
    for (const id of [theirs, retaken]) await app.as(other).admin.inbox.take(item(id));
    await app.as(leaving).admin.inbox.take(item(lowered));
    const items = [mine, theirs, retaken, lowered].map(item);
    const outcomes = async (action: 'release' | 'undo_release') =>
      (await api.admin.inbox.changeMany({ action, items })).results.map(({ outcome, code }) => code ?? outcome);
    expect(await outcomes('release')).toEqual(['done', 'done', 'done', 'done']);
    await app.as(other).admin.inbox.take(item(retaken));
    await app.sql('delete from admin_profiles where id = $1', [leaving.id]);
    expect(await outcomes('undo_release')).toEqual(['done', 'done', 'TAKEN', 'NOT_FOUND']);
    expect([await ownerOf(mine), await ownerOf(theirs), await ownerOf(retaken), await ownerOf(lowered)]).toEqual([
      admin.id,
      other.id,
      other.id,
      null,
    ]);
    expect((await entries(theirs)).at(-1)).toEqual({ action: 'inbox.taken', after: { ownerId: other.id } });
    // A second undo has nothing to undo, and a release by a colleague can't be undone by another admin.
    await app.as(other).admin.inbox.release(item(mine));
    expect(await outcomes('undo_release')).toEqual(['NOT_FOUND', 'TAKEN', 'TAKEN', 'NOT_FOUND']);
  });

  it('are kept, retried or discarded only if their source allows it, and by its staff role only', async () => {
    const id = await submission();
    for (const action of ['keep', 'retry', 'discard'] as const)
      expect((await api.admin.inbox.changeMany({ action, items: [item(id)] })).results).toMatchObject([
        { code: 'NOT_FOUND' },
      ]);
    const [author, reader] = [await app.member(), await app.member()];
    const post = await app.as(author).forum.create({ title: 'Buy now', content: 'Cheap' });
    await app.as(reader).forum.report({ what: 'post', id: post.id, reason: 'spam' });
    const report = { source: 'report' as const, id: post.id };
    const support = await app.member({ role: 'admin' });
    await app.sql(`update admin_profiles set staff_roles = '{support}' where id = $1`, [support.id]);
    const theirs = app.as(support).admin.inbox;
    for (const action of ['take', 'release', 'undo_release', 'keep'] as const)
      expect((await theirs.changeMany({ action, items: [report] })).results).toMatchObject([
        { code: 'STAFF_ROLE_NEEDED' },
      ]);
    expect((await theirs.changeMany({ action: 'take', items: [item(id)] })).results).toMatchObject([
      { outcome: 'done' },
    ]);
    expect((await api.admin.inbox.changeMany({ action: 'keep', items: [report, report] })).results).toEqual([
      { ...report, outcome: 'done', code: null },
    ]);
    expect((await api.admin.audit.list({ resourceId: post.id })).rows[0]).toMatchObject({ action: 'post.report_kept' });

    await app.services.jobs.start();
    await app.services.db.transaction((tx) => app.services.jobs.enqueue(tx, 'fetch-payment', { eventId: 0 }));
    await app.sql(`update jobs.job set state = 'failed', completed_on = now() where name = 'fetch-payment'`);
    const jobs = (await api.admin.inbox.list({ source: 'job' })).items.map(({ source, id }) => ({ source, id }));
    expect((await theirs.changeMany({ action: 'discard', items: jobs })).results).toMatchObject([
      { code: 'STAFF_ROLE_NEEDED' },
    ]);
    expect((await api.admin.inbox.changeMany({ action: 'retry', items: jobs })).results).toMatchObject([
      { outcome: 'done' },
    ]);
    await app.sql(`update jobs.job set state = 'failed' where name = 'fetch-payment'`);
    expect((await api.admin.inbox.changeMany({ action: 'discard', items: jobs })).results).toMatchObject([
      { outcome: 'done' },
    ]);
    expect((await api.admin.inbox.list({ source: 'job' })).items).toEqual([]);
  });

  it('lose their claim once their cause has ended, also when the same cause recurs', async () => {
    const [waits, ended] = [await submission(), await submission()];
    for (const id of [waits, ended]) await api.admin.inbox.take(item(id));
    const setStatus = (status: string) =>
      app.sql('update project_submissions set status = $1 where id = $2', [status, ended]);
    await setStatus('reviewed');
    expect(await dropEndedClaims(app.services.db)).toBe(1);
    await setStatus('new');
    expect([await ownerOf(waits), await ownerOf(ended)]).toEqual([admin.id, null]);
    const { items } = await api.admin.inbox.list({ source: 'submission', mine: 'no' });
    expect(items.map(({ id }) => id)).toContain(ended);
    expect(await dropEndedClaims(app.services.db)).toBe(0);
  });

  it('are a hundred at most in one call, and for admins only', async () => {
    const items = Array.from({ length: 101 }, (_, i) => ({ source: 'chain' as const, id: `net-${i}` }));
    await expect(api.admin.inbox.changeMany({ action: 'take', items })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const moderator = await app.member({ role: 'moderator' });
    const one = { action: 'take' as const, items: items.slice(0, 1) };
    await expect(app.as(moderator).admin.inbox.changeMany(one)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(app.as().admin.inbox.changeMany(one)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});
