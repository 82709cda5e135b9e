import { describe, expect, it } from 'vitest';
import { paymentRig } from '#tests/support/payments/payments.ts';

const { app, fake, order, callBack, rowOf } = await paymentRig();
const admin = await app.member({ role: 'admin' });
const back = app.as(admin).admin;

/** Balances of an order's transactions, or of one deposit: account, asset and amount. */
async function balances(where: string, value: string): Promise<Record<string, string>> {
  const rows = await app.sql<{ name: string; amount: string }>(
    `select e.account || ' ' || e.asset as name, sum(e.amount)::text as amount
     from money_entries e join money_transactions t on t.id = e.transaction_id
     where ${where} = $1 group by 1 having sum(e.amount) <> 0`,
    [value],
  );
  return Object.fromEntries(rows.map(({ name, amount }) => [name, amount]));
}
const ofPayment = (id: string) => balances('t.payment_id::text', id);
const coin = (amount: number) => String(BigInt(amount) * 10n ** 18n);
const entries = async () =>
  Number((await app.sql<{ n: string }>('select count(*) as n from money_entries'))[0]?.n ?? -1);

it('the report is a file for programs with the fields of the API, and one for people with labels', async () => {
  const one = await order('basic');
  await callBack(one.move('finished', 1));
  const { cookie } = admin;
  const file = async (query: string) => {
    const answer = await app.http(`/api/admin/money.csv?${query}`, { headers: { cookie } });
    return { status: answer.status, lines: (await answer.text()).replace('\ufeff', '').trim().split('\r\n') };
  };
  const [names, ...rows] = (await file('plan=basic')).lines;
  expect(names).toBe(
    'id,month,plan,network,simulation,expectedCents,receivedCents,shortCents,refundedCents,fees,unplaced,overdue,differences',
  );
  expect(rows.join()).toContain(',150000,');
  const [headings, ...shown] = (await file('plan=basic&headings=es')).lines;
  expect(headings).toBe(
    'Mes (UTC),Plan,Red,Simulación,Acordado (USD),Recibido (USD),Perdonado (USD),Devuelto (USD),Comisiones,Sin colocar,Entregas atrasadas,Diferencias',
  );
  expect(shown).toHaveLength(rows.length);
  expect(shown[0]).toMatch(/^\d{4}-\d\d,Básico,Ethereum,(sí|no),1500\.00,1500\.00,0\.00,0\.00,/);
  expect((await file('headings=en')).lines[0]).toContain('Agreed (USD)');
  // Unknown languages, and lists without such a file, are refused.
  expect((await file('headings=fr')).status).toBe(400);
  expect((await app.http('/api/admin/networks.csv?headings=es', { headers: { cookie } })).status).toBe(400);
});

describe('the money ledger', () => {
  it('enters the price with the order, and a deposit with the hashes of its transactions, once', async () => {
    const one = await order('basic');
    expect(await ofPayment(one.paymentId)).toEqual({ 'claim USD': '150000', 'sales USD': '-150000' });
    await callBack(
      one.move('finished', 1, {
        outcome: {
          amount: '2990.5',
          currency: 'eth',
          payinHash: '0xin',
          payoutHash: '0xout',
          fee: null,
        },
      }),
    );
    expect(await ofPayment(one.paymentId)).toEqual({
      'sales USD': '-150000',
      'received USD': '150000',
      'orders eth': `-${coin(3_000)}`,
      'balance eth': '2990500000000000000000',
      'fees eth': '9500000000000000000',
    });
    const [{ facts } = { facts: {} }] = await app.sql<{ facts: object }>(
      "select facts from money_transactions where kind = 'settled' and payment_id = $1",
      [one.paymentId],
    );
    expect(facts).toMatchObject({
      deposit: one.depositId,
      orderId: one.payment.orderId,
      payin: '0xin',
      payout: '0xout',
    });
    // Reported again, nothing is posted again.
    const before = await entries();
    await one.check();
    expect(await entries()).toBe(before);
  });

  it('enters the waived rest at the acceptance, and reverses it when the money is returned', async () => {
    const one = await order('basic');
    await callBack(one.move('partially_paid', 0.4));
    expect(await ofPayment(one.paymentId)).toMatchObject({ 'received USD': '60000', 'claim USD': '90000' });
    await back.tokenRequests.acceptPayment({ paymentId: one.paymentId, reason: 'Suficiente' });
    expect(await ofPayment(one.paymentId)).toEqual({
      'sales USD': '-150000',
      'received USD': '60000',
      'short USD': '90000',
      'provider eth': coin(1_200),
      'orders eth': `-${coin(1_200)}`,
    });
    await callBack(one.move('refunded', 0.4));
    expect(await ofPayment(one.paymentId)).toEqual({ 'received USD': '60000', 'refunded USD': '-60000' });
  });

  it('enters an accepted mismatched deposit that the provider returns as received and as refunded', async () => {
    const one = await order('basic');
    const odd = { paymentId: fake.newDepositId(), parentId: one.depositId, orderId: null, invoiceId: null };
    await callBack(one.move('waiting'));
    await callBack(one.move('finished', 0.5, odd));
    await one.check();
    await back.tokenRequests.acceptPayment({ paymentId: one.paymentId, reason: 'Suficiente' });
    expect(await ofPayment(one.paymentId)).toMatchObject({ 'received USD': '75000', 'short USD': '75000' });
    await callBack(one.move('refunded', 0.5, odd));
    expect(await one.state()).toBe('refunded');
    expect(await ofPayment(one.paymentId)).toEqual({ 'received USD': '75000', 'refunded USD': '-75000' });
    // Another check changes nothing.
    await one.check();
    expect(await ofPayment(one.paymentId)).toEqual({ 'received USD': '75000', 'refunded USD': '-75000' });
  });

  it('reverses money that was confirming and then failed', async () => {
    const one = await order('basic');
    await callBack(one.move('confirming', 1));
    expect(await ofPayment(one.paymentId)).toMatchObject({ 'provider eth': coin(3_000) });
    await callBack(one.move('failed', 0));
    expect(await ofPayment(one.paymentId)).toEqual({});
  });

  it('enters no income for a failed deposit that the provider then returns', async () => {
    const one = await order('basic');
    await callBack(one.move('failed', 0.5));
    expect(await ofPayment(one.paymentId)).toMatchObject({ 'provider eth': coin(1_500), 'claim USD': '150000' });
    await callBack(one.move('refunded', 0.5));
    expect(await one.state()).toBe('refunded');
    expect(await ofPayment(one.paymentId)).toEqual({});
    const [listed] = (await back.payments.list({ q: one.payment.orderId })).rows;
    expect(listed).toMatchObject({ receivedCents: 0, refundedCents: 0 });
  });

  it('moves unplaced money to the order on which it is placed, once', async () => {
    const deposit = fake.move(
      { invoiceId: 'gone', orderId: 'SHOP-17', priceUsd: 50 },
      fake.newDepositId(),
      'finished',
      {
        actuallyPaid: 3,
      },
    );
    await callBack(deposit);
    const of = () => balances('t.subject', deposit.paymentId);
    expect(await of()).toEqual({ 'provider eth': coin(3), 'unplaced eth': `-${coin(3)}` });
    const one = await order();
    const placing = { id: deposit.paymentId, version: 1, orderId: one.payment.orderId, reason: 'Es suyo' };
    const answers = await Promise.allSettled([back.unplaced.place(placing), back.unplaced.place(placing)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await of()).toEqual({ 'provider eth': coin(3), 'orders eth': `-${coin(3)}` });
    expect(await rowOf(one.paymentId)).toMatchObject({ state: 'under_review' });
    fake.truth.delete(deposit.paymentId);
  });

  it('refunds unplaced money through an order of its payer, or changes nothing', async () => {
    const stranger = (payCurrency: string) =>
      fake.move({ invoiceId: 'gone', orderId: 'SHOP-18', priceUsd: 50 }, fake.newDepositId(), 'finished', {
        actuallyPaid: 3,
        payCurrency,
      });
    const one = await order();
    const [unknown, known] = [stranger('xno'), stranger('usdttrc20')];
    for (const deposit of [unknown, known]) await callBack(deposit);
    const give = (id: string) =>
      back.unplaced.refund({ id, version: 1, orderId: one.payment.orderId, reason: 'No es nuestro' });
    await expect(give(unknown.paymentId)).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'asset' } });
    expect(await one.state()).toBe('awaiting');
    const { refund } = await give(known.paymentId);
    const seen = (await one.read()).refunds.find(({ number }) => number === refund);
    expect(seen).toMatchObject({ amount: '3', asset: 'usdttrc20', state: 'address_needed', reason: 'No es nuestro' });
    for (const { paymentId } of [unknown, known]) fake.truth.delete(paymentId);
  });

  it('enters a refund when it is recorded as sent', async () => {
    const one = await order('basic');
    one.move('finished', 1, { payCurrency: 'usdttrc20' });
    await one.check();
    await app.deliverMails();
    const refund = await back.refunds.open({
      paymentId: one.paymentId,
      asset: 'usdttrc20',
      amount: '1000',
      reason: 'Una parte',
    });
    const who = { id: one.id, key: one.orderKey, refundId: refund.id };
    await one.api.refunds.setAddress({ ...who, address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' });
    const mails = (await app.deliverMails()).filter(({ to }) => to === one.email);
    const code = /\b(\d{8})\b/.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';
    const { id } = await one.api.refunds.confirmAddress({ ...who, code });
    const [row] = (await back.refunds.list({ q: refund.number })).rows;
    expect(await ofPayment(one.paymentId)).not.toHaveProperty('refunded USD');
    const { version } = await back.refunds.claim({ id, version: row?.version ?? 0 });
    await back.refunds.send({ id, version, transaction: 'b'.repeat(64), byProvider: false });
    expect(await ofPayment(one.paymentId)).toMatchObject({
      'received USD': '150000',
      'refunded USD': '-50000',
      'orders usdttrc20': `-${coin(2_000)}`,
      'team usdttrc20': `-${coin(1_000)}`,
    });
  });

  it('is append-only, and accepts only balanced entries', async () => {
    for (const statement of [
      'update money_entries set amount = 1',
      'delete from money_entries',
      'truncate money_entries, money_transactions cascade',
      "update money_transactions set plan = ''",
      'delete from money_transactions',
    ])
      await expect(app.sql(statement), statement).rejects.toThrow(/only grows/);
    await expect(app.sql('update money_totals set amount = 0')).rejects.toThrow(/totals follow/);
    const enter = (lines: string) =>
      app.sql(`with t as (insert into money_transactions (kind, subject, revision, simulation, plan, network, facts, at)
        values ('received', 'x', 1, false, '', '', '{}', now()) returning id)
        insert into money_entries (transaction_id, line, account, asset, amount) select t.id, l.* from t, (values ${lines}) l`);
    await expect(enter("(1::smallint, 'provider', 'eth', 5), (2, 'unplaced', 'eth', -4)")).rejects.toThrow(
      /must balance/,
    );
    await expect(enter("(1::smallint, 'provider', 'eth', 5), (2, 'unplaced', 'btc', -5)")).rejects.toThrow(
      /must balance/,
    );
    await expect(enter("(1::smallint, 'provider', 'eth', 0.5), (2, 'unplaced', 'eth', -0.5)")).rejects.toThrow(/check/);
    await expect(enter("(1::smallint, 'provider', 'USD', 5), (2, 'unplaced', 'USD', -5)")).rejects.toThrow(
      /money_entries_side/,
    );
  });

  it('has totals that equal the sums of its entries', async () => {
    const off = await app.sql(`
      select * from (
        select date_trunc('month', t.at at time zone 'UTC')::date as month, t.simulation, t.plan, t.network, e.account, e.asset,
          sum(e.amount) as amount
        from money_transactions t join money_entries e on e.transaction_id = t.id group by 1, 2, 3, 4, 5, 6) s
      full join money_totals m using (month, simulation, plan, network, account, asset)
      where s.amount is distinct from m.amount`);
    expect(off).toEqual([]);
  });
});
