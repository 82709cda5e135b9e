import { describe, expect, it } from 'vitest';
import { fromUnits, isTransaction, refundAsset, toUnits } from '#contract/refund-assets.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';
import { isAddressOf } from './addresses.ts';

const { app, fake, order, rowOf } = await paymentRig();
const admin = await app.member({ role: 'admin' });
const back = app.as(admin).admin;
const theirs = app.as(await app.member({ role: 'admin' })).admin;

const ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const OTHER = 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj';
const SENT = 'a'.repeat(64);

const seenOf = ({ id, version }: { id: string; version: number }) => ({ id, version });

/** A paid order with a deposit in a coin of Tron, and a partial refund. */
async function opened(amount = '20') {
  const request = await order('basic');
  request.move('finished', 1, { payCurrency: 'usdttrc20' });
  await request.check();
  await app.deliverMails();
  const refund = await back.refunds.open({
    paymentId: request.paymentId,
    asset: 'usdttrc20',
    amount,
    reason: 'No llegó a hacerse',
  });
  const mails = async () => (await app.deliverMails()).filter(({ to }) => to === request.email);
  const who = { id: request.id, key: request.orderKey, refundId: refund.id };
  const seen = async () => (await request.read()).refunds.find(({ id }) => id === refund.id);
  const code = async () => /\b(\d{8})\b/.exec((await mails()).at(-1)?.text ?? '')?.[1] ?? '';
  const confirmed = async () => {
    await request.api.refunds.setAddress({ ...who, address: ADDRESS });
    return request.api.refunds.confirmAddress({ ...who, code: await code() });
  };
  const current = async () => {
    const { rows } = await back.refunds.list({ q: refund.number });
    if (!rows[0]) throw new Error('no refund');
    return rows[0];
  };
  return { ...request, refund, mails, who, seen, code, confirmed, current };
}

describe('amounts', () => {
  it.each([
    ['12.5', 6, 12_500_000n],
    ['0.000001', 6, 1n],
    ['1', 18, 10n ** 18n],
    ['0.10', 1, 1n],
    ['1.23', 1, null],
    ['-1', 6, null],
    ['1e3', 6, null],
    ['', 6, null],
  ] as const)('%s with %i digits is %s', (text, decimals, units) => {
    expect(toUnits(text, decimals)).toBe(units);
    if (units !== null) expect(toUnits(fromUnits(units, decimals), decimals)).toBe(units);
  });
});

describe('addresses', () => {
  it.each([
    ['tron', ADDRESS, true],
    ['tron', `${ADDRESS.slice(0, -1)}u`, false],
    ['tron', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', false],
    ['evm', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', true],
    ['evm', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', false],
    ['evm', ADDRESS, false],
    ['evm', '0x000000000000000000000000000000000000dEaD', false],
    ['evm', '0x0000000000000000000000000000000000000001', false],
    ['evm', `0x${'ff'.repeat(20)}`, false],
    // Twenty zeros after the version, with a valid checksum.
    ['tron', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', false],
    ['bitcoin', '1111111111111111111114oLvT2', false],
    ['bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', true],
    ['bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', true],
    ['bitcoin', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', true],
    ['bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', false],
    ['bitcoin', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', false],
    ['litecoin', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', true],
    ['litecoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', false],
    ['solana', '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', true],
    ['solana', '11111111111111111111111111111111', false],
  ] as const)('of %s: %s is valid: %s', (chain, address, fits) => {
    expect(isAddressOf(chain, address)).toBe(fits);
  });

  it('are of the chain of the coin, and so are transaction ids', () => {
    expect(refundAsset('USDTTRC20')).toEqual({ chain: 'tron', decimals: 6 });
    expect(refundAsset('toString')).toBeNull();
    expect(isTransaction('evm', SENT)).toBe(false);
    expect(isTransaction('tron', SENT)).toBe(true);
  });
});

describe('a refund', () => {
  it('goes from its opening to its transaction, and its payer sees each step', async () => {
    const { refund, seen, mails, who, api, code, current, paymentId } = await opened('20.5');
    expect(refund).toMatchObject({ state: 'address_needed', units: '20500000', amount: '20.5', address: null });
    expect((await mails()).at(-1)?.subject).toBe(`Devolución ${refund.number}: dinos adónde enviarla`);
    await expect(
      back.refunds.send({ id: refund.id, version: refund.version, transaction: SENT, byProvider: false }),
    ).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'unconfirmed' } });
    await expect(
      api.refunds.setAddress({ ...who, address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }),
    ).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'address' } });

    expect(await api.refunds.setAddress({ ...who, address: ADDRESS })).toMatchObject({
      state: 'address_unconfirmed',
      address: ADDRESS,
    });
    const waits = async () => (await back.inbox.list({ source: 'refund' })).items.some((item) => item.id === refund.id);
    expect(await waits()).toBe(false);
    expect(await api.refunds.confirmAddress({ ...who, code: await code() })).toMatchObject({
      state: 'ready',
      address: 'TR7NHqje…gjLj6t',
      confirmedAt: app.now.toISOString(),
    });
    expect(await waits()).toBe(true);

    const seenBefore = await current();
    await expect(
      back.refunds.send({ id: refund.id, version: seenBefore.version, transaction: '', byProvider: true }),
    ).rejects.toMatchObject({ data: { why: 'provider' } });
    const { version, ...claimed } = await back.refunds.claim(seenOf(seenBefore));
    expect(claimed).toMatchObject({ address: ADDRESS, addressShown: true });
    await expect(
      back.refunds.send({ id: refund.id, version, transaction: `0x${SENT}`, byProvider: false }),
    ).rejects.toMatchObject({ data: { why: 'transaction' } });
    await back.refunds.send({ id: refund.id, version, transaction: SENT, byProvider: false });
    expect(await seen()).toMatchObject({
      state: 'sent',
      address: ADDRESS,
      transaction: SENT,
      sentAt: app.now.toISOString(),
    });
    expect(await waits()).toBe(false);
    const last = (await mails()).at(-1);
    expect(last?.text).toContain(SENT);
    expect(last?.text).toContain(ADDRESS);
    expect((await rowOf(paymentId)).attention).not.toContain('refunded');
    await expect(
      back.refunds.send({ id: refund.id, version: version + 1, transaction: SENT, byProvider: false }),
    ).rejects.toMatchObject({ code: 'REFUND_CLOSED', data: { state: 'sent' } });
    await expect(api.refunds.setAddress({ ...who, address: OTHER })).rejects.toMatchObject({ code: 'REFUND_CLOSED' });
    await expect(app.sql("update refund_cases set transaction = 'x' where id = $1", [refund.id])).rejects.toThrow(
      /is kept/,
    );
    await expect(app.sql('delete from refund_cases where id = $1', [refund.id])).rejects.toThrow(/is kept/);
  });

  it('never exceeds the received money, summed over all refunds', async () => {
    const { paymentId, refund } = await opened('2999');
    const more = (amount: string, asset = 'usdttrc20') =>
      back.refunds.open({ paymentId, asset, amount, reason: 'Más' });
    await expect(more('1.000001')).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'amount' } });
    await expect(more('0')).rejects.toMatchObject({ data: { why: 'amount' } });
    await expect(more('0.0000001')).rejects.toMatchObject({ data: { why: 'amount' } });
    await expect(more('1', 'btc')).rejects.toMatchObject({ data: { why: 'asset' } });
    expect(await more('1')).toMatchObject({ units: '1000000' });
    // The withdrawn amount is available again.
    await back.refunds.withdraw({ id: refund.id, version: refund.version, reason: 'Error' });
    expect(await more('2999')).toMatchObject({ state: 'address_needed' });
  });

  it('is opened once when concurrent ones would exceed the received money', async () => {
    const { paymentId } = await opened('1');
    const open = () => back.refunds.open({ paymentId, asset: 'usdttrc20', amount: '2000', reason: 'A la vez' });
    const done = await Promise.allSettled([open(), open(), open()]);
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is not confirmed for an address that its payer did not see when they typed the code', async () => {
    const { api, who, code, seen } = await opened();
    await api.refunds.setAddress({ ...who, address: ADDRESS });
    await code();
    // Somebody else with the private link, while the payer's page shows the first address.
    await api.refunds.setAddress({ ...who, address: OTHER });
    const newest = await code();
    await expect(api.refunds.confirmAddress({ ...who, code: newest, address: ADDRESS })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
    });
    expect(await seen()).toMatchObject({ state: 'address_unconfirmed', address: OTHER });
    expect(await api.refunds.confirmAddress({ ...who, code: newest, address: OTHER })).toMatchObject({
      state: 'ready',
    });
  });

  it('needs a mailed code besides the private link; the code expires and allows five attempts', async () => {
    const { api, who, code, seen } = await opened();
    await api.refunds.setAddress({ ...who, address: ADDRESS });
    const right = await code();
    const wrong = right === '00000000' ? '00000001' : '00000000';
    for (let left = 4; left >= 0; left--)
      await expect(api.refunds.confirmAddress({ ...who, code: wrong })).rejects.toMatchObject({
        code: 'REFUND_CODE',
        data: { attemptsLeft: left },
      });
    await expect(api.refunds.confirmAddress({ ...who, code: right })).rejects.toMatchObject({
      data: { attemptsLeft: 0 },
    });
    expect((await seen())?.state).toBe('address_unconfirmed');
    await api.refunds.setAddress({ ...who, address: OTHER });
    const next = await code();
    await expect(api.refunds.confirmAddress({ ...who, code: right })).rejects.toMatchObject({ code: 'REFUND_CODE' });
    app.pass(31 * 60_000);
    await expect(api.refunds.confirmAddress({ ...who, code: next })).rejects.toMatchObject({
      data: { attemptsLeft: 0 },
    });
    await expect(
      api.refunds.setAddress({ ...who, key: 'wrong-key-wrong-key-wrong', address: OTHER }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const stranger = await opened();
    await expect(
      api.refunds.setAddress({ ...who, refundId: stranger.refund.id, address: OTHER }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('does not mail a code that expired in the mail queue', async () => {
    const { api, who, mails, email } = await opened();
    const before = (await mails()).length;
    await api.refunds.setAddress({ ...who, address: ADDRESS });
    app.pass(31 * 60_000);
    expect(await mails()).toHaveLength(before);
    expect(
      await app.sql('select status, data from mails where to_address = $1 order by created_at desc limit 1', [email]),
    ).toEqual([{ status: 'expired', data: {} }]);
  });

  it('mails at most five codes an hour', async () => {
    const { api, who } = await opened();
    for (let i = 0; i < 5; i++) await api.refunds.setAddress({ ...who, address: ADDRESS });
    await expect(api.refunds.setAddress({ ...who, address: ADDRESS })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('must be confirmed again after a change of its address', async () => {
    const { api, who, confirmed, seen } = await opened();
    await confirmed();
    expect(await api.refunds.setAddress({ ...who, address: OTHER })).toMatchObject({
      state: 'address_unconfirmed',
      confirmedAt: null,
    });
    expect((await seen())?.state).toBe('address_unconfirmed');
  });

  it('is not sent with an outdated version, nor with the transaction of another refund', async () => {
    const one = await opened();
    await one.confirmed();
    const seen = await back.refunds.claim(seenOf(await one.current()));
    await back.refunds.send({ id: seen.id, version: seen.version, transaction: 'B'.repeat(64), byProvider: false });
    const other = await opened();
    await other.confirmed();
    const next = await theirs.refunds.claim(seenOf(await other.current()));
    await expect(
      theirs.refunds.send({ id: next.id, version: next.version - 1, transaction: SENT, byProvider: false }),
    ).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
    await expect(
      theirs.refunds.send({ id: next.id, version: next.version, transaction: 'b'.repeat(64), byProvider: false }),
    ).rejects.toMatchObject({ code: 'EVIDENCE_USED', data: { what: one.refund.number } });
  });

  it('is marked as sent by the provider only after a return, which ends the review of its payment', async () => {
    const { move, check, paymentId, current } = await opened();
    const byProvider = async () => {
      const { id, version } = await current();
      return back.refunds.send({ id, version, transaction: '', byProvider: true });
    };
    await expect(byProvider()).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'provider' } });
    // For money that arrived after the refund was opened, it is unknown whether it is the same.
    const later = fake.newDepositId();
    for (const status of ['finished', 'refunded'] as const) {
      move(status, 1, { payCurrency: 'usdttrc20', paymentId: later });
      await check();
    }
    expect((await rowOf(paymentId)).attention).toContain('refunded');
    await byProvider();
    expect((await rowOf(paymentId)).attention).not.toContain('refunded');
  });
});

describe('closing a paid request', () => {
  const NOTE = 'No podremos entregarlo.';
  async function paid() {
    const request = await order('basic');
    request.move('finished', 1, { payCurrency: 'usdttrc20' });
    await request.check();
    return request;
  }

  it('without delivery opens a refund of all money and withdraws the deliverables, until it is reopened', async () => {
    const { id, read, email } = await paid();
    await back.tokenRequests.close({ id, as: 'cancelled', note: NOTE });
    const page = await read();
    expect(page.refunds).toMatchObject([{ state: 'address_needed', amount: '3000', cause: 'cancelled', reason: NOTE }]);
    expect(page.items.every(({ state }) => state === 'withdrawn')).toBe(true);
    await back.tokenRequests.reopen({ id });
    const again = await read();
    // The note of the closing promised the money back.
    const reason = 'Hemos reabierto el pedido y seguimos con él. Por eso no se envía esta devolución.';
    expect(again.refunds).toMatchObject([{ state: 'withdrawn', withdrawnReason: reason }]);
    const mail = (await app.deliverMails()).findLast(({ to }) => to === email);
    expect(mail?.text).toContain(reason);
    expect(mail?.text).not.toContain(NOTE);
    expect(again.items.every(({ state }) => state === 'promised')).toBe(true);
  });

  it('records the network as the cause if it is no longer offered', async () => {
    const { id, read } = await paid();
    const [request] = await app.sql<{ selected_network: string }>(
      'select selected_network from token_creation_submissions where id = $1',
      [id],
    );
    const key = request?.selected_network ?? '';
    await app.sql('update blockchain_networks set is_active = false where key = $1', [key]);
    await back.tokenRequests.close({ id, as: 'cancelled', note: NOTE });
    await app.sql('update blockchain_networks set is_active = true where key = $1', [key]);
    expect((await read()).refunds[0]?.cause).toBe('network');
  });

  it('opens no refund if the admin chooses none', async () => {
    const { id, read } = await paid();
    await back.tokenRequests.close({ id, as: 'cancelled', note: NOTE, refund: 'none' });
    expect((await read()).refunds).toEqual([]);
  });

  it('is refused as a whole if a deposit is in an unsupported coin', async () => {
    const request = await order('basic');
    request.move('finished', 1, { payCurrency: 'newcoin' });
    await request.check();
    await expect(back.tokenRequests.close({ id: request.id, as: 'cancelled', note: NOTE })).rejects.toMatchObject({
      code: 'REFUND_REFUSED',
      data: { why: 'asset' },
    });
    expect((await request.read()).stage).toBe('paid');
  });

  it('opens no full refund if version 0.2.0 noted one, but allows a refund of an entered amount', async () => {
    const { id, paymentId, depositId, read } = await paid();
    await app.sql(`update payments set ledger = jsonb_set(ledger, '{refundsNoted}', $2) where id = $1`, [
      paymentId,
      JSON.stringify([depositId]),
    ]);
    await expect(back.tokenRequests.close({ id, as: 'cancelled', note: NOTE })).rejects.toMatchObject({
      code: 'REFUND_REFUSED',
      data: { why: 'noted' },
    });
    expect((await read()).stage).toBe('paid');
    await back.tokenRequests.close({ id, as: 'cancelled', note: NOTE, refund: 'none' });
    await back.refunds.open({ paymentId, asset: 'usdttrc20', amount: '10', reason: 'El resto' });
    expect((await read()).refunds).toMatchObject([{ amount: '10' }]);
  });

  it('as delivered records the token, and sets the due dates of the other items', async () => {
    const { id, read } = await paid();
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    await back.tokenRequests.close({ id, as: 'delivered', note: 'Hecho', address });
    const { items, refunds } = await read();
    expect(items.find(({ key }) => key === 'uniqueToken')).toMatchObject({
      state: 'done',
      evidence: { kind: 'statement', value: address },
    });
    expect(items.find(({ key }) => key === 'docs')).toMatchObject({ state: 'promised' });
    expect(items.find(({ key }) => key === 'docs')?.dueAt).not.toBeNull();
    expect(refunds).toEqual([]);
  });
});

it('the API of refunds is for admins only', async () => {
  const { refund, paymentId } = await opened();
  const { id, version } = refund;
  for (const role of ['user', 'moderator'] as const) {
    const api = app.as(await app.member({ role })).admin.refunds;
    for (const call of [
      api.list({}),
      api.open({ paymentId, asset: 'usdttrc20', amount: '1', reason: 'x' }),
      api.claim({ id, version }),
      api.release({ id, version, reason: 'x' }),
      api.send({ id, version, transaction: SENT, byProvider: false }),
      api.withdraw({ id, version, reason: 'x' }),
    ])
      await expect(call).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
});
