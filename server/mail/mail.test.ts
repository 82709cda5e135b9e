import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorker } from '#server/jobs/worker.ts';
import { openMail } from '#server/providers/mail/open.ts';
import { outboxTransport } from '#server/providers/mail/outbox.ts';
import type { MailTransport } from '#server/providers/mail/port.ts';
import { smtpTransport } from '#server/providers/mail/smtp.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { startSmtp } from '#tests/support/services/smtp.ts';
import { deliverMail, queueMail, reviveMail } from './mail.ts';
import { type MailData, type MailTemplate, renderMail } from './templates.ts';

const app = await startTestApp();
const smtp = await startSmtp();
const FROM = 'Florka <no-reply@florka.test>';
/** Expiry of links and codes, where a test does not depend on it. */
const UNTIL = '2030-01-01T00:00:00.000Z';
const SHORT = { connectionTimeout: 300, greetingTimeout: 300, socketTimeout: 300 };
/** Enough for a server that answers, on a busy machine. */
const ENOUGH = { connectionTimeout: 2_000, greetingTimeout: 2_000, socketTimeout: 2_000 };
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
  deliverMail(app.services.db, way, id, {
    publicUrl: 'https://florka.test',
    secret: app.secret,
    site: app.services.settings.site(),
    supportEmail: app.services.supportEmail(),
    now: app.now,
    last,
  });
const rowOf = async (id: string) => (await app.sql('select * from mails where id = $1', [id]))[0];

it('mails of notifications are sent after those with a code, which somebody is waiting for', async () => {
  const line = { kind: 'replies', detail: 'comment', actor: 'Bob', title: 'Hola', count: 1, path: '/forum' };
  const news = await queue('notification', { ...line, unsubscribePath: '/unsubscribe?token=x' });
  const code = await queue('signInCode', { code: '123456', until: UNTIL });
  const waiting = await app.sql<{ mail: string }>(
    `select data ->> 'mailId' as mail from jobs.job where data ->> 'mailId' = any($1) order by priority desc, created_on`,
    [[news, code]],
  );
  expect(waiting.map(({ mail }) => mail)).toEqual([code, news]);
  // Nothing is left for the worker of another test.
  await app.sql('delete from mails where id = any($1)', [[news, code]]);
});

describe('a mail over SMTP', () => {
  it('arrives as text and HTML in UTF-8, with our sender, for one recipient', async () => {
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
    expect(await rowOf(id)).toMatchObject({ status: 'sent', sent_by: 'smtp', attempts: 1, data: {}, last_error: null });
    // A second delivery does nothing.
    await deliver(id);
    expect(smtp.received).toHaveLength(1);
  });

  it('has an undamaged subject in UTF-8', async () => {
    await deliver(
      await queue('savedToken', { name: 'Ñandú 🎪 «Feria»', news: 'launched', path: '/t', unsubscribePath: '/u?x=1' }),
    );
    const [mail] = smtp.received;
    expect(mail?.parsed.subject).toBe('Novedades de Ñandú 🎪 «Feria»');
    const headers = new Map(mail?.parsed.headers.map(({ key, value }) => [key, value]));
    expect(headers.get('list-unsubscribe')).toBe('<https://florka.test/u?x=1>');
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  });

  it('contains its link in both parts, with the configured origin', async () => {
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
  ])('is not injected with headers or markup by a name: %j', async (name) => {
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

describe('replies to a mail', () => {
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

describe('a mail that is not accepted', () => {
  it.each([
    [451, 'try again later'],
    [552, 'mailbox full'],
  ])('with %i stays queued and is sent again with the same Message-ID', async (responseCode, message) => {
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

  it('fails at the last attempt with its data retained, and is sent when a person retries it', async () => {
    smtp.box.verdict = () => ({ responseCode: 451, message: 'no' });
    const data = { path: '/reset?token=secret', until: UNTIL };
    const id = await queue('resetPassword', data);
    await expect(deliver(id, transport, true)).rejects.toThrow();
    expect(await rowOf(id)).toMatchObject({ status: 'failed', data: { until: UNTIL, path: expect.anything() } });
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
  ] as const)('%s is not sent once its link or code has expired, and its data is deleted', async (template, about) => {
    const data = { ...about, until: app.now.toISOString() } as MailData[typeof template];
    const id = await queue(template, data);
    expect(await deliver(id)).toBe('expired');
    expect(smtp.tried).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ status: 'expired', data: {} });
    await expect(app.services.db.transaction((tx) => reviveMail(tx, id, app.now))).rejects.toMatchObject({
      code: 'MAIL_EXPIRED',
    });
  });

  it('fails with its reason when it cannot be rendered, as a kind that another version queued', async () => {
    const id = await queue('test', {});
    await app.sql(`update mails set template = 'ofAnotherVersion' where id = $1`, [id]);
    await expect(deliver(id)).rejects.toThrow();
    expect(await rowOf(id)).toMatchObject({ status: 'queued', last_error: expect.any(String) });
    await expect(deliver(id, transport, true)).rejects.toThrow();
    expect(await rowOf(id)).toMatchObject({ status: 'failed', attempts: 2 });
    expect(smtp.tried).toHaveLength(0);
    await app.sql('delete from mails where id = $1', [id]);
  });

  it('fails at once when the connection is refused', async () => {
    const nobody = await startSmtp();
    await nobody.close();
    const id = await queue('test', {});
    await expect(deliver(id, smtpTransport(nobody.url(), FROM))).rejects.toThrow(/ECONNREFUSED/);
    expect(await rowOf(id)).toMatchObject({ status: 'queued' });
  });

  it('fails after a time limit when the server never greets, or hangs after the data', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    const id = await queue('test', {});
    const mute = smtpTransport(`smtp://127.0.0.1:${port}`, FROM, { timeouts: SHORT });
    await expect(deliver(id, mute)).rejects.toThrow(/greeting|timeout/i);
    silent.close();

    smtp.box.verdict = () => 'hang';
    await expect(deliver(id, smtpTransport(smtp.url(), FROM, { timeouts: ENOUGH }))).rejects.toThrow(/timeout/i);
    expect(smtp.tried).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ status: 'queued', attempts: 2 });
  });

  it('is sent at most twice, with one id, when the process ended after it was accepted', async () => {
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

it('a mail that another process sent is not queued again by an attempt that fails afterwards', async () => {
  let sent = 0;
  const once: MailTransport = { target: 'once', kind: 'smtp', send: async () => void sent++, close() {} };
  for (const last of [false, true]) {
    const id = await queue('signInCode', { code: '246810', until: UNTIL });
    // The lease of this process ended while the server kept it waiting.
    const late: MailTransport = {
      ...once,
      async send() {
        await deliver(id, once);
        throw new Error('no answer');
      },
    };
    await expect(deliver(id, late, last)).rejects.toThrow('no answer');
    expect(await rowOf(id)).toMatchObject({ status: 'sent', last_error: null });
  }
  expect(sent).toBe(2);
});

describe('queueing', () => {
  it('is part of the transaction, mail and job', async () => {
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
  it('a mail becomes a file that only its owner can read; a second attempt replaces it', async () => {
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

  it('an unwritable folder is a failure, not a lost mail', async () => {
    const id = await queue('test', {});
    const file = path.join(folder, 'a-file');
    await writeFile(file, '');
    await expect(deliver(id, outboxTransport(path.join(file, 'outbox'), FROM))).rejects.toThrow();
    expect(await rowOf(id)).toMatchObject({ status: 'queued' });
  });
});

describe('the protocol with the server', () => {
  it('can be traced, without the password', async () => {
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

describe('the job queue', () => {
  it('delivers queued mails, and retries after a failure', async () => {
    let failures = 0;
    const sent: string[] = [];
    const services = {
      ...app.services,
      mail: {
        target: 'test',
        kind: 'smtp' as const,
        close: () => {},
        send: async ({ messageId }: { messageId: string }) => {
          if (failures++ === 0) throw new Error('first try');
          sent.push(messageId);
        },
      },
    };
    // Only mails queued from here on, without a delay between attempts.
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
