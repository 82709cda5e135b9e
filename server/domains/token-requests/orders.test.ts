import { afterEach, describe, expect, it } from 'vitest';
import type { Plan } from '#contract/domains/payments.ts';
import { PAYMENT_DAYS, PLANS } from '#contract/limits.ts';
import { openSecrets } from '#server/mail/secret-fields.ts';
import type { Deposit, ProviderStatus } from '#server/providers/payments/port.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { fakeProvider } from '#tests/support/payments/fake-provider.ts';

let clock = () => 0;
const fake = fakeProvider(() => clock());
const app = await startTestApp({ payments: fake.provider, supportEmail: 'ayuda@florka.test' });
clock = () => app.now.getTime();
const DAY = 86_400_000;

afterEach(() => {
  fake.box.trouble = () => 'none';
});

let serial = 0;
/** Queued mails with the private link of an order, oldest first. */
async function mailsWithLink(order: string, template: string) {
  const rows = await app.sql<{ id: string; template: string; to: string; data: object }>(
    `select id, template, to_address as "to", data from mails where status = 'queued' and template like $1
     order by created_at, id`,
    [template],
  );
  return rows.flatMap((row) => {
    const { path = '' } = openSecrets(app.secret, row) as { path?: string };
    const [page = '', key = ''] = path.split('#');
    return page.endsWith(`/${order}`) ? [{ to: row.to, key }] : [];
  });
}
/** A request with an open payment, from a separate IP address. */
async function order(plan: Plan = 'basic', api = app.as(null, { address: `10.7.${++serial}.1` })) {
  app.pass(1_500);
  const { id, secret, orderKey: key } = await api.tokenRequests.create({ data: { ...COMPLETE } });
  const payment = await api.tokenRequests.pay({ id, secret, plan, locale: 'es' });
  const invoice = fake.invoiceOf(payment.orderId);
  const paymentId = fake.newDepositId();
  const due = PLANS[plan].priceUsd * 2;
  return {
    api,
    id,
    secret,
    key,
    payment,
    invoice,
    /** The state at the provider changes, and the page polls. */
    async see(status: ProviderStatus, share = 0, over: Partial<Deposit> = {}) {
      fake.move(invoice, over.paymentId ?? paymentId, status, { actuallyPaid: due * share, ...over });
      app.pass(11_000);
      return api.tokenRequests.order({ id, key, check: true });
    },
    read: (check = false) => api.tokenRequests.order({ id, key, check }),
    renew: () => api.tokenRequests.renew({ id, key, locale: 'es' }),
  };
}

describe('a contact address that is being changed in the form while money arrives', () => {
  it.each(['ana', 'ana@', 'ana@florka', 'x@y@florka.test', 'an a@florka.test', ''])(
    'does not prevent recording the money, and the receipt goes to the last valid one: now %j',
    async (typed) => {
      const { id, secret, see } = await order();
      const { version } = await app.as(null).tokenRequests.read({ id, secret });
      await app.as(null).tokenRequests.save({ id, secret, version, data: { petitionerEmail: typed } });
      expect(await see('finished', 1)).toMatchObject({ stage: 'paid', answer: 'paid' });
      const receipts = await mailsWithLink(id, 'orderPaid');
      expect(receipts.map(({ to }) => to)).toEqual([COMPLETE.petitionerEmail]);
      const back = app.as(await app.member({ role: 'admin' })).admin.tokenRequests;
      expect(await back.replaceLink({ id })).toEqual({ mailed: true });
    },
  );

  it.each(['thief@florka.test', ''])(
    'is kept after any money arrived, because refund codes are mailed there: not %j',
    async (petitionerEmail) => {
      const { id, secret, see } = await order();
      expect(await see('failed', 0.5)).toMatchObject({ stage: 'in_review' });
      const draft = await app.as(null).tokenRequests.read({ id, secret });
      expect(draft).toMatchObject({ locked: false });
      const data = { petitionerEmail, tokenName: 'Otro nombre' };
      expect(await app.as(null).tokenRequests.save({ id, secret, version: draft.version, data })).toMatchObject({
        data: { petitionerEmail: COMPLETE.petitionerEmail, tokenName: 'Otro nombre' },
        hints: expect.arrayContaining(['mailboxUnchanged']),
      });
      expect(
        await app.sql('select petitioner_email as email from token_creation_submissions where id = $1', [id]),
      ).toEqual([{ email: COMPLETE.petitionerEmail }]);
    },
  );

  it('is stored before a payment if it is valid, and else not at all', async () => {
    const api = app.as(null, { address: `10.7.${++serial}.1` });
    const { id, secret, version } = await api.tokenRequests.create({ data: { ...COMPLETE, petitionerEmail: 'ana@' } });
    const back = app.as(await app.member({ role: 'admin' })).admin.tokenRequests;
    expect(await back.replaceLink({ id })).toEqual({ mailed: false });
    const column = () =>
      app.sql('select petitioner_email as email from token_creation_submissions where id = $1', [id]);
    const changed = await api.tokenRequests.save({ id, secret, version, data: { petitionerEmail: 'ana@florka.test' } });
    expect(await column()).toEqual([{ email: 'ana@florka.test' }]);
    await api.tokenRequests.save({ id, secret, version: changed.version, data: { petitionerEmail: '' } });
    expect(await column()).toEqual([{ email: null }]);
  });
});

describe('the order page', () => {
  it.each<[ProviderStatus | null, number, string, string]>([
    [null, 0, 'awaiting_payment', 'pay'],
    ['waiting', 0, 'awaiting_payment', 'pay'],
    ['confirming', 1, 'confirming', 'wait_confirmation'],
    ['partially_paid', 0.4, 'partially_paid', 'pay_rest'],
    ['finished', 1, 'paid', 'wait_creation'],
    ['finished', 1.25, 'paid', 'wait_creation'],
    ['failed', 0, 'failed', 'pay_again'],
    ['expired', 0, 'expired', 'pay_again'],
    ['refunded', 1, 'refunded', 'pay_again'],
  ])('after %s with %d of the amount has the stage %s and the next step %s', async (status, share, stage, next) => {
    const one = await order();
    const seen = status ? await one.see(status, share) : await one.read();
    expect(seen).toMatchObject({ stage, next, supportEmail: 'ayuda@florka.test', plan: 'basic' });
    expect(seen.items.map(({ key }) => key)).toEqual(PLANS.basic.items);
  });

  it('lists the deposits, newest first, and the exact missing amount', async () => {
    const one = await order();
    expect(await one.see('waiting')).toMatchObject({ deposits: [] });
    const first = app.now.toISOString();
    await one.see('partially_paid', 0.1);
    const seen = await one.see('partially_paid', 0.5, { paymentId: '77', parentId: 'x', orderId: null });
    expect(seen.payment).toMatchObject({ missingAmount: '2700', missingUsd: 1_350 });
    expect(seen.deposits).toMatchObject([
      { paymentId: '77', counts: false, currency: 'eth' },
      { status: 'partially_paid', amount: 300, due: 3_000, counts: true },
    ]);
    expect(Date.parse(seen.deposits[0]?.at ?? '')).toBeGreaterThan(Date.parse(first));
  });

  it('has the image of the form', async () => {
    const api = app.as(null, { address: `10.7.${++serial}.1` });
    app.pass(1_500);
    const imageUrl = 'https://images.example/ajolote.png';
    const { id, orderKey: key } = await api.tokenRequests.create({ data: { ...COMPLETE, imageUrl } });
    expect(await api.tokenRequests.order({ id, key })).toMatchObject({ imageUrl });
  });

  it('requests no rest that arrived as a deposit of its own', async () => {
    const one = await order();
    await one.see('partially_paid', 0.5);
    const seen = await one.see('partially_paid', 0.5, { paymentId: '78' });
    expect(seen).toMatchObject({ stage: 'in_review', next: 'wait_review', payment: { missingUsd: 0 } });
  });

  it('shows the missing amount in no coin if money arrived in several deposits', async () => {
    const one = await order();
    expect((await one.see('partially_paid', 0.6)).payment).toMatchObject({ missingAmount: '1200', missingUsd: 600 });
    const seen = await one.see('partially_paid', 0.3, { paymentId: fake.newDepositId(), payCurrency: 'btc' });
    expect(seen).toMatchObject({ stage: 'partially_paid', payment: { missingAmount: null, missingUsd: 150 } });
    const back = app.as(await app.member({ role: 'admin' })).admin.tokenRequests;
    expect((await back.read({ id: one.id })).payments).toMatchObject([{ missingAmount: null, missingUsd: 150 }]);
  });

  it('shows the missing amount in no coin while other money is on its way, which may be a part of it', async () => {
    const one = await order();
    await one.see('partially_paid', 0.6);
    const seen = await one.see('confirming', 0.3, { paymentId: fake.newDepositId(), payCurrency: 'btc' });
    expect(seen).toMatchObject({ stage: 'partially_paid', payment: { missingAmount: null, missingUsd: 600 } });
    // A coin that was only chosen changes nothing.
    const other = await order();
    await other.see('partially_paid', 0.6);
    expect((await other.see('waiting', 0, { paymentId: fake.newDepositId() })).payment).toMatchObject({
      missingAmount: '1200',
    });
  });

  it('responds alike to an unknown order, a wrong key, another order’s key and an invalid key', async () => {
    const [one, other] = [await order(), await order()];
    const ask = (id: string, key: string) => one.api.tokenRequests.order({ id, key, check: true });
    const attempts: [string, string][] = [
      [crypto.randomUUID(), one.key],
      [one.id, other.key],
      [one.id, one.secret],
      [one.id, ''],
      [one.id, 'short'],
      [one.id, `${one.key}x`],
      [one.id, one.key.toUpperCase()],
    ];
    for (const [id, key] of attempts) {
      await expect(ask(id, key)).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404, data: { what: 'order' } });
      await expect(one.api.tokenRequests.renew({ id, key, locale: 'es' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('contains neither the contact, the wallet nor the secret of the draft', async () => {
    const one = await order();
    const text = JSON.stringify(await one.see('finished', 1));
    expect(text).not.toMatch(/ana@florka|@ana|0x5aAeb/);
    expect(text).not.toContain(one.secret);
  });
});

describe('paying again', () => {
  it.each<[ProviderStatus, number]>([
    ['failed', 0],
    ['expired', 0],
    ['refunded', 1],
  ])('creates one new payment after %s', async (status, share) => {
    const one = await order();
    await one.see(status, share);
    const before = fake.invoices.length;
    const [renewed, again] = [await one.renew(), await one.renew()];
    expect(renewed).toMatchObject({ stage: 'awaiting_payment', next: 'pay', plan: 'basic' });
    expect(renewed.orderId).not.toBe(one.payment.orderId);
    expect(again.orderId).toBe(renewed.orderId);
    expect(fake.invoices.length - before).toBe(1);
    // A late payment of the old one is not lost.
    fake.move(one.invoice, fake.newDepositId(), 'finished', { actuallyPaid: 3_000 });
    app.pass(7 * 3_600_000);
    await app.services.payments.reconcile();
    if (status !== 'refunded') expect((await one.read()).stage).toBe('paid');
  });

  it('changes nothing while a payment is open, under way or complete', async () => {
    for (const [status, share] of [
      ['waiting', 0],
      ['confirming', 1],
      ['partially_paid', 0.4],
      ['finished', 1],
    ] as const) {
      const one = await order();
      await one.see(status, share);
      const before = fake.invoices.length;
      expect((await one.renew()).orderId).toBe(one.payment.orderId);
      expect(fake.invoices.length).toBe(before);
    }
  });

  it('is refused while the provider does not answer, and works afterwards', async () => {
    const one = await order();
    app.pass((PAYMENT_DAYS + 1) * DAY);
    expect(await one.read(true)).toMatchObject({ stage: 'expired' });
    fake.box.trouble = () => 'unknown';
    await expect(one.renew()).rejects.toMatchObject({ code: 'PAYMENT_UNAVAILABLE', status: 502 });
    // Still an expired order, not an open one without a payment page.
    expect(await one.read()).toMatchObject({ stage: 'expired', next: 'pay_again' });
    fake.box.trouble = () => 'none';
    expect(await one.renew()).toMatchObject({ stage: 'awaiting_payment' });
  });
});

describe('the orders of a member', () => {
  it('are those begun while signed in, newest first, each with its stage and key', async () => {
    const [ana, ben] = [await app.member(), await app.member()];
    const first = await order('entry', app.as(ana));
    await first.see('finished', 1);
    const second = await order('basic', app.as(ana));
    app.pass(1_000);
    const draft = await app.as(ana).tokenRequests.create({ data: { tokenName: 'Sin acabar' } });
    await order('entry', app.as(ben));
    expect(await app.as(ana).tokenRequests.mine()).toMatchObject([
      { id: draft.id, stage: 'draft', orderId: null, tokenName: 'Sin acabar' },
      { id: second.id, stage: 'awaiting_payment', orderId: second.payment.orderId, plan: 'basic' },
      { id: first.id, stage: 'paid', orderId: first.payment.orderId, plan: 'entry', orderKey: first.key },
    ]);
    await expect(app.as(null, { address: '10.7.250.1' }).tokenRequests.mine()).rejects.toMatchObject({ status: 401 });
  });

  it('have the stage and the number of the order page, also after a refund and a new order', async () => {
    const ana = await app.member();
    const one = await order('entry', app.as(ana));
    await one.see('finished', 1);
    await one.see('refunded', 1);
    const renewed = await one.renew();
    const [listed] = await app.as(ana).tokenRequests.mine();
    expect([listed?.stage, listed?.orderId]).toEqual([renewed.stage, renewed.orderId]);
  });
});

describe('the private link', () => {
  const linkMails = (id: string) => mailsWithLink(id, 'orderLink');

  it('is replaced by its holder: the new one is only mailed, and the former one is refused', async () => {
    const { api, id, key, secret } = await order();
    expect(await api.tokenRequests.replaceLink({ id, key, locale: 'es' })).toEqual({ key: null, mailed: true });
    const ended = { code: 'ORDER_LINK_ENDED', status: 410, data: { why: 'replaced' } };
    for (const call of [
      () => api.tokenRequests.order({ id, key }),
      () => api.tokenRequests.replaceLink({ id, key, locale: 'es' }),
      () => api.tokenRequests.renew({ id, key, locale: 'es' }),
      () => api.refunds.confirmAddress({ id, key, refundId: id, code: '00000000' }),
    ])
      await expect(call()).rejects.toMatchObject(ended);
    const [mail] = await linkMails(id);
    expect(await api.tokenRequests.order({ id, key: mail?.key ?? '' })).toMatchObject({ id });
    // The holder of the form's secret created it: its page continues to work.
    expect((await api.tokenRequests.read({ id, secret })).orderKey).toBe(mail?.key);
    await expect(api.tokenRequests.order({ id, key: 'x'.repeat(43) })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(
      await app.sql(`select 1 from audit_events where resource_id = $1 and action = 'request.link_replaced'`, [id]),
    ).toHaveLength(1);
  });

  it('is returned to the member who began the order, and is in later mails', async () => {
    const ana = app.as(await app.member());
    const one = await order('basic', ana);
    const { key } = await ana.tokenRequests.replaceLink({ id: one.id, key: one.key, locale: 'es' });
    expect(key).toMatch(/^[\w-]{43}$/);
    expect((await ana.tokenRequests.mine()).find(({ id }) => id === one.id)?.orderKey).toBe(key);
    fake.move(one.invoice, fake.newDepositId(), 'finished', { actuallyPaid: PLANS.basic.priceUsd * 2 });
    app.pass(11_000);
    await ana.tokenRequests.order({ id: one.id, key: key ?? '', check: true });
    expect((await mailsWithLink(one.id, '%')).at(-1)?.key).toBe(key);
  });

  it('is replaced by the team, whose response has no key', async () => {
    const { api, id, key } = await order();
    const back = app.as(await app.member({ role: 'admin' })).admin.tokenRequests;
    expect(await back.replaceLink({ id })).toEqual({ mailed: true });
    await expect(api.tokenRequests.order({ id, key })).rejects.toMatchObject({ data: { why: 'replaced' } });
    expect(await linkMails(id)).toHaveLength(1);
  });

  it('is replaced once by concurrent calls, and at most five times a day', async () => {
    const { api, id, key } = await order();
    const answers = await Promise.allSettled(
      [1, 2].map(() => api.tokenRequests.replaceLink({ id, key, locale: 'es' })),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (;;) {
      app.pass(1_000);
      const present = await linkMails(id);
      const done = await api.tokenRequests.replaceLink({ id, key: present.at(-1)?.key ?? '', locale: 'es' }).then(
        () => 'ok',
        ({ code }: { code: string }) => code,
      );
      if (done === 'RATE_LIMITED') break;
      expect(done).toBe('ok');
      expect(present.length).toBeLessThan(5);
    }
  });

  it('ends after a year without use, except for the member who began the order', async () => {
    const [ana, mine] = [app.as(await app.member()), await order()];
    const hers = await order('basic', ana);
    const lieFor = (days: number) =>
      app.sql('update token_creation_submissions set link_used_at = $2 where id = any($1)', [
        [mine.id, hers.id],
        new Date(app.now.getTime() - days * DAY),
      ]);
    await lieFor(365);
    expect(await mine.read()).toMatchObject({ id: mine.id });
    // That was a use.
    app.pass(2 * DAY);
    expect(await mine.read()).toMatchObject({ id: mine.id });
    await lieFor(366);
    await expect(mine.read()).rejects.toMatchObject({ code: 'ORDER_LINK_ENDED', data: { why: 'unused' } });
    await expect(app.as(null).tokenRequests.order({ id: hers.id, key: hers.key })).rejects.toMatchObject({
      code: 'ORDER_LINK_ENDED',
    });
    const other = app.as(await app.member());
    await expect(other.tokenRequests.order({ id: hers.id, key: hers.key })).rejects.toMatchObject({
      code: 'ORDER_LINK_ENDED',
    });
    expect(await hers.read()).toMatchObject({ id: hers.id });
  });
});
