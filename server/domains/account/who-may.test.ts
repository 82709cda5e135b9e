import { describe, expect, it, vi } from 'vitest';
import { address, app, codeOf, email, newcomer } from '#tests/fixtures/account.ts';
import { PASSWORD } from '#tests/support/app/people.ts';
import type { Api, Person } from '#tests/support/app/test-app.ts';

vi.mock('./min-duration.ts', () => ({ withMinDuration: (work: () => Promise<unknown>) => work() }));

describe('authorization', () => {
  const UNKNOWN = '11111111-1111-4111-8111-111111111111';
  /** Result for each role; 'password' and 'code' represent values that the caller does not have. */
  const calls: [name: string, call: (api: Api) => Promise<unknown>, visitor: string, signedIn: string][] = [
    ['sign out', (api) => api.auth.signOut(), 'ok', 'ok'],
    ['request a new password', (api) => api.account.requestPasswordReset({ email: email(), locale: 'es' }), 'ok', 'ok'],
    ['request a sign-in code', (api) => api.account.requestSignInCode({ email: email(), locale: 'es' }), 'ok', 'ok'],
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
      'complete a second step that was not begun',
      (api) => api.account.provideSecondFactor({ code: '123456' }),
      'UNAUTHORIZED',
      'UNAUTHORIZED',
    ],
    ['see the account', (api) => api.account.overview(), 'UNAUTHORIZED', 'ok'],
    ['list sessions', (api) => api.account.sessions(), 'UNAUTHORIZED', 'ok'],
    ['end another’s session', (api) => api.account.revokeSession({ id: UNKNOWN }), 'UNAUTHORIZED', 'NOT_FOUND'],
    ['end the other sessions', (api) => api.account.revokeOtherSessions(), 'UNAUTHORIZED', 'ok'],
    ['export their data', (api) => api.account.export(), 'UNAUTHORIZED', 'ok'],
    ['hide their presence', (api) => api.account.setPresence({ hide: true }), 'UNAUTHORIZED', 'ok'],
    ['change their name', (api) => api.account.setUsername({ username: `n${Math.random()}` }), 'UNAUTHORIZED', 'ok'],
    ['request the confirmation mail', (api) => api.account.sendVerification({ locale: 'es' }), 'UNAUTHORIZED', 'ok'],
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

  describe.each(calls)('to %s', (_name, call, visitor, signedIn) => {
    it.each(people)('is as expected for %s', async (_who, make) => {
      const person = await make();
      const result = await codeOf(call(app.as(person, { address: address() })));
      // For a visitor the invalid body may be detected before or after the missing session; both refuse.
      if (person === null && signedIn === 'BAD_REQUEST') expect(['UNAUTHORIZED', 'BAD_REQUEST']).toContain(result);
      else expect(result).toBe(person ? signedIn : visitor);
    });

    if (visitor === 'UNAUTHORIZED' && signedIn !== 'BAD_REQUEST')
      it.each(spoiled)('is refused to a member %s', async (_who, change) => {
        const person = await app.member();
        await app.sql(change, [person.id]);
        expect(await codeOf(call(app.as(person, { address: address() })))).toBe('UNAUTHORIZED');
      });
  });

  it('is refused to requests from a page of another site', async () => {
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
