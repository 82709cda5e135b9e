import { describe, expect, it } from 'vitest';
import { PASSWORD, peopleOf } from '#tests/support/app/people.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { isCommon } from './common-passwords.ts';
import { refuseWeak } from './weak-password.service.ts';

// The first, the 50,000th, the 90,000th and the last of the refused passwords, and three that come after them.
const COMMON = ['123456', '100974', 'MARYNA', 'neznam'];
const LATER = ['nexttime', 'nextover', 'nazar1995'];

describe('a new password', () => {
  it.each(['123456', 'password', 'Qwerty', 'DRAGON', 'iloveyou'])('%s is refused as common', async (password) => {
    expect(await isCommon(password)).toBe(true);
    await expect(refuseWeak(password, { own: [] })).rejects.toMatchObject({ code: 'PASSWORD_COMMON' });
  });

  it('is refused as common if it is one of the 100,000 most used, and not otherwise', async () => {
    const at = async (password: string) => ({ password, common: await isCommon(password) });
    for (const password of COMMON) expect(await at(password)).toEqual({ password, common: true });
    for (const password of LATER) expect(await at(password)).toEqual({ password, common: false });
  });

  it.each(['Luna-Azul', 'luna.azul', '2026lunaazul!', 'LUNAAZUL99', 'luna.azul@example.org', 'LunaAzulExampleOrg'])(
    '%s is refused as a form of the own name or mailbox',
    async (password) => {
      const own = ['luna.azul@example.org', null];
      await expect(refuseWeak(password, { own })).rejects.toMatchObject({ code: 'PASSWORD_OWN' });
    },
  );

  it.each(['Florka', 'florka2026!', 'florka-token', 'Solana.Wallet99', 'votación', 'FlorkaFlorka', 'token1florka'])(
    '%s is refused as made of words of this site',
    async (password) => {
      expect(await isCommon(password)).toBe(false);
      await expect(refuseWeak(password, { own: [] })).rejects.toMatchObject({ code: 'PASSWORD_COMMON' });
    },
  );

  it.each(['florkanauta azul', 'mi-wallet-verde', '!!!!!!'])('%s is not made of such words', async (password) => {
    await expect(refuseWeak(password, { own: [] })).resolves.toBeUndefined();
  });

  it.each(['luna azul y otra cosa', 'x7k9qz', 'ábaco-74-nube'])('%s is accepted', async (password) => {
    await expect(refuseWeak(password, { own: ['luna.azul@example.org', 'Luna'] })).resolves.toBeUndefined();
  });

  it('of staff has twelve characters or more', async () => {
    await expect(refuseWeak('elevenchars', { own: [], staff: true })).rejects.toMatchObject({ code: 'PASSWORD_SHORT' });
    await expect(refuseWeak('twelve-chars', { own: [], staff: true })).resolves.toBeUndefined();
    // Counts characters, not UTF-16 code units.
    await expect(refuseWeak('🦊'.repeat(6), { own: [], staff: true })).rejects.toMatchObject({
      code: 'PASSWORD_SHORT',
    });
  });
});

describe('weak passwords are refused', async () => {
  const app = await startTestApp({ trustProxy: 1 });
  const people = peopleOf(app);

  it('at sign-up, and no account is made', async () => {
    const email = 'stargazer@florka.test';
    await expect(people.newcomer({ email, password: 'football' })).rejects.toMatchObject({ code: 'PASSWORD_COMMON' });
    await expect(people.newcomer({ email, password: 'Stargazer-2026!' })).rejects.toMatchObject({
      code: 'PASSWORD_OWN',
    });
    expect(await app.sql('select 1 from users where email = $1', [email])).toEqual([]);
  });

  it('by the link of a password reset, which stays valid', async () => {
    const ana = await people.newcomer();
    const guest = app.browser({ address: people.address() });
    await guest.api.account.requestPasswordReset({ email: ana.email, locale: 'es' });
    const token = await people.newestToken(ana.email);
    const choose = (password: string) => guest.api.account.resetPassword({ token, password, locale: 'es' });
    await expect(choose('football')).rejects.toMatchObject({ code: 'PASSWORD_COMMON' });
    await app.sql(`update user_roles set role = 'moderator' where user_id = $1`, [ana.id]);
    await expect(choose('x7k9qz')).rejects.toMatchObject({ code: 'PASSWORD_SHORT' });
    await choose('x7k9qz-and-more');
  });

  it('when it is changed', async () => {
    const ben = await people.newcomer();
    const change = (next: string) => ben.api.account.changePassword({ current: PASSWORD, next, locale: 'es' });
    await expect(change('superman')).rejects.toMatchObject({ code: 'PASSWORD_COMMON' });
    await change('x7k9qz');
  });
});
