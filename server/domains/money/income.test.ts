import { expect, it } from 'vitest';
import { monday } from '#server/lib/clock.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';

const { app, fake, order, callBack } = await paymentRig();
const owner = await app.member({ role: 'admin' });
const back = app.as(owner).admin;

/** Status, header and lines of a file of the back office. */
async function file(path: string, cookie = owner.cookie) {
  const answer = await app.http(`/api/admin/${path}`, { headers: { cookie } });
  const [head = '', ...lines] = (await answer.text()).replace('\ufeff', '').trim().split('\r\n');
  return { status: answer.status, head, lines };
}
const lineOf = (lines: string[], text: string) => lines.find((line) => line.includes(text)) ?? '';

it('each payment is a line with its price and its received and refunded money', async () => {
  const paid = await order('basic');
  await callBack(paid.move('finished', 1));
  const open = await order('entry');
  const short = await order('basic');
  await callBack(short.move('partially_paid', 0.4));
  await callBack(short.move('refunded', 0.4));

  const { rows, total } = await back.payments.list({});
  expect(total).toBe(3);
  expect(rows.find(({ orderId }) => orderId === paid.payment.orderId)).toMatchObject({
    plan: 'basic',
    network: 'ethereum',
    state: 'paid',
    priceCents: 150_000,
    receivedCents: 150_000,
    refundedCents: 0,
    refunds: '',
    amounts: '3000 eth',
    confirmedAt: expect.any(String),
  });
  expect(rows.find(({ orderId }) => orderId === open.payment.orderId)).toMatchObject({
    priceCents: 5_000,
    receivedCents: 0,
    confirmedAt: null,
    amounts: '',
  });
  expect(rows.find(({ orderId }) => orderId === short.payment.orderId)).toMatchObject({
    amounts: '1200 eth',
    receivedCents: 60_000,
    refundedCents: 60_000,
  });
  expect(rows.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).toSorted());
  // The token whose money the provider returned stays among the income by token.
  expect((await back.launchIncome.list({})).rows).toContainEqual(
    expect.objectContaining({ receivedCents: 60_000, refundedCents: 60_000, netCents: 0 }),
  );

  const find = async (input: Parameters<typeof back.payments.list>[0]) =>
    (await back.payments.list(input)).rows.map(({ orderId }) => orderId).toSorted();
  const month = app.now.toISOString().slice(0, 7);
  const all = [paid, open, short].map(({ payment }) => payment.orderId).toSorted();
  expect(await find({ month })).toEqual(all);
  expect(await find({ month: '2020-01' })).toEqual([]);
  expect(await find({ plan: 'entry' })).toEqual([open.payment.orderId]);
  expect(await find({ state: 'paid' })).toEqual([paid.payment.orderId]);
  expect(await find({ network: 'ethereum' })).toEqual(all);
  expect(await find({ network: 'solana' })).toEqual([]);
  expect(await find({ q: paid.payment.orderId.toLowerCase() })).toEqual([paid.payment.orderId]);
  await expect(find({ month: '2026-13' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

it('the received amount of a payment has all its deposits by coin, also those placed by an admin', async () => {
  const one = await order('basic');
  await callBack(one.move('partially_paid', 0.4));
  const repeated = { parentId: one.depositId, orderId: null, invoiceId: null };
  await callBack(one.move('finished', 0.1, { ...repeated, paymentId: fake.newDepositId() }));
  await callBack(one.move('finished', 0.5, { ...repeated, paymentId: fake.newDepositId(), payCurrency: 'usdttrc20' }));
  const placed = fake.move({ invoiceId: 'gone', orderId: 'SHOP-19', priceUsd: 50 }, fake.newDepositId(), 'finished', {
    actuallyPaid: 0.25,
  });
  await callBack(placed);
  await back.unplaced.place({ id: placed.paymentId, version: 1, orderId: one.payment.orderId, reason: 'Suyo' });
  await one.check();
  const row = async () => (await back.payments.list({ q: one.payment.orderId })).rows[0];
  expect(await row()).toMatchObject({ amounts: '1500.25 eth, 1500 usdttrc20', receivedCents: 60_000 });
  await back.tokenRequests.acceptPayment({ paymentId: one.paymentId, reason: 'Está todo' });
  expect(await row()).toMatchObject({ amounts: '1500.25 eth, 1500 usdttrc20', receivedCents: 150_012 });
  const [line] = (await file(`payments.csv?headings=es&q=${one.payment.orderId}`)).lines;
  expect(line).toContain(',"1500.25 ETH (Ethereum); 1500 USDT (Tron)",1500.12,0.00,');
  fake.truth.delete(placed.paymentId);
});

it('a payment keeps its network of the ledger, so that its line and the sums by network agree', async () => {
  const one = await order('complete');
  await callBack(one.move('finished', 1));
  await app.sql("update token_creation_submissions set selected_network = 'solana' where id = $1", [one.id]);
  const find = async (network: string) =>
    (await back.payments.list({ network, plan: 'complete' })).rows.map(({ orderId }) => orderId);
  expect(await find('ethereum')).toContain(one.payment.orderId);
  expect(await find('solana')).toEqual([]);
  const [line] = (await back.payments.list({ q: one.payment.orderId })).rows;
  const sums = (await back.money.list({ network: 'ethereum', plan: 'complete' })).rows;
  expect(line?.network).toBe('ethereum');
  expect(sums.reduce((sum, { receivedCents }) => sum + receivedCents, 0)).toBe(line?.receivedCents);
  expect((await back.money.list({ network: 'solana', plan: 'complete' })).rows).toEqual([]);
});

it('the line of a payment names its refunds and their states', async () => {
  const one = await order('basic');
  one.move('finished', 1, { payCurrency: 'usdttrc20' });
  await one.check();
  const refund = await back.refunds.open({
    paymentId: one.paymentId,
    asset: 'usdttrc20',
    amount: '500',
    reason: 'Pagaste de más.',
  });
  const { rows } = await back.payments.list({ q: one.payment.orderId });
  expect(rows[0]?.refunds).toBe(`${refund.number} address_needed`);
  const shown = async (locale: string) =>
    (await file(`payments.csv?headings=${locale}&q=${one.payment.orderId}`)).lines[0];
  expect(await shown('es')).toContain(`,3000 USDT (Tron),1500.00,0.00,${refund.number}: Sin dirección,`);
  expect(await shown('en')).toContain(`,3000 USDT (Tron),1500.00,0.00,${refund.number}: No address,`);
  // The files of the orders and of the refunds say the same in the same words; that for programs keeps its codes.
  const requestLine = (await file(`token-requests.csv?headings=es&q=${one.payment.orderId}`)).lines.join();
  expect(requestLine).toMatch(new RegExp(`^${one.payment.orderId},.*,Básico,Ethereum,.*,Completado,Pagado,Pagado,`));
  const refundLine = (await file(`refunds.csv?headings=es&q=${refund.number}`)).lines.join();
  expect(refundLine).toMatch(/,Pago,Pagaste de más\.,Sin dirección,500,USDT \(Tron\),/);
  expect((await file(`refunds.csv?q=${refund.number}`)).lines.join()).toContain(',address_needed,usdttrc20,');
});

it('the file for people has labels and decimals, and is for finance and owners only', async () => {
  const one = await order('basic');
  await callBack(one.move('finished', 1));
  const people = await file(`payments.csv?headings=es&q=${one.payment.orderId}`);
  expect(people.head).toBe(
    'Pedido,Fecha (UTC),Token,Plan,Red,Estado,Precio al pedir (USD),Importe recibido,Recibido (USD),Devuelto (USD),Devoluciones,Número del proveedor,Simulación',
  );
  expect(people.lines).toHaveLength(1);
  expect(people.lines[0]).toMatch(
    new RegExp(
      `^${one.payment.orderId},20[^,]+Z,[^,]*,Básico,Ethereum,Pagado,1500\\.00,3000 ETH \\(Ethereum\\),1500\\.00,0\\.00,,`,
    ),
  );
  for (const staffRoles of [['support'], ['editor'], ['moderator']] as const) {
    const colleague = await app.member({ role: 'admin', staffRoles: [...staffRoles] } as never);
    for (const name of ['payments', 'income', 'launch-income'])
      expect((await file(`${name}.csv`, colleague.cookie)).status, `${staffRoles} ${name}`).toBe(403);
  }
  const finance = await app.member({ role: 'admin', staffRoles: ['finance'] } as never);
  for (const name of ['payments', 'income', 'launch-income'])
    expect((await file(`${name}.csv`, finance.cookie)).status).toBe(200);
});

it('the income of a week is the money received in it less the money returned in it', async () => {
  const week = monday(app.now);
  const sums = async () => (await back.income.list({})).rows.find((row) => row.week === week && !row.simulation);
  const before = await sums();
  const one = await order('basic');
  await callBack(one.move('finished', 1));
  const short = await order('basic');
  await callBack(short.move('partially_paid', 0.4));
  await callBack(short.move('refunded', 0.4));
  const after = await sums();
  const grown = (name: 'orders' | 'receivedCents' | 'refundedCents' | 'netCents') =>
    (after?.[name] ?? 0) - (before?.[name] ?? 0);
  expect([grown('orders'), grown('receivedCents'), grown('refundedCents'), grown('netCents')]).toEqual([
    2, 210_000, 60_000, 150_000,
  ]);
  // The weeks add up to what the months have.
  const months = (await back.money.list({ size: 100 })).rows;
  const weeks = (await back.income.list({ size: 100 })).rows;
  const of = (rows: { receivedCents: number; refundedCents: number }[]) => [
    rows.reduce((sum, { receivedCents }) => sum + receivedCents, 0),
    rows.reduce((sum, { refundedCents }) => sum + refundedCents, 0),
  ];
  expect(of(weeks)).toEqual(of(months));
  const { head, lines } = await file('income.csv');
  expect(head).toBe('id,week,simulation,orders,receivedCents,refundedCents,netCents');
  expect(lineOf(lines, week)).toContain(`,${after?.netCents}`);
  const people = await file('income.csv?headings=es');
  expect(people.head).toBe('Semana UTC del,Pedidos,Recibido (USD),Devuelto (USD),Queda (USD),Simulación');
  expect(people.lines.join('\n')).toContain(`,${((after?.netCents ?? 0) / 100).toFixed(2)},no`);
});

it('the income of a token is the money received for all its orders', async () => {
  const one = await order('entry');
  const none = await order('entry');
  // A more expensive plan is another order of the same request.
  const dearer = await one.pay('basic');
  expect(dearer.orderId).not.toBe(one.payment.orderId);
  await callBack(one.move('finished', 1));
  const { rows } = await back.launchIncome.list({ size: 100 });
  expect(rows.find(({ id }) => id === one.id)).toMatchObject({
    tokenSymbol: 'AJO',
    network: 'ethereum',
    delivered: false,
    simulation: false,
    receivedCents: 5_000,
    refundedCents: 0,
    netCents: 5_000,
  });
  expect(rows.find(({ id }) => id === none.id)).toBeUndefined();
  // Then the other order of the request is paid too.
  await callBack(fake.move(fake.invoiceOf(dearer.orderId), fake.newDepositId(), 'finished', { actuallyPaid: 3_000 }));
  const sums = { receivedCents: 155_000, refundedCents: 0, netCents: 155_000 };
  expect((await back.launchIncome.list({ size: 100 })).rows.find(({ id }) => id === one.id)).toMatchObject(sums);
  await app.sql(
    `update token_creation_submissions set closed_at = now(), closed_as = 'delivered', closed_note = 'x', delivered_address = '0x0' where id = $1`,
    [one.id],
  );
  expect((await back.launchIncome.list({ size: 100 })).rows.find(({ id }) => id === one.id)).toMatchObject({
    delivered: true,
  });
  expect((await file('launch-income.csv?sort=-createdAt')).head).toBe(
    'id,tokenName,tokenSymbol,plan,network,simulation,createdAt,delivered,receivedCents,refundedCents,netCents',
  );
});
