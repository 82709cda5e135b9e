import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { PLANS } from '#contract/limits.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { fakeProvider } from '#tests/support/payments/fake-provider.ts';

let clock = () => 0;
const fake = fakeProvider(() => clock());
const app = await startTestApp({ payments: fake.provider, trustProxy: 1 });
clock = () => app.now.getTime();

const ROLES = ['visitor', 'member', 'forum member', 'moderator', 'admin', 'ended session'] as const;
type Role = (typeof ROLES)[number];

let serial = 0;
/** A person with a browser at a separate IP address. */
async function someone(role: Role) {
  const person =
    role === 'visitor'
      ? null
      : await app.member(role === 'moderator' || role === 'admin' ? { role } : { verified: true });
  if (person && role === 'forum member') await app.as(person).forum.create({ title: 'Hola', content: `Soy ${serial}` });
  if (person && role === 'ended session') await app.sql('delete from sessions where user_id = $1', [person.id]);
  const from = {
    'x-forwarded-for': `10.${20 + Math.floor(++serial / 250)}.${serial % 250}.1`,
    ...(person ? { cookie: person.cookie } : {}),
  };
  const call = async (method: string, target: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await app.http(target, {
      method,
      headers: { 'content-type': 'application/json', ...from, ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json().catch(() => null)) as Record<string, unknown> | null };
  };
  return { call, from };
}
type Someone = Awaited<ReturnType<typeof someone>>;

async function draftOf(person: Someone) {
  app.pass(1_500);
  const { status, body } = await person.call('POST', '/api/token-requests', { data: COMPLETE });
  expect(status).toBe(200);
  return body as { id: string; secret: string; version: number; orderKey: string };
}
type Draft = Awaited<ReturnType<typeof draftOf>>;
const paid = async (draft: Draft, person: Someone) => {
  const { body } = await pay(draft)(person, draft.secret);
  const invoice = fake.invoiceOf(body?.['orderId']);
  fake.move(invoice, fake.newDepositId(), 'finished', { actuallyPaid: PLANS.entry.priceUsd * 2 });
  app.pass(11_000);
  await check(draft)(person, draft.secret);
};

type Action = (
  by: Someone,
  secret: string | undefined,
) => Promise<{ status: number; body: Record<string, unknown> | null }>;
const withSecret = (secret: string | undefined) => (secret ? { secret } : {});
const read =
  ({ id }: Draft): Action =>
  (by, secret) =>
    by.call('POST', `/api/token-requests/${id}/read`, withSecret(secret));
const save =
  ({ id, version }: Draft, data: object = { tokenName: 'Otro' }): Action =>
  (by, secret) =>
    by.call('PUT', `/api/token-requests/${id}`, { ...withSecret(secret), version, data });
const pay =
  ({ id }: Draft): Action =>
  (by, secret) =>
    by.call('POST', `/api/token-requests/${id}/payment`, { ...withSecret(secret), plan: 'entry', locale: 'es' });
const check =
  ({ id }: Draft): Action =>
  (by, secret) =>
    by.call('POST', `/api/token-requests/${id}/check`, withSecret(secret));
const image = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#fb2' } })
  .png()
  .toBuffer();
const upload =
  ({ id }: Draft): Action =>
  async (by, secret) => {
    const answer = await app.http('/uploads?bucket=token-images', {
      method: 'POST',
      headers: { 'content-type': 'image/png', ...by.from, ...(secret ? { 'x-draft': `${id}.${secret}` } : {}) },
      body: new Uint8Array(image),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

const hasSession = (role: Role) => role !== 'visitor' && role !== 'ended session';

/** The access table (rows 14 to 20): one's own, one's own with the secret alone, and another person's. */
describe.each(ROLES)('a %s', (role) => {
  it('begins a request (row 14), reads and saves it (row 15)', async () => {
    const me = await someone(role);
    const draft = await draftOf(me);
    expect((await read(draft)(me, draft.secret)).status).toBe(200);
    // Members need no secret for their own requests; everyone else does.
    expect((await read(draft)(me, undefined)).status).toBe(hasSession(role) ? 200 : 404);
    expect((await save(draft)(me, hasSession(role) ? undefined : draft.secret)).status).toBe(200);
    // The private link opens it elsewhere, signed in or not.
    const elsewhere = await someone('visitor');
    expect((await read(draft)(elsewhere, draft.secret)).status).toBe(200);
  });

  it('gets 404 for another person’s request without its secret (rows 15 to 20)', async () => {
    const me = await someone(role);
    const mine = await draftOf(me);
    for (const owner of ['visitor', 'member'] as const) {
      const foreign = await draftOf(await someone(owner));
      const unknown = { ...foreign, id: crypto.randomUUID() };
      for (const action of [read, save, pay, check])
        for (const target of [foreign, unknown])
          for (const secret of [undefined, mine.secret, `${foreign.secret}x`, foreign.orderKey])
            expect((await action(target)(me, secret)).status).toBe(404);
    }
    // An image for another person's draft is refused; members may upload for themselves.
    const foreign = await draftOf(await someone('visitor'));
    const sent = await upload(foreign)(me, mine.secret);
    expect(sent.status).toBe(hasSession(role) ? 201 : 401);
    const [row] = await app.sql<{ n: number }>('select count(*)::int as n from media where owner_draft_id = $1', [
      foreign.id,
    ]);
    expect(row?.n).toBe(0);
  });

  it('uploads an image (row 17), creates a payment (row 18) and reads its state (row 19)', async () => {
    const me = await someone(role);
    const draft = await draftOf(me);
    expect((await upload(draft)(me, draft.secret)).status).toBe(201);
    const made = await pay(draft)(me, draft.secret);
    expect([made.status, made.body?.['priceAmount']]).toEqual([200, PLANS.entry.priceUsd]);
    const state = await check(draft)(me, draft.secret);
    expect([state.status, state.body?.['answer']]).toEqual([200, 'not_paid']);
  });

  it('cannot change a paid request (row 16)', async () => {
    const me = await someone(role);
    const draft = await draftOf(me);
    await paid(draft, me);
    expect(await save(draft)(me, draft.secret)).toMatchObject({ status: 409, body: { code: 'LOCKED' } });
    const other = await me.call('POST', `/api/token-requests/${draft.id}/payment`, {
      secret: draft.secret,
      plan: 'complete',
      locale: 'es',
    });
    expect(other).toMatchObject({ status: 409, body: { code: 'LOCKED' } });
    expect((await save(draft)(await someone(role), undefined)).status).toBe(404);
  });

  it('cannot write state, price, owner or payment (row 20)', async () => {
    const me = await someone(role);
    const draft = await draftOf(me);
    const state = () =>
      app.sql(
        `select status, payment_status, plan_price_usd, payment_id, user_id, membership_type, version
         from token_creation_submissions where id = $1`,
        [draft.id],
      );
    const before = await state();
    const smuggled = {
      status: 'completed',
      payment_status: 'completed',
      paymentStatus: 'completed',
      plan_price_usd: 1,
      priceUsd: 1,
      user_id: crypto.randomUUID(),
      userId: crypto.randomUUID(),
      payment_id: '1',
      locked: false,
      version: 99,
    };
    for (const [name, value] of Object.entries(smuggled)) {
      expect((await save(draft, { [name]: value })(me, draft.secret)).status, name).toBe(400);
      if (name === 'version') continue;
      const beside = await me.call('PUT', `/api/token-requests/${draft.id}`, {
        secret: draft.secret,
        version: draft.version,
        data: {},
        [name]: value,
      });
      expect(beside.status, name).toBe(400);
      const atPay = await me.call('POST', `/api/token-requests/${draft.id}/payment`, {
        secret: draft.secret,
        plan: 'entry',
        locale: 'es',
        [name]: value,
      });
      expect(atPay.status, name).toBe(400);
      expect((await me.call('POST', '/api/token-requests', { data: { [name]: value } })).status, name).toBe(400);
    }
    expect(await state()).toEqual(before);
  });

  it('can send a signed callback, and none with another signature (row 21)', async () => {
    const me = await someone(role);
    const draft = await draftOf(me);
    await pay(draft)(me, draft.secret);
    const invoice = fake.invoices.at(-1);
    if (!invoice) throw new Error('no invoice');
    const { body, signature } = fake.callback(fake.move(invoice, fake.newDepositId(), 'waiting'));
    const send = (sign: string) =>
      app.http('/webhooks/nowpayments', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'x-nowpayments-sig': sign, ...me.from },
      });
    expect((await send(signature)).status).toBe(200);
    expect((await send(signature.replace(/^./, (sign) => (sign === '0' ? '1' : '0')))).status).toBe(401);
  });
});

describe('pages of other sites', () => {
  it.each([
    ['origin', 'https://evil.test'],
    ['sec-fetch-site', 'cross-site'],
  ])('cannot write for a member (%s: %s)', async (name, value) => {
    const me = await someone('member');
    const draft = await draftOf(me);
    const target = `/api/token-requests/${draft.id}`;
    for (const [method, path, body] of [
      ['POST', '/api/token-requests', { data: {} }],
      ['PUT', target, { version: draft.version, data: { tokenName: 'X' } }],
      ['POST', `${target}/payment`, { plan: 'entry', locale: 'es' }],
    ] as const)
      expect((await me.call(method, path, body, { [name]: value })).status).toBe(403);
  });
});
