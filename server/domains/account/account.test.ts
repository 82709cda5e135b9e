import { describe, expect, it, vi } from 'vitest';
import { PASSWORD, peopleOf } from '#tests/support/people.ts';
import { type Api, listenTo, type Person, startTestApp } from '#tests/support/test-app.ts';
import { deviceOf } from './sessions.service.ts';

vi.mock('./padding.ts', () => ({ padded: (work: () => Promise<unknown>) => work() }));

const app = await startTestApp({ trustProxy: 1 });
const { address, email, mailsTo, newcomer, newestToken, signIn, tokenIn } = peopleOf(app);
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error: { code?: string }) => error.code ?? String(error),
  );
const auditOf = async (id: string) =>
  (await app.sql<{ action: string }>('select action from audit_events where actor_id = $1 order by id', [id])).map(
    (row) => row.action,
  );

describe('the confirmation mail', () => {
  it('is sent on sign-up, in the language of the page, and confirms once [AMB-149]', async () => {
    const ana = await newcomer({ locale: 'en' });
    const other = await signIn(ana.email);
    const [mail] = await mailsTo(ana.email);
    expect(mail?.subject).toBe('Confirm your e-mail');
    expect(mail?.text).toContain('http://florka.test/en/verify?token=');
    expect(await ana.api.account.overview()).toEqual({
      email: ana.email,
      emailVerified: false,
      pendingEmail: null,
      username: expect.stringMatching(/^user_/),
      hidePresence: false,
      secondFactor: false,
      secondFactorNeeded: false,
      recoveryCodesLeft: 0,
      passkeys: 0,
      passkeysPossible: false,
      passkeyNeeded: false,
      mailTarget: 'outbox',
    });
    const token = tokenIn(mail);
    expect(await ana.api.account.verifyEmail({ token })).toEqual({ email: ana.email });
    expect(await ana.api.auth.me()).toMatchObject({ emailVerified: true });
    expect(await other.api.auth.me()).toBeNull();
    expect(await codeOf(ana.api.account.verifyEmail({ token }))).toBe('TOKEN_REFUSED');
    expect(await auditOf(ana.id)).toEqual([
      'member.signed_up',
      'email.verification_sent',
      'member.signed_in',
      'email.verified',
    ]);
  });

  it('failing to be queued does not fail the sign-up', async () => {
    await app.sql('alter table mails add constraint no_mail check (false) not valid');
    let mail = '';
    try {
      const ana = await newcomer();
      mail = ana.email;
      expect(await ana.api.auth.me()).toMatchObject({ id: ana.id });
      expect(await codeOf(ana.api.account.sendVerification({ locale: 'es' }))).not.toBe('ok');
    } finally {
      await app.sql('alter table mails drop constraint no_mail');
    }
    expect(await mailsTo(mail)).toEqual([]);
  });

  it('is sent again when asked for; the older link ends, and links last a day', async () => {
    const ana = await newcomer();
    const first = await newestToken(ana.email);
    await ana.api.account.sendVerification({ locale: 'es' });
    const second = await newestToken(ana.email);
    expect(await codeOf(ana.api.account.verifyEmail({ token: first }))).toBe('TOKEN_REFUSED');
    app.pass(24 * 3_600_000);
    expect(await codeOf(ana.api.account.verifyEmail({ token: second }))).toBe('TOKEN_REFUSED');
    for (let i = 0; i < 5; i++) await ana.api.account.sendVerification({ locale: 'es' });
    expect(await codeOf(ana.api.account.sendVerification({ locale: 'es' }))).toBe('RATE_LIMITED');
    await ana.api.account.verifyEmail({ token: await newestToken(ana.email) });
    app.pass(3_600_000);
    const count = (await mailsTo(ana.email)).length;
    await ana.api.account.sendVerification({ locale: 'es' });
    expect((await mailsTo(ana.email)).length).toBe(count);
  });
});

describe('changing the e-mail', () => {
  const change = (api: Api, to: string, password = PASSWORD) =>
    api.account.changeEmail({ email: to, password, locale: 'es' });

  it('needs the password and the link from the new mailbox; then the old one is told [AUTH-28] [AUTH-33] [AMB-149]', async () => {
    const ana = await newcomer({ verified: true });
    const other = await signIn(ana.email);
    const next = email();
    expect(await codeOf(change(ana.api, next, 'wrong-password'))).toBe('WRONG_PASSWORD');
    await change(ana.api, ` ${next.toUpperCase()}`);
    expect(await ana.api.account.overview()).toMatchObject({ email: ana.email, pendingEmail: next });
    const token = await newestToken(next);
    expect(await ana.api.account.verifyEmail({ token })).toEqual({ email: next });
    expect(await ana.api.account.overview()).toMatchObject({ email: next, emailVerified: true, pendingEmail: null });
    expect(await other.api.auth.me()).toBeNull();
    const notice = (await mailsTo(ana.email)).at(-1);
    expect(notice?.subject).toBe('El correo de tu cuenta ha cambiado');
    expect(notice?.text).toContain(next);
    expect(await codeOf(signIn(ana.email))).toBe('INVALID_CREDENTIALS');
    await signIn(next);
    // The e-mails stand in no entry of the log, which can't be erased.
    const log = JSON.stringify(await app.sql('select * from audit_events where actor_id = $1', [ana.id]));
    expect(log).not.toContain('@florka.test');
  });

  it('gives the same answer and the same look whether or not somebody has the new e-mail', async () => {
    const ben = await newcomer({ verified: true });
    const seen = [];
    for (const requested of [ben.email, email()]) {
      const ana = await newcomer({ verified: true });
      const headers = { cookie: ana.browser.cookie, 'x-forwarded-for': address() };
      const response = await app.post(
        '/api/account/email',
        { email: requested, password: PASSWORD, locale: 'es' },
        { headers },
      );
      const { pendingEmail } = await ana.api.account.overview();
      seen.push({ status: response.status, body: await response.text(), pending: pendingEmail === requested });
      if (requested !== ben.email) continue;
      // Even with both mailboxes in one hand the link takes nothing from the other account.
      const result = await codeOf(ana.api.account.verifyEmail({ token: await newestToken(ben.email) }));
      expect(result).toBe('TOKEN_REFUSED');
    }
    expect(seen[0]).toEqual({ status: 200, body: '{"ok":true}', pending: true });
    expect(seen[1]).toEqual(seen[0]);
    expect(await ben.api.auth.me()).toMatchObject({ email: ben.email });
  });

  it('gives a free e-mail to one of two who confirm at once', async () => {
    const requested = email();
    const both = await Promise.all([newcomer({ verified: true }), newcomer({ verified: true })]);
    const links: string[] = [];
    for (const one of both) {
      await change(one.api, requested);
      links.push(await newestToken(requested));
      // A day later, but for the first link, which would have ended.
      await app.sql(`delete from rate_limits where key ~ '^email-change'`);
    }
    const results = await Promise.all(
      both.map((one, i) => codeOf(one.api.account.verifyEmail({ token: links[i] ?? '' }))),
    );
    expect(results.toSorted()).toEqual(['TOKEN_REFUSED', 'ok']);
  });

  it('mails nobody more than once a day, whoever asks from wherever, however the mailbox is written', async () => {
    const name = `stranger${Date.now()}`;
    const mails = async () =>
      (await mailsTo(`${name}@florka.test`)).length + (await mailsTo(`${name}+b@florka.test`)).length;
    const [ana, ben] = [await newcomer({ verified: true }), await newcomer({ verified: true })];
    await change(ana.api, `${name}@florka.test`);
    expect(await mails()).toBe(1);
    for (const [who, to] of [
      [ana, `${name}@florka.test`],
      [ben, `${name.toUpperCase()}@florka.test`],
      [ben, `${name}+b@florka.test`],
    ] as const)
      expect(await codeOf(change(who.api, to))).toBe('RATE_LIMITED');
    expect(await mails()).toBe(1);
    // What was refused leaves no wish behind.
    expect((await ben.api.account.overview()).pendingEmail).toBeNull();
    await Promise.allSettled([ana, ben].map((one) => change(one.api, `${name}2@florka.test`)));
    expect(await mailsTo(`${name}2@florka.test`)).toHaveLength(1);
    app.pass(86_400_000 + 1);
    await change(ben.api, `${name}@florka.test`);
    expect(await mails()).toBe(2);
  });

  it('does not tell a mistyped, never confirmed mailbox the right one', async () => {
    const ana = await newcomer();
    const next = email();
    await change(ana.api, next);
    await ana.api.account.verifyEmail({ token: await newestToken(next) });
    expect((await mailsTo(ana.email)).map((mail) => mail.subject)).toEqual(['Confirma tu correo']);
  });

  it('makes links for the former e-mail worthless', async () => {
    const ana = await newcomer({ verified: true });
    const visitor = app.browser({ address: address() }).api.account;
    await visitor.requestPasswordReset({ email: ana.email, locale: 'es' });
    const reset = await newestToken(ana.email);
    await app.sql('update users set email = $2 where id = $1', [ana.id, email()]);
    expect(await codeOf(visitor.resetPassword({ token: reset, password: 'mine-now', locale: 'es' }))).toBe(
      'TOKEN_REFUSED',
    );
  });
});

describe('changing the password', () => {
  it('asks for the present one, ends the other sessions and everything under way, and tells the member', async () => {
    const ana = await newcomer({ verified: true });
    const other = await signIn(ana.email);
    const next = email();
    await ana.api.account.changeEmail({ email: next, password: PASSWORD, locale: 'es' });
    const change = (current: string, wanted: string) =>
      codeOf(ana.api.account.changePassword({ current, next: wanted, locale: 'en' }));
    expect(await change('wrong-password', 'next-password')).toBe('WRONG_PASSWORD');
    expect(await change(PASSWORD, '12345')).toBe('BAD_REQUEST');
    expect(await change(PASSWORD, 'next-password')).toBe('ok');
    expect(await other.api.auth.me()).toBeNull();
    expect(await ana.api.auth.me()).not.toBeNull();
    expect(await ana.api.account.overview()).toMatchObject({ pendingEmail: null });
    expect((await mailsTo(ana.email)).at(-1)?.subject).toBe('Your password has changed');
    expect(await codeOf(signIn(ana.email))).toBe('INVALID_CREDENTIALS');
    await signIn(ana.email, 'next-password');
  });

  it('may be tried 10 times an hour', async () => {
    const ana = await newcomer();
    const attempt = () =>
      codeOf(ana.api.account.changePassword({ current: 'wrong-password', next: 'next-password', locale: 'es' }));
    for (let i = 0; i < 10; i++) expect(await attempt()).toBe('WRONG_PASSWORD');
    expect(await attempt()).toBe('RATE_LIMITED');
  });
});

describe('name and presence', () => {
  it('change for everybody at once [AMB-149] [AMB-152]', async () => {
    const ana = await newcomer();
    const ben = await newcomer();
    const listeners = listenTo(app.services);
    const name = `Ana ${ana.id.slice(0, 8)}`;
    expect(await ana.api.account.setUsername({ username: `  ${name} ` })).toMatchObject({ username: name });
    await listeners.changed('forum');
    expect(await codeOf(ben.api.account.setUsername({ username: name.toUpperCase() }))).toBe('USERNAME_TAKEN');
    expect(await codeOf(ben.api.account.setUsername({ username: 'ab' }))).toBe('BAD_REQUEST');
    expect(await codeOf(ben.api.account.setUsername({ username: '\u200b\u200b\u200ba' }))).toBe('BAD_REQUEST');
    // The own name in other letters is no clash.
    await ana.api.account.setUsername({ username: name.toUpperCase() });
  });

  it('hides the member from the list of who is online', async () => {
    const ana = await newcomer();
    await ana.api.presence.heartbeat({ sessionId: '11111111-1111-4111-8111-111111111111' });
    const online = async () => {
      const { username } = await ana.api.account.overview();
      return (await app.as().presence.online()).data.some((user) => user.username === username);
    };
    expect(await online()).toBe(true);
    await ana.api.account.setPresence({ hide: true });
    await ana.api.account.setPresence({ hide: true });
    expect(await online()).toBe(false);
    await ana.api.account.setPresence({ hide: false });
    expect(await online()).toBe(true);
    expect((await auditOf(ana.id)).slice(-2)).toEqual(['presence.hidden', 'presence.shown']);
  });
});

describe('sessions', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox · Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
      'Edge · Windows',
    ],
    ['Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', 'Chrome · Android'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari · iPhone',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 'Safari · macOS'],
    ['curl/8.5.0', ''],
    ['', ''],
  ])('name the device of "%s"', (agent, device) => {
    expect(deviceOf(agent)).toBe(device);
  });

  it('are listed, the present one first, and end one by one or all the others', async () => {
    const ana = await newcomer();
    const second = await signIn(ana.email);
    const third = await signIn(ana.email);
    const list = await second.api.account.sessions();
    expect(list.map((session) => session.current)).toEqual([true, false, false]);
    expect(JSON.stringify(list)).not.toMatch(/token/);
    const [own] = await ana.api.account.sessions();
    await second.api.account.revokeSession({ id: own?.id ?? '' });
    expect(await ana.api.auth.me()).toBeNull();
    expect(await third.api.auth.me()).not.toBeNull();
    await second.api.account.revokeOtherSessions();
    expect(await third.api.auth.me()).toBeNull();
    expect(await second.api.account.sessions()).toHaveLength(1);
    expect((await auditOf(ana.id)).slice(-2)).toEqual(['session.revoked', 'session.others_revoked']);
  });

  it('show when each was last used, to the minute', async () => {
    const ana = await newcomer();
    const phone = await signIn(ana.email);
    const ago = (minutes: number) => new Date(app.now.getTime() - minutes * 60_000).toISOString();
    await app.sql(`update sessions set updated_at = $2 where user_id = $1`, [ana.id, ago(600)]);
    const used = async () => (await ana.api.account.sessions()).map(({ current, lastUsedAt }) => [current, lastUsedAt]);
    expect(await used()).toEqual([
      [true, app.now.toISOString()],
      [false, ago(600)],
    ]);
    await phone.api.voting.mine();
    await app.services.sessionUse.flush();
    expect((await used())[1]).toEqual([false, app.now.toISOString()]);
    // Within the minute nothing is written.
    const stamps = () =>
      app.sql(`select id, xmin::text, last_used_at from sessions where user_id = $1 order by id`, [ana.id]);
    await ana.api.auth.me();
    await app.services.sessionUse.flush();
    const before = await stamps();
    app.pass(59_000);
    await phone.api.voting.mine();
    await ana.api.auth.me();
    await app.services.sessionUse.flush();
    expect(await stamps()).toEqual(before);
  });

  it('of somebody else are as good as none', async () => {
    const ana = await newcomer();
    const ben = await newcomer();
    const [session] = await ana.api.account.sessions();
    const answer = async (id: string) => {
      const response = await app.http(`/api/account/sessions/${id}`, {
        method: 'DELETE',
        headers: { cookie: ben.browser.cookie },
      });
      return { status: response.status, body: await response.text() };
    };
    const refused = await answer(session?.id ?? '');
    expect(refused.status).toBe(404);
    expect(await answer('11111111-1111-4111-8111-111111111111')).toEqual(refused);
    expect(await ana.api.auth.me()).not.toBeNull();
  });

  it('are ten at most; the oldest ends', async () => {
    const ana = await newcomer();
    await app.sql(`update sessions set created_at = now() - interval '1 hour' where user_id = $1`, [ana.id]);
    const browsers = [];
    for (let i = 0; i < 10; i++) browsers.push(await signIn(ana.email));
    expect(await ana.api.auth.me()).toBeNull();
    for (const browser of browsers) expect(await browser.api.auth.me()).not.toBeNull();
  });

  it('are replaced, not added, by signing in again in the same browser; Better Auth prolongs them as its own', async () => {
    const ana = await newcomer();
    await ana.api.auth.signIn({ email: ana.email, password: PASSWORD });
    expect(await ana.api.account.sessions()).toHaveLength(1);
    await app.sql(`update sessions set updated_at = $2, expires_at = now() + interval '2 days' where user_id = $1`, [
      ana.id,
      new Date(app.now.getTime() - 2 * 86_400_000),
    ]);
    await ana.api.auth.me();
    expect(ana.browser.received.join()).toContain('florka.session_token');
    expect(await ana.api.auth.me()).not.toBeNull();
  });
});

describe('the export', () => {
  it('holds what the member did, and nothing secret or of others', async () => {
    const ana = await newcomer();
    const ben = await newcomer();
    const { id: candidateId } = await app.candidate();
    const { id: projectId } = await app.project();
    await ana.api.voting.cast({ candidateId });
    const post = await ana.api.forum.create({ title: 'Mi primer post', content: 'hola' });
    await ben.api.forum.create({ title: 'post de ben', content: 'secreto de ben' });
    await ana.api.forum.comment({ postId: post.id, content: 'mi comentario' });
    await ana.api.forum.react({ postId: post.id, emojiType: 'love', on: true });
    await ana.api.saved.set({ kind: 'project', id: projectId, saved: true });
    const data = (await ana.api.account.export()) as Record<string, never>;
    expect(data).toMatchObject({
      account: { email: ana.email, email_verified: false },
      profile: { hide_presence: false },
      roles: { role: 'user' },
      votes: [{ candidate_id: candidateId }],
      posts: [{ title: 'Mi primer post' }],
      comments: [{ content: 'mi comentario' }],
      reactions: [{ emoji_type: 'love' }],
      saved: [{ project_id: projectId }],
      sessions: [{ ip_address: ana.address }],
    });
    const text = JSON.stringify(data);
    expect(text).not.toMatch(/argon2|"password"|"token"|hash|secret/i);
    expect(text).not.toContain(ben.email);
    expect(text).not.toContain('de ben');
    expect(text).toContain('post.created');
    for (let i = 0; i < 9; i++) await ana.api.account.export();
    expect(await codeOf(ana.api.account.export())).toBe('RATE_LIMITED');
  });

  it('that failed does not count as one of the day', async () => {
    const ana = await newcomer();
    await app.sql(`create function no_export() returns trigger language plpgsql as
      $$ begin raise exception 'no' using errcode = '55P03'; end $$`);
    await app.sql(`create trigger no_export before insert on audit_events for each row
      when (new.action = 'account.exported') execute function no_export()`);
    for (let i = 0; i < 11; i++) await expect(ana.api.account.export()).rejects.toThrow();
    await app.sql('drop trigger no_export on audit_events');
    for (let i = 0; i < 10; i++) await ana.api.account.export();
    expect(await codeOf(ana.api.account.export())).toBe('RATE_LIMITED');
  });
});

describe('deleting the account', () => {
  const books = async (candidateId: string) => {
    const [row] = await app.sql(
      `select c.total_votes as total, (select count(*)::int from votes v where v.candidate_id = c.id) as rows,
         (select sum(d.votes)::int from candidate_daily_votes d where d.candidate_id = c.id) as days
       from voting_candidates c where id = $1`,
      [candidateId],
    );
    return row;
  };

  it('takes the person out and leaves the forum and exact counts behind [AMB-149]', async () => {
    const ana = await newcomer({ verified: true });
    const ben = await newcomer();
    const one = await app.candidate();
    const two = await app.candidate();
    for (const member of [ana, ben]) await member.api.voting.cast({ candidateId: one.id });
    await ana.api.voting.cast({ candidateId: two.id });
    app.pass(24 * 3_600_000);
    await ana.api.voting.cast({ candidateId: one.id });
    const post = await ana.api.forum.create({ title: 'Me voy', content: 'pero esto queda' });
    const comment = await ana.api.forum.comment({ postId: post.id, content: 'y esto' });
    for (const member of [ana, ben]) await member.api.forum.react({ postId: post.id, emojiType: 'sad', on: true });
    await app.sql('insert into admin_users (email, claimed_by) values ($1, $2)', [ana.email, ana.id]);
    const name = (await ana.api.account.overview()).username;

    expect(await codeOf(ana.api.account.remove({ password: 'wrong-password' }))).toBe('WRONG_PASSWORD');
    const listeners = listenTo(app.services);
    expect(await ana.api.account.remove({ password: PASSWORD })).toEqual({ ok: true });
    expect(ana.browser.cookie).toBe('');
    const liveEvents = await listeners.until(
      (event) =>
        event.type === 'votes.changed' &&
        event.tallies.some((tally) => tally.candidateId === one.id && tally.totalVotes === 1),
    );
    expect(liveEvents).toMatchObject({
      tallies: expect.arrayContaining([
        { candidateId: one.id, totalVotes: 1, votesToday: 0, reachedAt: expect.any(String) },
        { candidateId: two.id, totalVotes: 0, votesToday: 0, reachedAt: null },
      ]),
    });
    expect(await books(one.id)).toEqual({ total: 1, rows: 1, days: 1 });
    expect(await books(two.id)).toEqual({ total: 0, rows: 0, days: 0 });
    expect(await app.sql('select reactions from post_reaction_counts where post_id = $1', [post.id])).toEqual([
      { reactions: 1 },
    ]);

    const left = await app.as().forum.post({ id: post.id });
    const nobody = { username: null, shortId: '', staff: false };
    expect([left.author, left.comments[0]?.author]).toEqual([nobody, nobody]);
    const [stored] = await app.sql('select * from forum_users where id = $1', [ana.id]);
    expect(stored).toMatchObject({ new_auth_user_id: null, legacy_email: null });
    expect(stored?.['username']).toMatch(/^Cuenta eliminada [0-9a-f]{12}$/);
    expect(stored?.['wallet_address']).not.toContain(ana.id);
    expect(await app.sql('select content from forum_posts where id = $1', [post.id])).toEqual([
      { content: 'pero esto queda' },
    ]);
    expect(await app.sql('select user_id from forum_comments where id = $1', [comment.id])).toEqual([
      { user_id: null },
    ]);
    for (const table of ['users', 'forum_users', 'mails', 'admin_users', 'audit_events'])
      for (const word of [ana.email, name]) {
        // A name that was never changed stands nowhere in the log.
        const rows = await app.sql(`select 1 from ${table} t where t::text like $1`, [`%${word}%`]);
        expect(rows, `${table} ${word}`).toEqual([]);
      }
    expect(await codeOf(signIn(ana.email))).toBe('INVALID_CREDENTIALS');
    // The e-mail is free, and the old profile can't be claimed with it.
    const again = await newcomer({ email: ana.email, verified: true });
    expect(await codeOf(again.api.auth.linkForumUser({ forumUserId: ana.id }))).toBe('LINK_REFUSED');
    expect(await codeOf(again.api.auth.linkAdmin({ email: ana.email }))).toBe('LINK_REFUSED');
  });

  it('keeps the counts exact while votes come in', async () => {
    const { id: candidateId } = await app.candidate();
    const members = await Promise.all(Array.from({ length: 4 }, () => newcomer()));
    for (const member of members) await member.api.voting.cast({ candidateId });
    const others = await app.members(30);
    await Promise.all([
      ...members.map((member) => member.api.account.remove({ password: PASSWORD })),
      ...others.map((other) => app.as(other).voting.cast({ candidateId })),
    ]);
    expect(await books(candidateId)).toEqual({ total: 30, rows: 30, days: 30 });
  });

  it('is not for the last admin, not even when two leave at once', async () => {
    const boss = async () => {
      const one = await newcomer();
      await app.sql('insert into admin_profiles (id) values ($1)', [one.id]);
      return one;
    };
    const two = [await boss(), await boss()];
    const results = await Promise.all(two.map((one) => codeOf(one.api.account.remove({ password: PASSWORD }))));
    expect(results.toSorted()).toEqual(['LAST_ADMIN', 'ok']);
    expect(await app.sql('select 1 from admin_profiles')).toHaveLength(1);
  });
});

describe('who may', () => {
  const UNKNOWN = '11111111-1111-4111-8111-111111111111';
  /** What each role gets; 'password' and 'code' stand for what the caller does not know. */
  const calls: [name: string, call: (api: Api) => Promise<unknown>, visitor: string, signedIn: string][] = [
    ['sign out', (api) => api.auth.signOut(), 'ok', 'ok'],
    ['ask for a new password', (api) => api.account.requestPasswordReset({ email: email(), locale: 'es' }), 'ok', 'ok'],
    ['ask for a code', (api) => api.account.requestSignInCode({ email: email(), locale: 'es' }), 'ok', 'ok'],
    [
      'reset with another’s token',
      (api) => api.account.resetPassword({ token: 'x'.repeat(43), password: 'new-password', locale: 'es' }),
      'TOKEN_REFUSED',
      'TOKEN_REFUSED',
    ],
    [
      'confirm with another’s token',
      (api) => api.account.verifyEmail({ token: 'x'.repeat(43) }),
      'TOKEN_REFUSED',
      'TOKEN_REFUSED',
    ],
    [
      'sign in with another’s code',
      (api) => api.account.signInWithCode({ email: email(), code: '123456' }),
      'WRONG_CODE',
      'WRONG_CODE',
    ],
    [
      'do a second step nobody began',
      (api) => api.account.provideSecondFactor({ code: '123456' }),
      'UNAUTHORIZED',
      'UNAUTHORIZED',
    ],
    ['see the account', (api) => api.account.overview(), 'UNAUTHORIZED', 'ok'],
    ['list sessions', (api) => api.account.sessions(), 'UNAUTHORIZED', 'ok'],
    ['end another’s session', (api) => api.account.revokeSession({ id: UNKNOWN }), 'UNAUTHORIZED', 'NOT_FOUND'],
    ['end the other sessions', (api) => api.account.revokeOtherSessions(), 'UNAUTHORIZED', 'ok'],
    ['export', (api) => api.account.export(), 'UNAUTHORIZED', 'ok'],
    ['hide', (api) => api.account.setPresence({ hide: true }), 'UNAUTHORIZED', 'ok'],
    ['be renamed', (api) => api.account.setUsername({ username: `n${Math.random()}` }), 'UNAUTHORIZED', 'ok'],
    ['ask for the confirmation', (api) => api.account.sendVerification({ locale: 'es' }), 'UNAUTHORIZED', 'ok'],
    [
      'change the password unproven',
      (api) => api.account.changePassword({ current: 'guess', next: 'new-password', locale: 'es' }),
      'UNAUTHORIZED',
      'WRONG_PASSWORD',
    ],
    [
      'change the e-mail unproven',
      (api) => api.account.changeEmail({ email: email(), password: 'guess', locale: 'es' }),
      'UNAUTHORIZED',
      'WRONG_PASSWORD',
    ],
    [
      'set up a second factor unproven',
      (api) => api.account.startSecondFactor({ password: 'guess' }),
      'UNAUTHORIZED',
      'WRONG_PASSWORD',
    ],
    [
      'confirm a second factor that was not begun',
      (api) => api.account.confirmSecondFactor({ code: '123456', locale: 'es' }),
      'UNAUTHORIZED',
      'WRONG_CODE',
    ],
    [
      'remove a second factor unproven',
      (api) => api.account.removeSecondFactor({ password: 'guess', code: '123456', locale: 'es' }),
      'UNAUTHORIZED',
      'WRONG_PASSWORD',
    ],
    [
      'delete the account unproven',
      (api) => api.account.remove({ password: 'guess' }),
      'UNAUTHORIZED',
      'WRONG_PASSWORD',
    ],
    [
      'rename with a role in the body',
      (api) => api.account.setUsername({ username: 'somebody', role: 'admin' } as never),
      'UNAUTHORIZED',
      'BAD_REQUEST',
    ],
  ];
  const people: [who: string, make: () => Promise<Person | null>][] = [
    ['a visitor', async () => null],
    ['a member', () => app.member()],
    ['a moderator', () => app.member({ role: 'moderator' })],
    ['an admin', () => app.member({ role: 'admin' })],
  ];
  const spoiled: [who: string, change: string][] = [
    ['with an expired session', `update sessions set expires_at = now() - interval '1 second' where user_id = $1`],
    ['with a revoked session', 'delete from sessions where user_id = $1'],
    ['who is banned', `update users set banned_until = 'infinity' where id = $1`],
  ];

  describe.each(calls)('%s', (_name, call, visitor, signedIn) => {
    it.each(people)('%s', async (_who, make) => {
      const person = await make();
      const result = await codeOf(call(app.as(person, { address: address() })));
      // A visitor's wrong body is seen before or after the missing session; both refuse.
      if (person === null && signedIn === 'BAD_REQUEST') expect(['UNAUTHORIZED', 'BAD_REQUEST']).toContain(result);
      else expect(result).toBe(person ? signedIn : visitor);
    });

    if (visitor === 'UNAUTHORIZED' && signedIn !== 'BAD_REQUEST')
      it.each(spoiled)('a member %s', async (_who, change) => {
        const person = await app.member();
        await app.sql(change, [person.id]);
        expect(await codeOf(call(app.as(person, { address: address() })))).toBe('UNAUTHORIZED');
      });
  });

  it('changes nothing from a page of another site', async () => {
    const ana = await newcomer();
    for (const path of ['/api/account/remove', '/api/account/password', '/api/account/sessions/revoke-others']) {
      const response = await app.post(
        path,
        { password: PASSWORD },
        {
          headers: { cookie: ana.browser.cookie, origin: 'https://evil.test' },
        },
      );
      expect(response.status).toBe(403);
    }
    expect(await ana.api.auth.me()).not.toBeNull();
  });
});
