import { describe, expect, it } from 'vitest';
import { DELIVERABLES, itemsOfPlan } from '#contract/domains/deliverables.ts';
import type { Plan } from '#contract/domains/payments.ts';
import { PLANS } from '#contract/limits.ts';
import { createdToken } from '#tests/support/chains/created-token.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';
import { halvesImage } from '#tests/support/samples/images.ts';
import { watchDeliverables } from './watch.service.ts';

const { app, order, draft, count } = await paymentRig();
const admin = await app.member({ role: 'admin' });
const colleague = await app.member({ role: 'admin' });
const back = app.as(admin).admin;
const theirs = app.as(colleague).admin;
const DAY = 86_400_000;
const HASH = (digit: string) => `0x${digit.repeat(64)}`;

const watch = () =>
  watchDeliverables({ db: app.services.db, jobs: app.services.jobs, secret: app.secret, now: app.now });
async function paid(plan: Plan = 'basic') {
  const request = await order(plan);
  request.move('finished', 1);
  await request.check();
  const task = async (item: string) => {
    const { rows } = await back.deliverables.list({ request: request.id, state: 'all', size: 100 });
    const found = rows.find((row) => row.item === item);
    if (!found) throw new Error(`no task ${item}`);
    return found;
  };
  const mails = async () => (await app.deliverMails()).filter(({ to }) => to === request.email);
  const item = async (key: string) => (await request.read()).items.find((one) => one.key === key);
  return { ...request, task, mails, item };
}

describe('the deliverables of a plan', () => {
  it('cover each of its lines, also those that stand for a whole other plan [AMB-215]', () => {
    for (const plan of Object.keys(PLANS) as Plan[]) {
      const items = itemsOfPlan(plan);
      for (const line of PLANS[plan].items)
        expect(items.some((one) => one.item === line || one.line === line)).toBe(true);
      expect(new Set(items.map(({ item }) => item)).size).toBe(items.length);
      for (const { item } of items) expect(DELIVERABLES[item]).toBeDefined();
    }
    expect(itemsOfPlan('complete')).toHaveLength(6 + 5 + 7);
  });
});

describe('the deliverables of an order', () => {
  it('are created once it is paid in full, and not before or for a part of the price', async () => {
    const request = await order('standard');
    expect((await request.read()).items.every(({ state, dueAt }) => state === 'promised' && dueAt === null)).toBe(true);
    request.move('partially_paid', 0.4);
    await request.check();
    expect(await count('deliverables where submission_id = $1', [request.id])).toBe(0);
    request.move('finished', 1);
    await request.check();
    expect(await count('deliverables where submission_id = $1', [request.id])).toBe(11);
    const [row] = await app.sql('select due_at from deliverables where submission_id = $1 and item = $2', [
      request.id,
      'marketAnalysis',
    ]);
    expect(row?.['due_at']).toEqual(new Date(app.now.getTime() + 30 * DAY));
    // Checked and watched again: none is created twice.
    await request.check();
    await watch();
    expect(await count('deliverables where submission_id = $1', [request.id])).toBe(11);
    expect(await count("audit_events where action = 'deliverable.begun' and resource_id = $1", [request.id])).toBe(1);
  });

  it('are created when an admin accepts a partial payment as enough', async () => {
    const request = await order('basic');
    request.move('partially_paid', 0.9);
    await request.check();
    await back.tokenRequests.acceptPayment({ paymentId: request.paymentId, reason: 'Close enough' });
    expect(await count('deliverables where submission_id = $1', [request.id])).toBe(6);
  });

  it('are created by the watch job for an order that an earlier version recorded as paid', async () => {
    const request = await paid();
    await app.sql('delete from deliverables where submission_id = $1', [request.id]);
    expect(await watch()).toMatchObject({ begun: 1 });
    expect(await count('deliverables where submission_id = $1', [request.id])).toBe(6);
  });

  it('are withdrawn when the money was returned', async () => {
    const request = await paid();
    request.move('refunded', 1);
    await request.check();
    expect((await request.task('docs')).state).toBe('withdrawn');
    expect((await request.item('docs'))?.state).toBe('withdrawn');
  });
});

describe('delivering an item', () => {
  it('shows the payer its date, evidence and note, and mails the evidence [AMB-215]', async () => {
    const request = await paid();
    await request.mails();
    const { id, version } = await request.task('docs');
    const done = await back.deliverables.deliver({
      id,
      version,
      kind: 'url',
      evidence: 'https://docs.example.org/token',
      note: 'Versión 1',
    });
    expect(done).toMatchObject({ state: 'delivered', evidence: 'https://docs.example.org/token', overdue: false });
    expect(await request.item('docs')).toMatchObject({
      state: 'done',
      doneAt: app.now.toISOString(),
      evidence: { kind: 'url', value: 'https://docs.example.org/token' },
      note: 'Versión 1',
    });
    const mail = (await request.mails()).at(-1);
    expect(mail?.subject).toBe(`Entregado: novedades de tu pedido ${request.payment.orderId}`);
    expect(mail?.text).toContain('Documentación');
    expect(mail?.text).toContain('https://docs.example.org/token');
  });

  it.each([
    ['docs', 'url', 'http://docs.example.org', 'url'],
    ['docs', 'url', 'https://localhost/x', 'url'],
    ['docs', 'url', 'javascript:alert(1)', 'url'],
    ['docs', 'url', 'https://user:pass@docs.example.org', 'url'],
    ['docs', 'transaction', HASH('a'), 'kind'],
    ['docs', 'file', '/etc/passwd', 'file'],
    ['uniqueToken', 'transaction', `${HASH('a')}0`, 'transaction'],
    // A signature of Solana, for a token on Ethereum.
    ['uniqueToken', 'transaction', '5'.repeat(87), 'transaction'],
  ] as const)('refuses for %s evidence of kind %s: %s', async (item, kind, evidence, why) => {
    const request = await paid();
    const { id, version } = await request.task(item);
    await expect(back.deliverables.deliver({ id, version, kind, evidence })).rejects.toMatchObject({
      code: 'EVIDENCE_REFUSED',
      data: { why },
    });
    expect((await request.task(item)).state).toBe('open');
  });

  it('refuses evidence that is used for another item, regardless of its case', async () => {
    const one = await paid();
    const other = await paid();
    const first = await one.task('uniqueToken');
    await back.deliverables.deliver({ id: first.id, version: first.version, kind: 'transaction', evidence: HASH('b') });
    const second = await other.task('uniqueToken');
    await expect(
      back.deliverables.deliver({
        id: second.id,
        version: second.version,
        kind: 'transaction',
        evidence: HASH('B'),
      }),
    ).rejects.toMatchObject({
      code: 'EVIDENCE_USED',
      data: { orderId: one.payment.orderId, what: 'uniqueToken' },
    });
  });

  it.each(['https://docs.example.org./Guia', 'https://docs.example.org:443/%47uia?', 'HTTPS://DOCS.example.org/Guia#'])(
    'recognizes a used address written as %s',
    async (evidence) => {
      const [one, other] = [await paid(), await paid()];
      const [first, second] = [await one.task('docs'), await other.task('docs')];
      const by = ({ id, version }: { id: string; version: number }, address: string) =>
        back.deliverables.deliver({ id, version, kind: 'url', evidence: address });
      const used = (error: { code?: string }) => expect(error.code).toBe('EVIDENCE_USED');
      await by(first, 'https://docs.example.org/Guia').catch(used);
      await by(second, evidence).then(() => expect.unreachable(), used);
      // An address that may be another page counts as another.
      expect(await by(second, `https://docs.example.org/Guia/${second.id}#2`)).toMatchObject({ state: 'delivered' });
    },
  );

  it('accepts the same evidence for one item only, also in concurrent requests', async () => {
    const [one, other] = [await paid(), await paid()];
    const [first, second] = [await one.task('docs'), await other.task('docs')];
    const by = ({ id, version }: { id: string; version: number }) =>
      back.deliverables.deliver({ id, version, kind: 'url', evidence: 'https://docs.example.org/at-once' });
    const done = await Promise.allSettled([by(first), by(second)]);
    expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = done.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'EVIDENCE_USED' });
  });

  it('accepts an image uploaded by the admin, and no other; the mail links to it', async () => {
    const request = await paid();
    await request.mails();
    const { id, version } = await request.task('docs');
    await expect(
      back.deliverables.deliver({ id, version, kind: 'file', evidence: `/media/${'a'.repeat(32)}.webp` }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { url } = await app.services.media.store({
      bytes: await halvesImage(20, 20).png().toBuffer(),
      declared: null,
      bucket: 'project-images',
      owner: { userId: admin.id },
      actor: { id: admin.id, role: 'admin', ipHash: null, requestId: null },
    });
    await back.deliverables.deliver({ id, version, kind: 'file', evidence: url });
    const [mail] = (await request.mails()).filter(({ subject }) => subject.startsWith('Entregado'));
    expect(mail?.text).toContain(`La prueba es esta imagen.\nhttp://florka.test${url}`);
    expect(mail?.html).toContain(`href="http://florka.test${url}"`);
  });

  it('refuses the later of two admins with the current state', async () => {
    const request = await paid();
    const { id, version } = await request.task('docs');
    await back.deliverables.deliver({ id, version, kind: 'url', evidence: 'https://docs.example.org/meet' });
    await expect(theirs.deliverables.withdraw({ id, version, reason: 'No', refund: 'no' })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { version: version + 1, current: { state: 'delivered', evidence: 'https://docs.example.org/meet' } },
    });
    await expect(
      theirs.deliverables.deliver({ id, version: version + 1, kind: 'url', evidence: 'https://other.example.org' }),
    ).rejects.toMatchObject({ code: 'DELIVERABLE_CLOSED', data: { state: 'delivered' } });
  });

  it('follows the token: its item is delivered with its transaction, items due from it get their dates', async () => {
    const request = await paid();
    expect((await request.task('docs')).dueAt).toBeNull();
    const { transaction } = await createdToken(app, request.id);
    await watch();
    expect(await request.item('uniqueToken')).toMatchObject({
      state: 'done',
      evidence: { kind: 'creation', value: transaction },
    });
    expect((await request.task('docs')).dueAt).toBe(
      new Date(Date.parse('2026-03-01T00:00:00Z') + 14 * DAY).toISOString(),
    );
  });
});

describe('an overdue item', () => {
  it('is in the inbox at once, and is mailed once with its consequence', async () => {
    const request = await paid('standard');
    await request.mails();
    const { id } = await request.task('marketAnalysis');
    const waiting = async () => (await back.inbox.list({ source: 'deliverable' })).items.some((item) => item.id === id);
    // The inbox uses the database's clock.
    await app.sql("update deliverables set due_at = now() + interval '1 minute' where id = $1", [id]);
    expect(await waiting()).toBe(false);
    await app.sql("update deliverables set due_at = now() - interval '1 minute' where id = $1", [id]);
    expect(await waiting()).toBe(true);
    app.pass(61_000);
    await app.sql('update deliverables set due_at = $2 where id = $1', [id, new Date(app.now.getTime() - 1)]);
    await watch();
    await watch();
    const mails = (await request.mails()).filter(({ subject }) => subject.startsWith('Vamos con retraso'));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('Análisis de mercado');
    expect(mails[0]?.text).toContain('Si no está en su plazo');
    expect(await request.item('marketAnalysis')).toMatchObject({ late: true });
    const { rows } = await back.deliverables.list({ state: 'open' });
    expect(rows[0]).toMatchObject({ id, overdue: true });
    expect((await back.deliverables.list({ overdue: 'yes' })).rows.every(({ overdue }) => overdue)).toBe(true);
  });
});

describe('withdrawing an item', () => {
  it('opens a refund in the same action, and mails about both', async () => {
    const request = await paid();
    await request.mails();
    const { id, version, assets } = await request.task('socialIntegration');
    const [asset = ''] = assets;
    await expect(
      back.deliverables.withdraw({ id, version, reason: 'No se puede', refund: 'yes', asset, amount: '9999999' }),
    ).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'amount' } });
    await expect(
      back.deliverables.withdraw({ id, version, reason: 'No se puede', refund: 'yes', asset: 'doge', amount: '1' }),
    ).rejects.toMatchObject({ code: 'REFUND_REFUSED', data: { why: 'asset' } });
    expect((await request.task('socialIntegration')).state).toBe('open');
    await back.deliverables.withdraw({ id, version, reason: 'No se puede', refund: 'yes', asset, amount: '12.5' });
    const page = await request.read();
    const [refund] = page.refunds;
    expect(refund).toMatchObject({
      state: 'address_needed',
      amount: '12.5',
      cause: 'deliverable',
      reason: 'No se puede',
    });
    expect(page.items.find(({ key }) => key === 'socialIntegration')).toMatchObject({
      state: 'withdrawn',
      withdrawnReason: 'No se puede',
      refund: refund?.number,
    });
    const subjects = (await request.mails()).map(({ subject }) => subject);
    expect(subjects).toEqual(
      expect.arrayContaining([
        `Algo de tu pedido ${request.payment.orderId} no se entregará`,
        `Devolución ${refund?.number}: dinos adónde enviarla`,
      ]),
    );
  });
});

describe('the terms of an item', () => {
  it('apply to orders paid after a change; every version is retained', async () => {
    const before = await paid();
    const [now] = (await back.deliverables.terms()).filter(({ item }) => item === 'basicSupport');
    if (!now) throw new Error('no terms');
    const form = {
      dueFrom: 'payment' as const,
      dueDays: 3,
      ifNotEs: 'Te lo compensamos',
      ifNotEn: 'We make up for it',
      offered: true,
    };
    const saved = await back.deliverables.saveTerms({ item: 'basicSupport', version: now.version, ...form });
    expect(saved).toMatchObject({ version: now.version + 1, dueDays: 3 });
    await expect(
      theirs.deliverables.saveTerms({ item: 'basicSupport', version: now.version, ...form, dueDays: 9 }),
    ).rejects.toMatchObject({ code: 'VERSION_CONFLICT', data: { current: { dueDays: 3 } } });
    expect((await back.deliverables.termsHistory({ item: 'basicSupport' })).map(({ version }) => version)).toEqual([
      1, 0,
    ]);
    const after = await paid();
    expect((await after.item('basicSupport'))?.ifNot).toEqual({ es: 'Te lo compensamos', en: 'We make up for it' });
    expect((await before.item('basicSupport'))?.ifNot.es).not.toBe('Te lo compensamos');
    await expect(app.sql("update deliverable_terms set if_not_es = 'x'")).rejects.toThrow(/are kept/);
    await expect(app.sql('delete from deliverable_terms')).rejects.toThrow(/are kept/);
  });

  it('take plans off sale while an item is not offered, also for an order that expired [AMB-215]', async () => {
    const old = await order('standard');
    old.move('expired');
    await old.check();
    expect(await old.state()).toBe('expired');
    const renew = () => old.api.tokenRequests.renew({ id: old.id, key: old.orderKey, locale: 'es' });
    const [now] = (await back.deliverables.terms()).filter(({ item }) => item === 'liquidityPool');
    if (!now) throw new Error('no terms');
    const { dueFrom, dueDays, ifNotEs, ifNotEn } = now;
    const terms = { item: 'liquidityPool' as const, dueFrom, dueDays, ifNotEs, ifNotEn };
    const off = await back.deliverables.saveTerms({ ...terms, version: now.version, offered: false });
    const request = await draft();
    await expect(request.pay('complete')).rejects.toMatchObject({
      code: 'PLAN_OFF_SALE',
      data: { plan: 'complete', items: ['liquidityPool'] },
    });
    expect(await count('payments where submission_id = $1', [request.id])).toBe(0);
    await expect(renew()).rejects.toMatchObject({ code: 'PLAN_OFF_SALE', data: { plan: 'standard' } });
    expect(await count('payments where submission_id = $1', [old.id])).toBe(1);
    const { plans } = await request.api.deliverables.terms();
    expect(plans.filter(({ onSale }) => !onSale).map(({ plan }) => plan)).toEqual(['standard', 'complete']);
    expect((await request.pay('basic')).state).toBe('awaiting');
    await back.deliverables.saveTerms({ ...terms, version: off.version, offered: true });
    expect((await request.pay('complete')).plan).toBe('complete');
    expect(await renew()).toMatchObject({ stage: 'awaiting_payment', plan: 'standard' });
  });
});

it('deliverables of an order are exported as CSV, the longest overdue first', async () => {
  const request = await paid();
  const [docs, support] = [await request.task('docs'), await request.task('basicSupport')];
  const overdue = (id: string, days: number) =>
    app.sql('update deliverables set due_at = $2 where id = $1', [id, new Date(app.now.getTime() - days * DAY)]);
  await overdue(support.id, 1);
  await overdue(docs.id, 2);
  const csv = await app.http(`/api/admin/deliverables.csv?q=${request.payment.orderId}`, {
    headers: { cookie: admin.cookie },
  });
  expect(csv.status).toBe(200);
  const lines = (await csv.text()).trim().split('\n');
  expect(lines).toHaveLength(1 + 6);
  expect(lines[1]).toContain(request.payment.orderId);
  expect(lines.slice(1, 3).map((line) => line.split(',')[0])).toEqual([docs.id, support.id]);
});

it('the CSV with headings for people has names instead of codes', async () => {
  const request = await paid();
  const csv = await app.http(`/api/admin/deliverables.csv?headings=es&q=${request.payment.orderId}`, {
    headers: { cookie: admin.cookie },
  });
  expect(csv.status).toBe(200);
  const text = await csv.text();
  expect(text).toContain('Pedido,Comprada (UTC),Token,Plan,Red,Email,Entrega,Clase,Estado,');
  expect(text).toContain('Token único,Token,Por hacer,');
  expect(text).not.toContain('uniqueToken');
});

it('deliverables are managed by admins only', async () => {
  const request = await paid();
  const { id, version } = await request.task('docs');
  for (const role of ['user', 'moderator'] as const) {
    const api = app.as(await app.member({ role })).admin.deliverables;
    for (const call of [
      api.list({}),
      api.terms(),
      api.deliver({ id, version, kind: 'url', evidence: 'https://a.example.org' }),
      api.withdraw({ id, version, reason: 'x', refund: 'no' }),
    ])
      await expect(call).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
});
