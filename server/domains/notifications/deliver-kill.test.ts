// Processes that notify and deliver are killed by SIGKILL at any moment, and others continue: the deliveries to each member in each
// channel are counted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, it, vi } from 'vitest';
import { type Person, startTestApp } from '#tests/support/app/test-app.ts';
import { randomOf } from '#tests/support/ledger/test-ledger.ts';
import type { DeliverProcess } from '#tests/support/processes/deliver-process.ts';
import { startPushStandIn } from '#tests/support/services/push-stand-in.ts';
import { BOT, startTelegramEmulator, TOKEN } from '#tests/support/services/telegram-emulator.ts';
import { readUpdates } from './telegram/bot.service.ts';

/** Each round has its own members. */
const OF_ROUND = 10;
const ROUNDS = 3;
const KILLS = ROUNDS * 4;
const MEMBERS = ROUNDS * OF_ROUND;
const service = await startPushStandIn();
const telegram = await startTelegramEmulator();
afterAll(() => Promise.all([service.close(), telegram.close()]));
const app = await startTestApp({
  pushTransport: service.transport,
  given: { telegramToken: TOKEN, telegramBot: BOT, telegramUrl: telegram.url },
});
const random = randomOf(83);
const outbox = path.join(app.uploadsDir, 'outbox.lines');

/** A member who is notified in every channel: immediately by mail, in a browser, and in a chat. */
async function reachable(serial: number): Promise<Person> {
  const ana = await app.member({ verified: true });
  const api = app.as(ana).notifications;
  await api.setKind({ kind: 'follows', inApp: true, mail: 'now', push: true, telegram: true });
  await api.subscribe(service.browser(`browser-${serial}`).subscription);
  const { url } = await api.linkTelegram({ locale: 'es', zone: 'UTC' });
  const code = new URL(url).searchParams.get('start') ?? '';
  telegram.write({ id: 7_000_000_000 + serial, first_name: 'Ana', language_code: 'es' }, `/start ${code}`);
  return ana;
}

/** Lines of delivered mails. */
const handedOver = () => (existsSync(outbox) ? readFileSync(outbox, 'utf8').split('\n').filter(Boolean) : []);

type Moment = 'settle' | 'telegram' | 'push' | 'mail';
/** In this order each of them still has work left. */
const MOMENTS: Moment[] = ['settle', 'push', 'telegram', 'mail'];

/** Runs one process to its end, or kills it: while it settles what is due, or after a message was sent and before that is stored. */
async function run(settings: DeliverProcess, kill?: Moment): Promise<void> {
  const before = telegram.messages.length;
  if (kill === 'telegram') telegram.spoil('sendMessage', 'hang');
  const hang = kill === 'push' || kill === 'mail' ? { channel: kill, at: 1 + Math.floor(random() * 6) } : undefined;
  const killAfter = kill === 'settle' ? random() * 40 : undefined;
  const child = spawn(process.execPath, ['tests/support/processes/deliver-process.ts'], {
    env: { ...process.env, DELIVER_PROCESS: JSON.stringify({ ...settings, hang, killAfter } satisfies DeliverProcess) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('ready');
  if (hang) expect((await lines.next()).value).toBe('hangs');
  if (kill === 'telegram') await vi.waitUntil(() => telegram.messages.length > before, { timeout: 60_000 });
  if (kill && kill !== 'settle') child.kill('SIGKILL');
  const [code] = await gone;
  if (!kill) expect(code).toBe(0);
}

it(`tells each member once in each channel, with ${KILLS} processes killed and two at once at the end`, async () => {
  const members: Person[] = [];
  for (let n = 0; n < MEMBERS; n++) members.push(await reachable(n));
  await readUpdates(
    { ...app.services, now: () => app.now },
    { holder: members[0]?.id ?? '', wait: 0, onFailed: () => {} },
  );
  await app.deliverNotifications();
  telegram.messages.length = 0;
  service.arrived.length = 0;
  const settings = (round: number): DeliverProcess => {
    // After the expiry of every claim of killed processes.
    app.pass(10 * 60_000);
    return {
      config: app.config,
      secret: app.secret,
      now: app.now.toISOString(),
      members: members.slice(round * OF_ROUND, (round + 1) * OF_ROUND).map(({ id }) => id),
      cause: `killed ${round}`,
      outbox,
      bot: { token: TOKEN, name: BOT, url: telegram.url },
    };
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (const moment of MOMENTS) await run(settings(round), moment);
    const last = settings(round);
    await Promise.all([run(last), run(last)]);
    await run(settings(round));
  }
  const kept = await app.sql(`select user_id from notifications where kind = 'follows'`);
  expect(kept.map(({ user_id: id }) => id).sort()).toEqual(members.map(({ id }) => id).sort());
  const mails = await app.sql(`select to_address, status from mails where template = 'notification'`);
  expect(mails.map(({ to_address: to }) => to).sort()).toEqual(members.map(({ email }) => email).sort());
  expect(new Set(mails.map(({ status }) => status))).toEqual(new Set(['sent']));
  // A repeated mail has the same Message-ID, by which mail servers recognise it.
  const own = (await app.sql<{ id: string }>(`select id from mails where template = 'notification'`)).map(
    ({ id }) => id,
  );
  const handed = handedOver().filter((line) => own.some((id) => line.includes(id)));
  expect(new Set(handed).size).toBe(MEMBERS);
  // A repeated push has the same topic, and replaces the first one in the browser.
  const pushes = service.arrived.map(({ path: browser, headers }) => `${browser} ${headers['topic']}`);
  expect(new Set(pushes).size).toBe(MEMBERS);
  // Telegram has no deduplication: a repeated message is marked as such, and never sent a third time.
  const chats = Map.groupBy(telegram.messages, ({ chat }) => chat);
  expect(chats.size).toBe(MEMBERS);
  const again = telegram.messages.filter(({ text }) => text.includes('Puede que este mensaje'));
  expect(again).toHaveLength(ROUNDS);
  expect(telegram.messages).toHaveLength(MEMBERS + ROUNDS);
  // A message that was being sent when its process was killed was sent once more, and no other one.
  const repeated = handedOver().length - new Set(handedOver()).size;
  expect([repeated, pushes.length]).toEqual([ROUNDS, MEMBERS + ROUNDS]);
}, 600_000);
