import { describe, expect, it, vi } from 'vitest';
import {
  address,
  app,
  auditOf,
  codeOf,
  email,
  mailsTo,
  newcomer,
  newestToken,
  signIn,
  tokenIn,
} from '#tests/fixtures/account.ts';
import { PASSWORD } from '#tests/support/app/people.ts';
import { type Api, listenTo } from '#tests/support/app/test-app.ts';

vi.mock('./min-duration.ts', () => ({ withMinDuration: (work: () => Promise<unknown>) => work() }));

describe('the confirmation mail', () => {
  it('is sent on sign-up, in the language of the page, and confirms once [AMB-149]', async () => {
    const ana = await newcomer({ locale: 'en' });
    const other = await signIn(ana.email);
    const [mail] = await mailsTo(ana.email);
    expect(mail?.subject).toBe('Confirm your e-mail');
    expect(mail?.text).toContain('http://florka.test/en/verify#token=');
    expect(await ana.api.account.overview()).toEqual({
      email: ana.email,
      emailVerified: false,
      pendingEmail: null,
      username: expect.stringMatching(/^user_/),
      hidePresence: false,
      secondFactor: false,
      secondFactorNeeded: false,
      passwordUntil: null,
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

  it('does not fail the sign-up when it cannot be queued', async () => {
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

  it('is sent again on request; the earlier link becomes invalid, and a link expires after a day', async () => {
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

  it('requires the password and the link mailed to the new mailbox; then the old mailbox is notified [AUTH-28] [AUTH-33] [AMB-149]', async () => {
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
    // No entry of the log contains the e-mails, because it can't be deleted.
    const log = JSON.stringify(await app.sql('select * from audit_events where actor_id = $1', [ana.id]));
    expect(log).not.toContain('@florka.test');
  });

  it('gives the same answer and pending state whether or not the new e-mail is in use', async () => {
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
      // Even for the owner of both mailboxes, the link takes nothing from the other account.
      const result = await codeOf(ana.api.account.verifyEmail({ token: await newestToken(ben.email) }));
      expect(result).toBe('TOKEN_REFUSED');
    }
    expect(seen[0]).toEqual({ status: 200, body: '{"ok":true}', pending: true });
    expect(seen[1]).toEqual(seen[0]);
    expect(await ben.api.auth.me()).toMatchObject({ email: ben.email });
  });

  it('gives an unused e-mail to one of two members who confirm it at once', async () => {
    const requested = email();
    const both = await Promise.all([newcomer({ verified: true }), newcomer({ verified: true })]);
    const links: string[] = [];
    for (const one of both) {
      await change(one.api, requested);
      links.push(await newestToken(requested));
      // Resets the daily limit without moving the clock, which would expire the first link.
      await app.sql(`delete from rate_limits where key ~ '^email-change'`);
    }
    const results = await Promise.all(
      both.map((one, i) => codeOf(one.api.account.verifyEmail({ token: links[i] ?? '' }))),
    );
    expect(results.toSorted()).toEqual(['TOKEN_REFUSED', 'ok']);
  });

  it('mails a new mailbox once a day at most, whichever member requests it and however it is written', async () => {
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
    // A refused change leaves no pending e-mail.
    expect((await ben.api.account.overview()).pendingEmail).toBeNull();
    await Promise.allSettled([ana, ben].map((one) => change(one.api, `${name}2@florka.test`)));
    expect(await mailsTo(`${name}2@florka.test`)).toHaveLength(1);
    app.pass(86_400_000 + 1);
    await change(ben.api, `${name}@florka.test`);
    expect(await mails()).toBe(2);
  });

  it('sends no notice to a former e-mail that was never confirmed, as it may be mistyped', async () => {
    const ana = await newcomer();
    const next = email();
    await change(ana.api, next);
    await ana.api.account.verifyEmail({ token: await newestToken(next) });
    expect((await mailsTo(ana.email)).map((mail) => mail.subject)).toEqual(['Confirma tu correo']);
  });

  it('invalidates links that were mailed to the former e-mail', async () => {
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
  it('requires the current one, ends the other sessions and a pending change of the e-mail, and notifies the member', async () => {
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

  it('does not invalidate the link that confirms the current mailbox', async () => {
    const ana = await newcomer();
    const token = await newestToken(ana.email);
    await ana.api.account.changePassword({ current: PASSWORD, next: 'next-password', locale: 'es' });
    expect(await ana.api.account.verifyEmail({ token })).toEqual({ email: ana.email });
  });

  it('is limited to 10 attempts an hour', async () => {
    const ana = await newcomer();
    const attempt = () =>
      codeOf(ana.api.account.changePassword({ current: 'wrong-password', next: 'next-password', locale: 'es' }));
    for (let i = 0; i < 10; i++) expect(await attempt()).toBe('WRONG_PASSWORD');
    expect(await attempt()).toBe('RATE_LIMITED');
  });
});

describe('the settings of name and presence', () => {
  it('change the name, unique regardless of case, with a live event for the forum [AMB-149] [AMB-152]', async () => {
    const ana = await newcomer();
    const ben = await newcomer();
    const listeners = listenTo(app.services);
    const name = `Ana ${ana.id.slice(0, 8)}`;
    expect(await ana.api.account.setUsername({ username: `  ${name} ` })).toMatchObject({ username: name });
    await listeners.changed('forum');
    expect(await codeOf(ben.api.account.setUsername({ username: name.toUpperCase() }))).toBe('USERNAME_TAKEN');
    expect(await codeOf(ben.api.account.setUsername({ username: 'ab' }))).toBe('BAD_REQUEST');
    expect(await codeOf(ben.api.account.setUsername({ username: '\u200b\u200b\u200ba' }))).toBe('BAD_REQUEST');
    // One's own name with another case is no conflict.
    await ana.api.account.setUsername({ username: name.toUpperCase() });
  });

  it('hide the member from the list of members online', async () => {
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

describe('the export', () => {
  it('contains what the member did, no secrets and no data of other members', async () => {
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

  it('does not count against its daily limit when it fails', async () => {
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
