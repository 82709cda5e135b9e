// Mails about a change of how an account is signed in to, or of who receives its notifications: each says what to do if somebody else
// made it.
import { expect, it } from 'vitest';
import { type MailData, type MailTemplate, renderMail } from './templates.ts';

type Mail = { [T in MailTemplate]: [T, MailData[T]] }[MailTemplate];

const MAILS: Mail[] = [
  ['accountRemoved', { by: 'member' }],
  ['emailChanged', { to: 'b@florka.test' }],
  ['newSignIn', { at: '2026-11-28T10:00:00.000Z', device: '' }],
  ['passkeyChanged', { on: true }],
  ['passkeyChanged', { on: false }],
  ['passwordChanged', {}],
  ['passwordChanged', { gone: true }],
  ['secondFactorChanged', { on: true }],
  ['secondFactorChanged', { on: false }],
  ['telegramLinked', { name: '@ana' }],
  ['telegramUnlinked', {}],
  ['walletChanged', { on: true, address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }],
  ['walletChanged', { on: false, address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }],
  ['wrongPasswords', { attempts: 10 }],
];
const render = ([template, data]: Mail, locale: 'es' | 'en', supportEmail: string | null = null) =>
  renderMail(template, data as never, locale, 'https://florka.test', 'Florka', { supportEmail }).text;

it.each(MAILS)('%s %o says what to do if it was somebody else', (...mail) => {
  expect(render(mail, 'es')).toMatch(/Si no has sido tú.+\bcontraseña\b/s);
  expect(render(mail, 'en')).toMatch(/If this was not you.+\bpassword\b/s);
});

it('mails about an added second factor or passkey link a locked-out member to a password reset and the team', () => {
  for (const mail of MAILS)
    if ((mail[0] === 'secondFactorChanged' || mail[0] === 'passkeyChanged') && mail[1].on) {
      expect(render(mail, 'es', 'ayuda@florka.test')).toMatch(/«¿Olvidaste tu contraseña\?».+ayuda@florka\.test/s);
      expect(render(mail, 'en', 'help@florka.test')).toMatch(/“Forgot your password\?”.+help@florka\.test/s);
    }
  expect(render(['secondFactorChanged', { on: true }], 'es')).toContain('https://florka.test/auth\n');
  expect(render(['secondFactorChanged', { on: true }], 'en')).toContain('https://florka.test/en/auth\n');
});
