import { PgDialect } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { INBOX_STAFF, inboxSource } from '#contract/admin/inbox.ts';
import { contract } from '#contract/index.ts';
import type { StaffRole } from '#contract/staff.ts';
import { personOf } from '#server/domains/admin/inbox/inbox-about.service.ts';
import { opensTo, type WithRights } from '#server/lib/staff-rights.ts';
import { admin, api, app, asking, entriesOf, postBy, prove, UNKNOWN_ID } from '#tests/fixtures/manage-members.ts';
import { answerTo, namesOf } from '#tests/support/app/access.ts';
import type { Person } from '#tests/support/app/test-app.ts';

const staff = (...staffRoles: StaffRole[]) => app.member({ role: 'admin', staffRoles });
const ofBoth = async (people: Person[]) =>
  (
    await app.sql<{ to_address: string }>(
      `select to_address from mails where template = 'staffAct' and to_address = any($1) order by 1`,
      [people.map(({ email }) => email)],
    )
  ).map(({ to_address }) => to_address);
const profileOf = async ({ id }: { id: string }) =>
  (await app.sql('select staff_roles, granted_by from admin_profiles where id = $1', [id]))[0];
const NEEDED = { status: 403, code: 'STAFF_ROLE_NEEDED' };

describe('staff roles', () => {
  it('are given and changed by an owner, with an audit entry and mails to both; an earlier step-up ends, and they apply from the next call on', async () => {
    const ana = await app.member();
    const made = await api.roles.assign({ id: ana.id, role: 'admin', staffRoles: ['editor'], seen: 'user' });
    expect(made).toMatchObject({ role: 'admin', staffRoles: ['editor'] });
    expect(await profileOf(ana)).toEqual({ staff_roles: ['editor'], granted_by: admin.id });
    expect(await ofBoth([ana, admin])).toEqual([ana.email, admin.email].sort());
    await prove(ana);
    const theirs = app.as(ana).admin;
    expect(await theirs.session()).toMatchObject({ staffRoles: ['editor'] });
    expect(await answerTo(theirs.news.list({}))).toBe('ok');
    expect(await answerTo(theirs.money.list({}))).toBe('STAFF_ROLE_NEEDED');

    const changed = await api.roles.assign({
      id: ana.id,
      role: 'admin',
      staffRoles: ['moderator', 'finance'],
      seen: 'admin',
      seenStaffRoles: ['editor'],
    });
    expect(changed.staffRoles).toEqual(['moderator', 'finance']);
    expect(await answerTo(theirs.news.list({}))).toBe('STAFF_ROLE_NEEDED');
    expect(await answerTo(theirs.money.list({}))).toBe('ok');
    // An earlier proof of the session is void, and the session is due a new token.
    expect(await answerTo(theirs.settlement.explain({ id: UNKNOWN_ID, note: 'x' } as never))).toBe('STEP_UP_NEEDED');
    expect(await app.sql('select token_due from sessions where user_id = $1', [ana.id])).toEqual([{ token_due: true }]);
    expect(await entriesOf(ana.id, 'role.%')).toMatchObject([
      { before: { role: 'user' }, after: { role: 'admin', staffRoles: ['editor'] }, actor_id: admin.id },
      {
        before: { role: 'admin', staffRoles: ['editor'] },
        after: { role: 'admin', staffRoles: ['moderator', 'finance'] },
      },
    ]);
    // An equal assignment changes nothing, in any order; without roles an admin retains theirs.
    await api.roles.assign({ id: ana.id, role: 'admin', staffRoles: ['finance', 'moderator'] });
    expect(await api.roles.assign({ id: ana.id, role: 'admin' })).toMatchObject({
      staffRoles: ['moderator', 'finance'],
    });
    expect(await entriesOf(ana.id, 'role.%')).toHaveLength(2);
  });

  it('default to owner; owner excludes all others, none is repeated, and only admins have them', async () => {
    const ana = await app.member();
    expect(await api.roles.assign({ id: ana.id, role: 'admin' })).toMatchObject({ staffRoles: ['owner'] });
    const wrong: { role: 'admin' | 'moderator'; staffRoles: StaffRole[] }[] = [
      { role: 'admin', staffRoles: [] },
      { role: 'admin', staffRoles: ['owner', 'editor'] },
      { role: 'admin', staffRoles: ['editor', 'editor'] },
      { role: 'admin', staffRoles: ['boss' as StaffRole] },
      { role: 'moderator', staffRoles: ['editor'] },
    ];
    for (const one of wrong) expect(await answerTo(api.roles.assign({ id: ana.id, ...one }))).toBe('BAD_REQUEST');
    for (const roles of ['{}', '{owner,editor}', '{editor,editor}', '{boss}', '{editor,NULL}'])
      await expect(
        app.sql('update admin_profiles set staff_roles = $2 where id = $1', [ana.id, roles]),
      ).rejects.toThrow(/staff_roles/);
  });

  it('are refused with a conflict when a colleague has changed them since', async () => {
    const ana = await staff('editor');
    await api.roles.assign({ id: ana.id, role: 'admin', staffRoles: ['support'] });
    await expect(
      api.roles.assign({
        id: ana.id,
        role: 'admin',
        staffRoles: ['finance'],
        seen: 'admin',
        seenStaffRoles: ['editor'],
      }),
    ).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { current: { role: 'admin', staffRoles: ['support'] }, by: admin.username },
    });
  });

  it('cannot be changed by their holder or by an admin who is no owner, not even by direct SQL', async () => {
    for (const role of ['editor', 'moderator', 'support', 'finance'] as const) {
      const ana = await staff(role);
      await prove(ana);
      const theirs = app.as(ana).admin.roles;
      for (const call of [
        () => theirs.assign({ id: ana.id, role: 'admin', staffRoles: ['owner'] }),
        () => theirs.assign({ id: admin.id, role: 'admin', staffRoles: ['editor'] }),
        () => theirs.remove({ id: admin.id }),
      ])
        await expect(call()).rejects.toMatchObject({ ...NEEDED, data: { roles: ['owner'] } });
      for (const by of [ana.id, (await app.member()).id])
        await expect(
          app.sql(`update admin_profiles set staff_roles = '{owner}', granted_by = $2 where id = $1`, [ana.id, by]),
        ).rejects.toThrow('only another owner gives staff roles');
    }
    const disabled = await staff('owner');
    await app.sql(`update users set banned_until = 'infinity' where id = $1`, [disabled.id]);
    await expect(
      app.sql('insert into admin_profiles (id, granted_by) values ($1, $2)', [(await app.member()).id, disabled.id]),
    ).rejects.toThrow('only another owner gives staff roles');
    // Not even an owner's.
    await expect(api.roles.assign({ id: admin.id, role: 'admin', staffRoles: ['editor'] })).rejects.toMatchObject({
      code: expect.stringMatching(/^(OWN_ACCOUNT|LAST_ADMIN)$/),
    });
  });

  it('always leave one active owner, who cannot be demoted, banned or deleted', async () => {
    const ana = await staff('owner');
    await app.sql(`update admin_profiles set staff_roles = '{editor}', granted_by = null where id <> all($1)`, [
      [ana.id, admin.id],
    ]);
    await api.roles.assign({ id: ana.id, role: 'admin', staffRoles: ['finance'] });
    for (const statement of [
      `update admin_profiles set staff_roles = '{editor,finance}' where id = $1`,
      'delete from admin_profiles where id = $1',
      `update users set banned_until = 'infinity' where id = $1`,
      'delete from users where id = $1',
    ])
      await expect(app.sql(statement, [admin.id])).rejects.toThrow('the last owner stays');
    await expect(api.roles.remove({ id: admin.id })).rejects.toMatchObject({ code: 'LAST_ADMIN' });
    // Other admins are not owners.
    await app.sql('delete from admin_profiles where id = $1', [ana.id]);
  });

  it('are reduced for only one of two owners who reduce each other’s concurrently', async () => {
    const [ana, ben] = [await staff('owner'), await staff('owner')];
    await app.sql(`update admin_profiles set staff_roles = '{editor}', granted_by = null where id <> all($1)`, [
      [ana.id, ben.id],
    ]);
    await Promise.all([prove(ana), prove(ben)]);
    const narrow = (by: Person, { id }: Person) =>
      answerTo(app.as(by).admin.roles.assign({ id, role: 'admin', staffRoles: ['editor'] }));
    const answers = await Promise.all([narrow(ana, ben), narrow(ben, ana)]);
    expect(answers.filter((one) => one === 'ok')).toHaveLength(1);
    expect(await app.sql(`select 1 from admin_profiles where staff_roles = '{owner}'`)).toHaveLength(1);
    await app.sql(`update admin_profiles set staff_roles = '{owner}', granted_by = null where id = $1`, [admin.id]);
    await prove(admin);
  });

  it('are those of the invitation, except for an existing admin, who keeps the current ones', async () => {
    for (const [person, expected] of [
      [await app.member({ verified: true }), ['support']],
      [await app.member({ role: 'admin', staffRoles: ['editor'], verified: true }), ['editor']],
    ] as const) {
      await app.sql(`insert into admin_users (email, staff_roles) values ($1, '{support}')`, [person.email]);
      expect(await app.as(person).auth.linkAdmin({ email: person.email })).toMatchObject({ isAdmin: true });
      expect(await profileOf(person)).toMatchObject({ staff_roles: expected });
    }
  });
});

describe('the accounts of staff', () => {
  it('are changed by owners only: support may act on members, but on no moderator or admin', async () => {
    const ana = await staff('support');
    await prove(ana);
    const { users, people } = app.as(ana).admin;
    for (const target of [await app.member({ role: 'moderator' }), await staff('editor'), admin]) {
      const ids = [target.id];
      const refused = [{ id: target.id, outcome: 'refused', code: 'STAFF_ROLE_NEEDED' }];
      expect((await users.resetPassword({ ids })).results).toEqual(refused);
      expect((await users.revokeSessions({ ids })).results).toEqual(refused);
      expect((await users.ban({ ids, days: 1, reason: 'x' })).results).toEqual(refused);
      await expect(people.look({ id: target.id, reason: 'x' })).rejects.toMatchObject(NEEDED);
      expect(
        await app.sql(`select 1 from mails where to_address = $1 and template <> 'staffAct'`, [target.email]),
      ).toEqual([]);
    }
    const ids = [(await app.member()).id];
    const done = [{ id: ids[0], outcome: 'done', code: null }];
    expect((await users.confirm({ ids })).results).toEqual(done);
    expect((await users.ban({ ids, days: 1, reason: 'x' })).results).toEqual(done);
    expect((await users.unban({ ids })).results).toEqual(done);
    expect((await users.resetPassword({ ids })).results).toEqual(done);
    for (const call of [
      () => users.promote({ ids }),
      () => users.remove({ ids, reason: 'x' }),
      () => users.create({ email: 'new@florka.test', username: '', confirmed: false }),
    ])
      await expect(call()).rejects.toMatchObject(NEEDED);
  });
});

describe('the back office', () => {
  it('shows each staff role only its own part of inbox, counts and search', async () => {
    const waiting = await asking();
    await app.sql(`insert into project_submissions (status, project_data) values ('new', '{"projectName":"Rolera"}')`);
    const author = await app.member();
    const post = await postBy(author);
    await app.sql(`update forum_posts set title = 'Rolera en el foro' where id = $1`, [post]);
    await api.news.create({ title: 'Rolera', content: 'x', isActive: true });
    const [editor, moderator, support] = [await staff('editor'), await staff('moderator'), await staff('support')];
    const kindsFor = async (person: Person) =>
      [...new Set((await app.as(person).admin.find({ q: 'Rolera' })).map(({ kind }) => kind))].sort();
    expect(await kindsFor(editor)).toEqual(['news']);
    expect(await kindsFor(moderator)).toEqual(['post']);
    expect(await kindsFor(support)).toEqual(['submission']);
    expect(await kindsFor(admin)).toEqual(['news', 'post', 'submission']);
    expect(await app.as(editor).admin.find({ q: author.email })).toEqual([]);

    expect(Object.keys(await app.as(support).admin.inbox.counts())).toEqual(['submission']);
    const { items, counts } = await app.as(support).admin.inbox.list({});
    expect([...new Set(items.map(({ source }) => source))]).toEqual(['submission']);
    expect(Object.keys(counts)).toEqual(['submission']);
    const item = { source: 'moderator' as const, id: waiting.id };
    for (const call of [app.as(support).admin.inbox.take(item), app.as(support).admin.inbox.release(item)])
      await expect(call).rejects.toMatchObject({ ...NEEDED, data: { roles: ['owner'] } });
    expect((await app.as(support).admin.inbox.list({ source: 'moderator' })).items).toEqual([]);

    const seen = async (person: Person) =>
      Object.entries(await app.as(person).admin.dashboard.counts())
        .filter(([, count]) => count !== null)
        .map(([name]) => name)
        .sort();
    expect(await seen(editor)).toEqual(['candidates', 'news', 'nextProjects', 'online', 'projects', 'votes']);
    expect(await seen(moderator)).toEqual(['inbox', 'inboxFree', 'online', 'posts']);
    expect(await seen(support)).toEqual(['inbox', 'inboxFree', 'newSubmissions', 'online', 'users']);
    expect((await app.as(support).admin.dashboard.counts()).inbox).toBe(counts.submission);
    for (const [person, shown] of [
      [editor, false],
      [await staff('finance'), true],
    ] as const)
      expect(
        (await app.as(person).admin.dashboard.days({ days: 2 })).every((one) => (one.revenueUsd !== null) === shown),
      ).toBe(true);
  });

  it('shows owners the whole audit log, others single records of their work, without IP addresses', async () => {
    await prove(admin);
    const { id } = await app.as(admin, { address: '203.0.113.9' }).admin.news.create({ title: 'Log', content: 'x' });
    const editor = app.as(await staff('editor')).admin.audit;
    const record = { resourceType: 'news', resourceId: id };
    expect((await api.audit.list(record)).rows[0]).toMatchObject({ address: '203.0.113.9' });
    expect((await editor.list(record)).rows[0]).toMatchObject({ action: 'news.created', address: null });
    for (const request of [
      {},
      { resourceType: 'news' },
      { resourceId: id },
      { ...record, who: 'a' },
      { resourceType: 'member', resourceId: admin.id },
      { resourceType: 'constructor', resourceId: id },
    ])
      await expect(editor.list(request)).rejects.toMatchObject({
        ...NEEDED,
        data: { roles: expect.arrayContaining(['owner']) },
      });
    await expect(editor.names()).rejects.toMatchObject(NEEDED);
  });

  it('allows files like lists: an editor cannot download a file about people', async () => {
    const editor = await staff('editor');
    await prove(editor);
    const file = (name: string) => app.http(`/api/admin/${name}.csv`, { headers: { cookie: editor.cookie } });
    expect((await file('news')).status).toBe(200);
    for (const name of ['users', 'roles', 'token-requests', 'submissions', 'money', 'audit', 'refunds']) {
      const response = await file(name);
      expect({ name, status: response.status }).toEqual({ name, status: 403 });
      expect(await response.json()).toMatchObject({ code: 'STAFF_ROLE_NEEDED' });
    }
  });

  it('has, by its contract, no e-mail or Telegram address of a person for editors and moderators', () => {
    const fields = (schema: unknown, seen = new Set<unknown>()): string[] => {
      if (typeof schema !== 'object' || schema === null || seen.has(schema)) return [];
      seen.add(schema);
      const { shape } = schema as { shape?: object };
      const inner = (schema as { def?: Record<string, unknown> }).def ?? {};
      return [
        ...Object.keys(shape ?? {}),
        ...[...Object.values(shape ?? {}), ...Object.values(inner).flat()].flatMap((one) => fields(one, seen)),
      ];
    };
    const shown: string[] = [];
    let walked = 0;
    for (const name of namesOf(contract.admin)) {
      const procedure = name
        .split('.')
        .reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], contract.admin) as WithRights & {
        '~orpc': { outputSchema?: unknown };
      };
      const open = opensTo(procedure);
      if (!open.includes('editor') && !open.includes('moderator')) continue;
      const named = fields(procedure['~orpc'].outputSchema);
      walked += named.length;
      for (const field of named) if (/mail|telegram(?!Url)/i.test(field)) shown.push(`${name}: ${field}`);
    }
    // One's own e-mail, in the session; the channel of a token is public. Items of the inbox: see the next test.
    const ofInbox = shown.filter((one) => /^inbox\.\w+: mailbox$/.test(one));
    expect(shown.filter((one) => !ofInbox.includes(one))).toEqual(['session: email']);
    expect(walked).toBeGreaterThan(100);
  });

  it('reads only the public name of the person in inbox items that editors or moderators handle', () => {
    const handled = inboxSource.options.filter((source) =>
      INBOX_STAFF[source].some((role) => role === 'editor' || role === 'moderator'),
    );
    expect(handled.length).toBeGreaterThan(2);
    const statements = handled.map((source) => new PgDialect().sqlToQuery(personOf(source)).sql);
    for (const statement of statements) expect(statement).not.toMatch(/email/);
    expect(new PgDialect().sqlToQuery(personOf('submission')).sql).toMatch(/email/);
  });
});

describe('granting the owner role', () => {
  it('is mailed to all owners and nobody else; granting another role is not', async () => {
    const [ana, other, editor] = [await app.member(), await staff('owner'), await staff('editor')];
    const notified = () =>
      app.sql<{ to_address: string }>(
        `select to_address from mails where template = 'staffAct' and data ->> 'target' = $1 and data ->> 'action' = 'owner'
           and to_address = any($2) order by 1`,
        [ana.email, [ana, other, editor, admin].map(({ email }) => email)],
      );
    await api.roles.assign({ id: ana.id, role: 'admin', staffRoles: ['finance'], seen: 'user' });
    expect(await notified()).toEqual([]);
    await api.roles.assign({ id: ana.id, role: 'admin', staffRoles: ['owner'] });
    const owners = [ana.email, other.email, admin.email].sort();
    expect((await notified()).map(({ to_address }) => to_address)).toEqual(owners);
    const mail = (await app.deliverMails()).findLast(({ to, text }) => to === other.email && text.includes(ana.email));
    expect(mail?.text).toContain('todos los propietarios');
  });
});
