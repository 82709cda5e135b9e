import { describe, expect, it } from 'vitest';
import { paymentStage } from '#contract/admin/payments.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';

const { app, draft, order } = await paymentRig();
const admin = await app.member({ role: 'admin' });
const { refunds, tokenRequests } = app.as(admin).admin;

const ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
type Request = Awaited<ReturnType<typeof order>>;

/** An order with a deposit in this state. */
async function moved(...[status, share]: Parameters<Request['move']>) {
  const request = await order('basic');
  request.move(status, share, { payCurrency: 'usdttrc20' });
  await request.check();
  return request;
}

/** How one request appears: in the list, under each filter, in its record and in the file. */
async function shown({ id, paymentId }: Pick<Request, 'id' | 'paymentId'>) {
  const [row] = (await tokenRequests.list({ q: id })).rows;
  const filters = await Promise.all(
    paymentStage.options.map(async (stage) =>
      (await tokenRequests.list({ q: id, paymentStage: stage })).total ? stage : [],
    ),
  );
  const record = await tokenRequests.read({ id });
  const file = await app.http(`/api/admin/token-requests.csv?q=${id}`, { headers: { cookie: admin.cookie } });
  const [head = '', line = ''] = (await file.text()).replace('\ufeff', '').split('\r\n');
  return {
    row: row?.paymentStage,
    filters: filters.flat(),
    record: record.paymentStage,
    payment: record.payments.find((payment) => payment.id === paymentId)?.stage,
    file: line.split(',')[head.split(',').indexOf('paymentStage')],
  };
}
const everywhere = (stage: string) => ({ row: stage, filters: [stage], record: stage, payment: stage, file: stage });

/** Refunds a part of what arrived, with the payer's address and a transaction. */
async function sendBack(request: Request, amount: string, transaction: string) {
  const refund = await refunds.open({ paymentId: request.paymentId, asset: 'usdttrc20', amount, reason: 'No se hizo' });
  await app.sql(
    `update refund_cases set state = 'ready', address = $2, address_at = now(), confirmed_at = now() where id = $1`,
    [refund.id, ADDRESS],
  );
  const { version } = await refunds.claim({ id: refund.id, version: refund.version });
  await refunds.send({ id: refund.id, version, transaction, byProvider: false });
}

describe('the payment stage of a request', () => {
  it('is pending before the first order, and while no money arrived', async () => {
    const { id } = await draft();
    expect(await shown({ id, paymentId: '' })).toEqual({ ...everywhere('pending'), payment: undefined });
    const request = await order('basic');
    expect(await shown(request)).toEqual(everywhere('pending'));
  });

  it.each([
    ['finished', 1, 'paid'],
    ['partially_paid', 0.4, 'part_paid'],
    ['failed', 0, 'failed'],
    ['expired', 0, 'expired'],
    ['refunded', 1, 'refunded'],
  ] as const)(
    'with a deposit that is %s with %d of the price is %s, wherever it is read',
    async (status, share, stage) => {
      expect(await shown(await moved(status, share))).toEqual(everywhere(stage));
    },
  );

  it('is under review while money does not match the order', async () => {
    const request = await order('basic');
    request.move('finished', 1, { priceAmount: 1 });
    await request.check();
    expect(await shown(request)).toEqual(everywhere('under_review'));
  });

  it('is accepted once a partial payment is accepted, and refunded once its money is returned', async () => {
    const request = await moved('partially_paid', 0.4);
    await tokenRequests.acceptPayment({ paymentId: request.paymentId, reason: 'Cliente de confianza' });
    expect(await shown(request)).toEqual(everywhere('accepted'));
    request.move('refunded', 0.4, { payCurrency: 'usdttrc20' });
    app.pass(11_000);
    await request.check();
    expect(await shown(request)).toEqual(everywhere('refunded'));
  });

  it('is paid after a partial refund by the team, and refunded after a full one', async () => {
    const request = await moved('finished', 1);
    const [deposit] = (await tokenRequests.read({ id: request.id })).payments[0]?.deposits ?? [];
    const all = deposit?.amount ?? 0;
    await sendBack(request, '1', 'a'.repeat(64));
    expect(await shown(request)).toEqual(everywhere('paid'));
    await sendBack(request, String(all - 1), 'b'.repeat(64));
    expect(await shown(request)).toEqual(everywhere('refunded'));
  });

  it('puts a partial payment into the inbox, and the request of its token once it is accepted', async () => {
    const request = await moved('partially_paid', 0.4);
    const waits = async () => {
      const { items } = await app.as(admin).admin.inbox.list({});
      return items.flatMap(({ source, id }) => ([request.id, request.paymentId].includes(id) ? [source] : [])).sort();
    };
    expect(await waits()).toEqual(['payment']);
    await tokenRequests.acceptPayment({ paymentId: request.paymentId, reason: 'Cliente de confianza' });
    expect(await waits()).toEqual(['request']);
  });

  it('is the same under each filter as in the list, also with replaced payments', async () => {
    // A payment that was replaced, and paid all the same; and one that was replaced before anything arrived.
    for (const [state, of] of [
      ['paid', await order('basic')],
      ['awaiting', await moved('finished', 1)],
      ['failed', await order('basic')],
    ] as const)
      await app.sql(
        `insert into payments (submission_id, order_id, plan, price_usd, locale, simulation, payment_url, ledger, state,
           attention, expires_at, is_current, created_at)
         select submission_id, 'FL-' || left(upper(md5($1::uuid::text)), 10), plan, price_usd, locale, simulation,
           'https://pay.example/replaced', '{"deposits": {}}', $2, '{}', expires_at, false, created_at - interval '1 hour'
         from payments where id = $1::uuid`,
        [of.paymentId, state],
      );
    await app.sql(`update token_creation_submissions set payment_status = 'completed'
      where id in (select submission_id from payments where state = 'paid')`);
    const { rows, total } = await tokenRequests.list({ size: 100 });
    expect(rows).toHaveLength(total);
    const stages = new Set(rows.map(({ paymentStage: stage }) => stage));
    expect([...stages]).toEqual(expect.arrayContaining(['pending', 'paid', 'part_paid', 'accepted', 'refunded']));
    for (const stage of paymentStage.options) {
      const found = await tokenRequests.list({ paymentStage: stage, size: 100 });
      const shown = rows.filter((row) => row.paymentStage === stage).map(({ id }) => id);
      expect([stage, found.rows.map(({ id }) => id), found.total]).toEqual([stage, shown, shown.length]);
    }
  });

  it('is updated in the database with its payments and refunds, whoever writes them', async () => {
    const off = async () =>
      app.sql(
        'select id from token_creation_submissions where payment_stage is distinct from request_payment_stage(id)',
      );
    expect(await off()).toEqual([]);
    const request = await moved('finished', 1);
    const stage = async () => (await tokenRequests.list({ q: request.id })).rows[0]?.paymentStage;
    // An older server that still runs, or a person at the database.
    await app.sql(`update payments set state = 'failed' where id = $1`, [request.paymentId]);
    expect(await stage()).toBe('failed');
    await app.sql(
      `update payments set state = 'paid', ledger = jsonb_set(ledger, '{accepted}', '{"of": []}') where id = $1`,
      [request.paymentId],
    );
    expect(await stage()).toBe('accepted');
    const back = await moved('finished', 1);
    await app.sql(
      `insert into refund_cases (number, submission_id, payment_id, cause, reason, asset, decimals, amount, state, address,
         address_at, confirmed_at, transaction, sent_at, simulation)
       values ('RF-by-hand', $1, $2, 'payment', 'No se hizo', 'usdttrc20', 6, 3000000000, 'sent', $3,
         now(), now(), 'by-hand', now(), false)`,
      [back.id, back.paymentId, ADDRESS],
    );
    expect((await tokenRequests.list({ q: back.id })).rows[0]?.paymentStage).toBe('refunded');
    expect(await off()).toEqual([]);
  });

  it('is refused as a filter if it does not exist', async () => {
    await expect(tokenRequests.list({ paymentStage: 'Reembolsado' as never })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });
});
