import { describe, expect, it } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
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
import { peopleOf } from '#tests/support/app/people.ts';

const people = peopleOf(app);
const confirmed = async () => {
  const person = await app.member();
  await app.sql('update users set confirmed_at = now() where id = $1', [person.id]);
  return person;
};

describe('members', () => {
  it('are confirmed once, each with an audit entry; their mailbox stays unconfirmed [A-USERS-20] [DATA-57] [SEC-21] [AMB-28]', async () => {
    const [ana, ben] = [await app.member(), await confirmed()];
    const { results } = await api.users.confirm({ ids: [ana.id, ben.id, ana.id] });
    expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'unchanged']);
    expect((await api.users.list({ q: ana.id })).rows[0]).toMatchObject({
      id: ana.id,
      email: ana.email,
      createdAt: expect.any(String),
      isConfirmed: true,
      emailVerified: false,
    });
    expect(await entriesOf(ana.id, 'member.confirmed')).toHaveLength(1);
    expect(await entriesOf(ben.id, 'member.confirmed')).toHaveLength(0);
  });

  it('are promoted only when confirmed; unconfirmed ones of the selection are refused [A-USERS-10] [SEC-22] [AMB-177] [AMB-178]', async () => {
    const [ana, ben, eva] = [await confirmed(), await app.member(), await app.member({ role: 'moderator' })];
    const { results } = await api.users.promote({ ids: [ana.id, ben.id, eva.id] });
    expect(results).toEqual([
      { id: ana.id, outcome: 'done', code: null },
      { id: ben.id, outcome: 'refused', code: 'UNCONFIRMED' },
      { id: eva.id, outcome: 'unchanged', code: null },
    ]);
    expect(await roleOf(ana)).toMatchObject({ role: 'moderator', status: 'approved' });
    expect(await roleOf(ben)).toMatchObject({ role: 'user' });
    expect(await entriesOf(ben.id, 'role.%')).toEqual([]);
  });

  it('are promoted although their moderator request is pending, and it becomes approved [AMB-177]', async () => {
    const ana = await asking();
    await api.users.confirm({ ids: [ana.id] });
    await api.users.promote({ ids: [ana.id] });
    expect(await roleOf(ana)).toMatchObject({ role: 'moderator', status: 'approved' });
  });

  it('are banned for days: sessions and links end, and sign-in is refused until the ban expires', async () => {
    const ana = await people.newcomer();
    const pending = () => app.sql('select purpose from account_tokens where user_id = $1', [ana.id]);
    expect(await pending()).toEqual([{ purpose: 'verify_email' }]);
    await api.users.ban({ ids: [ana.id], days: 2, reason: 'spam' });
    expect(await pending()).toEqual([]);
    expect(await ana.api.auth.me()).toBeNull();
    await expect(people.signIn(ana.email)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    const [row] = (await api.users.list({ q: ana.id })).rows;
    expect(row).toMatchObject({
      access: 'banned',
      bannedUntil: new Date(app.now.getTime() + 2 * 86_400_000).toISOString(),
      sessions: 0,
    });
    expect((await api.users.list({ q: ana.id, state: 'banned' })).total).toBe(1);
    expect(await entriesOf(ana.id, 'member.banned')).toEqual([
      expect.objectContaining({ reason: 'spam', after: { bannedUntil: row?.bannedUntil, sessions: 1, votes: 0 } }),
    ]);
    await app.sql('update users set banned_until = $2 where id = $1', [ana.id, new Date(app.now.getTime() - 1_000)]);
    await people.signIn(ana.email);
  });

  it('are disabled without an end date, and enabled again', async () => {
    const ana = await people.newcomer();
    await api.users.ban({ ids: [ana.id], days: null, reason: 'asked for it' });
    expect((await api.users.list({ q: ana.id })).rows[0]).toMatchObject({ access: 'disabled', bannedUntil: null });
    await expect(people.signIn(ana.email)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect((await api.users.unban({ ids: [ana.id, admin.id] })).results.map(({ outcome }) => outcome)).toEqual([
      'done',
      'unchanged',
    ]);
    await people.signIn(ana.email);
    expect((await entriesOf(ana.id, 'member.%')).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['member.disabled', 'member.unbanned']),
    );
  });

  it('lose all their sessions at once', async () => {
    const ana = await people.newcomer();
    const second = await people.signIn(ana.email);
    expect((await api.users.revokeSessions({ ids: [ana.id] })).results).toEqual([
      { id: ana.id, outcome: 'done', code: null },
    ]);
    expect(await ana.api.auth.me()).toBeNull();
    expect(await second.api.auth.me()).toBeNull();
    expect(await entriesOf(ana.id, 'session.all_revoked')).toEqual([expect.objectContaining({ after: { ended: 2 } })]);
    expect((await api.users.revokeSessions({ ids: [ana.id] })).results[0]?.outcome).toBe('unchanged');
  });

  it('get a link for a new password; nothing changes until they use it', async () => {
    const ana = await people.newcomer();
    await api.users.resetPassword({ ids: [ana.id], locale: 'en' });
    expect(await ana.api.auth.me()).toMatchObject({ id: ana.id });
    const token = await people.newestToken(ana.email);
    await app.as(null, { address: people.address() }).account.resetPassword({ token, password: 'another-one' });
    await people.signIn(ana.email, 'another-one');
    expect(await entriesOf(ana.id, 'password.reset_sent')).toHaveLength(1);
    const again = [];
    for (let i = 0; i < 5; i++) again.push((await api.users.resetPassword({ ids: [ana.id] })).results[0]?.code);
    expect(again).toEqual([null, null, null, null, 'RATE_LIMITED']);
  });

  it('are deleted permanently, ten a minute at most; their posts stay without an author', async () => {
    app.pass(61_000);
    const ana = await app.member();
    const post = await postBy(ana);
    const { results } = await api.users.remove({ ids: [ana.id, UNKNOWN_ID], reason: 'asked by mail' });
    expect(results).toEqual([
      { id: ana.id, outcome: 'done', code: null },
      { id: UNKNOWN_ID, outcome: 'refused', code: 'NOT_FOUND' },
    ]);
    expect((await api.users.list({ q: ana.email })).total).toBe(0);
    expect(await app.as(null).forum.post({ id: post })).toMatchObject({ author: { username: null } });
    expect(await app.sql('select template, data from mails where to_address = $1', [ana.email])).toEqual([
      { template: 'accountRemoved', data: { by: 'team' } },
    ]);
    expect(await entriesOf(ana.id, 'member.removed')).toEqual([
      expect.objectContaining({ actor_id: admin.id, reason: 'asked by mail' }),
    ]);
    const many = await app.members(9);
    const { results: rest } = await api.users.remove({ ids: many.map(({ id }) => id), reason: 'x' });
    expect(rest.map(({ code }) => code)).toEqual([...Array(8).fill(null), 'RATE_LIMITED']);
    app.pass(61_000);
    await prove(admin);
  });

  it('are added by an admin and choose their own password [AMB-149]', async () => {
    const email = people.email();
    const made = await api.users.create({ email: email.toUpperCase(), username: 'Nueva Socia' });
    expect(made).toMatchObject({
      email,
      username: 'Nueva Socia',
      isConfirmed: true,
      emailVerified: false,
      role: 'user',
    });
    expect((await entriesOf(made.id)).map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['member.created', admin.id],
    ]);
    const [mail] = await people.mailsTo(email);
    expect(mail?.subject).toBe('Tienes una cuenta en Florka');
    app.pass(20 * 3_600_000);
    await app
      .as(null, { address: people.address() })
      .account.resetPassword({ token: people.tokenIn(mail), password: 'my-own-words' });
    const browser = await people.signIn(email, 'my-own-words');
    expect(await browser.api.auth.me()).toMatchObject({ emailVerified: true });
    await prove(admin);
    for (const [input, field] of [
      [{ email }, 'email'],
      [{ email: people.email(), username: 'nueva SOCIA' }, 'username'],
    ] as const)
      await expect(api.users.create(input)).rejects.toMatchObject({ code: 'DUPLICATE', data: { fields: [field] } });
    await expect(api.users.create({ email: 'no-address' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('are edited; a new mailbox has to be confirmed and ends the sessions', async () => {
    const ana = await people.newcomer({ verified: true });
    const [row] = (await api.users.list({ q: ana.id })).rows;
    const email = people.email();
    const requested = { id: ana.id, version: row?.version ?? 0, email, username: 'Ana Editada' };
    const edited = await api.users.update(requested);
    expect(edited).toMatchObject({ email, username: 'Ana Editada', emailVerified: false, sessions: 0 });
    expect(edited.version).not.toBe(requested.version);
    expect(await ana.api.auth.me()).toBeNull();
    expect((await people.mailsTo(ana.email)).at(-1)?.text).toContain(email);
    const token = await people.newestToken(email);
    const browser = await people.signIn(email);
    expect(await browser.api.account.verifyEmail({ token })).toEqual({ email });
    const [entry] = await entriesOf(ana.id, 'member.updated');
    expect(entry?.after).toEqual({ nameChanged: true, emailChanged: true });
    expect(JSON.stringify(entry)).not.toContain('@');
  });

  it('can be renamed without limit, since only a change of mailbox counts against their mail limit', async () => {
    const ana = await people.newcomer();
    const update = async (username: string, email = ana.email) => {
      const [row] = (await api.users.list({ q: ana.id })).rows;
      return api.users.update({ id: ana.id, version: row?.version ?? 0, email, username });
    };
    for (let n = 0; n <= LIMITS.mailAccountHour.hits; n++) await update(`Nombre ${n} ${ana.id.slice(0, 6)}`);
    await app.as(null, { address: people.address() }).account.requestSignInCode({ email: ana.email });
    expect(await people.newestCode(ana.email)).toMatch(/^\d{6}$/);
    // Each new mailbox gets a mail, so those are counted.
    const wanted = people.email();
    const answers: string[] = [];
    for (let n = 0; n <= LIMITS.mailAccountHour.hits; n++)
      for (const email of [wanted, people.email()])
        answers.push(
          await update('Ana', email).then(
            () => 'ok',
            ({ code }: { code: string }) => code,
          ),
        );
    expect(answers.filter((answer) => answer !== 'ok')).toEqual(['RATE_LIMITED']);
  });

  it('are not updated from an outdated version, also when they changed their name themselves', async () => {
    const ana = await app.member();
    const [row] = (await api.users.list({ q: ana.id })).rows;
    await app.as(ana).account.setUsername({ username: 'Nombre propio' });
    const requested = { id: ana.id, version: row?.version ?? 0, email: ana.email, username: 'Nombre ajeno' };
    await expect(api.users.update(requested)).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { current: { email: ana.email, username: 'Nombre propio' }, by: 'Nombre propio' },
    });
    const other = await app.member();
    const [fresh] = (await api.users.list({ q: ana.id })).rows;
    await expect(
      api.users.update({ ...requested, version: fresh?.version ?? 0, email: other.email }),
    ).rejects.toMatchObject({ code: 'DUPLICATE', data: { fields: ['email'] } });
    expect((await api.users.list({ q: ana.id })).rows[0]).toEqual(fresh);
  });

  it('have the same counts in the tiles and in the filtered lists [A-USERS-15..18]', async () => {
    const counts = await api.users.counts();
    expect((await api.users.list({})).total).toBe(counts.total);
    expect((await api.users.list({ state: 'pending' })).total).toBe(counts.pending);
    expect((await api.users.list({ role: 'moderator' })).total).toBe(counts.moderators);
    expect((await api.users.list({ role: 'admin' })).total).toBe(counts.admins);
  });

  it('are exported with e-mail addresses only after a step-up; a file without addresses needs none', async () => {
    await app.sql(`update sessions set proved_at = now() - interval '601 seconds' where user_id = $1`, [admin.id]);
    const download = (name: string) => app.http(`/api/admin/${name}.csv`, { headers: { cookie: admin.cookie } });
    for (const name of ['users', 'roles', 'audit']) {
      const answer = await download(name);
      expect(answer.status, name).toBe(403);
      expect(await answer.json()).toMatchObject({ code: 'STEP_UP_NEEDED' });
    }
    expect((await download('networks')).status).toBe(200);
    expect((await download('audit')).status).toBe(403);
    await prove(admin);
    for (const name of ['users', 'audit']) expect((await download(name)).status).toBe(200);
  });

  it('are exported as CSV with the filter of the list', async () => {
    const ana = await app.member();
    const answer = await app.http(`/api/admin/users.csv?q=${ana.username}`, { headers: { cookie: admin.cookie } });
    const lines = (await answer.text()).trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(ana.email);
    for (const name of ['roles', 'moderator-requests', 'forum'])
      expect((await app.http(`/api/admin/${name}.csv`, { headers: { cookie: admin.cookie } })).status).toBe(200);
  });
});
