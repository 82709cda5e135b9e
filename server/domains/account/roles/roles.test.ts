import { afterEach, describe, expect, it } from 'vitest';
import {
  admin,
  api,
  app,
  asking,
  entriesOf,
  postBy,
  prove,
  roleOf,
  UNKNOWN_ID,
} from '#tests/fixtures/manage-members.ts';
import type { Person } from '#tests/support/app/test-app.ts';
import { REMOVAL_REASON } from '#tests/support/samples/removal.ts';

describe('roles', () => {
  it('are assigned and removed, with admin profile, time and audit entry [A-ROLE-23] [A-ROLE-24] [SEC-20] [AMB-26] [AMB-27] [AMB-29]', async () => {
    const ana = await app.member();
    const made = await api.roles.assign({ id: ana.id, role: 'admin', seen: 'user' });
    expect(made).toMatchObject({
      id: ana.id,
      role: 'admin',
      roleStatus: 'approved',
      assignedAt: app.now.toISOString(),
    });
    expect(await roleOf(ana)).toEqual({ role: 'admin', status: 'approved', assigned_by: admin.id, profile: true });
    expect(await app.as(ana).admin.session()).toMatchObject({ email: ana.email });

    expect(await api.roles.remove({ id: ana.id, seen: 'admin' })).toMatchObject({ role: 'user' });
    expect(await roleOf(ana)).toEqual({ role: 'user', status: 'approved', assigned_by: admin.id, profile: false });
    expect(await entriesOf(ana.id, 'role.%')).toEqual([
      expect.objectContaining({
        action: 'role.assigned',
        before: { role: 'user' },
        after: { role: 'admin', staffRoles: ['owner'] },
      }),
      expect.objectContaining({
        action: 'role.removed',
        before: { role: 'admin', staffRoles: ['owner'] },
        after: { role: 'user' },
      }),
    ]);
  });

  it('apply from the next call on: an open tab of a demoted admin or moderator has no rights any more', async () => {
    const ana = await app.member({ role: 'admin' });
    await app.as(ana).admin.users.counts();
    await api.roles.assign({ id: ana.id, role: 'moderator' });
    for (const call of [
      () => app.as(ana).admin.users.counts(),
      () => app.as(ana).admin.roles.assign({ id: ana.id, role: 'admin' }),
      () => app.as(ana).admin.forum.list({}),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });

    const author = await app.member();
    const posts = await Promise.all([1, 2].map(() => postBy(author)));
    await app.as(ana).forum.deletePost({ id: posts[0] ?? '', ...REMOVAL_REASON });
    await api.roles.remove({ id: ana.id });
    await expect(app.as(ana).forum.deletePost({ id: posts[1] ?? '' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('require a step-up, as promotions, decisions, bans, deletions and changes of e-mail do', async () => {
    const other = await app.member({ role: 'admin' });
    const { id } = await app.member();
    await app.sql(`update sessions set proved_at = now() - interval '601 seconds' where user_id = $1`, [other.id]);
    const theirs = app.as(other).admin;
    const ids = [id];
    for (const call of [
      () => theirs.roles.assign({ id, role: 'admin' }),
      () => theirs.roles.remove({ id }),
      () => theirs.users.promote({ ids }),
      () => theirs.moderatorRequests.decide({ ids, decision: 'approve' }),
      () => theirs.users.ban({ ids, days: 1, reason: 'x' }),
      () => theirs.users.remove({ ids, reason: 'x' }),
      () => theirs.users.update({ id, version: 1, email: 'new@florka.test', username: 'new name' }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'STEP_UP_NEEDED', status: 403 });
    await prove(other);
    expect(await theirs.roles.assign({ id, role: 'moderator' })).toMatchObject({ role: 'moderator' });
  });

  it('are neither written nor audited again when the member already has the role', async () => {
    const ana = await app.member({ role: 'moderator' });
    const before = await entriesOf(ana.id);
    expect(await api.roles.assign({ id: ana.id, role: 'moderator' })).toMatchObject({ assignedAt: null });
    expect(await entriesOf(ana.id)).toEqual(before);
  });

  it('are refused with a conflict when a colleague has changed them since', async () => {
    const ana = await app.member();
    const other = await app.member({ role: 'admin' });
    await app.as(other).admin.roles.assign({ id: ana.id, role: 'moderator', seen: 'user' });
    await expect(api.roles.assign({ id: ana.id, role: 'admin', seen: 'user' })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { current: { role: 'moderator' }, by: other.username },
    });
    expect(await roleOf(ana)).toMatchObject({ role: 'moderator', profile: false });
  });

  it('of an unknown member are not found; unknown roles and fields are refused', async () => {
    await expect(api.roles.assign({ id: UNKNOWN_ID, role: 'admin' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(api.roles.assign({ id: UNKNOWN_ID, role: 'owner' as never })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await expect(
      api.roles.assign({ id: UNKNOWN_ID, role: 'admin', adminEmail: admin.email } as never),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('of a former admin cannot be restored with an unused invitation', async () => {
    const ana = await app.member({ role: 'admin', verified: true });
    await app.sql('insert into admin_users (email) values ($1)', [ana.email]);
    await api.roles.remove({ id: ana.id });
    await expect(app.as(ana).auth.linkAdmin({ email: ana.email })).rejects.toMatchObject({ code: 'LINK_REFUSED' });
  });

  it('are listed, found by name, e-mail and wallet in any case, filtered and counted [A-ROLE-01..06] [A-ROLE-25] [DATA-56]', async () => {
    const ana = await app.member({ role: 'moderator' });
    await app.sql(`update forum_users set wallet_address = 'SoL' || $2 where new_auth_user_id = $1`, [
      ana.id,
      ana.username,
    ]);
    for (const q of [ana.username.toUpperCase(), ana.email.slice(0, 9), `sol${ana.username}`, ana.id]) {
      const { rows, total } = await api.roles.list({ q });
      expect({ q, total, ids: rows.map(({ id }) => id) }).toEqual({ q, total: 1, ids: [ana.id] });
    }
    expect((await api.roles.list({ q: ana.id })).rows).toEqual([
      {
        id: ana.id,
        username: ana.username,
        email: ana.email,
        emailVerified: false,
        walletAddress: `SoL${ana.username}`,
        role: 'moderator',
        staffRoles: [],
        roleStatus: 'approved',
        assignedAt: null,
        requestedAt: null,
        createdAt: expect.any(String),
      },
    ]);
    expect((await api.roles.list({ q: '%' })).total).toBe(0);
    expect((await api.roles.list({ role: 'moderator', q: ana.username })).total).toBe(1);
    expect((await api.roles.list({ role: 'user', q: ana.username })).total).toBe(0);
    const counts = await api.roles.counts();
    for (const role of ['admin', 'moderator', 'user'] as const)
      expect((await api.roles.list({ role })).total).toBe(counts[`${role}s`]);
    expect(counts.total).toBe(counts.admins + counts.moderators + counts.users);
    const sorted = (await api.roles.list({ sort: '-email', size: 1000 })).rows.map(({ email }) => email);
    expect(sorted).toEqual(sorted.toSorted().toReversed());
  });

  it('of a member without a role record are those of an approved user [A-USERS-19]', async () => {
    const ana = await app.member();
    await app.sql('delete from user_roles where user_id = $1', [ana.id]);
    expect((await api.users.list({ q: ana.id })).rows).toEqual([
      expect.objectContaining({ role: 'user', roleStatus: 'approved' }),
    ]);
    expect(await api.roles.assign({ id: ana.id, role: 'moderator' })).toMatchObject({ role: 'moderator' });
  });
});

describe('the last admin', () => {
  afterEach(async () => {
    await app.sql('insert into admin_profiles (id) values ($1) on conflict do nothing', [admin.id]);
    // A member who lost the role and got it back has no current proof.
    await prove(admin);
  });

  it('cannot be demoted, banned, disabled or deleted, not even by direct SQL; other admins can', async () => {
    const alone = await app.sql<{ id: string }>('select id from admin_profiles where id <> $1', [admin.id]);
    for (const { id } of alone) await api.roles.remove({ id });
    const calls = () => [
      () => api.roles.remove({ id: admin.id }),
      () => api.roles.assign({ id: admin.id, role: 'moderator' }),
    ];
    for (const call of calls()) await expect(call()).rejects.toMatchObject({ code: 'LAST_ADMIN', status: 409 });
    const ids = [admin.id];
    const rows = [
      await api.users.ban({ ids, days: 1, reason: 'x' }),
      await api.users.ban({ ids, days: null, reason: 'x' }),
      await api.users.remove({ ids, reason: 'x' }),
    ];
    for (const { results } of rows) expect(results).toEqual([{ id: admin.id, outcome: 'refused', code: 'LAST_ADMIN' }]);
    // Nor by direct changes of the database.
    for (const statement of [
      'delete from admin_profiles where id = $1',
      'delete from users where id = $1',
      `update users set banned_until = 'infinity' where id = $1`,
    ])
      await expect(app.sql(statement, [admin.id])).rejects.toThrow('the last owner stays');
    expect(await app.as(admin).admin.session()).toMatchObject({ email: admin.email });

    // A banned colleague can't take over.
    const other = await app.member({ role: 'admin' });
    await api.users.ban({ ids: [other.id], days: null, reason: 'away' });
    await expect(api.roles.remove({ id: admin.id })).rejects.toMatchObject({ code: 'LAST_ADMIN' });
    await api.users.unban({ ids: [other.id] });
    // One's own rights can only be changed by a colleague.
    await expect(api.roles.remove({ id: admin.id })).rejects.toMatchObject({ code: 'OWN_ACCOUNT', status: 409 });
    await api.roles.remove({ id: other.id });
  });

  it('remains when two admins demote, ban or delete each other concurrently, a hundred times', async () => {
    for (let round = 0; round < 100; round++) {
      const [ana, ben] = [await app.member({ role: 'admin' }), await app.member({ role: 'admin' })];
      await app.sql('delete from admin_profiles where id <> all($1)', [[ana.id, ben.id]]);
      const changes = [
        (by: Person, to: Person) =>
          app
            .as(by)
            .admin.roles.remove({ id: to.id })
            .then(() => 'done'),
        (by: Person, to: Person) =>
          app
            .as(by)
            .admin.users.ban({ ids: [to.id], days: null, reason: 'x' })
            .then(({ results }) => results[0]?.code ?? 'done'),
        (by: Person, to: Person) =>
          app
            .as(by)
            .admin.users.remove({ ids: [to.id], reason: 'x' })
            .then(({ results }) => results[0]?.code ?? 'done'),
      ];
      const change = changes[round % 3] as (typeof changes)[0];
      const mixed = changes[(round + (round > 50 ? 1 : 0)) % 3] as (typeof changes)[0];
      const answers = await Promise.all(
        [change(ana, ben), mixed(ben, ana)].map((one) => one.catch((error: { code: string }) => error.code)),
      );
      // The later one has lost the rights, or the session with them.
      expect(
        answers.filter((one) => one === 'done'),
        `round ${round}: ${answers}`,
      ).toHaveLength(1);
      const left = await app.sql(
        `select 1 from admin_profiles a join users u on u.id = a.id where u.banned_until is null`,
      );
      expect(left).toHaveLength(1);
    }
  }, 60_000);

  it('is protected by the database itself against two concurrent direct transactions', async () => {
    const [ana, ben] = [await app.member({ role: 'admin' }), await app.member({ role: 'admin' })];
    await app.sql('delete from admin_profiles where id <> all($1)', [[ana.id, ben.id]]);
    const [one, two] = [await app.sqlClient(), await app.sqlClient()];
    try {
      await one.query('begin');
      await two.query('begin');
      await one.query('delete from admin_profiles where id = $1', [ana.id]);
      // Waits for the first transaction, and then sees its result.
      const second = two.query(`update users set banned_until = 'infinity' where id = $1`, [ben.id]).then(
        () => 'done',
        (error: Error) => error.message,
      );
      await one.query('commit');
      expect(await second).toBe('the last owner stays');
      await two.query('rollback');
    } finally {
      await one.end();
      await two.end();
    }
  });
});

describe('moderator requests [AMB-180]', () => {
  it('are approved or rejected once, with an audit entry each; every item of a selection has its own outcome [SEC-23]', async () => {
    const [ana, ben] = [await asking(), await asking()];
    const nobody = await app.member();
    const decided = await api.moderatorRequests.decide({ ids: [ana.id, nobody.id, UNKNOWN_ID], decision: 'approve' });
    expect(decided.results).toEqual([
      { id: ana.id, outcome: 'done', code: null },
      { id: nobody.id, outcome: 'unchanged', code: null },
      { id: UNKNOWN_ID, outcome: 'refused', code: 'NOT_FOUND' },
    ]);
    await api.moderatorRequests.decide({ ids: [ben.id], decision: 'reject' });
    expect(await roleOf(ana)).toMatchObject({ role: 'moderator', status: 'approved', assigned_by: admin.id });
    expect(await roleOf(ben)).toMatchObject({ role: 'user', status: 'rejected' });
    expect(await roleOf(nobody)).toMatchObject({ role: 'user', status: 'approved' });
    // A late click on an open screen reverts nothing.
    const late = await api.moderatorRequests.decide({ ids: [ana.id], decision: 'reject' });
    expect(late.results).toEqual([{ id: ana.id, outcome: 'unchanged', code: null }]);
    expect(await roleOf(ana)).toMatchObject({ role: 'moderator' });
    expect(await entriesOf(ana.id, 'moderator_request.%')).toHaveLength(1);
    expect(await entriesOf(ben.id, 'moderator_request.%')).toEqual([
      expect.objectContaining({ action: 'moderator_request.rejected', actor_id: admin.id }),
    ]);
  });

  it('decided by two admins at once get the decision of one of them', async () => {
    const ana = await asking();
    const other = await app.member({ role: 'admin' });
    const [one, two] = await Promise.all([
      api.moderatorRequests.decide({ ids: [ana.id], decision: 'approve' }),
      app.as(other).admin.moderatorRequests.decide({ ids: [ana.id], decision: 'reject' }),
    ]);
    expect([one, two].map(({ results }) => results[0]?.outcome).toSorted()).toEqual(['done', 'unchanged']);
    expect(await entriesOf(ana.id, 'moderator_request.%')).toHaveLength(1);
  });

  it('of an admin do not change the admin role', async () => {
    const ana = await app.member({ role: 'admin' });
    await app.sql(
      `update user_roles set moderator_request_status = 'pending', requested_at = now() where user_id = $1`,
      [ana.id],
    );
    await api.moderatorRequests.decide({ ids: [ana.id], decision: 'reject' });
    expect(await roleOf(ana)).toMatchObject({ role: 'admin', status: 'rejected', profile: true });
  });

  it('are listed while they are pending, oldest first, also without a profile [A-MOD-02] [A-MOD-04] [A-MOD-14] [DATA-55]', async () => {
    const ana = await asking();
    app.pass(1_000);
    const ben = await asking();
    await app.sql('delete from forum_users where new_auth_user_id = $1', [ben.id]);
    const { rows } = await api.moderatorRequests.list({});
    const mine = rows.filter(({ id }) => [ana.id, ben.id].includes(id));
    expect(mine).toEqual([
      expect.objectContaining({
        id: ana.id,
        username: ana.username,
        walletAddress: expect.any(String),
        status: 'pending',
      }),
      expect.objectContaining({ id: ben.id, username: null, walletAddress: null, requestedAt: app.now.toISOString() }),
    ]);
    expect((await api.moderatorRequests.list({ q: ana.id })).total).toBe(1);
    await api.moderatorRequests.decide({ ids: [ana.id, ben.id], decision: 'reject' });
    expect((await api.moderatorRequests.list({ q: ana.id })).total).toBe(0);
    expect((await api.moderatorRequests.list({ q: ana.id, status: 'rejected' })).total).toBe(1);
  });
});
