import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { telegramBot } from '#server/providers/telegram/bot-api.ts';
import { announce, app, chatOf, holder, linked, states, telegram } from '#tests/fixtures/telegram.ts';
import { BOT, TOKEN } from '#tests/support/services/telegram-emulator.ts';
import { deliverNotifications } from '../deliver.service.ts';
import { readUpdates } from './bot.service.ts';

describe('a message', () => {
  it('contains the event in the member’s language and a link to the page', async () => {
    const { ana, person } = await linked();
    await app.as(ana).notifications.setReader({ locale: 'en', zone: 'UTC', quiet: null });
    await announce(ana, { data: { title: '<b>&amp; @x evil.example</b>', path: '/next' } });
    expect((await app.deliverNotifications()).messages).toBe(1);
    const { items } = await app.as(ana).notifications.list({});
    // Linking the chat caused another notification at the same time.
    const notification = items.find(({ path }) => path === '/next');
    expect(telegram.messages[0]?.html).toBe(
      `The announced hour of the launch of <code>&lt;b&gt;&amp;amp; @x evil.example&lt;/b&gt;</code> has come\nhttp://florka.test/en/next?notice=${notification?.id}`,
    );
    expect(telegram.read(person)[0]).toContain('<b>&amp; @x evil.example</b>');
    expect(telegram.calls.at(-1)?.body).toMatchObject({ link_preview_options: { is_disabled: true } });
  });

  it('contains neither a key nor a private address', async () => {
    const { ana, person } = await linked();
    const id = randomUUID();
    await announce(ana, {
      kind: 'decisions',
      detail: 'submission_approved',
      data: { title: 'FL-1', submissionId: id },
    } as never);
    await announce(ana, { kind: 'orders', detail: 'paid', data: { title: 'FL-2', path: `/order/${id}` } } as never);
    await announce(ana, { data: { title: 'x', path: '/next?key=1#secret' } });
    await app.deliverNotifications();
    const text = telegram.read(person).join('\n');
    expect(text).not.toContain(id);
    expect(text.replaceAll(/\?notice=[0-9a-f-]{36}\b/g, '')).not.toMatch(/[#?]/);
    expect(text).toContain('http://florka.test/notifications');
  });

  it('is sent only for kinds that the member has enabled there', async () => {
    const { ana, person } = await linked();
    const me = app.as(ana).notifications;
    await me.setKind({ kind: 'follows', inApp: true, mail: 'off', push: true, telegram: false });
    // An outdated page omits the field, and does not change it.
    await me.setKind({ kind: 'follows', inApp: true, mail: 'off', push: false });
    expect((await me.settings()).kinds.find(({ kind }) => kind === 'follows')).toMatchObject({
      push: false,
      telegram: false,
    });
    await announce(ana);
    await app.deliverNotifications();
    expect(telegram.read(person)).toEqual([]);
    await me.setKind({ kind: 'follows', inApp: true, mail: 'off', push: true, telegram: true });
    await announce(ana);
    await me.setKind({ kind: 'follows', inApp: true, mail: 'off', push: true, telegram: false });
    await app.deliverNotifications();
    expect(telegram.read(person)).toEqual([]);
  });

  it('waits for the end of quiet hours, and is dropped when it was read by then', async () => {
    const [one, two] = [await linked(), await linked()];
    app.setNow(`${app.now.toISOString().slice(0, 10)}T23:00:00.000Z`);
    for (const { ana } of [one, two])
      await app.as(ana).notifications.setReader({ locale: 'es', zone: 'UTC', quiet: { from: 22 * 60, to: 7 * 60 } });
    await announce(one.ana);
    await announce(two.ana);
    await app.deliverNotifications();
    expect(telegram.messages).toEqual([]);
    await app.as(two.ana).notifications.markRead({ until: app.now.toISOString() });
    app.pass(8 * 3_600_000);
    await app.deliverNotifications();
    expect([telegram.read(one.person).length, telegram.read(two.person).length]).toEqual([1, 0]);
  });

  it('is sent once, also with repeated and concurrent deliveries', async () => {
    const { ana, person } = await linked();
    await announce(ana, { cause: 'one cause in telegram' });
    await announce(ana, { cause: 'one cause in telegram' });
    const other = await app.secondProcess();
    expect(other.telegram.bot?.name).toBe(BOT);
    await Promise.all(Array.from({ length: 4 }, () => app.deliverNotifications()));
    await app.deliverNotifications();
    expect(telegram.read(person).length).toBe(1);
  });

  it('is sent once when an earlier one of the same run took minutes, and another delivery runs meanwhile', async () => {
    const [one, two] = [await linked(), await linked()];
    await announce(one.ana);
    await announce(two.ana);
    const { bot } = app.services.telegram;
    if (!bot) throw new Error('no bot');
    const send = bot.send.bind(bot);
    let sending = 0;
    const slow = vi.spyOn(bot, 'send').mockImplementation(async (...message) => {
      if (++sending === 1) app.pass(180_000);
      else if (sending === 2) await app.deliverNotifications();
      await send(...message);
    });
    onTestFinished(() => slow.mockRestore());
    await app.deliverNotifications();
    expect([telegram.read(one.person).length, telegram.read(two.person).length]).toEqual([1, 1]);
  });

  it('is repeated once, marked as a possible repetition, when its process was killed while sending', async () => {
    const { ana, person } = await linked();
    await announce(ana);
    await app.deliverNotifications();
    // A process that ended between sending and storing it left its claim.
    const claim = () =>
      app.sql(
        `update telegram_messages set state = 'sending', due_at = $1 where state = 'sent' and notification_id is not null and chat_id = $2`,
        [new Date(app.now.getTime() + 120_000), person.id],
      );
    await claim();
    await app.deliverNotifications();
    expect(telegram.read(person).length).toBe(1);
    app.pass(120_000);
    await app.deliverNotifications();
    expect(telegram.read(person)).toEqual([
      expect.not.stringContaining('Puede que'),
      expect.stringMatching(/^Puede que este mensaje ya te haya llegado:\n.*Ñandú/),
    ]);
    await claim();
    app.pass(120_000);
    await app.deliverNotifications();
    expect(telegram.read(person).length).toBe(2);
  });
});

describe('a message that failed', () => {
  it.each([
    ['waits for the end of quiet hours', false],
    ['is dropped when it was read by then', true],
  ])('%s before it is repeated', async (_, markedRead) => {
    const { ana, person } = await linked();
    app.setNow(`${app.now.toISOString().slice(0, 10)}T21:58:00.000Z`);
    await app.as(ana).notifications.setReader({ locale: 'es', zone: 'UTC', quiet: { from: 22 * 60, to: 7 * 60 } });
    telegram.spoil('sendMessage', { status: 502, body: '' });
    await announce(ana);
    await app.deliverNotifications();
    if (markedRead) await app.as(ana).notifications.markRead({ until: app.now.toISOString() });
    app.pass(60 * 60_000);
    await app.deliverNotifications();
    expect(telegram.read(person)).toEqual([]);
    app.pass(8 * 3_600_000);
    await app.deliverNotifications();
    expect(telegram.read(person).length).toBe(0);
    app.pass(2 * 60_000);
    await app.deliverNotifications();
    expect(telegram.read(person).length).toBe(markedRead ? 0 : 1);
  });
});

describe('while Telegram fails', () => {
  it('all messages wait for the retry_after of a 429', async () => {
    const [one, two] = [await linked(), await linked()];
    telegram.spoil('sendMessage', {
      status: 429,
      body: JSON.stringify({
        ok: false,
        error_code: 429,
        description: 'Too Many Requests: retry after 600',
        parameters: { retry_after: 600 },
      }),
    });
    await announce(one.ana);
    await announce(two.ana);
    const sends = () => telegram.calls.filter(({ method }) => method === 'sendMessage').length;
    await app.deliverNotifications();
    app.pass(599_000);
    await app.deliverNotifications();
    expect(sends()).toBe(1);
    app.pass(1_000);
    await app.deliverNotifications();
    expect([telegram.read(one.person).length, telegram.read(two.person).length]).toEqual([1, 1]);
  });

  it.each([
    [
      'Telegram’s own 500',
      { status: 500, body: '{"ok":false,"error_code":500,"description":"Internal Server Error"}' },
    ],
    ['an error page of a proxy', { status: 502, body: '<h1>Bad gateway</h1>' }],
    [
      'a token that Telegram does not know',
      { status: 401, body: '{"ok":false,"error_code":401,"description":"Unauthorized"}' },
    ],
  ])('%s: a message is retried with increasing delays, up to a maximum', async (_what, failure) => {
    const { ana, person } = await linked();
    await announce(ana);
    const before = telegram.calls.length;
    for (let n = 0; n < 10; n++) {
      telegram.spoil('sendMessage', failure);
      await app.deliverNotifications();
      if (n === 0) {
        app.pass(60_000);
        await app.deliverNotifications();
        expect(telegram.calls.length).toBe(before + 1);
      }
      app.pass(24 * 3_600_000);
    }
    expect(telegram.calls.length).toBe(before + 6);
    expect(telegram.read(person)).toEqual([]);
    // Uses up the remaining spoiled answers.
    while (telegram.calls.length < before + 10)
      await telegramBot({ token: TOKEN, name: BOT, url: telegram.url })
        .send(1, 'x')
        .catch(() => {});
  });

  it.each([
    ['a malformed answer', { status: 200, body: '{"ok":"yes"}' }, 1],
    ['a message that arrived without an answer', 'done-and-cut', 2],
    ['a closed connection', 'cut', 1],
    ['a gateway timeout', { status: 504, body: '' }, 1],
  ] as const)('%s: a message is repeated once, marked as a repetition', async (_what, failure, arrived) => {
    const { ana, person } = await linked();
    await announce(ana);
    telegram.spoil('sendMessage', failure);
    await app.deliverNotifications();
    app.pass(60_000);
    await app.deliverNotifications();
    app.pass(24 * 3_600_000);
    await app.deliverNotifications();
    expect(telegram.read(person).length).toBe(arrived);
    expect(telegram.read(person).at(-1)).toMatch(/^Puede que/);
  });

  it('a message refused with a 400 is given up, and the next one is sent', async () => {
    const [one, two] = [await linked(), await linked()];
    telegram.spoil('sendMessage', {
      status: 400,
      body: '{"ok":false,"error_code":400,"description":"Bad Request: whatever"}',
    });
    await announce(one.ana);
    app.pass(1_000);
    await announce(two.ana);
    await app.deliverNotifications();
    expect([telegram.read(one.person).length, telegram.read(two.person).length]).toEqual([0, 1]);
    expect(await chatOf(one.ana)).not.toBeNull();
  });

  it('a 403 that does not come from Telegram does not unlink the chat', async () => {
    const { ana } = await linked();
    telegram.spoil('sendMessage', { status: 403, body: '<h1>Forbidden</h1>' });
    await announce(ana);
    await app.deliverNotifications();
    expect(await chatOf(ana)).not.toBeNull();
    expect(await states()).toEqual(['waiting']);
  });

  it('without a bot, messages are dropped, updates are not read, no chat is linked, and mails are queued', async () => {
    const { ana } = await linked();
    const without = { bot: null, onChange: () => () => {} };
    await announce(ana);
    const done = await deliverNotifications({ ...app.services, telegram: without, now: () => app.now });
    expect(done.messages).toBe(0);
    const mailed = "select 1 from mails where to_address = $1 and template = 'notification'";
    expect(await app.sql(mailed, [ana.email])).toHaveLength(1);
    await app.deliverNotifications();
    expect(telegram.messages).toEqual([]);
    const off = vi.spyOn(app.services.telegram, 'bot', 'get').mockReturnValue(null);
    onTestFinished(() => off.mockRestore());
    await expect(app.as(ana).notifications.linkTelegram({ locale: 'es', zone: 'UTC' })).rejects.toMatchObject({
      code: 'TELEGRAM_OFF',
    });
    expect(
      await readUpdates(
        { ...app.services, now: () => app.now, telegram: without },
        { holder, wait: 0, onFailed: () => {} },
      ),
    ).toBeNull();
  });
});

describe('the client of the Bot API', () => {
  const bot = (over: object = {}) =>
    telegramBot({ token: TOKEN, name: BOT, url: telegram.url, timeoutMs: 2_000, ...over });

  it('distinguishes a hanging server, an unreachable one and a wrong token, and never reveals the token', async () => {
    const errors = [];
    telegram.spoil('getMe', 'hang');
    for (const one of [bot(), bot({ url: 'http://127.0.0.1:65431' }), bot({ token: `${TOKEN}x` })])
      errors.push(await one.whoami().catch((error: unknown) => error));
    expect(errors).toMatchObject([{ why: 'unsure' }, { why: 'away' }, { why: 'token' }]);
    for (const error of errors) {
      expect(String((error as Error).stack)).not.toContain(TOKEN);
      expect(JSON.stringify(error)).not.toContain(TOKEN);
      expect((error as Error).cause).toBeUndefined();
    }
  });

  it.each([
    ['does not follow a redirect', { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/' } }],
    ['refuses an answer that is no list', { status: 200, body: '{"ok":true,"result":{"update_id":1}}' }],
    ['refuses an answer that is no JSON', { status: 200, body: 'ok' }],
  ])('%s', async (_what, failure) => {
    telegram.spoil('getUpdates', failure);
    await expect(bot().updates(null, 0)).rejects.toMatchObject({ why: 'unsure' });
  });

  it('reports that another program reads the updates', async () => {
    telegram.spoil('getUpdates', {
      status: 409,
      body: '{"ok":false,"error_code":409,"description":"Conflict: terminated by other getUpdates request"}',
    });
    await expect(bot().updates(null, 0)).rejects.toMatchObject({ why: 'taken' });
  });

  it('can be tested by an admin: the token, and the name of its bot', async () => {
    const admin = app.as(await app.member({ role: 'admin' })).admin.settings;
    expect(await admin.testTelegram()).toMatchObject({ ok: true, target: expect.stringContaining(`@${BOT}`) });
    telegram.spoil('getMe', { status: 401, body: '{"ok":false,"error_code":401,"description":"Unauthorized"}' });
    expect(await admin.testTelegram()).toMatchObject({
      ok: false,
      detail: expect.stringContaining('401: Unauthorized'),
    });
    telegram.spoil('getMe', { status: 200, body: '{"ok":true,"result":{"username":"another_bot"}}' });
    expect(await admin.testTelegram()).toMatchObject({ ok: false, detail: '@another_bot' });
    const listed = await admin.list();
    expect(JSON.stringify(listed)).not.toContain(TOKEN);
    expect(listed.find(({ name }) => name === 'telegramToken')).toMatchObject({ isSet: true, value: null });
  });
});
