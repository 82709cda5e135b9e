import { describe, expect, it } from 'vitest';
import { JobQueue } from '#server/jobs/queue.ts';
import { PermanentFailure } from '#server/lib/errors/permanent-failure.ts';
import type { OutgoingMail } from '#server/providers/mail/port.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { deliverMail, queueMail, reviveMail } from './mail.ts';
import { type MailData, type MailTemplate, renderMail } from './templates.ts';

const app = await startTestApp();
const sent: OutgoingMail[] = [];
/** The server's answer to the next mail; null accepts it. */
let refusal: Error | null = null;
const transport = {
  target: 'test',
  kind: 'smtp' as const,
  close: () => {},
  send: async (mail: OutgoingMail) => {
    if (refusal) throw refusal;
    sent.push(mail);
  },
};

const queue = (template: MailTemplate, data: object) =>
  app.services.db.transaction((tx) =>
    queueMail(tx, app.services.jobs, { to: 'ana@florka.test', locale: 'es', template, data: data as never }),
  );
const deliver = (id: string, { secret = app.secret, last = false } = {}) =>
  deliverMail(app.services.db, transport, id, {
    publicUrl: 'https://florka.test',
    secret,
    site: app.services.settings.site(),
    supportEmail: null,
    now: app.now,
    last,
  });
const rowOf = async (id: string) => (await app.sql('select * from mails where id = $1', [id]))[0];
/** Everything that the database holds of a mail and its job. */
const storedOf = async (id: string) =>
  JSON.stringify([await rowOf(id), await app.sql(`select * from jobs.job where data ->> 'mailId' = $1`, [id])]);

const until = '2030-01-01T00:00:00.000Z';
const KEY = 'k3y-0f-th3-l1nk';
const CODE = '83520417';
const order = { orderId: 'FL-0123456789', path: `/order/x#${KEY}`, simulation: false };
const refund: MailData['refund'] = {
  ...order,
  news: 'confirm',
  number: 'RF-0123456789',
  amount: '12.5 USDTTRC20',
  reason: '',
  address: 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj',
  transaction: null,
  code: CODE,
  minutes: 30,
  until,
};
const KINDS: [MailTemplate, object][] = [
  ['signInCode', { code: CODE, until }],
  ['verifyEmail', { path: `/verify#token=${KEY}`, until }],
  ['changeEmail', { path: `/verify#token=${KEY}`, until }],
  ['staffEmailAsked', { path: `/verify#token=${KEY}`, until, to: 'b@florka.test' }],
  ['resetPassword', { path: `/reset#token=${KEY}`, until }],
  ['accountCreated', { path: `/reset#token=${KEY}`, until }],
  ['orderLink', order],
  ['orderOpened', { ...order, priceUsd: 50 }],
  ['refund', refund],
  ['submissionReceived', { reference: 'PR-0123456789', path: `/submission/x#${KEY}` }],
];

describe('a mail with a code or private link', () => {
  it.each(KINDS)('is stored encrypted, and arrives in plain text: %s', async (template, data) => {
    const id = await queue(template, data);
    const secrets = [KEY, CODE].filter((secret) => JSON.stringify(data).includes(secret));
    const stored = await storedOf(id);
    for (const secret of secrets) expect(stored).not.toContain(secret);
    expect(await deliver(id)).toBe('sent');
    for (const secret of secrets) expect(sent.at(-1)?.text).toContain(secret);
    for (const secret of secrets) expect(await storedOf(id)).not.toContain(secret);
  });

  it.each(KINDS)('cannot be rendered by a process that does not decrypt it: %s', async (template, data) => {
    const row = await rowOf(await queue(template, data));
    expect(() => renderMail(template, row?.['data'] as never, 'es', 'https://florka.test')).toThrow(/primitive value/);
  });

  it('remains encrypted after it failed, and is sent when an admin retries it', async () => {
    const id = await queue('resetPassword', { path: `/reset#token=${KEY}`, until });
    refusal = new Error('451 try again later');
    await expect(deliver(id, { last: true })).rejects.toThrow('451');
    refusal = null;
    expect(await rowOf(id)).toMatchObject({ status: 'failed' });
    expect(await storedOf(id)).not.toContain(KEY);
    await app.services.db.transaction((tx) => reviveMail(tx, id, app.now));
    expect(await deliver(id)).toBe('sent');
    expect(sent.at(-1)?.text).toContain(`https://florka.test/reset#token=${KEY}`);
  });

  it('is sent too when the previous version queued it, unencrypted', async () => {
    const [row] = await app.sql<{ id: string }>(
      `insert into mails (to_address, locale, template, data) values ('ana@florka.test', 'es', 'refund', $1) returning id`,
      [JSON.stringify(refund)],
    );
    expect(await deliver(row?.id ?? '')).toBe('sent');
    for (const secret of [KEY, CODE]) expect(sent.at(-1)?.text).toContain(secret);
  });

  it('can be decrypted for its own row only', async () => {
    const [one, other] = [
      await queue('signInCode', { code: CODE, until }),
      await queue('signInCode', { code: CODE, until }),
    ];
    expect((await rowOf(one))?.['data']).not.toEqual((await rowOf(other))?.['data']);
    await app.sql('update mails set data = (select data from mails where id = $1) where id = $2', [one, other]);
    await expect(deliver(other)).rejects.toThrow(PermanentFailure);
    expect(await deliver(one)).toBe('sent');
  });

  it('fails without a retry after a change of AUTH_SECRET, which invalidates its code or link', async () => {
    const id = await queue('signInCode', { code: CODE, until });
    const before = sent.length;
    await expect(deliver(id, { secret: 'another secret' })).rejects.toThrow(PermanentFailure);
    expect(await rowOf(id)).toMatchObject({ status: 'failed', last_error: expect.stringContaining('AUTH_SECRET') });
    expect(sent).toHaveLength(before);
  });

  it('cannot be queued by a process without the secret', async () => {
    const jobs = new JobQueue(app.services.pool, () => {});
    await expect(
      app.services.db.transaction((tx) =>
        queueMail(tx, jobs, {
          to: 'ana@florka.test',
          locale: 'es',
          template: 'signInCode',
          data: { code: CODE, until },
        }),
      ),
    ).rejects.toThrow('no secret');
  });
});

it('a mail whose link has no key is stored unencrypted, and does not depend on the secret', async () => {
  const data = { what: 'proof_ends', title: 'Luna', path: '/creator/project/a' };
  const id = await queue('decision', data);
  expect((await rowOf(id))?.['data']).toEqual(data);
  expect(await deliver(id, { secret: 'another secret' })).toBe('sent');
});
