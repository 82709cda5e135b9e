import { describe, expect, it } from 'vitest';
import { seal, unseal } from '#server/lib/crypto/seal.ts';
import { openMail } from '#server/providers/mail/open.ts';
import { listenTo, startTestApp } from '#tests/support/app/test-app.ts';
import { fakeProvider } from '#tests/support/payments/fake-provider.ts';
import { reloadableMail, reloadablePayments } from './reloadable-providers.ts';
import { settingsFromEnv } from './settings.service.ts';

const fake = fakeProvider(() => app.now.getTime());
const app = await startTestApp({
  payments: { ...fake.provider, simulation: true },
  given: { mailFrom: 'Given <g@florka.test>' },
});
const admin = app.as(await app.member({ role: 'admin' }), {}).admin.settings;
const { services } = app;

type Changes = Parameters<typeof admin.save>[0]['changes'];
/** Saves with the current versions. */
async function save(values: Partial<Record<Changes[number]['name'], string | number | boolean | null>>) {
  const now = await admin.list();
  return admin.save({
    changes: Object.entries(values).map(([name, value]) => ({
      name: name as Changes[number]['name'],
      version: now.find((one) => one.name === name)?.version ?? 0,
      value: value ?? null,
    })),
  });
}
const entries = (name: string) =>
  app.sql<{ action: string; before: unknown; after: unknown }>(
    `select action, before, after from audit_events where resource_type = 'setting' and resource_id = $1 order by id`,
    [name],
  );

describe('a setting', () => {
  it('applies in every process once it is saved, and returns to its default once it is removed', async () => {
    const other = await app.secondProcess();
    expect(other.settings.get('votesPerDay')).toBe(60);
    await save({ votesPerDay: 3, supportEmail: 'ayuda@florka.test' });
    for (const { settings } of [services, other]) {
      await expect.poll(() => settings.get('votesPerDay')).toBe(3);
      expect(settings.get('supportEmail')).toBe('ayuda@florka.test');
    }
    expect(await app.as().sitePages.contact()).toEqual({ supportEmail: 'ayuda@florka.test' });
    await save({ votesPerDay: null, supportEmail: null });
    await expect.poll(() => other.settings.get('votesPerDay')).toBe(60);
    expect((await entries('votesPerDay')).map(({ action, before, after }) => [action, before, after])).toEqual([
      ['setting.changed', { value: null }, { value: 3 }],
      ['setting.removed', { value: 3 }, { value: null }],
    ]);
  });

  it('changes the limit of votes at once', async () => {
    await save({ votesPerMinute: 1 });
    await expect.poll(() => services.settings.get('votesPerMinute')).toBe(1);
    const candidates = [(await app.candidate()).id, (await app.candidate()).id];
    const voter = app.as(await app.member());
    await voter.voting.cast({ candidateId: candidates[0] ?? '' });
    await expect(voter.voting.cast({ candidateId: candidates[1] ?? '' })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    await save({ votesPerMinute: null });
  });

  it('invalidates cached pages', async () => {
    const times = () => app.rendered.filter((path) => path === '/vote').length;
    // Live events of earlier votes arrive a moment later, and invalidate the page too.
    await expect
      .poll(async () => {
        const before = times();
        await app.http('/vote');
        return times() - before;
      })
      .toBe(0);
    const made = times();
    await save({ supportEmail: 'otra@florka.test' });
    await expect.poll(() => services.settings.get('supportEmail')).toBe('otra@florka.test');
    await app.http('/vote');
    expect(times()).toBe(made + 1);
    await save({ supportEmail: null });
  });

  it('cannot be saved while an environment variable sets it, which takes precedence and is named', async () => {
    expect((await admin.list()).find(({ name }) => name === 'mailFrom')).toMatchObject({
      from: 'environment',
      variable: 'MAIL_FROM',
      value: 'Given <g@florka.test>',
    });
    await expect(save({ mailFrom: 'Mine <m@florka.test>' })).rejects.toMatchObject({
      code: 'SETTING_FIXED',
      data: { variable: 'MAIL_FROM' },
    });
    await app.sql(`insert into settings (key, value) values ('mailFrom', '"Old <o@florka.test>"')`);
    await services.settings.load();
    expect(services.settings.get('mailFrom')).toBe('Given <g@florka.test>');
    expect(settingsFromEnv({ VOTE_CONFIRMED_ONLY: 'off', SUPPORT_EMAIL: '', MAIL_FROM: 'A <a@b.c>' })).toEqual({
      voteConfirmedOnly: false,
      mailFrom: 'A <a@b.c>',
    });
  });

  it('is saved together with the others or not at all', async () => {
    await expect(save({ votesPerDay: 9, supportEmail: 'nobody' })).rejects.toMatchObject({
      code: 'SETTING_WRONG',
      data: { names: ['supportEmail'] },
    });
    await expect(save({ votesPerDay: 9, bannerEs: 'Hola' })).rejects.toMatchObject({
      code: 'SETTING_WRONG',
      data: { names: ['bannerEn'] },
    });
    expect((await admin.list()).find(({ name }) => name === 'votesPerDay')?.from).toBe('default');
  });

  it('cannot be exported as a file', async () => {
    const { cookie } = await app.member({ role: 'admin' });
    expect((await app.http('/api/admin/settings.csv', { headers: { cookie } })).status).toBe(404);
    expect(await app.sql(`select 1 from audit_events where action = 'list.exported'`)).toEqual([]);
  });

  it('is saved by one of two concurrent requests, and the other gets a conflict with the current version', async () => {
    const write = (value: number) => admin.save({ changes: [{ name: 'notificationDays', version: 0, value }] });
    const answers = await Promise.allSettled([write(30), write(40)]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = answers.find((answer) => answer.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'VERSION_CONFLICT', data: { version: 1 } });
    await save({ notificationDays: null });
  });

  it('that was removed and set again is not overwritten by a request with an older version', async () => {
    const write = (value: number | null, version: number) =>
      admin.save({ changes: [{ name: 'removalCopyDays', version, value }] });
    const seen = async () => (await admin.list()).find(({ name }) => name === 'removalCopyDays');
    await write(1_000, 0);
    const version = (await seen())?.version ?? 0;
    await write(null, version);
    await write(2_000, 0);
    await expect(write(3_000, version)).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
    expect(await seen()).toMatchObject({ value: 2_000 });
  });

  it('with an invalid stored value has its default', async () => {
    await app.sql(`insert into settings (key, value) values ('votesPerDay', '"many"')`);
    await services.settings.load();
    expect(services.settings.get('votesPerDay')).toBe(60);
    await app.sql(`delete from settings where key = 'votesPerDay'`);
  });
});

describe('a secret', () => {
  const SMTP = 'smtp://florka:hush-hush@127.0.0.1:2525';

  it('is encrypted in the database, and neither returned, logged nor entered into the audit log', async () => {
    const saved = await save({ smtpUrl: SMTP });
    expect(saved.find(({ name }) => name === 'smtpUrl')).toMatchObject({ value: null, isSet: true, from: 'stored' });
    expect(JSON.stringify(saved)).not.toContain('hush-hush');
    await expect.poll(() => services.settings.get('smtpUrl')).toBe(SMTP);
    const [row] = await app.sql<{ sealed: Buffer }>(`select sealed from setting_secrets where key = 'smtpUrl'`);
    expect(row?.sealed.toString('latin1')).not.toContain('hush');
    expect(await app.sql(`select 1 from settings where key = 'smtpUrl'`)).toEqual([]);
    expect(await entries('smtpUrl')).toEqual([
      { action: 'setting.changed', before: { secretSet: false }, after: { secretSet: true } },
    ]);
    expect(JSON.stringify(app.logged)).not.toContain('hush-hush');
  });

  it('of another AUTH_SECRET is not used, and shown as unreadable', async () => {
    const key = Buffer.alloc(32, 7);
    await app.sql(`update setting_secrets set sealed = $1 where key = 'smtpUrl'`, [seal(key, 'smtpUrl', SMTP)]);
    await services.settings.load();
    expect(services.settings.get('smtpUrl')).toBeNull();
    expect((await admin.list()).find(({ name }) => name === 'smtpUrl')).toMatchObject({
      from: 'unreadable',
      isSet: false,
    });
    await save({ smtpUrl: null });
    expect(await app.sql(`select 1 from setting_secrets`)).toEqual([]);
  });

  it('cannot be decrypted under another name, or with one changed bit', () => {
    const key = Buffer.alloc(32, 1);
    const sealed = seal(key, 'paymentsKey', 'k'.repeat(20));
    expect(unseal(key, 'paymentsKey', sealed)).toBe('k'.repeat(20));
    expect(unseal(key, 'smtpUrl', sealed)).toBeNull();
    for (const index of [0, 15, 30]) {
      const other = Buffer.from(sealed);
      other[index] = (other[index] ?? 0) ^ 1;
      expect(unseal(key, 'paymentsKey', other)).toBeNull();
    }
    expect(seal(key, 'paymentsKey', 'k'.repeat(20)).equals(sealed)).toBe(false);
  });

  it('cannot be read by the signer', async () => {
    await expect(app.signerDb().execute('select * from setting_secrets')).rejects.toMatchObject({
      cause: { code: '42501' },
    });
  });
});

describe('an announcement', () => {
  const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

  it('is shown while its time lasts, by the clock of the database', async () => {
    expect((await app.as().settings.notices()).announcement).toBeNull();
    await save({ bannerEs: 'Cerramos **hoy**', bannerEn: 'Closed today' });
    await expect
      .poll(async () => (await app.as().settings.notices()).announcement)
      .toEqual({ es: 'Cerramos **hoy**', en: 'Closed today' });
    await save({ bannerFrom: hour(1) });
    await expect.poll(async () => (await app.as().settings.notices()).announcement).toBeNull();
    await save({ bannerFrom: hour(-2), bannerUntil: hour(-1) });
    await expect.poll(() => services.settings.get('bannerUntil')).toBeTruthy();
    expect((await app.as().settings.notices()).announcement).toBeNull();
    await expect(save({ bannerFrom: hour(3), bannerUntil: hour(2) })).rejects.toMatchObject({ code: 'SETTING_WRONG' });
  });

  it('is published when its time comes', async () => {
    const events = listenTo(services);
    await events.forget();
    await save({ bannerFrom: new Date(Date.now() + 1_500).toISOString(), bannerUntil: null });
    await expect.poll(() => services.settings.get('bannerUntil')).toBeNull();
    let changes = 0;
    const end = services.settings.onChange(() => changes++);
    await expect.poll(() => services.settings.announcement(), { timeout: 10_000 }).not.toBeNull();
    await expect.poll(() => changes).toBeGreaterThan(0);
    // One event of the save, one of the start: open pages read the notices again.
    await expect.poll(() => events.changes('settings')).toBe(2);
    end();
    await save({ bannerEs: null, bannerEn: null, bannerFrom: null });
  });
});

describe('providers that settings configure', () => {
  it('are opened again when their settings change: mail transport and payment provider', async () => {
    const mail = reloadableMail(services.settings, app.uploadsDir);
    const payments = reloadablePayments(services.settings, null, 'https://florka.test');
    expect([mail.target, payments.provider]).toEqual([
      openMail({ MAIL_FROM: 'A <a@b.c>', DATA_DIR: app.uploadsDir }).target,
      null,
    ]);
    await save({ smtpUrl: 'smtp://127.0.0.1:2526', paymentsKey: 'key', paymentsIpnSecret: 's'.repeat(16) });
    await expect.poll(() => mail.target).toBe('smtp://127.0.0.1:2526');
    expect(payments.provider?.simulation).toBe(false);
    expect(payments.callbackUrl).toBe('https://florka.test/webhooks/nowpayments');
    await save({ smtpUrl: null, paymentsKey: null, paymentsIpnSecret: null });
    await expect.poll(() => payments.provider).toBeNull();
    expect(mail.target).toContain('outbox');
  });

  it('can be tested: a mail to oneself, an invoice without an order', async () => {
    expect(await admin.testMail({})).toMatchObject({ ok: true, detail: null });
    expect(app.mails.at(-1)?.subject).toMatch(/prueba/i);
    await admin.testMail({ locale: 'en' });
    expect(app.mails.at(-1)?.subject).toMatch(/mail test/i);
    const paid = await admin.testPayment();
    expect(paid).toMatchObject({ ok: true, url: expect.stringContaining('http') });
    expect(await app.sql('select 1 from payments')).toEqual([]);
  });
});
