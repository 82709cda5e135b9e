import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { telegramBot } from '#server/providers/telegram/bot-api.ts';
import {
  actionsOf,
  announce,
  app,
  ask,
  chatOf,
  codeOf,
  failed,
  holder,
  linked,
  read,
  somebody,
  telegram,
} from '#tests/fixtures/telegram.ts';
import type { Person } from '#tests/support/app/test-app.ts';
import { BOT, TOKEN } from '#tests/support/services/telegram-emulator.ts';
import { readUpdates, startTelegramBot } from './bot.service.ts';

describe('a chat', () => {
  it('is linked by an address with a secret for one use, and the member is notified', async () => {
    const [ana, person] = [await app.member({ verified: true }), somebody()];
    const { url, until } = await app.as(ana).notifications.linkTelegram({ locale: 'es', zone: 'Europe/Madrid' });
    expect(url).toMatch(new RegExp(`^https://t\\.me/${BOT}\\?start=[\\w-]{43}$`));
    expect(Date.parse(until) - app.now.getTime()).toBe(10 * 60_000);
    const [kept] = await app.sql<{ row: string }>(
      'select row_to_json(c)::text as row from telegram_link_codes c where user_id = $1',
      [ana.id],
    );
    expect(kept?.row).not.toContain(codeOf(url));
    telegram.write(person, `/start ${codeOf(url)}`);
    await read();
    expect(await chatOf(ana)).toEqual({ name: `@${person.username}`, since: app.now.toISOString() });
    expect(telegram.read(person)).toEqual([expect.stringMatching(/^Listo: este chat recibe los avisos de la cuenta /)]);
    expect((await app.as(ana).notifications.list({})).items[0]).toMatchObject({
      kind: 'security',
      detail: 'telegram_on',
      path: '/notifications',
    });
    expect((await app.deliverMails()).at(-1)).toMatchObject({ subject: 'Tus avisos llegan ahora a Telegram' });
    expect(await actionsOf(ana)).toEqual([{ action: 'telegram.asked' }, { action: 'telegram.linked' }]);
    // The security notification is not sent again as a message.
    await app.deliverNotifications();
    expect(telegram.read(person).length).toBe(1);
    const thief = somebody();
    telegram.write(thief, `/start ${codeOf(url)}`);
    await read();
    expect(telegram.read(thief)).toEqual([expect.stringMatching(/^Este enlace ya se usó/)]);
    expect((await chatOf(ana))?.name).toBe(`@${person.username}`);
  });

  it.each([
    ['ten minutes later', async () => app.pass(10 * 60_000)],
    ['after another link was requested', async (ana: Person) => void (await ask(ana))],
    [
      'after its session ended',
      async (ana: Person) => void (await app.sql('delete from sessions where user_id = $1', [ana.id])),
    ],
    ['after the member ended it', async (ana: Person) => void (await app.as(ana).notifications.unlinkTelegram())],
  ])('is not linked %s', async (_when, meanwhile) => {
    const [ana, person] = [await app.member(), somebody()];
    const code = await ask(ana);
    await meanwhile(ana);
    telegram.write(person, `/start ${code}`);
    await read();
    expect(telegram.read(person)).toEqual([expect.stringMatching(/^Este enlace/)]);
    expect(await app.sql('select 1 from telegram_chats where user_id = $1', [ana.id])).toEqual([]);
  });

  it('of a stranger is unlinked when the owner of the account’s mailbox takes the account over', async () => {
    const [ana, stranger] = [await app.member(), somebody()];
    telegram.write(stranger, `/start ${await ask(ana)}`);
    await read();
    expect(await chatOf(ana)).not.toBeNull();
    const { account } = app.browser({ address: '198.51.100.9' }).api;
    await account.requestPasswordReset({ email: ana.email, locale: 'es' });
    const token = /#token=([\w-]+)/.exec((await app.deliverMails()).at(-1)?.text ?? '')?.[1] ?? '';
    await account.resetPassword({ token, password: 'violet-harbour-52', locale: 'es' });
    telegram.messages.length = 0;
    await announce(ana);
    await app.deliverNotifications();
    expect(telegram.read(stranger)).toEqual([]);
    expect(await app.sql('select 1 from telegram_chats where user_id = $1', [ana.id])).toEqual([]);
  });

  it('of another account stays linked to it, and the new link works once that is unlinked', async () => {
    const { ana, person } = await linked();
    const bob = await app.member();
    const code = await ask(bob);
    telegram.write(person, `/start ${code}`);
    await read();
    expect(telegram.read(person)).toEqual([expect.stringMatching(/otra cuenta/)]);
    expect([(await chatOf(ana)) !== null, await chatOf(bob)]).toEqual([true, null]);
    telegram.write(person, '/stop');
    telegram.write(person, `/start ${code}`);
    await read();
    expect([await chatOf(ana), (await chatOf(bob)) !== null]).toEqual([null, true]);
  });

  it('replaces the previous chat, which gets a message about it and nothing more', async () => {
    const { ana, person } = await linked();
    const other = somebody();
    await announce(ana);
    telegram.write(other, `/start ${await ask(ana)}`);
    await read();
    await app.deliverNotifications();
    expect(telegram.read(person)).toEqual([expect.stringMatching(/llegan desde ahora a otro chat/)]);
    expect(telegram.read(other).length).toBe(2);
  });

  it('that is linked again keeps its queued messages', async () => {
    const { ana, person } = await linked();
    telegram.spoil('sendMessage', { status: 502, body: 'Bad Gateway' });
    await announce(ana);
    await app.deliverNotifications();
    telegram.write({ ...person, username: 'new_name' }, `/start ${await ask(ana)}`);
    await read();
    expect((await chatOf(ana))?.name).toBe('@new_name');
    app.pass(3 * 60_000);
    await app.deliverNotifications();
    expect(telegram.read(person)).toEqual([expect.stringMatching(/^Listo/), expect.stringMatching(/Ñandú/)]);
  });

  it('has to be private: groups, channels and other bots get no message', async () => {
    const ana = await app.member();
    const code = await ask(ana);
    const person = somebody();
    const from = { is_bot: false, ...person };
    const text = `/start@${BOT} ${code}`;
    telegram.put({ message: { message_id: 1, chat: { id: -100200300, type: 'supergroup' }, from, text } });
    telegram.put({
      message: { message_id: 2, chat: { id: person.id, type: 'private' }, from: { ...from, is_bot: true }, text },
    });
    telegram.put({ message: { message_id: 3, chat: { id: person.id + 1, type: 'private' }, from, text } });
    telegram.put({ message: { message_id: 4, chat: { id: 5, type: 'channel' }, text } });
    await read();
    expect(await chatOf(ana)).toBeNull();
    expect(telegram.calls.filter(({ method }) => method === 'sendMessage')).toEqual([]);
    await expect(
      app.sql(
        `insert into telegram_chats (user_id, bot_id, chat_id, name, linked_at) values ($1, 1, -100200300, 'group', now())`,
        [ana.id],
      ),
    ).rejects.toThrow('telegram_chats_chat_id_check');
  });

  it('is unlinked by /stop, in the account, and by blocking the bot; then nothing is sent any more', async () => {
    const [one, two, three, four] = [await linked(), await linked(), await linked(), await linked()];
    for (const { ana } of [one, two, three]) await announce(ana);
    telegram.write(one.person, '/stop');
    await app.as(two.ana).notifications.unlinkTelegram();
    telegram.block(three.person);
    await read();
    // Telegram sends no update about this one: it is detected with the next message.
    telegram.block(four.person, false);
    await announce(four.ana);
    await app.deliverNotifications();
    for (const { ana } of [one, two, three, four]) {
      expect(await chatOf(ana)).toBeNull();
      expect((await actionsOf(ana)).at(-1)).toEqual({ action: 'telegram.unlinked' });
      const { items } = await app.as(ana).notifications.list({});
      expect(items.filter(({ detail }) => detail === 'telegram_off').length).toBe(1);
      const mails = (await app.deliverMails()).filter(({ to }) => to === ana.email);
      expect(mails.filter(({ subject }) => subject === 'Tus avisos ya no llegan a Telegram').length).toBe(1);
    }
    expect([one, two, three, four].map(({ person }) => telegram.read(person).length)).toEqual([1, 1, 0, 0]);
    expect(telegram.read(one.person)).toEqual(['Hecho: este chat ya no recibe avisos de Florka.']);
    await app.as(two.ana).notifications.unlinkTelegram();
  });

  it('is exported, and is deleted with the account', async () => {
    const { ana, person } = await linked();
    const taken = await app.as(ana).account.export();
    expect(JSON.stringify(taken)).toContain(String(person.id));
    await app.sql('delete from users where id = $1', [ana.id]);
    expect(await app.sql('select 1 from telegram_chats where chat_id = $1', [person.id])).toEqual([]);
  });
});

describe('an answer of the bot', () => {
  it.each([
    ['/start', 'es-MX', /no está vinculado/],
    ['/start', 'en', /not linked/],
    ['/help', 'fr', /not linked/],
    ['/stop', '', /not linked/],
    ['Hola <b>', 'es', /no está vinculado/],
    [`/start ${'x'.repeat(43)}`, 'en', /used before or has ended/],
  ])('is sent to a stranger who writes %s (%s)', async (text, language_code, answer) => {
    const person = somebody({ language_code });
    telegram.write(person, text);
    await read();
    expect(telegram.read(person)).toEqual([expect.stringMatching(answer)]);
  });

  it('is sent to a stranger up to eight times a minute', async () => {
    const person = somebody();
    for (let n = 0; n < 20; n++) telegram.write(person, '/help');
    await read();
    expect(telegram.read(person).length).toBe(8);
    app.pass(61_000);
    telegram.write(person, '/help');
    await read();
    expect(telegram.read(person).length).toBe(9);
  });

  it('is in the language of a linked member, whatever the language of their Telegram', async () => {
    const { ana, person } = await linked({ language_code: 'de' });
    await app.as(ana).notifications.setReader({ locale: 'en', zone: 'UTC', quiet: null });
    telegram.write(person, '/HELP');
    await read();
    expect(telegram.read(person)).toEqual([expect.stringMatching(/^I write you the notifications/)]);
  });
});

describe('updates', () => {
  it('are processed once, however often Telegram returns them', async () => {
    const person = somebody();
    telegram.write(person, '/help');
    const bot = telegramBot({ token: TOKEN, name: BOT, url: telegram.url });
    const stuck = { ...bot, updates: async () => bot.updates(null, 0) };
    const service = { ...app.services, now: () => app.now, telegram: { bot: stuck, onChange: () => () => {} } };
    for (let n = 0; n < 3; n++)
      await readUpdates(service, { holder, wait: 0, onFailed: (error) => failed.push(error) });
    expect(telegram.read(person).length).toBe(1);
    await read();
    expect(telegram.read(person).length).toBe(1);
  });

  it('are read by one process at a time, and by the next one when its lease has expired', async () => {
    await read();
    const person = somebody();
    const other = await app.secondProcess();
    const second = { holder: randomUUID(), wait: 0, onFailed: (error: unknown) => failed.push(error) };
    telegram.write(person, '/help');
    expect(await readUpdates({ ...other, now: () => app.now }, second)).toBeNull();
    expect(telegram.read(person)).toEqual([]);
    // kill -9: the lease was not released.
    await app.sql(`update telegram_bots set leased_until = now() - interval '1 second'`);
    expect(await readUpdates({ ...other, now: () => app.now }, second)).toBe(1);
    expect(telegram.read(person).length).toBe(1);
    // The first one resumes, and leaves reading to the second.
    expect(await readUpdates({ ...app.services, now: () => app.now }, { ...second, holder })).toBeNull();
    await app.sql(`update telegram_bots set leased_until = now() - interval '1 second'`);
  });

  it('are read continuously by a running process, which releases its lease at its end', async () => {
    await app.sql(`update telegram_bots set leased_until = now() - interval '1 second'`);
    const end = startTelegramBot({ ...app.services, now: () => app.now }, pino({ level: 'silent' }));
    const person = somebody();
    telegram.write(person, '/help');
    await expect.poll(() => telegram.read(person).length).toBe(1);
    // Its long poll is aborted and not waited for.
    await end();
    telegram.write(person, '/help');
    await read();
    expect(telegram.read(person).length).toBe(2);
  });

  it('of an unknown form are skipped, and those after them are processed', async () => {
    const person = somebody();
    telegram.put({ message: { text: 5 } });
    telegram.put({ poll: { id: 'x' } });
    telegram.put({ message: { message_id: 1, chat: { id: 1 }, from: null } });
    const broken = { ...person, first_name: 'Ana\u0000<b>', id: person.id + 1000, username: undefined as never };
    telegram.write(broken, `/start ${await ask(await app.member())}`);
    telegram.write(person, '/help');
    await read();
    expect(telegram.read(person).length).toBe(1);
    expect(telegram.pending).toBe(0);
    expect(failed).toEqual([]);
  });

  it.each(['25 hours', '8 days'])('are read from another number on after %s without any', async (pause) => {
    const person = somebody();
    telegram.write(person, '/help');
    await read();
    telegram.goOnAt(12);
    await app.sql('update telegram_bots set seen_at = now() - $1::interval', [pause]);
    telegram.write(person, '/help');
    await read();
    expect(telegram.read(person).length).toBe(2);
    await read();
    expect(telegram.read(person).length).toBe(2);
  });
});
