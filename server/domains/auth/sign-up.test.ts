import { describe, expect, it } from 'vitest';
import { address, app, email, newcomer, nextSerial, PASSWORD, rowsOf } from '#tests/fixtures/auth.ts';
import type { Browser } from '#tests/support/app/test-app.ts';

describe('sign-up', () => {
  it('creates account, forum profile, role and audit entry, and opens a session [AUTH-05..06] [AUTH-24] [AUTH-34..35] [AUTH-38] [DATA-48] [DATA-50] [AMB-05] [AMB-148]', async () => {
    const { browser, me } = await newcomer({ email: '  ANA@Florka.Test ', username: 'Ana la Maga' });
    expect(me).toEqual({
      id: me.id,
      email: 'ana@florka.test',
      emailVerified: false,
      username: 'Ana la Maga',
      role: 'user',
      isAdmin: false,
      isForumUser: true,
      moderates: false,
      moderatorRequestStatus: 'approved',
      staffMissing: null,
    });
    expect(await browser.api.auth.me()).toEqual(me);
    expect(await app.sql('select * from forum_users where new_auth_user_id = $1', [me.id])).toMatchObject([
      { username: 'Ana la Maga', migration_status: 'completed' },
    ]);
    expect(await app.sql('select * from user_roles where user_id = $1', [me.id])).toMatchObject([
      { role: 'user', moderator_request_status: 'approved', requested_at: null },
    ]);
    expect(await app.sql('select action from audit_events where actor_id = $1 order by id', [me.id])).toEqual([
      { action: 'member.signed_up' },
      { action: 'email.verification_sent' },
    ]);
    expect(await app.sql('select password from accounts where user_id = $1', [me.id])).toMatchObject([
      { password: expect.stringMatching(/^\$argon2id\$/) },
    ]);
  });

  it('creates a member who can vote, post and comment at once; visitors cannot [APP-05] [AMB-148]', async () => {
    const { browser } = await newcomer();
    const visitor = app.browser({ address: address() });
    const candidate = { candidateId: (await app.candidate()).id };
    const note = { title: 'Buenas noches', content: '¿Quién gana esta ronda?' };
    const actions = [({ api }: Browser) => api.voting.cast(candidate), ({ api }: Browser) => api.forum.create(note)];
    for (const action of actions) await expect(action(visitor)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await browser.api.voting.cast(candidate)).toMatchObject({ totalVotes: 1 });
    const { id: postId } = await browser.api.forum.create(note);
    const comment = { postId, content: 'Yo digo que el ajolote.' };
    await expect(visitor.api.forum.comment(comment)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await browser.api.forum.comment(comment)).toMatchObject({ content: comment.content });
  });

  it.each(['forum_users', 'user_roles', 'audit_events'])(
    'leaves nothing behind when %s can not be written',
    async (table) => {
      const mail = email();
      await app.sql(`alter table ${table} add constraint no_more check (false) not valid`);
      try {
        const answer = await newcomer({ email: mail }).catch((error: { code?: string }) => error.code ?? 'failed');
        // An outage must not appear as an error of the visitor.
        expect(answer).not.toBe('SIGN_UP_REFUSED');
        expect(answer).not.toHaveProperty('me');
      } finally {
        await app.sql(`alter table ${table} drop constraint no_more`);
      }
      expect(await rowsOf(mail)).toEqual({ users: [], sessions: [] });
      expect(await app.sql('select 1 from accounts where account_id = $1', [mail])).toEqual([]);
      await newcomer({ email: mail });
    },
  );

  it("generates a missing name from 'user_' and 8 random characters, and from no part of the mailbox", async () => {
    for (const username of [undefined, '', '   ']) {
      const { me } = await newcomer({ email: email(), username });
      expect(me.username).toMatch(/^user_[0-9a-f]{8}$/);
    }
    // Nor where the account is created without the form.
    const mail = email();
    await app.sql(`insert into users (name, email) values ('x', $1)`, [mail]);
    const [made] = await app.sql(
      `select f.username from forum_users f join users u on u.id = f.new_auth_user_id where u.email = $1`,
      [mail],
    );
    expect(made?.['username']).toMatch(/^user_[0-9a-f]{8}$/);
  });

  it('never shows an e-mail to others, nor stores one in the column wallet_address [FORUM-39] [AMB-31]', async () => {
    const { browser, me } = await newcomer({ email: `rosalinda.${nextSerial()}@florka.test` });
    const { id: postId } = await browser.api.forum.create({ title: 'Hola', content: 'Acabo de llegar.' });
    await browser.api.forum.comment({ postId, content: 'Y ya comento.' });
    const { api } = app.browser({ address: address() });
    const seen = [
      await api.forum.posts({}),
      await api.forum.post({ id: postId }),
      await api.forum.comments({ postId }),
      await api.profiles.page({ name: me.username ?? '' }),
    ];
    for (const page of seen) {
      expect(JSON.stringify(page)).toContain(me.username);
      expect(JSON.stringify(page)).not.toMatch(/rosalinda|@florka/);
    }
    expect(await app.sql(`select 1 from forum_users where wallet_address like '%@%'`)).toEqual([]);
    await expect(
      app.sql(`insert into forum_users (username, wallet_address) values ('x-y-z', 'somebody@florka.test')`),
    ).rejects.toThrow(/check constraint/);
  });

  it('stores a moderator request as pending, without a role [AUTH-36] [AUTH-40] [SEC-06] [TIME-08] [AMB-06]', async () => {
    const { me } = await newcomer({ requestModerator: true });
    expect(me).toMatchObject({ role: 'user', moderatorRequestStatus: 'pending' });
    const [role] = await app.sql('select * from user_roles where user_id = $1', [me.id]);
    expect(role?.['requested_at']).toBeInstanceOf(Date);
  });

  it.each([
    ['role', 'admin'],
    ['isAdmin', true],
    ['moderatorRequestStatus', 'approved'],
    ['moderator_request_status', 'approved'],
    ['emailVerified', true],
    ['email_verified', true],
    ['migration_status', 'completed'],
    ['id', '11111111-1111-4111-8111-111111111111'],
    ['userId', '11111111-1111-4111-8111-111111111111'],
    ['confirmed_at', '2026-01-01'],
  ])('refuses %s in the body', async (field, value) => {
    const mail = email();
    await expect(newcomer({ email: mail, [field]: value } as never)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect((await rowsOf(mail)).users).toEqual([]);
  });

  it('accepts passwords of 6 to 256 characters [AUTH-07] [AMB-151]', async () => {
    await expect(newcomer({ password: '12345' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(newcomer({ password: 'x'.repeat(257) })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await newcomer({ password: 'x7k9qz' });
    await newcomer({ password: 'x'.repeat(256) });
  });

  it('accepts usernames of 3 to 30 characters, trimmed [AUTH-06] [AMB-152]', async () => {
    for (const username of ['ab', 'x'.repeat(31), ' a '])
      await expect(newcomer({ username }), username).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect((await newcomer({ username: `  abc ` })).me.username).toBe('abc');
    const longest = 'y'.repeat(30);
    expect((await newcomer({ username: longest })).me.username).toBe(longest);
  });

  it.each(['', 'x', 'a@b', '@florka.test', 'a b@florka.test', `${'x'.repeat(250)}@florka.test`])(
    'refuses the e-mail "%s"',
    async (mail) => {
      await expect(newcomer({ email: mail })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    },
  );

  it('refuses a username that is taken in any case, with that reason [AMB-130] [AMB-152]', async () => {
    await newcomer({ username: 'Marioneta' });
    await expect(newcomer({ username: 'mARIONETA' })).rejects.toMatchObject({ code: 'USERNAME_TAKEN', status: 409 });
  });

  it('gives a name to one of ten concurrent sign-ups that spell it in different cases', async () => {
    const names = ['Corona', 'CORONA', 'corona', 'cOrona', 'coRona', 'corOna', 'coroNa', 'coronA', 'COrona', 'CORona'];
    const results = await Promise.allSettled(names.map((username) => newcomer({ username })));
    const codes = results.map((result) =>
      result.status === 'fulfilled' ? 'ok' : (result.reason as { code?: string }).code,
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(codes.filter((code) => code === 'USERNAME_TAKEN')).toHaveLength(9);
    expect(await app.sql(`select 1 from forum_users where lower(username) = 'corona'`)).toHaveLength(1);
  });

  it('refuses an e-mail that has an account, in any case, without naming the reason', async () => {
    const mail = email();
    await newcomer({ email: mail });
    await expect(newcomer({ email: mail.toUpperCase() })).rejects.toMatchObject({
      code: 'SIGN_UP_REFUSED',
      status: 409,
    });
    expect((await rowsOf(mail)).sessions).toHaveLength(1);
  });

  it('mails the owner of a mailbox that somebody tried to sign up with, once a day', async () => {
    const mail = email();
    await newcomer({ email: mail });
    const sent = () => app.sql(`select template from mails where to_address = '${mail}' and template = 'signUpTried'`);
    expect(await sent()).toHaveLength(0);
    for (let i = 0; i < 3; i++)
      await expect(newcomer({ email: mail })).rejects.toMatchObject({ code: 'SIGN_UP_REFUSED' });
    expect(await sent()).toHaveLength(1);
  });

  it('accepts one of five concurrent sign-ups with the same e-mail', async () => {
    const mail = email();
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => newcomer({ email: mail })));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'SIGN_UP_REFUSED' });
    expect((await rowsOf(mail)).users).toHaveLength(1);
  });

  it.each(['username', 'email', 'password'] as const)(
    'answers a NUL character in the %s without failing',
    async (field) => {
      const value = { username: 'nul\0name', email: `nul\0${nextSerial()}@florka.test`, password: 'nul\0nul\0' }[field];
      const response = await app.post(
        '/api/auth/sign-up',
        { email: email(), password: PASSWORD, [field]: value },
        { headers: { 'x-forwarded-for': address() } },
      );
      expect(response.status).toBeLessThan(500);
    },
  );
});

describe('names that are reserved or look like others', () => {
  const signUp = (username: string | undefined, email: string) =>
    app.browser({ address: `198.51.7.${Math.floor(Math.random() * 250) + 1}` }).api.auth.signUp({
      email,
      password: 'twelve-or-more',
      ...(username === undefined ? {} : { username }),
    });
  it('are refused as taken at sign-up and at a change, also in other characters', async () => {
    await expect(signUp('Adm1n', 'reserved1@florka.test')).rejects.toMatchObject({ code: 'USERNAME_TAKEN' });
    const member = await app.member();
    await expect(app.as(member).account.setUsername({ username: 'ｓｏｐｏｒｔｅ' })).rejects.toMatchObject({
      code: 'USERNAME_TAKEN',
    });
  });
  it('are normalized equally at sign-up and at a change, so that they stay unique', async () => {
    const made = await signUp('Ma\u200brta\u202e  Ruiz', 'reserved2@florka.test');
    expect(made.username).toBe('Marta Ruiz');
    const member = await app.member();
    await expect(app.as(member).account.setUsername({ username: 'ＭＡＲＴＡ\u3000ＲＵＩＺ' })).rejects.toMatchObject({
      code: 'USERNAME_TAKEN',
    });
  });
  it('are refused when they mix alphabets or are invisible', async () => {
    for (const name of ['mаrta', '\u3164\u3164\u3164'])
      await expect(signUp(name, 'reserved3@florka.test')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
  it('have the same key when they look alike, which is unique in the database', async () => {
    await signUp('Coral Marin', 'lookalike@florka.test');
    for (const like of [
      'C0ral Marin',
      'CoraI Marin',
      'coral  marin',
      'Córal Marín',
      'Coral Marín',
      'CoralMarin',
      'coraⅼ marin',
    ]) {
      await expect(signUp(like, `l${Math.random()}@florka.test`), like).rejects.toMatchObject({
        code: 'USERNAME_TAKEN',
      });
      await expect(
        app.sql(`insert into forum_users (username, wallet_address) values ($1, $2)`, [like, `w${Math.random()}`]),
        like,
      ).rejects.toThrow(/forum_users_name_key/);
    }
    // In one alphabet, so that the form accepts it: Cyrillic only.
    await signUp('cope', 'cope@florka.test');
    await expect(signUp('соре', 'cope2@florka.test')).rejects.toMatchObject({ code: 'USERNAME_TAKEN' });
    await expect(signUp('Femando', 'femando@florka.test')).resolves.toBeTruthy();
    await expect(signUp('Fernando', 'fernando@florka.test')).rejects.toMatchObject({ code: 'USERNAME_TAKEN' });
  });
});
