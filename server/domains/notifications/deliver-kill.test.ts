// Processes that notify and deliver are killed by SIGKILL at chosen moments and at random ones, and others continue: the deliveries to each
// member in each channel are counted.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it, vi } from 'vitest';
import { type Person, startTestApp } from '#tests/support/app/test-app.ts';
import { randomOf } from '#tests/support/ledger/test-ledger.ts';
import type { DeliverProcess } from '#tests/support/processes/deliver-process.ts';
import { startPushServer } from '#tests/support/services/push-server.ts';
import { BOT, startTelegramEmulator, TOKEN } from '#tests/support/services/telegram-emulator.ts';
import { readUpdates } from './telegram/bot.service.ts';

/** Each round has its own members. */
const OF_ROUND = 10;
const ROUNDS = 3;
const KILLS = ROUNDS * 4;
const MEMBERS = ROUNDS * OF_ROUND;
/** Members, and kills, of the test with random moments. */
const OF_RANDOM = 6;
const RANDOM_KILLS = 10;
/** Delay between sending a message and recording it, so that most of a run is such a time. */
const SLOW_MS = 40;
const service = await startPushServer();
const telegram = await startTelegramEmulator();
afterAll(() => Promise.all([service.close(), telegram.close()]));
const app = await startTestApp({
  pushTransport: service.transport,
  given: { telegramToken: TOKEN, telegramBot: BOT, telegramUrl: telegram.url },
});
const random = randomOf(83);
/** One reader of Telegram's updates: another one would wait for the end of its lease. */
const HOLDER = randomUUID();
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

/** Starts a process and waits until it begins its work. */
async function begin(settings: DeliverProcess) {
  const child = spawn(process.execPath, ['tests/support/processes/deliver-process.ts'], {
    env: { ...process.env, DELIVER_PROCESS: JSON.stringify(settings) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('ready');
  return { child, gone, lines };
}

/** Runs one process to its end, or kills it: while it settles what is due, or after a message was sent and before that is stored. */
async function run(settings: DeliverProcess, kill?: Moment): Promise<void> {
  const before = telegram.messages.length;
  if (kill === 'telegram') telegram.spoil('sendMessage', 'hang');
  const hang = kill === 'push' || kill === 'mail' ? { channel: kill, at: 1 + Math.floor(random() * 6) } : undefined;
  const killAfter = kill === 'settle' ? random() * 40 : undefined;
  const { child, gone, lines } = await begin({ ...settings, hang, killAfter });
  if (hang) expect((await lines.next()).value).toBe('hangs');
  if (kill === 'telegram') await vi.waitUntil(() => telegram.messages.length > before, { timeout: 60_000 });
  if (kill && kill !== 'settle') child.kill('SIGKILL');
  const [code] = await gone;
  if (!kill) expect(code).toBe(0);
}

let serial = 0;
/** Members with every channel, after the delivery of what linking their chats caused. */
async function reachableMembers(count: number): Promise<Person[]> {
  const members: Person[] = [];
  for (let n = 0; n < count; n++) members.push(await reachable(serial++));
  await readUpdates({ ...app.services, now: () => app.now }, { holder: HOLDER, wait: 0, onFailed: () => {} });
  const linked = await app.sql('select 1 from telegram_chats where user_id = any($1::uuid[])', [
    members.map(({ id }) => id),
  ]);
  expect(linked).toHaveLength(count);
  await app.deliverNotifications();
  telegram.messages.length = 0;
  service.arrived.length = 0;
  return members;
}

/** The next process's work. */
function settingsFor(members: Person[], cause: string): DeliverProcess {
  // After the expiry of every claim of killed processes.
  app.pass(10 * 60_000);
  return {
    config: app.config,
    secret: app.secret,
    now: app.now.toISOString(),
    members: members.map(({ id }) => id),
    cause,
    outbox,
    bot: { token: TOKEN, name: BOT, url: telegram.url },
  };
}

it(`notifies each member once in each channel, with ${KILLS} processes killed and two at once at the end`, async () => {
  const members = await reachableMembers(MEMBERS);
  const settings = (round: number) =>
    settingsFor(members.slice(round * OF_ROUND, (round + 1) * OF_ROUND), `killed ${round}`);
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

it(`repeats messages only recognizably when ${RANDOM_KILLS} processes are killed at random moments`, async () => {
  // A whole run for other members: from its length the moments of the kills are drawn.
  const { gone: ended } = await begin({ ...settingsFor(await reachableMembers(OF_RANDOM), 'whole'), slow: SLOW_MS });
  const began = performance.now();
  expect((await ended)[0]).toBe(0);
  const length = performance.now() - began;
  const members = await reachableMembers(OF_RANDOM);
  const before = handedOver().length;
  const cause = `random ${randomUUID()}`;

  let killed = 0;
  for (let n = 0; n < RANDOM_KILLS; n++) {
    const { child, gone } = await begin({ ...settingsFor(members, cause), slow: SLOW_MS });
    // Early enough that messages are left in every channel.
    await Promise.race([sleep(random() * Math.min(length, 10 * SLOW_MS)), gone]);
    child.kill('SIGKILL');
    if ((await gone)[1] === 'SIGKILL') killed++;
  }
  await run(settingsFor(members, cause));
  await run(settingsFor(members, cause));

  const kept = await app.sql<{ user_id: string; id: string }>(
    'select user_id, id from notifications where cause = $1',
    [cause],
  );
  expect(kept.map(({ user_id: id }) => id).sort()).toEqual(members.map(({ id }) => id).sort());
  const mails = await app.sql<{ id: string; to_address: string; status: string }>(
    `select id, to_address, status from mails where template = 'notification' and to_address = any($1)`,
    [members.map(({ email }) => email)],
  );
  expect(mails.map(({ to_address: to }) => to).sort()).toEqual(members.map(({ email }) => email).sort());
  expect(new Set(mails.map(({ status }) => status))).toEqual(new Set(['sent']));
  const handed = handedOver()
    .slice(before)
    .filter((line) => mails.some(({ id }) => line.includes(id)));
  const pushes = service.arrived.map(({ path: browser, headers }) => `${browser} ${headers['topic']}`);
  // One Message-ID and one topic for each, by which a mail server and a browser recognise a repetition.
  expect([new Set(handed).size, new Set(pushes).size]).toEqual([OF_RANDOM, OF_RANDOM]);
  // Of two messages in a chat the second is marked as a possible repetition; a third is never sent.
  const chats = Map.groupBy(telegram.messages, ({ chat }) => chat);
  for (const messages of chats.values())
    expect(messages.map(({ text }) => text.includes('Puede que este mensaje')).slice(1)).toEqual(
      messages.length > 1 ? [true] : [],
    );
  // Only two kills at the same message, both before it went out, leave a chat without it.
  const lost = await app.sql(
    `select 1 from telegram_messages where state = 'failed' and notification_id = any($1::uuid[])`,
    [kept.map(({ id }) => id)],
  );
  expect(chats.size + lost.length).toBeGreaterThanOrEqual(OF_RANDOM);
  const repeated = handed.length + pushes.length + telegram.messages.length - 2 * OF_RANDOM - chats.size;
  expect(repeated).toBeLessThanOrEqual(killed);
}, 600_000);
