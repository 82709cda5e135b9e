import { describe, expect, it } from 'vitest';
import { admin, api, app, entriesOf, prove, roleOf, UNKNOWN_ID } from '#tests/fixtures/manage-members.ts';

const roles = async (people: { id: string }[]) =>
  Promise.all(people.map(async (one) => (await roleOf(one as never))?.role));

describe('the assignment of several roles', () => {
  it('decides each member separately; refuses admins and members whose role has changed since', async () => {
    const [user, moderator, changed] = [
      await app.member(),
      await app.member({ role: 'moderator' }),
      await app.member(),
    ];
    const editor = await app.member({ role: 'admin' });
    await api.roles.assign({ id: changed.id, role: 'moderator' });
    const change = (id: string, to: 'user' | 'moderator', seen: 'user' | 'moderator' | 'admin') => ({ id, to, seen });
    const first = await api.roles.assignMany({
      changes: [
        change(user.id, 'moderator', 'user'),
        change(moderator.id, 'moderator', 'moderator'),
        change(editor.id, 'moderator', 'admin'),
        change(admin.id, 'user', 'admin'),
        change(UNKNOWN_ID, 'moderator', 'user'),
      ],
    });
    expect(first.results.map(({ outcome, code }) => code ?? outcome)).toEqual([
      'done',
      'unchanged',
      'ADMINS_ALONE',
      'ADMINS_ALONE',
      'NOT_FOUND',
    ]);
    expect(await roles([user, moderator, editor])).toEqual(['moderator', 'moderator', 'admin']);
    // An undo applies to the role it saw: a colleague has since made the third member a moderator.
    const second = await api.roles.assignMany({
      changes: [change(user.id, 'user', 'moderator'), change(changed.id, 'user', 'user')],
    });
    expect(second.results.map(({ outcome, code }) => code ?? outcome)).toEqual(['done', 'VERSION_CONFLICT']);
    expect(await roles([user, changed])).toEqual(['user', 'moderator']);
    expect(await entriesOf(user.id, 'role.%')).toEqual([
      expect.objectContaining({ action: 'role.assigned', before: { role: 'user' }, after: { role: 'moderator' } }),
      expect.objectContaining({ action: 'role.removed', before: { role: 'moderator' }, after: { role: 'user' } }),
    ]);
    expect(
      await app.sql(`select 1 from mails where to_address = $1 and template = 'staffAct'`, [user.email]),
    ).toHaveLength(2);
  });

  it('cannot make anybody an admin, and is for owners with a recent step-up only', async () => {
    const user = await app.member();
    const changes = [{ id: user.id, to: 'admin' as never, seen: 'user' as const }];
    await expect(api.roles.assignMany({ changes })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const support = await app.member({ role: 'admin' });
    await app.sql(`update admin_profiles set staff_roles = '{support}' where id = $1`, [support.id]);
    const one = { changes: [{ id: user.id, to: 'moderator' as const, seen: 'user' as const }] };
    await expect(app.as(support).admin.roles.assignMany(one)).rejects.toMatchObject({ code: 'STAFF_ROLE_NEEDED' });
    await app.sql(`update sessions set proved_at = now() - interval '601 seconds' where user_id = $1`, [admin.id]);
    await expect(api.roles.assignMany(one)).rejects.toMatchObject({ code: 'STEP_UP_NEEDED' });
    expect(await roles([user])).toEqual(['user']);
    await prove(admin);
    await api.roles.assignMany(one);
    expect(await roles([user])).toEqual(['moderator']);
  });
});
