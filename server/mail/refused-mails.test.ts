import type { SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorker } from '#server/jobs/worker.ts';
import { smtpTransport } from '#server/providers/mail/smtp.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { startSmtp } from '#tests/support/services/smtp.ts';
import { deliverMail, queueMail } from './mail.ts';
import type { MailData, MailTemplate } from './templates.ts';

type Command = 'AUTH' | 'MAIL' | 'RCPT' | 'DATA';
/** The reply of the server to one command; all others succeed. */
let reply: { to: Command; code: number; text: string } | null = null;
const refusal = (command: Command) =>
  reply?.to === command ? Object.assign(new Error(reply.text), { responseCode: reply.code }) : null;
const onAuth: SMTPServerOptions['onAuth'] = (_auth, _session, done) => {
  const refused = refusal('AUTH');
  if (refused) done(refused);
  else done(null, { user: 'operator' });
};

const app = await startTestApp();
const smtp = await startSmtp({
  // The status codes are those of the replies below.
  hideENHANCEDSTATUSCODES: true,
  allowInsecureAuth: true,
  onAuth,
  onMailFrom: (_address, _session, done) => done(refusal('MAIL')),
  onRcptTo: (_address, _session, done) => done(refusal('RCPT')),
});
smtp.box.verdict = () => (reply?.to === 'DATA' ? { responseCode: reply.code, message: reply.text } : undefined);
const transport = smtpTransport(smtp.url('operator:password@'), 'Florka <no-reply@florka.test>');
afterAll(async () => {
  transport.close();
  await smtp.close();
});
beforeEach(() => {
  reply = null;
  smtp.received.length = 0;
});

const queue = <T extends MailTemplate>(template: T, data: MailData[T]) =>
  app.services.db.transaction((tx) =>
    queueMail(tx, app.services.jobs, { to: 'ana@florka.test', locale: 'es', template, data }),
  );
const deliver = (id: string) =>
  deliverMail(app.services.db, transport, id, {
    publicUrl: 'https://florka.test',
    secret: app.secret,
    site: app.services.settings.site(),
    supportEmail: null,
    now: app.now,
    last: false,
  });
const rowOf = async (id: string) => (await app.sql('select * from mails where id = $1', [id]))[0];
const jobOf = async (id: string) =>
  (
    await app.sql<{ id: string; state: string; retry_count: number; output: { message: string } | null }>(
      `select id::text, state::text, retry_count, output from jobs.job where data ->> 'mailId' = $1`,
      [id],
    )
  )[0];

describe('a mail', () => {
  it.each<[Command, number, string]>([
    ['RCPT', 550, '5.1.1 no such user'],
    ['RCPT', 550, 'unknown mailbox'],
    ['RCPT', 550, '5.1.0 unknown mailbox'],
    ['RCPT', 550, '5.2.1 mailbox disabled'],
    ['RCPT', 551, 'user not local'],
    ['RCPT', 553, 'mailbox name not allowed'],
    ['RCPT', 556, '5.1.10 the domain takes no mail'],
    ['DATA', 550, 'no such user'],
    ['DATA', 554, '5.6.0 the form of the message is not taken'],
  ])('that is refused permanently, after %s with %i %s, fails without a retry', async (to, code, text) => {
    reply = { to, code, text };
    const id = await queue('test', {});
    await expect(deliver(id)).rejects.toThrow(`${code} ${text}`);
    expect(await rowOf(id)).toMatchObject({
      status: 'failed',
      attempts: 1,
      last_error: expect.stringContaining(`${code} ${text}`),
    });
    reply = null;
    expect(await deliver(id)).toBe('none');
    expect(smtp.received).toEqual([]);
  });

  it.each<[Command, number, string]>([
    ['RCPT', 450, '4.2.1 try again later'],
    ['RCPT', 452, '4.2.2 mailbox full'],
    ['RCPT', 552, '5.2.2 mailbox full'],
    ['RCPT', 552, 'too many recipients'],
    ['RCPT', 550, '5.2.2 mailbox full'],
    // What the operator can correct while the mail waits.
    ['RCPT', 554, '5.7.1 Relay access denied'],
    ['RCPT', 550, 'relay not permitted'],
    ['RCPT', 550, '5.1.8 Sender address rejected: domain not found'],
    ['RCPT', 550, 'Sender verify failed'],
    ['RCPT', 530, '5.7.0 Must issue a STARTTLS command first'],
    ['RCPT', 503, '5.5.1 need MAIL command'],
    ['DATA', 451, 'try again later'],
    ['DATA', 552, '5.3.4 message too big'],
    ['DATA', 550, '5.7.26 unauthenticated mail is not accepted'],
    ['DATA', 554, 'blocked as spam'],
    ['MAIL', 550, '5.1.7 the sender is not known'],
    ['MAIL', 553, 'mailbox name not allowed'],
    ['AUTH', 535, '5.7.8 wrong password'],
  ])('that is refused for a reason that can pass, after %s with %i %s, is retried', async (to, code, text) => {
    reply = { to, code, text };
    const id = await queue('test', {});
    await expect(deliver(id)).rejects.toThrow(text);
    expect(await rowOf(id)).toMatchObject({ status: 'queued', attempts: 1, last_error: expect.stringContaining(text) });
    reply = null;
    expect(await deliver(id)).toBe('sent');
    expect(smtp.received).toHaveLength(1);
  });

  it.each([550, 451])('whose code or link a server quotes with %i has an error without it', async (code) => {
    const until = '2030-01-01T00:00:00.000Z';
    for (const [id, secret] of [
      [await queue('signInCode', { code: '012345', until }), '012345'],
      [await queue('resetPassword', { path: '/reset#token=s-e-c', until }), 's-e-c'],
    ] as const) {
      reply = { to: 'DATA', code, text: `not taken: https://florka.test/reset#token=${secret}` };
      const error = await deliver(id).catch((thrown: unknown) => thrown);
      const row = await rowOf(id);
      for (const text of [`${error}`, JSON.stringify(error), `${row?.['last_error']}`])
        expect(text).not.toContain(secret);
      expect(`${error}`).toContain(`${code} not taken: https://florka.test/reset#token=`);
      expect(row).toMatchObject({
        status: code === 550 ? 'failed' : 'queued',
        last_error: expect.stringContaining('not taken: '),
      });
    }
  });
});

describe('the job of a mail', () => {
  it('fails after a permanent refusal, is in the inbox with the reason, and can be retried by an admin', async () => {
    const { inbox } = app.as(await app.member({ role: 'admin' })).admin;
    await app.sql(`delete from jobs.job where name = 'send-mail'`);
    const warned: unknown[] = [];
    const log = { info: () => {}, warn: (about: unknown) => void warned.push(about) } as never;
    await startWorker({ services: { ...app.services, mail: transport }, log });
    const patient = { timeout: 15_000, interval: 100 };

    reply = { to: 'RCPT', code: 451, text: 'try again later' };
    const waiting = await queue('test', {});
    await expect.poll(() => jobOf(waiting), patient).toMatchObject({ state: 'retry' });
    expect(await rowOf(waiting)).toMatchObject({ status: 'queued' });
    expect(warned).toContainEqual(expect.objectContaining({ job: 'send-mail', attempt: 1, last: false }));

    reply = { to: 'RCPT', code: 550, text: '5.1.1 no such user' };
    const refused = await queue('test', {});
    await expect.poll(() => jobOf(refused), patient).toMatchObject({ state: 'failed', retry_count: 0 });
    expect(await rowOf(refused)).toMatchObject({ status: 'failed', attempts: 1 });
    expect(warned).toContainEqual(expect.objectContaining({ job: 'send-mail', attempt: 1, last: true }));
    const job = await jobOf(refused);
    expect((await inbox.list({ source: 'job' })).items).toContainEqual(
      expect.objectContaining({
        id: job?.id,
        title: 'send-mail',
        details: [expect.stringContaining('550 5.1.1 no such user')],
      }),
    );

    reply = null;
    await inbox.settleJob({ id: job?.id ?? '', decision: 'retry' });
    await expect.poll(() => rowOf(refused), patient).toMatchObject({ status: 'sent', attempts: 2 });
    expect(await jobOf(waiting)).toMatchObject({ state: 'retry' });
  });
});
