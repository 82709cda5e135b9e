// Queued deliveries about a saved token, in each channel, when the token is removed or no longer saved before they are sent.
import { afterAll, expect, it } from 'vitest';
import { notifyFollowers } from '#server/domains/saved/notices.service.ts';
import { type Person, startTestApp } from '#tests/support/app/test-app.ts';
import { startPushServer } from '#tests/support/services/push-server.ts';
import { BOT, startTelegramEmulator, TOKEN } from '#tests/support/services/telegram-emulator.ts';
import { readUpdates } from './telegram/bot.service.ts';

const service = await startPushServer();
const telegram = await startTelegramEmulator();
afterAll(() => Promise.all([service.close(), telegram.close()]));
const app = await startTestApp({
  pushTransport: service.transport,
  given: { telegramToken: TOKEN, telegramBot: BOT, telegramUrl: telegram.url },
});
const HOLDER = '11111111-1111-4111-8111-111111111111';

let serial = 0;
/** A follower of a public NEXT project who is reached by mail, in a browser and in a chat. */
async function follower() {
  const ana = await app.member({ verified: true });
  const { id } = await app.nextProject();
  const api = app.as(ana);
  await api.saved.set({ kind: 'next', id, saved: true });
  await api.saved.setNotice({ kind: 'next', id, on: true, locale: 'en' });
  await api.notifications.subscribe(service.browser(`browser-${++serial}`).subscription);
  const { url } = await api.notifications.linkTelegram({ locale: 'es', zone: 'UTC' });
  const code = new URL(url).searchParams.get('start') ?? '';
  telegram.write({ id: 7_000_000_000 + serial, first_name: 'Ana', language_code: 'es' }, `/start ${code}`);
  await readUpdates({ ...app.services, now: () => app.now }, { holder: HOLDER, wait: 0, onFailed: () => {} });
  await app.deliverNotifications();
  service.arrived.length = 0;
  telegram.messages.length = 0;
  return { ana, id };
}
const announce = (id: string) =>
  app.services.db.transaction((tx) =>
    notifyFollowers(
      tx,
      { kind: 'next', id },
      { name: 'Ajolote', news: 'launched', path: `/token/${id}`, of: String(++serial), now: app.now },
    ),
  );
const mailsTo = async ({ email }: Person, template = 'savedToken') =>
  (await app.sql('select 1 from mails where template = $2 and to_address = $1', [email, template])).length;

it.each<[string, number, (token: { ana: Person; id: string }) => Promise<unknown>]>([
  ['is still public and saved', 2, async () => {}],
  [
    'was moved to the trash',
    0,
    ({ id }) => app.sql('update next_projects set deleted_at = $2 where id = $1', [id, app.now]),
  ],
  ['was hidden', 0, ({ id }) => app.sql('update next_projects set is_active = false where id = $1', [id])],
  ['is no longer saved', 0, ({ ana, id }) => app.as(ana).saved.set({ kind: 'next', id, saved: false })],
])('of two deliveries about a token that %s, %i are sent in each channel', async (_, expected, change) => {
  const token = await follower();
  // The first one failed once; the second one has not been attempted.
  await announce(token.id);
  service.answers.push({ status: 503 });
  telegram.spoil('sendMessage', { status: 502, body: '' });
  await app.deliverNotifications();
  const queued = await mailsTo(token.ana);
  service.arrived.length = 0;
  await announce(token.id);
  await change(token);
  app.pass(3_600_000);
  await app.deliverNotifications();
  expect([service.arrived.length, telegram.messages.length]).toEqual([expected, expected]);
  // Removing the bookmark also deletes its queued mails.
  const isSaved = (await app.as(token.ana).saved.list()).some(({ id }) => id === token.id);
  expect(await mailsTo(token.ana)).toBe(expected > 0 ? queued + 1 : isSaved ? queued : 0);
});

it('the daily mail omits a token that was hidden', async () => {
  app.setNow('2026-06-02T12:00:00.000Z');
  const { ana, id } = await follower();
  await app.as(ana).notifications.setKind({ kind: 'follows', inApp: true, mail: 'daily', push: false });
  await announce(id);
  await app.sql('update next_projects set is_active = false where id = $1', [id]);
  app.pass(2 * 86_400_000);
  await app.deliverNotifications();
  expect(await mailsTo(ana, 'notificationDigest')).toBe(0);
});
