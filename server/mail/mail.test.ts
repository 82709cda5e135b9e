import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { NOTIFICATION_DETAILS } from '#contract/notifications.ts';
import { startWorker } from '#server/jobs/worker.ts';
import { openMail } from '#server/providers/mail/open.ts';
import { outboxTransport } from '#server/providers/mail/outbox.ts';
import type { MailTransport } from '#server/providers/mail/port.ts';
import { smtpTransport } from '#server/providers/mail/smtp.ts';
import { startSmtp } from '#tests/support/smtp.ts';
import { startTestApp } from '#tests/support/test-app.ts';
import { deliverMail, queueMail, reviveMail } from './mail.ts';
import { type MailData, type MailTemplate, renderMail } from './templates.ts';
import { mailTexts } from './texts.ts';

const app = await startTestApp();
const smtp = await startSmtp();
const FROM = 'Florka <no-reply@florka.test>';
/** When links and codes end, where a test does not care. */
const UNTIL = '2030-01-01T00:00:00.000Z';
const SHORT = { connectionTimeout: 300, greetingTimeout: 300, socketTimeout: 300 };
const transport = smtpTransport(smtp.url(), FROM);
const folder = await mkdtemp(path.join(os.tmpdir(), 'florka-mail-'));
afterAll(async () => {
  transport.close();
  await smtp.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  smtp.box.verdict = () => undefined;
  smtp.received.length = 0;
  smtp.tried.length = 0;
});

const queue = <T extends MailTemplate>(
  template: T,
  data: MailData[T],
  over: { to?: string; locale?: 'es' | 'en' } = {},
) =>
  app.services.db.transaction((tx) =>
    queueMail(tx, app.services.jobs, { to: 'ana@florka.test', locale: 'es', template, data, ...over }),
  );
const deliver = (id: string, way: MailTransport = transport, last = false) =>
  deliverMail(app.services.db, way, id, { publicUrl: 'https://florka.test', now: app.now, last });
const rowOf = async (id: string) => (await app.sql('select * from mails where id = $1', [id]))[0];

describe('a mail over SMTP', () => {
  it('arrives as text and HTML in UTF-8, from us, to one person', async () => {
    const id = await queue('emailChanged', { to: 'ñandú+1@florka.test' });
    await deliver(id);
    const [mail] = smtp.received;
    expect(mail).toMatchObject({ from: 'no-reply@florka.test', to: ['ana@florka.test'] });
    expect(mail?.parsed).toMatchObject({
      subject: 'El correo de tu cuenta ha cambiado',
      from: { name: 'Florka', address: 'no-reply@florka.test' },
      to: [{ address: 'ana@florka.test' }],
      messageId: `<${id}@florka.test>`,
    });
    expect(mail?.parsed.text).toContain('es ahora ñandú+1@florka.test');
    expect(mail?.parsed.html).toContain('es ahora ñandú+1@florka.test');
    expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(await rowOf(id)).toMatchObject({ status: 'sent', attempts: 1, data: {}, last_error: null });
    // Once more does nothing.
    await deliver(id);
    expect(smtp.received).toHaveLength(1);
  });

  it('has a subject in UTF-8 that stays whole', async () => {
    await deliver(
      await queue('savedToken', { name: 'Ñandú 🎪 «Feria»', news: 'launched', path: '/t', unsubscribePath: '/u?x=1' }),
    );
    const [mail] = smtp.received;
    expect(mail?.parsed.subject).toBe('Novedades de Ñandú 🎪 «Feria»');
    const headers = new Map(mail?.parsed.headers.map(({ key, value }) => [key, value]));
    expect(headers.get('list-unsubscribe')).toBe('<https://florka.test/u?x=1>');
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  });

  it('carries its link in both parts, made from the configured address', async () => {
    await deliver(await queue('resetPassword', { path: '/reset?token=abc', until: UNTIL }));
    const [mail] = smtp.received;
    expect(mail?.parsed.text).toContain('https://florka.test/reset?token=abc');
    expect(mail?.parsed.html).toContain('href="https://florka.test/reset?token=abc"');
  });

  it.each([
    'Evil\r\nBcc: victim@florka.test',
    'Evil\nContent-Type: text/html\n\n<b>x</b>',
    'Evil\u2028Bcc: victim@florka.test',
    'Evil =?utf-8?q?=0D=0ABcc:_victim@florka.test?=',
    '<script>alert(1)</script>',
  ])('takes no header and no markup from a name: %j', async (name) => {
    await deliver(await queue('savedToken', { name, news: 'promoted', path: '/t', unsubscribePath: '/u' }));
    const [mail] = smtp.received;
    expect(mail?.to).toEqual(['ana@florka.test']);
    expect(mail?.parsed.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(mail?.parsed.bcc ?? []).toEqual([]);
    expect(mail?.parsed.html).not.toContain('<script>');
    expect(mail?.parsed.html).not.toContain('<b>x</b>');
  });

  it.each(['a@florka.test, b@florka.test', 'a@florka.test\r\nBcc: b@florka.test', 'Ana <a@florka.test>', 'nobody'])(
    'goes to no second address: %j',
    async (to) => {
      const sent = await queue('test', {}, { to }).then(
        (id) => deliver(id),
        () => 'refused',
      );
      if (sent === 'refused') return;
      for (const mail of smtp.received) expect(mail.to).toHaveLength(1);
      expect(smtp.received.flatMap((mail) => mail.to)).not.toContain('b@florka.test');
    },
  );
});

describe('answers to a mail', () => {
  it.each([
    ['help@florka.test', [{ name: '', address: 'help@florka.test' }]],
    [undefined, undefined],
  ])('go to SUPPORT_EMAIL, over SMTP and in the outbox: %s', async (SUPPORT_EMAIL, replyTo) => {
    const env = { MAIL_FROM: FROM, DATA_DIR: path.join(folder, `reply-${SUPPORT_EMAIL}`), SUPPORT_EMAIL };
    const sent = openMail({ ...env, SMTP_URL: smtp.url() });
    await deliver(await queue('test', {}), sent);
    sent.close();
    expect(smtp.received[0]?.parsed.replyTo).toEqual(replyTo);
    const stored = openMail(env);
    await deliver(await queue('test', {}), stored);
    const [file = ''] = await readdir(stored.target);
    expect((await PostalMime.parse(await readFile(path.join(stored.target, file)))).replyTo).toEqual(replyTo);
  });
});

describe('a mail that is not taken', () => {
  it.each([
    [451, 'try again later'],
    [550, 'no such user'],
  ])('with %i stays queued and is tried again under the same Message-ID', async (responseCode, message) => {
    smtp.box.verdict = () => ({ responseCode, message });
    const id = await queue('test', {});
    await expect(deliver(id)).rejects.toThrow(String(responseCode));
    expect(await rowOf(id)).toMatchObject({
      status: 'queued',
      attempts: 1,
      last_error: expect.stringContaining(message),
    });
    smtp.box.verdict = () => undefined;
    await deliver(id);
    expect(await rowOf(id)).toMatchObject({ status: 'sent', attempts: 2, last_error: null });
    expect(new Set(smtp.tried.map((mail) => mail.parsed.messageId))).toEqual(new Set([`<${id}@florka.test>`]));
  });

  it('at the last try is given up with all it says, and sent when a person says so', async () => {
    smtp.box.verdict = () => ({ responseCode: 550, message: 'no' });
    const data = { path: '/reset?token=secret', until: UNTIL };
    const id = await queue('resetPassword', data);
    await expect(deliver(id, transport, true)).rejects.toThrow();
    expect(await rowOf(id)).toMatchObject({ status: 'failed', data });
    smtp.box.verdict = () => undefined;
    expect(await deliver(id)).toBe('none');
    expect(smtp.received).toEqual([]);
    await app.services.db.transaction((tx) => reviveMail(tx, id, app.now));
    expect(await deliver(id)).toBe('sent');
    expect(smtp.received[0]?.parsed.text).toContain('https://florka.test/reset?token=secret');
    expect(await rowOf(id)).toMatchObject({ status: 'sent', data: {} });
  });

  it.each([
    ['signInCode', { code: '012345' }],
    ['resetPassword', { path: '/reset?token=a' }],
    ['accountCreated', { path: '/reset?token=a' }],
    ['verifyEmail', { path: '/verify?token=a' }],
    ['changeEmail', { path: '/verify?token=a' }],
  ] as const)('%s is not sent once its link or code has ended, and forgets it', async (template, about) => {
    const data = { ...about, until: app.now.toISOString() } as MailData[typeof template];
    const id = await queue(template, data);
    expect(await deliver(id)).toBe('expired');
    expect(smtp.tried).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ status: 'expired', data: {} });
    await expect(app.services.db.transaction((tx) => reviveMail(tx, id, app.now))).rejects.toMatchObject({
      code: 'MAIL_EXPIRED',
    });
  });

  it('because nobody listens fails at once', async () => {
    const nobody = await startSmtp();
    await nobody.close();
    const id = await queue('test', {});
    await expect(deliver(id, smtpTransport(nobody.url(), FROM))).rejects.toThrow(/ECONNREFUSED/);
    expect(await rowOf(id)).toMatchObject({ status: 'queued' });
  });

  it('because the server never greets, or hangs after the data, fails after a while', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    const id = await queue('test', {});
    const mute = smtpTransport(`smtp://127.0.0.1:${port}`, FROM, { patience: SHORT });
    await expect(deliver(id, mute)).rejects.toThrow(/greeting|timeout/i);
    silent.close();

    smtp.box.verdict = () => 'hang';
    await expect(
      deliver(id, smtpTransport(smtp.url(), FROM, { patience: { ...SHORT, socketTimeout: 2_000 } })),
    ).rejects.toThrow(/timeout/i);
    expect(smtp.tried).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ status: 'queued', attempts: 2 });
  });

  it('because the process died after it was taken is sent at most twice, under one id', async () => {
    const id = await queue('test', {});
    const dying: MailTransport = {
      ...transport,
      send: async (mail) => {
        await transport.send(mail);
        throw new Error('killed');
      },
    };
    await expect(deliver(id, dying)).rejects.toThrow('killed');
    await deliver(id);
    await deliver(id);
    expect(smtp.received.map((mail) => mail.parsed.messageId)).toEqual(Array(2).fill(`<${id}@florka.test>`));
  });
});

describe('queueing', () => {
  it('happens with the transaction or not at all, mail and job', async () => {
    await app.services.jobs.start();
    const counts = async () =>
      (
        await app.sql(
          `select (select count(*)::int from mails) as mails, (select count(*)::int from jobs.job where name = 'send-mail') as jobs`,
        )
      )[0];
    const before = await counts();
    await expect(
      app.services.db.transaction(async (tx) => {
        await queueMail(tx, app.services.jobs, { to: 'a@florka.test', locale: 'es', template: 'test', data: {} });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await counts()).toEqual(before);
    await queue('test', {});
    expect(await counts()).toEqual({ mails: Number(before?.['mails']) + 1, jobs: Number(before?.['jobs']) + 1 });
  });
});

describe('without SMTP', () => {
  it('a mail becomes a file that only we can read; a second try replaces it', async () => {
    const outbox = path.join(folder, 'outbox');
    const way = openMail({ MAIL_FROM: FROM, DATA_DIR: folder });
    expect(way.target).toBe(outbox);
    const id = await queue('signInCode', { code: '012345', until: UNTIL }, { locale: 'en' });
    await deliver(id, way);
    await way.send({ messageId: `<${id}@florka.test>`, to: 'ana@florka.test', subject: 'again', text: 'x', html: 'x' });
    const files = await readdir(outbox);
    expect(files).toHaveLength(1);
    const file = path.join(outbox, files[0] ?? '');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const mail = await PostalMime.parse(await readFile(file));
    expect(mail).toMatchObject({
      subject: 'again',
      to: [{ address: 'ana@florka.test' }],
      messageId: `<${id}@florka.test>`,
    });
  });

  it('a folder that can not be written is a failure, not a lost mail', async () => {
    const id = await queue('test', {});
    const file = path.join(folder, 'a-file');
    await writeFile(file, '');
    await expect(deliver(id, outboxTransport(path.join(file, 'outbox'), FROM))).rejects.toThrow();
    expect(await rowOf(id)).toMatchObject({ status: 'queued' });
  });
});

describe('the talk with the server', () => {
  it('can be listened to, without the password', async () => {
    const guarded = await startSmtp({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (auth, _session, done) =>
        auth.password === 'hush-hush' ? done(null, { user: auth.username ?? '' }) : done(new Error('wrong password')),
    });
    for (const [password, outcome] of [
      ['hush-hush', 'taken'],
      ['wrong-one', 'refused'],
    ] as const) {
      const lines: string[] = [];
      const way = openMail(
        { SMTP_URL: guarded.url(`operator:${password}@`), MAIL_FROM: FROM, DATA_DIR: folder },
        (line) => lines.push(line),
      );
      expect(way.target).not.toContain(password);
      const content = renderMail('test', {}, 'es', 'https://florka.test');
      const sent = await way.send({ ...content, to: 'ana@florka.test', messageId: '<1@florka.test>' }).then(
        () => 'taken',
        () => 'refused',
      );
      way.close();
      expect(sent).toBe(outcome);
      const talk = lines.join('\n');
      expect(talk).toMatch(/^S: 220 /m);
      expect(talk).toMatch(/^C: EHLO /m);
      expect(talk).toMatch(/^C: AUTH /m);
      const encoded = [`\0operator\0${password}`, password].map((text) => Buffer.from(text).toString('base64'));
      for (const secret of [password, ...encoded]) expect(talk).not.toContain(secret);
    }
    await guarded.close();
  });
});

describe('the words', () => {
  const samples: { [T in MailTemplate]: MailData[T] } = {
    test: {},
    verifyEmail: { path: '/verify?token=a', until: UNTIL },
    changeEmail: { path: '/verify?token=a', until: UNTIL },
    emailChanged: { to: 'b@florka.test' },
    accountCreated: { path: '/reset?token=first', until: UNTIL },
    resetPassword: { path: '/reset?token=a', until: UNTIL },
    passwordChanged: {},
    signInCode: { code: '123456', until: UNTIL },
    secondFactorChanged: { on: false },
    passkeyChanged: { on: true },
    wrongPasswords: { tries: 10 },
    signUpTried: {},
    accountViewed: { at: UNTIL },
    staffOverdue: { items: [{ source: 'report', title: 'Luna <b>', hours: 30 }], more: 2, path: '/admin/inbox' },
    weeklyReport: {
      from: '2026-11-16T00:00:00.000Z',
      to: '2026-11-22T00:00:00.000Z',
      signUps: { now: 3, before: 1 },
      votes: { now: 3, before: 1 },
      posts: { now: 3, before: 1 },
      orders: { now: 3, before: 1 },
      revenueUsd: { now: 3, before: 1 },
      overdue: 2,
      path: '/admin/reports',
    },
    staffEmailAsked: { path: '/verify?token=a', until: UNTIL, to: 'b@florka.test' },
    staffAct: { act: 'role', actor: 'a@florka.test', target: 'b@florka.test' },
    textRemoved: {
      title: 'Luna',
      content: 'Compra ya <b>',
      rule: 'spam',
      reason: 'Tres veces lo mismo',
      path: '/moderation',
      appealUntil: UNTIL,
    },
    textDeclined: {
      title: 'Luna',
      content: 'Compra ya <b>',
      rule: 'spam',
      reason: 'Tres veces lo mismo',
      path: '/moderation',
      appealUntil: UNTIL,
    },
    appealAnswered: { title: 'Luna', outcome: 'reversed', answer: 'Tienes razón', path: '/moderation' },
    savedToken: { name: 'Luna', news: 'dateChanged', path: '/t', unsubscribePath: '/u' },
    notification: {
      kind: 'replies',
      detail: 'comment',
      actor: 'Ana',
      title: 'Luna <b>',
      count: 1,
      path: '/forum/a',
      unsubscribePath: '/u',
    },
    notificationDigest: {
      lines: [
        { kind: 'reactions', detail: 'post', actor: 'Ana', title: 'Luna', count: 3, path: '/forum/a' },
        { kind: 'rounds', detail: 'won', actor: null, title: 'Luna', count: 7, path: '/next' },
      ],
      more: 2,
      path: '/notifications',
      unsubscribePath: '/u',
    },
    orderOpened: { orderId: 'FL-0123456789', priceUsd: 50, path: '/order/a#b', simulation: false },
    tokenCreated: {
      orderId: 'FL-0123456789',
      name: 'Ajolote',
      symbol: 'AJO',
      owner: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      explorerUrl: 'https://etherscan.io/address/0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      path: '/order/a#b',
      simulation: true,
    },
    tokenProposal: {
      changed: true,
      reminder: true,
      orderId: 'FL-0123456789',
      name: 'Ajolote',
      symbol: 'AJO',
      owner: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      network: 'ethereum',
      path: '/order/a#b',
      simulation: true,
    },
    requestClosed: {
      orderId: 'FL-0123456789',
      as: 'delivered',
      note: 'A <b>',
      address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      path: '/order/a#b',
      simulation: false,
    },
    deliverables: {
      news: 'withdrawn',
      orderId: 'FL-0123456789',
      items: [{ item: 'liquidityPool', dueAt: '2027-01-03T00:00:00.000Z', evidence: null, ifNot: 'A <b>' }],
      note: 'A <b>',
      refund: 'RF-0123456789',
      path: '/order/a#b',
      simulation: true,
    },
    refund: {
      news: 'confirm',
      number: 'RF-0123456789',
      orderId: 'FL-0123456789',
      amount: '12.5 USDTTRC20',
      reason: 'A <b>',
      address: 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj',
      transaction: null,
      code: '01234567',
      minutes: 30,
      path: '/order/a#b',
      simulation: true,
    },
    orderPaid: { orderId: 'FL-0123456789', priceUsd: 50, path: '/order/a#b', simulation: true },
    orderShort: {
      orderId: 'FL-0123456789',
      priceUsd: 50,
      path: '/order/a#b',
      simulation: true,
      receivedUsd: 29.5,
      missingUsd: 20.5,
    },
    orderReview: {
      orderId: 'FL-0123456789',
      priceUsd: 1_500,
      path: '/order/a#b',
      simulation: true,
      receivedUsd: 1_500,
      missingUsd: 0,
      plan: 'basic',
      replaced: true,
    },
    submissionReceived: { reference: 'PR-0123456789', path: '/submission/a#b' },
    submissionDecided: { reference: 'PR-0123456789', path: '/submission/a#b', status: 'rejected', answer: 'No <b>' },
  };
  it.each(Object.keys(samples) as MailTemplate[])('of %s are whole in both languages', (template) => {
    for (const locale of Object.keys(mailTexts) as ('es' | 'en')[]) {
      const { subject, text, html } = renderMail(template, samples[template], locale, 'https://florka.test');
      expect(subject).not.toBe('');
      for (const part of [subject, text, html]) expect(part).not.toMatch(/undefined|\[object|=>/);
      expect(text).toContain(mailTexts[locale].greeting);
    }
  });
});

it.each(['follows', 'rounds'] as const)(
  'notifications of %s have a sentence for each thing that can happen',
  (kind) => {
    for (const locale of ['es', 'en'] as const) {
      const said = NOTIFICATION_DETAILS[kind].map((detail) => {
        // A round that ended without a winner has no title.
        const title = detail === 'ended' ? null : 'Luna';
        return mailTexts[locale].notification.say({ kind, detail, actor: null, title, count: 7, path: '/t' });
      });
      expect(new Set(said).size, said.join(' ')).toBe(said.length);
    }
  },
);

describe('the mail about a refund', () => {
  const about = (amount: string, locale: 'es' | 'en') =>
    renderMail(
      'refund',
      {
        news: 'opened',
        number: 'RF-0123456789',
        orderId: 'FL-0123456789',
        amount,
        reason: 'No se puede entregar.',
        address: null,
        transaction: null,
        code: '',
        minutes: 30,
        path: '/order/a#b',
        simulation: false,
      },
      locale,
      'https://florka.test',
    ).text;
  it('names amount, coin and network in words, with all digits', () => {
    expect(about('1200.016666666666666667 USDTTRC20', 'es')).toContain(
      'Te devolvemos 1.200,016666666666666667 USDT en la red Tron de tu pedido',
    );
    expect(about('0.01 ETH', 'en')).toContain('We give back 0.01 ETH on the Ethereum network of your order');
    // A coin that nobody here knows.
    expect(about('3 SHIBBSC2', 'es')).toContain('Te devolvemos 3 SHIBBSC2 de tu pedido');
  });
});

describe('the job queue', () => {
  it('delivers by itself what a transaction queued, and tries again after a failure', async () => {
    let failures = 0;
    const sent: string[] = [];
    const services = {
      ...app.services,
      mail: {
        target: 'test',
        close: () => {},
        send: async ({ messageId }: { messageId: string }) => {
          if (failures++ === 0) throw new Error('first try');
          sent.push(messageId);
        },
      },
    };
    // Only what is queued from here on, and no wait between the tries.
    await app.sql(`delete from jobs.job where name = 'send-mail'`);
    const log = { info: () => {}, warn: () => {} } as never;
    await startWorker({ services, log });
    const id = await queue('test', {});
    await app.sql(
      `update jobs.job set retry_delay = 0, retry_delay_max = null, retry_backoff = false where name = 'send-mail'`,
    );
    await expect
      .poll(() => rowOf(id), { timeout: 15_000, interval: 100 })
      .toMatchObject({ status: 'sent', attempts: 2 });
    expect(sent).toEqual([`<${id}@florka.test>`]);
  });
});
