import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SettingName } from '#contract/domains/settings.ts';
import { closeDueRound } from '#server/domains/voting/rounds/round-ends.service.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { senderOf } from './reloadable-providers.ts';
import { settingsFromEnv } from './settings.service.ts';

const app = await startTestApp();
const owner = await app.member({ role: 'admin' });
const by = app.as(owner, {}).admin;
const { services } = app;

type Values = Partial<Record<SettingName, string | number | boolean | null>>;
/** Saves with the current versions, and waits until this process has read it. */
async function save(values: Values) {
  const versions = new Map((await by.settings.list()).map(({ name, version }) => [name, version]));
  await by.settings.save({
    changes: Object.entries(values).map(([name, value]) => ({
      name: name as SettingName,
      version: versions.get(name as SettingName) ?? 0,
      value: value ?? null,
    })),
  });
  for (const [name, value] of Object.entries(values))
    if (value !== null) await expect.poll(() => services.settings.get(name as SettingName)).toBe(value);
}
beforeEach(() => app.sql('update sessions set proved_at = now() where user_id = $1', [owner.id]));
afterEach(async () => {
  const stored = (await by.settings.list()).filter(({ from }) => from === 'stored');
  if (stored.length > 0) await save(Object.fromEntries(stored.map(({ name }) => [name, null])));
  await expect.poll(() => stored.filter(({ name }) => services.settings.decided(name))).toEqual([]);
});
const text = async (path: string) => (await app.http(path)).text();
const site = async () => (await app.as().settings.notices()).site;

describe('the name of the site', () => {
  it('is the saved text, also when it looks like a number or another JSON value', async () => {
    for (const siteName of ['2048', 'null', 'true', '1e309', '"x"', '[1]', '{}']) {
      await save({ siteName });
      expect((await site()).name).toBe(siteName);
      expect((await by.settings.list()).find(({ name }) => name === 'siteName')?.value).toBe(siteName);
    }
  });

  it('is in every output for other sites, in every process, and returns to its default', async () => {
    const other = await app.secondProcess();
    await text('/oembed?url=http://florka.test/vote');
    await save({ siteName: 'Tómbola & Cía' });
    await expect.poll(() => other.settings.site().name).toBe('Tómbola & Cía');
    expect((await site()).name).toBe('Tómbola & Cía');
    expect(JSON.parse(await text('/site.webmanifest'))).toMatchObject({
      name: 'Tómbola & Cía',
      short_name: 'Tómbola & Cía',
      lang: 'es',
      start_url: '/',
    });
    expect(JSON.parse(await text('/oembed?url=http://florka.test/vote'))).toMatchObject({
      provider_name: 'Tómbola & Cía',
      title: expect.stringMatching(/ · Tómbola & Cía$/),
    });
    for (const [path, title] of [
      ['/embed/ranking', '· Tómbola &amp; Cía</title>'],
      ['/news/feed.xml', '<title>Tómbola &amp; Cía · News</title>'],
      ['/next/calendar.ics', 'NAME:Tómbola & Cía · Próximos lanzamientos'],
    ] as const) {
      const document = await text(path);
      expect(document, path).toContain(title);
      expect(document.replace('PRODID:-//Florka', ''), path).not.toContain('Florka');
    }
    await by.settings.testMail({});
    const mail = app.mails.at(-1);
    expect(mail?.subject).toBe('Prueba de correo de Tómbola & Cía');
    expect(mail?.html).toContain('Tómbola &amp; Cía</p>');
    expect(`${mail?.subject}${mail?.text}${mail?.html}`).not.toContain('Florka');
    await save({ siteName: null });
    await expect.poll(async () => (await site()).name).toBe('Florka');
    await expect.poll(async () => JSON.parse(await text('/site.webmanifest')).name).toBe('Florka');
  });

  it('is refused when it is blank or too long', async () => {
    for (const siteName of ['   ', 'a'.repeat(41)])
      await expect(save({ siteName })).rejects.toMatchObject({ code: 'SETTING_WRONG', data: { names: ['siteName'] } });
  });

  it('is saved as one line: a line break becomes a space', async () => {
    const { version = 0 } = (await by.settings.list()).find(({ name }) => name === 'siteName') ?? {};
    await by.settings.save({ changes: [{ name: 'siteName', version, value: 'Tómbola\r\ny Cía' }] });
    await expect.poll(async () => (await site()).name).toBe('Tómbola y Cía');
  });

  it('is before the mailbox of the default sender, quoted where needed, and not of a configured sender', () => {
    const from = (values: Record<string, unknown>) => {
      const settings = {
        get: (name: SettingName) => values[name] ?? { mailFrom: 'Florka <no-reply@florka.local>' }[name as 'mailFrom'],
        decided: (name: SettingName) => values[name] !== undefined,
      };
      return senderOf(settings as never);
    };
    expect(from({ siteName: 'Tómbola' })).toBe('Tómbola <no-reply@florka.local>');
    expect(from({ siteName: 'A, "B"' })).toBe('"A, \\"B\\"" <no-reply@florka.local>');
    expect(from({ siteName: 'Tómbola', mailFrom: 'Florka <a@b.test>' })).toBe('Florka <a@b.test>');
  });

  it('can be set by the environment', () => {
    expect(settingsFromEnv({ SITE_NAME: 'Tómbola', SITE_LANGUAGES: 'es' })).toEqual({
      siteName: 'Tómbola',
      siteLanguages: 'es',
    });
  });
});

describe('the languages of the site', () => {
  const open = (path: string, cookie?: string) =>
    app.http(path, {
      redirect: 'manual',
      headers: { accept: 'text/html', 'sec-fetch-dest': 'document', ...(cookie ? { cookie } : {}) },
    });

  it.each([
    ['es', '/en/vote?x=1', '/vote?x=1', '/vote'],
    ['en', '/vote', '/en/vote', '/en/vote'],
    ['en', '/', '/en', '/en'],
  ])('with %s alone, %s redirects to %s, whatever was chosen before', async (language, asked, there, stays) => {
    await save({ siteLanguages: language });
    const answer = await open(asked);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, there]);
    const chosen = `florka.language=${language === 'es' ? 'en' : 'es'}`;
    expect((await open(stays, chosen)).status).toBe(200);
    expect((await open('/admin-login')).headers.get('location')).toBeNull();
    expect((await open('/en/admin-login')).headers.get('location')).toBeNull();
    const map = await text('/sitemap.xml');
    expect(map).not.toContain('hreflang');
    expect(/\/en</.test(map)).toBe(language === 'en');
    for (const calendar of ['/next/calendar.ics', '/en/next/calendar.ics'])
      expect(await text(calendar), calendar).toContain(
        language === 'en' ? '· Upcoming launches' : '· Próximos lanzamientos',
      );
    for (const feed of ['/news/feed.xml', '/en/news/feed.xml']) {
      const news = await text(feed);
      expect(news, feed).toContain(`<language>${language}</language>`);
      expect(/\/en\/news<\/link>/.test(news), feed).toBe(language === 'en');
    }
    await save({ siteLanguages: null });
    await expect.poll(async () => (await site()).languages).toEqual(['es', 'en']);
    expect((await open(asked)).status).toBe(200);
  });

  it('determine the language of mails when there is one, whatever the member chose', async () => {
    await save({ siteLanguages: 'en' });
    await by.settings.testMail({});
    expect(app.mails.at(-1)?.subject).toBe('Florka mail test');
    await expect(save({ siteLanguages: 'fr' })).rejects.toMatchObject({ code: 'SETTING_WRONG' });
  });
});

describe('the note beside the price of a plan', () => {
  it('must be in both languages', async () => {
    await expect(save({ planBasicEs: 'IVA incluido' })).rejects.toMatchObject({
      code: 'SETTING_WRONG',
      data: { names: ['planBasicEn'] },
    });
    await save({ planBasicEs: 'IVA incluido', planBasicEn: 'VAT included' });
    expect((await site()).planNotes).toEqual({ basic: { es: 'IVA incluido', en: 'VAT included' } });
    await save({ planBasicEs: null, planBasicEn: null });
    await expect.poll(async () => (await site()).planNotes).toEqual({});
  });
});

describe('the schedule of rounds', () => {
  const current = async () => (await by.rounds.current()).round ?? (await by.rounds.open({ days: 15 }));
  // The response is rounded to milliseconds.
  const end = async () => closeDueRound(services.db, new Date(Date.parse((await current()).closesAt) + 1));

  it('determines what follows the open round, unless an admin sets it', async () => {
    const { id } = await current();
    await save({ roundDays: 7 });
    expect((await current()).nextDays).toBe(7);
    await by.rounds.setNext({ id, nextDays: 30 });
    await save({ roundDays: 9 });
    expect((await current()).nextDays).toBe(30);
    // A value equal to the setting follows the setting again.
    await by.rounds.setNext({ id, nextDays: 9 });
    await save({ roundFollows: false });
    expect((await current()).nextDays).toBeNull();
    expect(await end()).toMatchObject({ opened: null });
  });

  it('determines the length of the next rounds, and an hour of closing that does not drift', async () => {
    expect(await by.rounds.open({ days: 15 })).toMatchObject({ nextDays: 15 });
    await save({ roundDays: 7, roundHour: 20 });
    await app.sql(
      `update voting_rounds set closes_at = '2026-05-01T13:30Z', opens_at = '2026-04-20' where status = 'open'`,
    );
    await closeDueRound(services.db, new Date('2026-05-01T13:30:00.000Z'));
    expect(await current()).toMatchObject({
      opensAt: '2026-05-01T13:30:00.000Z',
      closesAt: '2026-05-08T20:00:00.000Z',
    });
    // Slightly late, as the job can be.
    await closeDueRound(services.db, new Date('2026-05-08T20:00:00.420Z'));
    expect((await current()).closesAt).toBe('2026-05-15T20:00:00.000Z');
  });

  it.each([{ roundDays: 0 }, { roundDays: 366 }, { roundDays: '7' }, { roundHour: 24 }, { roundFollows: 'on' }])(
    'refuses %o',
    async (values) => {
      await expect(save(values)).rejects.toMatchObject({ code: 'SETTING_WRONG' });
    },
  );
});
