import { beforeEach, describe, expect, it } from 'vitest';
import { admin, app, back, cluster } from '#tests/fixtures/audit/setup.ts';
import { holdText } from '#tests/support/app/held-text.ts';
import { listenTo } from '#tests/support/app/test-app.ts';
import { countersStayExact } from '#tests/support/database/counters.ts';
import { halvesImage } from '#tests/support/samples/images.ts';
import { REMOVAL_REASON } from '#tests/support/samples/removal.ts';

countersStayExact(app);
const colleague = await app.member({ role: 'admin' });
const theirs = app.as(colleague).admin;
beforeEach(() => app.sql('update sessions set proved_at = now() where user_id = any($1)', [[admin.id, colleague.id]]));

const codes = ({ results }: { results: { outcome: string; code: string | null }[] }) =>
  results.map(({ outcome, code }) => code ?? outcome);
const lastEntry = async (id: string) =>
  (
    await app.sql<{ action: string; actor_id: string; before: unknown; after: unknown }>(
      'select action, actor_id, before, after from audit_events where resource_id = $1 order by id desc limit 1',
      [id],
    )
  )[0];
const rows = (text: string, ids: string[]) => app.sql(text, [ids]);
const noticesOf = async (id: string) =>
  (await rows('select id from notifications where user_id = any($1)', [id])).length;

describe('undoing a bulk action on roles', () => {
  const rolesOf = (ids: string[]) =>
    rows(
      `select role, moderator_request_status as status, requested_at from user_roles where user_id = any($1)
       order by array_position($1::uuid[], user_id)`,
      ids,
    );
  const undo = (ids: string[]) =>
    back.roles.assignMany({ changes: ids.map((id) => ({ id, to: 'user', seen: 'moderator' })), undo: true });
  async function people() {
    const [plain, asking, changed] = [await app.member(), await app.member(), await app.member()];
    const ids = [plain.id, asking.id, changed.id];
    await rows('update users set confirmed_at = now() where id = any($1)', ids);
    await app.sql(
      `update user_roles set moderator_request_status = 'pending', requested_at = now() where user_id = $1`,
      [asking.id],
    );
    return { ids, plain: plain.id, asking: asking.id, changed: changed.id };
  }

  it.each(['promote', 'approve'] as const)(
    'restores roles and the pending request after %s, and keeps a role that a colleague assigned since',
    async (kind) => {
      const { ids, asking, changed } = await people();
      if (kind === 'approve')
        await rows(
          `update user_roles set moderator_request_status = 'pending', requested_at = now() where user_id = any($1)`,
          ids,
        );
      if (kind === 'approve') await theirs.inbox.take({ source: 'moderator', id: asking });
      const ownersOf = () => rows(`select item_id, owner_id from inbox_owners where item_id = any($1)`, ids);
      const owned = await ownersOf();
      const before = await rolesOf(ids);
      const pending = (await back.forum.stats()).pendingModeratorRequests;
      const done = await (kind === 'promote'
        ? back.users.promote({ ids })
        : back.moderatorRequests.decide({ ids, decision: 'approve' }));
      expect(codes(done)).toEqual(['done', 'done', 'done']);
      // The role equals that after the action, but a colleague has assigned it since.
      await theirs.roles.assign({ id: changed, role: 'user' });
      await theirs.roles.assign({ id: changed, role: 'moderator' });
      const listener = listenTo(app.services);
      const { results } = await undo(ids);
      expect(codes({ results })).toEqual(['done', 'done', 'VERSION_CONFLICT']);
      await listener.changed('forum');
      // The request is claimed again by the admin who had claimed it.
      expect(await ownersOf()).toEqual(owned);
      expect(owned).toHaveLength(kind === 'approve' ? 1 : 0);
      expect(results[2]).toMatchObject({ id: changed, by: colleague.username });
      expect((await rolesOf(ids)).slice(0, 2)).toEqual(before.slice(0, 2));
      expect((await rolesOf([changed]))[0]).toMatchObject({ role: 'moderator' });
      expect((await back.forum.stats()).pendingModeratorRequests).toBe(kind === 'promote' ? pending : pending - 1);
      expect(await lastEntry(asking)).toMatchObject({
        action: 'role.removed',
        actor_id: admin.id,
        before: { role: 'moderator' },
        after: { role: 'user', status: 'pending' },
      });
      // A second undo has nothing to do.
      expect(codes(await undo([asking]))).toEqual(['unchanged']);
    },
  );
});

describe('undoing the change of one role', () => {
  const roleOf = async (id: string) =>
    (await rows('select role, moderator_request_status as status from user_roles where user_id = any($1)', [id]))[0];
  const pendingMember = async () => {
    const { id } = await app.member();
    await app.sql(
      `update user_roles set moderator_request_status = 'pending', requested_at = now() where user_id = $1`,
      [id],
    );
    return id;
  };

  it.each(['moderator', 'admin'] as const)('to %s restores the pending moderator request', async (role) => {
    const id = await pendingMember();
    await back.roles.assign({ id, role, seen: 'user' });
    expect(await roleOf(id)).toEqual({ role, status: 'approved' });
    await back.roles.remove({ id, seen: role, undo: true });
    expect(await roleOf(id)).toEqual({ role: 'user', status: 'pending' });
    expect(await lastEntry(id)).toMatchObject({ action: 'role.removed', after: { role: 'user', status: 'pending' } });
  });

  it('keeps a role that a colleague assigned since; removing a role without an undo closes the request', async () => {
    const id = await pendingMember();
    await back.roles.assign({ id, role: 'moderator', seen: 'user' });
    await theirs.roles.remove({ id, seen: 'moderator' });
    expect(await roleOf(id)).toEqual({ role: 'user', status: 'approved' });
    await theirs.roles.assign({ id, role: 'moderator', seen: 'user' });
    await expect(back.roles.remove({ id, seen: 'moderator', undo: true })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { current: { role: 'moderator', staffRoles: [] }, by: colleague.username },
    });
    expect(await roleOf(id)).toEqual({ role: 'moderator', status: 'approved' });
  });
});

describe('undoing the ban of several members', () => {
  const bansOf = (ids: string[]) =>
    rows('select banned_until::text from users where id = any($1) order by array_position($1::uuid[], id)', ids);

  it('lifts the ban, restores an earlier one, counts the votes again and keeps a colleague’s newer ban', async () => {
    const [open, banned, changed] = [await app.member({ verified: true }), await app.member(), await app.member()];
    const ids = [open.id, banned.id, changed.id];
    const candidate = await app.candidate();
    await app.as(open).voting.cast({ candidateId: candidate.id });
    const counted = async () =>
      (
        await app.sql<{ votes: number }>('select total_votes as votes from voting_candidates where id = $1', [
          candidate.id,
        ])
      )[0]?.votes;
    const votes = await counted();
    await theirs.users.ban({ ids: [banned.id], days: null, reason: 'spam' });
    const before = await bansOf(ids);
    expect(codes(await back.users.ban({ ids, days: 30, reason: 'a farm' }))).toEqual(['done', 'done', 'done']);
    expect(await counted()).toBe(Number(votes) - 1);
    await theirs.users.ban({ ids: [changed.id], days: 7, reason: 'shorter' });
    const colleagues = await bansOf([changed.id]);
    const listener = listenTo(app.services);
    const { results } = await back.users.unban({ ids, undo: true });
    await listener.until((event) => event.type === 'votes.changed');
    expect(codes({ results })).toEqual(['done', 'done', 'VERSION_CONFLICT']);
    expect(results[2]).toMatchObject({ by: colleague.username });
    expect((await bansOf(ids)).slice(0, 2)).toEqual(before.slice(0, 2));
    expect(await bansOf([changed.id])).toEqual(colleagues);
    expect(await counted()).toBe(votes);
    expect(await lastEntry(open.id)).toMatchObject({ action: 'member.unbanned', actor_id: admin.id });
    expect(await lastEntry(banned.id)).toMatchObject({
      action: 'member.disabled',
      actor_id: admin.id,
      after: { bannedUntil: 'infinity' },
    });
    // Repeated, after a lost answer or in another tab: the ban that was undone does not come back.
    expect(codes(await back.users.unban({ ids: [open.id, banned.id], undo: true }))).toEqual([
      'unchanged',
      'unchanged',
    ]);
    expect((await bansOf(ids)).slice(0, 2)).toEqual(before.slice(0, 2));
  });
});

describe('undoing the restoration of several texts', () => {
  it('hides them with their earlier removals and appeals, and keeps what a colleague changed since', async () => {
    const author = await app.member();
    const mine = app.as(author);
    const made: string[] = [];
    for (const title of ['Appealed', 'Upheld', 'Hidden by a colleague', 'Shown before']) {
      app.pass(120_000);
      made.push((await mine.forum.create({ title, content: `About ${title}` })).id);
    }
    const [appealed = '', upheld = '', changed = '', shown = ''] = made;
    const removed = [appealed, upheld, changed];
    await theirs.forum.hide({ what: 'post', ids: removed, ...REMOVAL_REASON });
    const removalOf = async (id: string) =>
      (await rows('select id from forum_removals where text_id = any($1)', [id]))[0] as { id: string };
    for (const id of [appealed, upheld]) await mine.forum.appeal({ id: (await removalOf(id)).id, text: 'Not spam' });
    await back.forum.decideAppeal({ id: (await removalOf(upheld)).id, outcome: 'upheld', answer: 'It is' });
    const state = (ids: string[]) =>
      rows(
        `select p.is_hidden, p.deleted_by, p.deleted_at, r.id, r.outcome, r.ended_by, n.appeal, n.answer
         from forum_posts p left join forum_removals r on r.text_id = p.id
         left join forum_removal_notices n on n.removal_id = r.id where p.id = any($1)
         order by array_position($1::uuid[], p.id)`,
        ids,
      );
    const before = await state(made);
    const notified = await noticesOf(author.id);
    app.pass(1000);
    const restored = await back.forum.restore({ what: 'post', ids: made });
    expect(codes(restored)).toEqual(['done', 'done', 'done', 'unchanged']);
    expect((await back.inbox.list({ source: 'appeal' })).items).toEqual([]);
    await theirs.forum.hide({ what: 'post', ids: [changed], ...REMOVAL_REASON });
    await theirs.forum.restore({ what: 'post', ids: [changed] });
    const undone = await back.forum.hideAgain({ what: 'post', ids: removed });
    expect(codes(undone)).toEqual(['done', 'done', 'VERSION_CONFLICT']);
    expect((await state(made)).slice(0, 2)).toEqual(before.slice(0, 2));
    expect((await state([changed, shown])).every((row) => !row['is_hidden'])).toBe(true);
    expect((await back.inbox.list({ source: 'appeal' })).items).toHaveLength(1);
    // The author was notified when the texts were removed, and not a second time; the colleague's removal is a new one.
    expect((await noticesOf(author.id)) - notified).toBe(1);
    expect(await lastEntry(appealed)).toMatchObject({ action: 'post.deleted', actor_id: admin.id });
  });

  it('refuses a text that the restoration published for the first time', async () => {
    const author = await app.member();
    const { id } = await app.as(author).forum.create({ title: 'Held', content: 'Waits for a review' });
    await holdText(app, 'post', id);
    expect(codes(await back.forum.restore({ what: 'post', ids: [id] }))).toEqual(['done']);
    expect(codes(await back.forum.hideAgain({ what: 'post', ids: [id] }))).toEqual(['ALREADY_PUBLISHED']);
    expect((await rows('select is_hidden from forum_posts where id = any($1)', [id]))[0]).toEqual({ is_hidden: false });
  });
});

describe('undoing the hiding of several texts', () => {
  it('shows them, reopens their reports, and keeps hidden what was hidden before or by a colleague since', async () => {
    const [author, reader] = [await app.member(), await app.member()];
    const made: string[] = [];
    for (const title of ['One', 'Hidden before', 'Hidden again']) {
      app.pass(120_000);
      const post = await app.as(author).forum.create({ title, content: 'Cheap coins' });
      await app.as(reader).forum.report({ what: 'post', id: post.id, reason: 'spam' });
      made.push(post.id);
    }
    const [one = '', earlier = '', changed = ''] = made;
    await theirs.forum.hide({ what: 'post', ids: [earlier], ...REMOVAL_REASON });
    const state = (ids: string[]) =>
      rows(
        `select p.is_hidden, p.deleted_by, p.comment_count, r.resolved_at, r.resolved_by, r.resolution
         from forum_posts p join forum_reports r on r.post_id = p.id where p.id = any($1)
         order by array_position($1::uuid[], p.id)`,
        ids,
      );
    const before = await state(made);
    const hidden = await back.forum.hide({ what: 'post', ids: made, ...REMOVAL_REASON });
    expect(codes(hidden)).toEqual(['done', 'unchanged', 'done']);
    app.pass(1000);
    await theirs.forum.restore({ what: 'post', ids: [changed] });
    await theirs.forum.hide({ what: 'post', ids: [changed], ...REMOVAL_REASON });
    const listener = listenTo(app.services);
    const { results } = await back.forum.restore({ what: 'post', ids: [one, changed], undo: true });
    await listener.until((event) => event.type === 'post.changed' && event.postId === one);
    expect(codes({ results })).toEqual(['done', 'VERSION_CONFLICT']);
    expect(results[1]).toMatchObject({ by: colleague.username });
    expect((await state(made)).slice(0, 2)).toEqual(before.slice(0, 2));
    expect((await state([changed]))[0]).toMatchObject({ is_hidden: true, deleted_by: colleague.id });
    expect((await back.inbox.list({ source: 'report' })).items.map(({ id }) => id)).toContain(one);
    expect(await lastEntry(one)).toMatchObject({
      action: 'post.restored',
      actor_id: admin.id,
      after: { reports: 1 },
    });
  });
});

describe('undoing a decision about several clusters', () => {
  it('keeps the decision that a colleague made since', async () => {
    const [mine, changed] = [await cluster(), await cluster()];
    const ids = [mine.id, changed.id];
    const states = () =>
      rows(
        `select c.state, c.reason, (select array_agg(v.state order by v.id) from vote_review_votes r
           join votes v on v.id = r.vote_id and v.voted_on = r.voted_on where r.cluster_id = c.id) as votes
         from vote_review_clusters c where c.id = any($1) order by array_position($1::uuid[], c.id)`,
        ids,
      );
    const before = await states();
    await back.voteReview.decideMany({ ids, decision: 'void', reason: 'a farm' });
    await theirs.voteReview.undo({ id: changed.id });
    await theirs.voteReview.void({ id: changed.id, reason: 'looked at each' });
    const listener = listenTo(app.services);
    const { results } = await back.voteReview.decideMany({ ids, decision: 'undo' });
    await listener.changed('voting');
    expect(codes({ results })).toEqual(['done', 'VERSION_CONFLICT']);
    expect(results[1]).toMatchObject({ by: colleague.username });
    const after = await states();
    expect(after[0]).toEqual(before[0]);
    expect(after[1]).toMatchObject({ state: 'void', reason: 'looked at each' });
    expect(await lastEntry(mine.id)).toMatchObject({ action: 'votes.review_undone', actor_id: admin.id });
  });

  it('for one cluster is also limited to one’s own decision, unless requested on its page', async () => {
    const { id } = await cluster();
    await back.voteReview.void({ id, reason: 'a farm' });
    await theirs.voteReview.undo({ id });
    await theirs.voteReview.void({ id, reason: 'looked at each' });
    await expect(back.voteReview.undo({ id, own: true })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { by: colleague.username },
    });
    expect(await back.voteReview.undo({ id })).toMatchObject({ cluster: { state: 'open' } });
  });
});

describe('undoing the claim of several inbox items', () => {
  it('refuses an item that a colleague has claimed since, and names the colleague', async () => {
    const items: { source: 'submission'; id: string }[] = [];
    for (const name of ['Luna', 'Sol']) {
      const [made] = await app.sql<{ id: string }>(
        `insert into project_submissions (submitter_name, project_data) values ('Ana', jsonb_build_object('projectName', $1::text)) returning id`,
        [name],
      );
      items.push({ source: 'submission', id: made?.id ?? '' });
    }
    await back.inbox.changeMany({ action: 'take', items });
    const [, changed] = items;
    if (changed) {
      await theirs.inbox.release(changed);
      await theirs.inbox.take(changed);
    }
    const { results } = await back.inbox.changeMany({ action: 'undo_take', items });
    expect(results.map(({ outcome, code }) => code ?? outcome)).toEqual(['done', 'TAKEN']);
    expect(results[1]).toMatchObject({ by: colleague.username });
    const owners = await app.sql<{ owner_id: string }>('select owner_id from inbox_owners where item_id = any($1)', [
      items.map(({ id }) => id),
    ]);
    expect(owners).toEqual([{ owner_id: colleague.id }]);
  });
});

describe('undoing the deletion of several networks and images', () => {
  async function twoImages(): Promise<[string, string]> {
    const bytes = await halvesImage(20, 20).png().toBuffer();
    const actor = { id: null, role: 'visitor', ipHash: null, requestId: null } as const;
    const image = { bytes, declared: null, bucket: 'project-images', owner: { userId: admin.id }, actor } as const;
    const [one, other] = [await app.services.media.store(image), await app.services.media.store(image)];
    return [one.id, other.id];
  }

  it('refuses those that a colleague restored or deleted since', async () => {
    const made = [];
    for (const symbol of ['UNDA', 'UNDB', 'UNDC'])
      made.push(await back.networks.create({ name: `Undone ${symbol}`, symbol, isActive: false }));
    const [own = '', restored = '', again = ''] = made.map(({ id }) => id);
    await back.networks.removeMany({ records: made.map(({ id, version }) => ({ id, version })) });
    await theirs.networks.restoreMany({ ids: [restored, again] });
    await theirs.networks.removeMany({ records: [{ id: again, version: 3 }] });
    const undone = await back.networks.restoreMany({ ids: [own, restored, again], undo: true });
    expect(codes(undone)).toEqual(['done', 'VERSION_CONFLICT', 'VERSION_CONFLICT']);
    expect(undone.results[2]).toMatchObject({ by: colleague.username });

    const [mine, taken] = await twoImages();
    await back.media.remove({ ids: [mine, taken] });
    await theirs.media.restore({ ids: [taken] });
    await theirs.media.remove({ ids: [taken] });
    const undoneImages = await back.media.restore({ ids: [mine, taken], undo: true });
    expect(codes(undoneImages)).toEqual(['done', 'VERSION_CONFLICT']);
    expect((await back.media.list({ shelf: 'trash' })).rows.map(({ id }) => id)).toEqual([taken]);
  });

  it('does not delete images again that a colleague deleted and restored since', async () => {
    const [mine, taken] = await twoImages();
    await back.media.remove({ ids: [mine, taken] });
    await back.media.restore({ ids: [mine, taken] });
    await theirs.media.remove({ ids: [taken] });
    await theirs.media.restore({ ids: [taken] });
    const undone = await back.media.remove({ ids: [mine, taken], undo: true });
    expect(codes(undone)).toEqual(['done', 'VERSION_CONFLICT']);
    expect(undone.results[1]).toMatchObject({ by: colleague.username });
    expect((await back.media.read({ id: taken })).trashedAt).toBeNull();
    // What was undone can be done again.
    expect(codes(await back.media.restore({ ids: [mine], undo: true }))).toEqual(['done']);
  });
});
