import { describe, expect, it } from 'vitest';
import type { Plan } from '#contract/domains/payments.ts';
import { PLANS } from '#contract/limits.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { fakeProvider } from '#tests/support/payments/fake-provider.ts';

let clock = () => 0;
const fake = fakeProvider(() => clock());
const app = await startTestApp({ payments: fake.provider });
clock = () => app.now.getTime();
const admin = await app.member({ role: 'admin' });
const api = app.as(admin).admin.tokenRequests;

let serial = 0;
/** A request with an open payment; `pays` sends a share of its price. */
async function order(over: object = {}, plan: Plan = 'entry') {
  app.pass(1_500);
  const guest = app.as(null, { address: `10.9.${++serial}.1` });
  const { id, secret } = await guest.tokenRequests.create({ data: { ...COMPLETE, ...over } });
  const { orderId } = await guest.tokenRequests.pay({ id, secret, plan, locale: 'es' });
  const [{ id: paymentId } = { id: '' }] = await app.sql<{ id: string }>(
    'select id from payments where order_id = $1',
    [orderId],
  );
  const depositId = fake.newDepositId();
  return {
    id,
    orderId,
    paymentId,
    async pays(share: number) {
      const invoice = fake.invoiceOf(orderId);
      fake.move(invoice, depositId, share < 1 ? 'partially_paid' : 'finished', {
        actuallyPaid: PLANS[plan].priceUsd * 2 * share,
      });
      app.pass(11_000);
      return (await api.checkPayment({ paymentId })).answer;
    },
  };
}
const staleProof = () =>
  app.sql(`update sessions set proved_at = now() - interval '11 minutes' where user_id = $1`, [admin.id]);
const freshProof = () => app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
const entries = (id: string) =>
  app.sql(
    `select action, reason, after from audit_events where resource_type = 'payment' and resource_id = $1 order by id`,
    [id],
  );

describe('the list of token requests', () => {
  it('shows plan, network, wallet, contact, prices and states, newest first [A-TOKEN-02..10] [A-TOKEN-30] [SEC-25]', async () => {
    const one = await order({ tokenName: 'Ñandú', petitionerTelegram: '@nandu' });
    const two = await order({}, 'standard');
    const { rows } = await api.list({ sort: '-createdAt' });
    expect(rows.slice(0, 2).map(({ id }) => id)).toEqual([two.id, one.id]);
    expect(rows[0]).toMatchObject({
      plan: 'standard',
      network: 'ethereum',
      ownerWallet: COMPLETE.ownerWalletAddress,
      email: COMPLETE.petitionerEmail,
      priceUsd: 3_000,
      priceSol: null,
      status: 'pending_payment',
      paymentStatus: 'pending',
      orderId: two.orderId,
      paymentState: 'awaiting',
      attention: false,
    });
    for (const q of ['nandu', one.orderId, one.orderId.toLowerCase(), one.id, '@NANDU'])
      expect(
        (await api.list({ q })).rows.map(({ id }) => id),
        q,
      ).toEqual([one.id]);
    expect((await api.list({ plan: 'standard', status: 'pending_payment', network: 'ethereum' })).rows).toHaveLength(1);
    expect((await api.list({ network: 'solana' })).rows).toEqual([]);
    expect((await api.list({ q: 'FL-%' })).rows).toEqual([]);
  });

  it('names the account of each request, and of each entry of its timeline', async () => {
    const member = await app.member();
    const made = await app.as(member).tokenRequests.create({ data: { ...COMPLETE } });
    const { id } = await order();
    const of = async (wanted: string) => (await api.list({ q: wanted })).rows[0]?.memberId;
    expect(await of(made.id)).toBe(member.id);
    expect(await of(id)).toBeNull();
    const { timeline } = await api.read({ id: made.id });
    expect(timeline.find(({ what }) => what === 'request.created')).toMatchObject({ byId: member.id });
  });

  it('filters by state of request and payment, which admins change by actions only [A-TOKEN-27] [A-TOKEN-28] [A-TOKEN-29] [AMB-53]', async () => {
    const { id } = await order();
    const states = ['incomplete', 'pending_payment', 'completed'] as const;
    const found = await Promise.all(states.map(async (status) => (await api.list({ q: id, status })).total));
    expect(found).toEqual([0, 1, 0]);
    const payments = ['pending', 'completed', 'failed'] as const;
    const paid = await Promise.all(
      payments.map(async (paymentStatus) => (await api.list({ q: id, paymentStatus })).total),
    );
    expect(paid).toEqual([1, 0, 0]);
    for (const wrong of [{ status: 'paid' }, { paymentStatus: 'Pagado' }])
      await expect(api.list(wrong as never)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(Object.keys(api)).not.toContain('update');
    for (const column of ['status', 'payment_status'])
      await expect(
        app.sql(`update token_creation_submissions set ${column} = 'paid' where id = $1`, [id]),
      ).rejects.toMatchObject({ code: '23514' });
  });

  it('finds a request by the provider’s number of its deposit or invoice, and by digits of a contact', async () => {
    const paid = await order();
    const other = await order({ petitionerEmail: '12345678@florka.test' });
    fake.move(fake.invoiceOf(paid.orderId), '196605629708447', 'finished', { actuallyPaid: PLANS.entry.priceUsd * 2 });
    app.pass(11_000);
    await api.checkPayment({ paymentId: paid.paymentId });
    await app.sql(`update payments set invoice_id = '226389783795730' where id = $1`, [paid.paymentId]);
    for (const q of ['196605629708447', '226389783795730'])
      expect(
        (await api.list({ q })).rows.map(({ id }) => id),
        q,
      ).toEqual([paid.id]);
    expect((await api.list({ q: '196605629708448' })).rows).toEqual([]);
    expect((await api.list({ q: '12345678' })).rows.map(({ id }) => id)).toEqual([other.id]);
  });

  it('finds a request by part of its order number, and by the address of any of its deposits', async () => {
    const [paid, other] = [await order(), await order()];
    const invoice = fake.invoiceOf(paid.orderId);
    const addresses = ['0x52908400098527886E0F7030069857D2E4169EE7', 'HTMTvt43PGJRgoJUTDJu8gFHa1QFMmaPriM9HYmcNumR'];
    for (const [i, payAddress] of addresses.entries())
      fake.move(invoice, `19660562970844${i}`, 'waiting', { payAddress });
    app.pass(11_000);
    await api.checkPayment({ paymentId: paid.paymentId });
    const [evm = '', solana = ''] = addresses;
    const parts = [paid.orderId.slice(5, 11), paid.orderId.slice(-6).toLowerCase(), paid.orderId.slice(3)];
    for (const q of [...parts, evm, evm.toLowerCase(), solana]) {
      expect(
        (await api.list({ q })).rows.map(({ id }) => id),
        q,
      ).toEqual([paid.id]);
      const found = await app.as(admin).admin.find({ q });
      expect(found, q).toEqual([expect.objectContaining({ kind: 'order', id: paid.id })]);
    }
    for (const q of [solana.toLowerCase(), `${solana}" || "" == "`])
      expect((await api.list({ q })).rows, q).toEqual([]);
    expect((await api.list({ q: other.orderId.slice(4, 12) })).rows.map(({ id }) => id)).toEqual([other.id]);
  });

  it('finds payments that need a review, and shows who accepted a short one', async () => {
    const short = await order();
    await short.pays(0.5);
    const needingAttention = async () => (await api.list({ attention: 'yes' })).rows.map(({ id }) => id);
    expect(await needingAttention()).toEqual([short.id]);
    const money = { orderedUsd: 50, receivedUsd: 25, missingUsd: 25 };
    expect((await api.list({ q: short.id })).rows[0]).toMatchObject({ ...money, acceptedBy: null, attention: true });
    await freshProof();
    await api.acceptPayment({ paymentId: short.paymentId, reason: 'Cliente de confianza' });
    expect(await needingAttention()).toEqual([]);
    // After its acceptance, it is still short: in the list, in the record, and in the file.
    const accepted = { ...money, acceptedBy: admin.username, acceptedAt: app.now.toISOString(), attention: false };
    expect((await api.list({ q: short.id })).rows[0]).toMatchObject(accepted);
    expect(await api.read({ id: short.id })).toMatchObject(accepted);
    const file = await app.http(`/api/admin/token-requests.csv?q=${short.id}`, { headers: { cookie: admin.cookie } });
    const [head, line] = (await file.text()).replace('\ufeff', '').split('\r\n');
    const cells = line?.split(',') ?? [];
    const cell = (name: string) => cells[head?.split(',').indexOf(name) ?? -1];
    expect(['orderedUsd', 'receivedUsd', 'missingUsd', 'acceptedBy'].map(cell)).toEqual([
      '50',
      '25',
      '25',
      admin.username,
    ]);
    const open = await order();
    expect((await api.list({ q: open.id })).rows[0]).toMatchObject({ orderedUsd: 50, receivedUsd: 0, missingUsd: 50 });
  });
});

describe('one request', () => {
  it('has its form, payments with deposits, timeline, and whether it may be delivered [AMB-16] [AMB-186]', async () => {
    const request = await order();
    expect(await api.read({ id: request.id })).toMatchObject({ notDeliverable: 'unpaid', creatableOn: 'ethereum' });
    expect(await request.pays(0.5)).toBe('part_paid');
    const short = await api.read({ id: request.id });
    expect(short).toMatchObject({
      data: { tokenName: 'Ajolote', petitionerTelegram: '@ana' },
      networkName: 'Ethereum',
      member: null,
      wallet: 'ok',
      notDeliverable: 'not_accepted',
      paymentStatus: 'completed',
    });
    expect(short.orderPath).toMatch(new RegExp(`^/order/${request.id}#[\\w-]{43}$`));
    expect(short.payments).toHaveLength(1);
    expect(short.payments[0]).toMatchObject({
      orderId: request.orderId,
      state: 'partially_paid',
      receivedUsd: 25,
      missingUsd: 25,
      missingAmount: '50',
      acceptable: true,
      delivers: false,
      accepted: null,
      deposits: [{ amount: 50, due: 100, currency: 'eth', counts: true, status: 'partially_paid' }],
    });
    const kinds = short.timeline.map(({ kind, what }) => `${kind} ${what}`);
    expect(kinds).toEqual(
      expect.arrayContaining([
        'act request.created',
        'act payment.created',
        'seen partially_paid',
        'act payment.changed',
        'act payment.asked',
      ]),
    );
    expect(short.timeline.map(({ at }) => at)).toEqual(
      short.timeline
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );
    expect(await api.ofPayment({ paymentId: request.paymentId })).toEqual({ requestId: request.id });
  });

  it('has the chain on which its token can be created, or none [AMB-55] [AMB-216]', async () => {
    await app.sql("insert into blockchain_networks (key, name, symbol, manual_days) values ('base', 'Base', 'B', 3)");
    const base = await order({ selectedNetwork: 'base' });
    expect(await api.read({ id: base.id })).toMatchObject({ creatableOn: null });
    const polygon = await order({ selectedNetwork: 'polygon' });
    expect(await api.read({ id: polygon.id })).toMatchObject({ creatableOn: 'polygon' });
    const bnb = await order({ selectedNetwork: 'bnb' });
    expect(await api.read({ id: bnb.id })).toMatchObject({ creatableOn: 'binance' });
  });

  it('that does not exist is not found', async () => {
    const gone = '5b6c5a3e-0d0b-4b6e-9a55-000000000000';
    await expect(api.read({ id: gone })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(api.ofPayment({ paymentId: gone })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(api.checkPayment({ paymentId: gone })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('actions on payments', () => {
  it('a short payment is accepted with a reason after a step-up; then the token can be created [AMB-16]', async () => {
    const request = await order();
    await freshProof();
    await expect(api.acceptPayment({ paymentId: request.paymentId, reason: 'x' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await request.pays(0.9);
    await expect(api.acceptPayment({ paymentId: request.paymentId, reason: '  ' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await staleProof();
    await expect(api.acceptPayment({ paymentId: request.paymentId, reason: 'x' })).rejects.toMatchObject({
      code: 'STEP_UP_NEEDED',
    });
    await freshProof();
    await api.acceptPayment({ paymentId: request.paymentId, reason: 'Faltaba la comisión de la red' });
    expect(await api.read({ id: request.id })).toMatchObject({
      notDeliverable: null,
      payments: [
        {
          accepted: { by: admin.username, reason: 'Faltaba la comisión de la red' },
          delivers: true,
          acceptable: false,
        },
      ],
    });
    expect(await entries(request.paymentId)).toContainEqual(
      expect.objectContaining({ action: 'payment.accepted', reason: 'Faltaba la comisión de la red' }),
    );
  });

  it('a check polls the provider, and is audited', async () => {
    const request = await order();
    expect(await request.pays(1)).toBe('paid');
    expect(await api.read({ id: request.id })).toMatchObject({ notDeliverable: null, status: 'completed' });
    expect((await entries(request.paymentId)).map(({ action }) => action)).toContain('payment.asked');
    const silent = await order();
    fake.box.trouble = () => 'unknown';
    app.pass(11_000);
    expect(await api.checkPayment({ paymentId: silent.paymentId })).toEqual({ answer: 'unknown', answered: false });
    fake.box.trouble = () => 'none';
  });

  it('a note is added to the timeline after a step-up, and changes no state', async () => {
    const request = await order();
    await request.pays(1);
    await staleProof();
    const note = { paymentId: request.paymentId, note: 'Hablado por teléfono' };
    await expect(api.notePayment(note)).rejects.toMatchObject({ code: 'STEP_UP_NEEDED' });
    await freshProof();
    await api.notePayment(note);
    const read = await api.read({ id: request.id });
    expect(read.payments[0]?.state).toBe('paid');
    expect(read.timeline[0]).toMatchObject({
      what: 'payment.noted',
      by: admin.username,
      reason: note.note,
      orderId: request.orderId,
    });
  });
});

describe('the creation of a token', () => {
  const input = (requestId: string, over: object = {}) => ({
    requestId,
    tokenName: 'Ajolote',
    tokenSymbol: 'AJO',
    network: 'ethereum' as const,
    totalSupply: '1000000000',
    ownerWallet: COMPLETE.ownerWalletAddress ?? '',
    description: '',
    confirmation: (over as { tokenSymbol?: string }).tokenSymbol?.trim() ?? 'AJO',
    ...over,
  });
  const counts = () =>
    app.sql(`select (select count(*) from audit_events) as audit, (select max(updated_at) from token_creation_submissions) as requests,
      (select max(updated_at) from payments) as payments`);

  it('is refused before the payment and without a configured chain, and changes nothing [AMB-187]', async () => {
    await freshProof();
    await expect(api.createToken(input('5b6c5a3e-0d0b-4b6e-9a55-000000000000'))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const request = await order();
    await expect(api.createToken(input(request.id))).rejects.toMatchObject({
      code: 'NOT_DELIVERABLE',
      data: { why: 'unpaid' },
    });
    await request.pays(0.5);
    await expect(api.createToken(input(request.id))).rejects.toMatchObject({ data: { why: 'not_accepted' } });
    await request.pays(1);
    const before = await counts();
    await expect(api.createToken(input(request.id))).rejects.toMatchObject({
      code: 'CHAIN_UNAVAILABLE',
      status: 502,
      data: { why: 'not_configured' },
    });
    expect(await counts()).toEqual(before);
    await staleProof();
    await expect(api.createToken(input(request.id))).rejects.toMatchObject({ code: 'STEP_UP_NEEDED' });
    await freshProof();
  });

  it.each([
    ['requestId', { requestId: '' }, 'required'],
    ['requestId', { requestId: 'FL-123' }, 'idInvalid'],
    ['tokenName', { tokenName: '  ' }, 'required'],
    ['tokenName', { tokenName: 'ñ'.repeat(17) }, 'nameLong'],
    ['tokenSymbol', { tokenSymbol: '' }, 'required'],
    ['tokenSymbol', { tokenSymbol: 'SIETEEE' }, 'symbolLong'],
    ['tokenSymbol', { tokenSymbol: '火火火火' }, 'symbolBytes'],
    ['tokenSymbol', { tokenSymbol: 'A B' }, 'unprintable'],
    ['totalSupply', { totalSupply: '0' }, 'supplyWhole'],
    ['totalSupply', { totalSupply: '1.5' }, 'supplyWhole'],
    ['totalSupply', { totalSupply: '1e9' }, 'supplyWhole'],
    ['totalSupply', { totalSupply: '-1' }, 'supplyWhole'],
    ['totalSupply', { totalSupply: '9007199254740992' }, 'supplyTooLarge'],
    ['ownerWallet', { ownerWallet: '' }, 'required'],
    ['ownerWallet', { ownerWallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD' }, 'walletInvalid'],
    ['ownerWallet', { network: 'solana' }, 'walletInvalid'],
    ['description', { description: 'x'.repeat(5_001) }, 'descriptionLong'],
    ['confirmation', { confirmation: 'ajo' }, 'confirmationDiffers'],
    ['confirmation', { confirmation: '' }, 'confirmationDiffers'],
  ])(
    'refuses a wrong %s before the procedure runs, as the form does: %o [A-TOKEN-16] [A-TOKEN-24] [A-TOKEN-26] [AMB-189]',
    async (field, over, fault) => {
      const call = api.createToken(input('5b6c5a3e-0d0b-4b6e-9a55-000000000000', over) as never);
      await expect(call).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        data: { issues: expect.arrayContaining([expect.objectContaining({ path: [field], message: fault })]) },
      });
    },
  );

  it('is for admins only', async () => {
    const request = await order();
    for (const role of ['user', 'moderator'] as const) {
      const theirs = app.as(await app.member({ role })).admin.tokenRequests;
      for (const call of [
        theirs.list({}),
        theirs.read({ id: request.id }),
        theirs.ofPayment({ paymentId: request.paymentId }),
        theirs.checkPayment({ paymentId: request.paymentId }),
        theirs.acceptPayment({ paymentId: request.paymentId, reason: 'x' }),
        theirs.notePayment({ paymentId: request.paymentId, note: 'x' }),
        theirs.createToken(input(request.id)),
        theirs.retryCreation({ requestId: request.id }),
        theirs.chains(),
      ])
        await expect(call).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
  });
});
