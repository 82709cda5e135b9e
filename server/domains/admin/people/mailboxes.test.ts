import { describe, expect, it } from 'vitest';
import { queueMail } from '#server/mail/mail.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';

const app = await startTestApp();
const admin = app.as(await app.member({ role: 'admin' }), {}).admin;

/** An order of a guest. */
async function ordered(email: string, number: string): Promise<string> {
  const [request] = await app.sql<{ id: string }>(
    `insert into token_creation_submissions (petitioner_email, token_data, edit_secret_hash)
     values ($1, $2, $3) returning id`,
    [email, JSON.stringify({ ...COMPLETE, petitionerEmail: email }), Buffer.from(number)],
  );
  await app.sql(
    `insert into payments (submission_id, order_id, plan, price_usd, locale, simulation, ledger, expires_at, is_current)
     values ($1, $2, 'entry', 50, 'es', true, '{}', now() + interval '7 days', true)`,
    [request?.id, number],
  );
  return request?.id ?? '';
}

/** A mail about an order, as the payment service queues it. */
const receipt = (to: string, orderId: string, path = '/order/x#key') =>
  app.services.db.transaction((tx) =>
    queueMail(tx, app.services.jobs, {
      to,
      locale: 'es',
      template: 'orderPaid',
      data: { orderId, priceUsd: 50, path, simulation: true, receivedUsd: 50, missingUsd: 0 },
    }),
  );
const mailsTo = async (address: string) => (await app.deliverMails()).filter(({ to }) => to === address);
const rowOf = async (id: string) => (await app.sql('select status, data from mails where id = $1', [id]))[0];

describe('a mailbox without an account', () => {
  it('is found by a part of its address and by an order number, until an account confirms it', async () => {
    await ordered('Guest.One@florka.test', 'FL-M00000001A');
    const found = async (q: string) => (await admin.mailboxes.find({ q })).map(({ address, by }) => [address, by]);
    expect(await found('guest.one')).toEqual([['guest.one@florka.test', 'mailbox']]);
    expect(await found('fl-m00000001a')).toEqual([['guest.one@florka.test', 'order']]);
    expect(await found('FL-M99999999Z')).toEqual([]);
    const account = await app.member({ verified: true });
    await app.sql('update users set email = $1 where id = $2', ['guest.one@florka.test', account.id]);
    expect(await found('guest.one')).toEqual([]);
    expect((await admin.mailboxes.read({ address: 'guest.one@florka.test' })).account).toEqual({
      id: account.id,
      name: account.username,
    });
  });

  it('that only received mails is found by its whole address, until an account has it', async () => {
    await receipt('only.mails@florka.test', 'FL-M00000004A');
    const found = async (q: string) => (await admin.mailboxes.find({ q })).map(({ address }) => address);
    for (const q of ['only.mails@florka.test', ' Only.Mails@Florka.test '])
      expect(await found(q), q).toEqual(['only.mails@florka.test']);
    expect(await found('only.mails')).toEqual([]);
    expect(await found('nobody@florka.test')).toEqual([]);
    // An address that begins like an order number is not read as one.
    await receipt('fl-mails@florka.test', 'FL-M00000009A');
    expect(await found('fl-mails@florka.test')).toEqual(['fl-mails@florka.test']);
    const page = await admin.mailboxes.read({ address: 'only.mails@florka.test' });
    expect(page).toMatchObject({ account: null, orders: [], submissions: [], mails: [{ template: 'orderPaid' }] });
    const account = await app.member();
    await app.sql('update users set email = $1 where id = $2', ['only.mails@florka.test', account.id]);
    expect(await found('only.mails@florka.test')).toEqual([]);
  });

  it('shows its orders and mails with their delivery status, regardless of the case of the address', async () => {
    await ordered('Guest.Two@florka.test', 'FL-M00000002A');
    await receipt('Guest.Two@florka.test', 'FL-M00000002A');
    await app.deliverMails();
    const page = await admin.mailboxes.read({ address: 'guest.two@florka.test' });
    expect(page.orders).toMatchObject([{ asGuest: true, payments: [{ orderId: 'FL-M00000002A' }] }]);
    expect(page.mails).toMatchObject([
      { template: 'orderPaid', number: 'FL-M00000002A', status: 'sent', sentBy: 'smtp', attempts: 1, resendable: true },
    ]);
    expect(await admin.mailboxes.read({ address: 'nobody@florka.test' })).toMatchObject({
      account: null,
      orders: [],
      submissions: [],
      mails: [],
    });
  });
});

describe('a mail of an order', () => {
  it('is stored without its link once sent, and is resent with a mark and the current link', async () => {
    const address = 'again@florka.test';
    const request = await ordered(address, 'FL-M00000003A');
    const id = await receipt(address, 'FL-M00000003A', '/order/x#old-key');
    await app.deliverMails();
    expect(await rowOf(id)).toMatchObject({ status: 'sent', data: { orderId: 'FL-M00000003A' } });
    expect(JSON.stringify(await rowOf(id))).not.toContain('old-key');
    await admin.mailboxes.sendAgain({ id });
    const [first, second, ...more] = await mailsTo(address);
    expect(more).toEqual([]);
    expect(second?.subject).toBe(`Reenviado: ${first?.subject}`);
    expect(second?.text).toContain('el equipo te lo manda otra vez');
    expect(second?.text).toContain(`/order/${request}#`);
    expect(second?.text).not.toContain('old-key');
    expect(
      await app.sql(
        `select resource_type, after from audit_events where action = 'mail.sent_again' and resource_id = $1`,
        [request],
      ),
    ).toEqual([{ resource_type: 'request', after: { template: 'orderPaid', number: 'FL-M00000003A' } }]);
  });

  it('can be resent three times a day, counting its copies', async () => {
    const address = 'often@florka.test';
    await ordered(address, 'FL-M00000004A');
    const id = await receipt(address, 'FL-M00000004A');
    await app.deliverMails();
    const { id: copy } = await admin.mailboxes.sendAgain({ id });
    await app.deliverMails();
    await admin.mailboxes.sendAgain({ id: copy });
    await admin.mailboxes.sendAgain({ id });
    await expect(admin.mailboxes.sendAgain({ id: copy })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(await mailsTo(address)).toHaveLength(4);
  });

  it('is sent itself, without a copy, if its delivery had failed, and the failed job leaves the inbox', async () => {
    const address = 'failed@florka.test';
    const request = await ordered(address, 'FL-M00000005A');
    const id = await receipt(address, 'FL-M00000005A', '/order/x#old-key');
    await app.sql(`update mails set status = 'failed', last_error = '550 no' where id = $1`, [id]);
    await app.sql(`update jobs.job set state = 'failed', retry_count = retry_limit where data ->> 'mailId' = $1`, [id]);
    expect(await admin.mailboxes.sendAgain({ id })).toEqual({ id });
    expect(JSON.stringify(await rowOf(id))).not.toContain('#');
    expect(await app.sql(`select state from jobs.job where data ->> 'mailId' = $1`, [id])).not.toContainEqual({
      state: 'failed',
    });
    const sent = await mailsTo(address);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.subject).not.toContain('Reenviado');
    expect(sent[0]?.text).toContain(`/order/${request}#`);
    expect(sent[0]?.text).not.toContain('old-key');
  });

  it('is not resent while queued, to a former mailbox, or when its content was not stored', async () => {
    const address = 'former@florka.test';
    const request = await ordered(address, 'FL-M00000006A');
    const id = await receipt(address, 'FL-M00000006A');
    const refused = (why: string) =>
      expect(admin.mailboxes.sendAgain({ id })).rejects.toMatchObject({ code: 'NOT_RESENDABLE', data: { why } });
    await refused('waiting');
    await app.deliverMails();
    await app.sql('update token_creation_submissions set petitioner_email = $1 where id = $2', [
      'new@florka.test',
      request,
    ]);
    await refused('mailbox');
    await app.sql(`update mails set data = '{}' where id = $1`, [id]);
    await refused('content');
    expect(await mailsTo(address)).toHaveLength(1);
    expect(await mailsTo('new@florka.test')).toHaveLength(0);
  });

  it.each(['resetPassword', 'verifyEmail', 'signInCode', 'orderLink', 'notification'])(
    'of the kind %s is never resent by staff',
    async (template) => {
      const [mail] = await app.sql<{ id: string }>(
        `insert into mails (to_address, locale, template, status, data)
         values ('secret@florka.test', 'es', $1, 'failed', '{"orderId": "FL-M00000003A", "path": "/reset#secret"}') returning id`,
        [template],
      );
      await expect(admin.mailboxes.sendAgain({ id: mail?.id ?? '' })).rejects.toMatchObject({ data: { why: 'kind' } });
      const { mails } = await admin.mailboxes.read({ address: 'secret@florka.test' });
      expect(mails.every(({ resendable }) => !resendable)).toBe(true);
    },
  );

  it('with the code of a refund is stored without content once sent, and is not resent', async () => {
    const address = 'code@florka.test';
    await ordered(address, 'FL-M00000007A');
    const id = await app.services.db.transaction((tx) =>
      queueMail(tx, app.services.jobs, {
        to: address,
        locale: 'es',
        template: 'refund',
        data: {
          news: 'confirm',
          number: 'RF-1',
          orderId: 'FL-M00000007A',
          amount: '1 USDTTRC20',
          reason: '',
          address: 'T1',
          transaction: null,
          code: '123456',
          minutes: 30,
          path: '/order/x#key',
          simulation: true,
        },
      }),
    );
    await app.deliverMails();
    expect(await rowOf(id)).toMatchObject({ status: 'sent', data: {} });
    await expect(admin.mailboxes.sendAgain({ id })).rejects.toMatchObject({ data: { why: 'content' } });
    // Nor is one whose delivery failed, once its code has expired.
    const [given] = await app.sql<{ id: string }>(
      `insert into mails (to_address, locale, template, status, data)
       values ($1, 'es', 'refund', 'failed', $2) returning id`,
      [address, { orderId: 'FL-M00000007A', code: '123456', until: app.now.toISOString() }],
    );
    const ended = { code: 'MAIL_EXPIRED', defined: true };
    await expect(admin.mailboxes.sendAgain({ id: given?.id ?? '' })).rejects.toMatchObject(ended);
  });
});

describe('a member', () => {
  it('has the mails of their orders to another mailbox on their page', async () => {
    const ana = await app.member({ verified: true });
    const request = await ordered('other-box@florka.test', 'FL-M00000008A');
    await app.sql('update token_creation_submissions set user_id = $1 where id = $2', [ana.id, request]);
    await receipt('other-box@florka.test', 'FL-M00000008A');
    expect((await admin.people.read({ id: ana.id })).mails).toMatchObject([
      { to: 'other-box@florka.test', template: 'orderPaid' },
    ]);
    // The page of the mailbox lists no order that belongs to an account.
    expect((await admin.mailboxes.read({ address: 'other-box@florka.test' })).orders).toEqual([]);
  });
});
