import { describe, expect, it, vi } from 'vitest';
import { deviceName } from '#server/lib/text/device-name.ts';
import { app, auditOf, newcomer, signIn } from '#tests/fixtures/account.ts';
import { PASSWORD } from '#tests/support/app/people.ts';

vi.mock('./min-duration.ts', () => ({ withMinDuration: (work: () => Promise<unknown>) => work() }));

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
    expect(deviceName(agent)).toBe(device);
  });

  it('are listed with the current one first, and can be ended singly or all others together', async () => {
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

  it('are ended only after a step-up in the same browser: an open screen or a copied token is not enough', async () => {
    const ana = await newcomer();
    const phone = await signIn(ana.email);
    const [, other] = await phone.api.account.sessions();
    await app.sql(`update sessions set proved_at = now() - interval '601 seconds' where user_id = $1`, [ana.id]);
    await expect(phone.api.account.revokeSession({ id: other?.id ?? '' })).rejects.toMatchObject({
      code: 'STEP_UP_NEEDED',
    });
    await expect(phone.api.account.revokeOtherSessions()).rejects.toMatchObject({ code: 'STEP_UP_NEEDED' });
    expect(await ana.api.auth.me()).not.toBeNull();
    // A proof in one browser does not apply to another.
    await ana.api.account.prove({ password: PASSWORD });
    await expect(phone.api.account.revokeOtherSessions()).rejects.toMatchObject({ code: 'STEP_UP_NEEDED' });
    await phone.api.account.prove({ password: PASSWORD });
    await phone.api.account.revokeOtherSessions();
    expect(await ana.api.auth.me()).toBeNull();
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

  it('of another member get the same answer as unknown ones', async () => {
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

  it('are limited to ten; the next sign-in ends the oldest', async () => {
    const ana = await newcomer();
    await app.sql(`update sessions set created_at = now() - interval '1 hour' where user_id = $1`, [ana.id]);
    const browsers = [];
    for (let i = 0; i < 10; i++) browsers.push(await signIn(ana.email));
    expect(await ana.api.auth.me()).toBeNull();
    for (const browser of browsers) expect(await browser.api.auth.me()).not.toBeNull();
  });

  it('are replaced, not added, by signing in again in the same browser; Better Auth extends them like its own', async () => {
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
