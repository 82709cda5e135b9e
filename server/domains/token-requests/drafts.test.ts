import { randomBytes } from 'node:crypto';
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DraftData, draftData } from '#contract/domains/token-requests.ts';
import type { SolvedChallenge } from '#contract/fields/challenge.ts';
import { httpLink } from '#contract/fields/links.ts';
import { EMPTY_DRAFT } from '#contract/fields/token-form.ts';
import { PLANS } from '#contract/limits.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { fakeProvider } from '#tests/support/payments/fake-provider.ts';
import { cleanDraft } from './draft.policy.ts';
import { draftOfUpload } from './drafts.service.ts';

const fake = fakeProvider(() => app.now.getTime());
const app = await startTestApp({ payments: fake.provider });

let serial = 0;
const guest = () => app.as(null, { address: `10.9.${++serial % 250}.1` });
async function begin(data: Partial<DraftData> = COMPLETE) {
  app.pass(1_500);
  const api = guest();
  return { api, ...(await api.tokenRequests.create({ data })) };
}
const rowOf = async (id: string) =>
  (await app.sql('select * from token_creation_submissions where id = $1', [id]))[0] ?? {};

/** The API's response to any client, over HTTP. */
async function call(name: string, input: unknown, cookie?: string) {
  const response = await app.post(`/rpc/tokenRequests/${name}`, { json: input }, cookie ? { headers: { cookie } } : {});
  const { json } = (await response.json()) as { json: { code?: string } };
  return { status: response.status, code: json.code };
}

describe('saving a draft', () => {
  it('begins with a secret of 256 bits that only its author has, and keeps the whole form [SEC-02] [CREATE-73] [CREATE-75]', async () => {
    const { id, secret, version, data, hints, status, paymentStatus, priceUsd } = await begin({
      ...COMPLETE,
      porcentajeMarketing: ' 12,5 % ',
      smartContractWritten: true,
      selectedPlan: 'standard',
    });
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect([status, paymentStatus, priceUsd]).toEqual(['incomplete', 'pending', PLANS.standard.priceUsd]);
    expect(hints).toEqual([]);
    expect(data).toEqual({
      ...EMPTY_DRAFT,
      ...COMPLETE,
      porcentajeMarketing: '12,5 %',
      smartContractWritten: true,
      selectedPlan: 'standard',
    });
    const row = await rowOf(id);
    expect(row).toMatchObject({
      version,
      user_id: null,
      membership_type: 'standard',
      plan_price_usd: 3_000,
      owner_wallet_address: COMPLETE.ownerWalletAddress,
      petitioner_email: COMPLETE.petitionerEmail,
      petitioner_telegram: '@ana',
      selected_network: 'ethereum',
    });
    expect(JSON.stringify(row)).not.toContain(secret);
  });

  it('with one secret creates one draft, also by concurrent calls, and returns its current state', async () => {
    const api = guest();
    const secret = randomBytes(32).toString('base64url');
    const both = await Promise.all([1, 2].map(() => api.tokenRequests.create({ data: { tokenName: 'Aji' }, secret })));
    const [id, ...others] = new Set(both.map((draft) => draft.id));
    expect(others).toEqual([]);
    expect(both.map((draft) => draft.secret)).toEqual([secret, secret]);
    await api.tokenRequests.save({
      id: id ?? '',
      secret,
      version: both[0]?.version ?? 0,
      data: { tokenName: 'Aji Token' },
    });
    const again = await guest().tokenRequests.create({ data: { tokenName: 'Aji' }, secret });
    expect(again).toMatchObject({ id, secret, data: { tokenName: 'Aji Token' } });
    const created = "select 1 from audit_events where action = 'request.created' and resource_id = $1";
    expect(await app.sql(created, [id])).toHaveLength(1);
    for (const weak of ['', 'x'.repeat(42), `${'x'.repeat(42)}!`])
      await expect(api.tokenRequests.create({ data: {}, secret: weak })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('changes the given fields only, and refuses an outdated version', async () => {
    const { api, id, secret, version } = await begin();
    const saved = await api.tokenRequests.save({ id, secret, version, data: { tokenName: 'Axolotl' } });
    expect(saved).toMatchObject({ version: version + 1, data: { tokenName: 'Axolotl', tokenSymbol: 'AJO' } });
    await expect(api.tokenRequests.save({ id, secret, version, data: { tokenName: 'Otro' } })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { version: saved.version, current: { data: { tokenName: 'Axolotl' } } },
    });
    expect((await api.tokenRequests.read({ id, secret })).data.tokenName).toBe('Axolotl');
  });

  it('stores the furthest step, also without a changed field, and never an earlier one', async () => {
    const { api, id, secret, version } = await begin();
    const stored = async () => (await rowOf(id))['furthest_step'];
    expect(await stored()).toBeNull();
    const save = (at: number, step?: number) => api.tokenRequests.save({ id, secret, version: at, data: {}, step });
    const third = await save(version, 3);
    expect([await stored(), third.data.tokenName]).toEqual([3, COMPLETE.tokenName]);
    const back = await save(third.version, 2);
    const silent = await save(back.version);
    expect(await stored()).toBe(3);
    for (const step of [0, 6, 2.5, -1])
      await expect(save(silent.version, step)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await save(silent.version, 5);
    expect(await stored()).toBe(5);
    const begun = await guest().tokenRequests.create({ data: { tokenName: 'Aji' }, step: 2 });
    expect((await rowOf(begun.id))['furthest_step']).toBe(2);
    // The database refuses a step that the wizard does not have.
    for (const step of [0, 6])
      await expect(
        app.sql('update token_creation_submissions set furthest_step = $1 where id = $2', [step, id]),
      ).rejects.toMatchObject({ constraint: 'token_creation_submissions_furthest_step' });
  });

  it('accepts one of six concurrent calls', async () => {
    const { api, id, secret, version } = await begin();
    const answers = await Promise.allSettled(
      Array.from({ length: 6 }, (_, i) =>
        api.tokenRequests.save({ id, secret, version, data: { tokenName: `Name ${i}` } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('drops invalid links, and returns hints about what would prevent the payment', async () => {
    const { data, hints } = await begin({
      ...COMPLETE,
      websiteUrl: 'javascript:alert(1)',
      telegramUrl: 'https://t.me/ajo',
      twitter: '@ajo',
      imageUrl: '/media/00000000000000000000000000000000.webp',
      ownerWalletAddress: (COMPLETE.ownerWalletAddress ?? '').toLowerCase(),
      petitionerEmail: 'nobody',
      selectedNetwork: 'polygon',
    });
    expect([data.websiteUrl, data.telegramUrl, data.twitter, data.imageUrl]).toEqual([
      '',
      'https://t.me/ajo',
      '@ajo',
      '',
    ]);
    expect(hints).toEqual(['walletWithoutChecksum', 'emailInvalid', 'linkDropped', 'imageDropped']);
    await app.sql("update blockchain_networks set is_active = false where key = 'bnb'");
    const other = await begin({ ...COMPLETE, selectedNetwork: 'bnb', ownerWalletAddress: 'x' });
    expect(other.hints).toEqual(['walletInvalid', 'networkInactive']);
  });

  it.each([
    { payment_status: 'completed' },
    { paymentStatus: 'completed' },
    { status: 'completed' },
    { price: 1 },
    { planPriceUsd: 1 },
    { plan_price_usd: 1 },
    { user_id: 'x' },
    { userId: 'x' },
    { payment_id: '1' },
    { membership_type: 'complete' },
    { version: 9 },
    { selectedPlan: 'platinum' },
    { tokenName: 'x'.repeat(121) },
    { tokenName: 5 },
    { creatorFeeShare: 'yes' },
    { selectedNetwork: "'; drop" },
  ])('refuses %j [row 20]', async (field) => {
    const { id, secret, version } = await begin();
    const before = await rowOf(id);
    expect((await call('save', { id, secret, version, data: field })).status).toBe(400);
    expect((await call('save', { id, secret, version, data: {}, ...field })).status).toBe(
      'version' in field ? 409 : 400,
    );
    expect((await call('create', { data: field })).status).toBe(400);
    expect(await rowOf(id)).toEqual(before);
  });

  it('cleans every text and keeps it within its length (fuzz)', () => {
    fc.assert(
      fc.property(
        fc.record({
          tokenName: fc.oneof(fc.string({ unit: 'binary', maxLength: 120 }), fc.constant('\ufb2c'.repeat(120))),
          petitionerTelegram: fc.string({ unit: 'binary', maxLength: 200 }),
          description: fc.string({ unit: 'binary', maxLength: 6_000 }),
          websiteUrl: fc.oneof(
            fc.webUrl(),
            fc.string({ unit: 'binary' }),
            fc.constantFrom('javascript:1', 'data:x', '\\\\host'),
          ),
        }),
        (input) => {
          const { data } = cleanDraft(input);
          expect(draftData.partial().safeParse(data).error).toBeUndefined();
          expect(data.websiteUrl === '' || /^https?:\/\//i.test(data.websiteUrl ?? '')).toBe(true);
          expect(data.tokenName).not.toMatch(/[\p{Cc}\u202e]/u);
        },
      ),
    );
    expect(httpLink('https://user:pass@host.test/')).toBe('');
    expect(httpLink('https://host.test/ space')).toBe('');
    expect(httpLink('HTTPS://host.test/a')).toBe('HTTPS://host.test/a');
  });

  it('is rate-limited per IP address and per draft', async () => {
    const { api, id, secret } = await begin();
    let { version } = await api.tokenRequests.read({ id, secret });
    await expect(
      (async () => {
        for (let i = 0; i < 61; i++)
          ({ version } = await api.tokenRequests.save({ id, secret, version, data: { tokenName: `n${i}` } }));
      })(),
    ).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    const from = app.as(null, { address: '10.77.0.1' });
    await expect(
      (async () => {
        for (let i = 0; i < 11; i++) {
          app.pass(61_000);
          await from.tokenRequests.create({ data: {} });
        }
      })(),
    ).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });
});

describe('access to a request', () => {
  it('is refused with a wrong id, secret or key, as for an unknown request [rows 15-19]', async () => {
    const mine = await begin();
    const other = await begin();
    const stranger = await app.member();
    await mine.api.tokenRequests.pay({ id: mine.id, secret: mine.secret, plan: 'entry', locale: 'es' });
    const before = [await rowOf(mine.id), await app.sql('select * from payments where submission_id = $1', [mine.id])];
    const secrets = [undefined, 'x'.repeat(43), other.secret, `${mine.secret}x`, mine.orderKey];
    for (const secret of secrets)
      for (const cookie of [undefined, stranger.cookie]) {
        const { id } = mine;
        const expected = { status: 404, code: 'NOT_FOUND' };
        expect(await call('read', { id, secret }, cookie)).toEqual(expected);
        expect(await call('save', { id, secret, version: 1, data: {} }, cookie)).toEqual(expected);
        expect(await call('pay', { id, secret, plan: 'entry', locale: 'es' }, cookie)).toEqual(expected);
        expect(await call('check', { id, secret }, cookie)).toEqual(expected);
        expect(await draftOfUpload(app.services.db, `${id}.${secret}`)).toBeNull();
      }
    for (const key of [mine.secret, other.orderKey, 'x'.repeat(43)])
      expect(await call('order', { id: mine.id, key, check: true })).toEqual({ status: 404, code: 'NOT_FOUND' });
    expect([await rowOf(mine.id), await app.sql('select * from payments where submission_id = $1', [mine.id])]).toEqual(
      before,
    );
    // The response for an unknown id is equal.
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect(await call('read', { id: nobody, secret: mine.secret })).toEqual({ status: 404, code: 'NOT_FOUND' });
    expect(await draftOfUpload(app.services.db, `${mine.id}.${mine.secret}`)).toBe(mine.id);
  });

  it('is granted to the member who began it, on any device; a guest’s request stays a guest’s', async () => {
    const ana = await app.member();
    const bea = await app.member();
    const begun = await app.as(ana).tokenRequests.create({ data: COMPLETE });
    expect((await rowOf(begun.id))['user_id']).toBe(ana.id);
    expect((await app.as(ana).tokenRequests.read({ id: begun.id })).data.tokenName).toBe('Ajolote');
    expect(await app.as(ana).tokenRequests.mine()).toMatchObject([{ id: begun.id, stage: 'draft', plan: 'entry' }]);
    expect(await app.as(bea).tokenRequests.mine()).toEqual([]);
    await expect(app.as(bea).tokenRequests.read({ id: begun.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(app.as().tokenRequests.mine()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    // Opening a guest's link does not make it one's own request.
    const guests = await begin();
    const { id, secret, version } = guests;
    await app.as(bea).tokenRequests.save({ id, secret, version, data: { tokenName: 'Bea' } });
    expect((await rowOf(id))['user_id']).toBeNull();
  });

  it('takes secrets in request bodies only, and logs none', async () => {
    const { id, secret } = await begin();
    const query = new URLSearchParams({ data: JSON.stringify({ json: { id, secret } }) });
    for (const name of ['read', 'check', 'pay', 'order'])
      expect((await app.http(`/rpc/tokenRequests/${name}?${query}`)).status).toBe(405);
    const lines = JSON.stringify(app.logged);
    expect(lines).not.toContain(secret);
    expect(lines).not.toContain(COMPLETE.petitionerEmail);
  });

  it('allows no changes once it is paid [row 16]', async () => {
    const mine = await begin();
    const { id, secret } = mine;
    const { orderId } = await mine.api.tokenRequests.pay({ id, secret, plan: 'entry', locale: 'en' });
    const invoice = fake.invoices.find((made) => made.orderId === orderId);
    fake.move(invoice as never, fake.newDepositId(), 'finished', { actuallyPaid: 100 });
    app.pass(11_000);
    await mine.api.tokenRequests.check({ id, secret });
    const { version, locked, data } = await mine.api.tokenRequests.read({ id, secret });
    expect(locked).toBe(true);
    await expect(
      mine.api.tokenRequests.save({ id, secret, version, data: { ownerWalletAddress: '0x1' } }),
    ).rejects.toMatchObject({ code: 'LOCKED' });
    expect((await mine.api.tokenRequests.read({ id, secret })).data).toEqual(data);
    expect(await draftOfUpload(app.services.db, `${id}.${secret}`)).toBeNull();
  });
});

describe('the order page', () => {
  it('shows a draft by its key, without the contact of its author', async () => {
    const { id, orderKey } = await begin({ ...COMPLETE, selectedPlan: 'complete' });
    const seen = await app.as().tokenRequests.order({ id, key: orderKey });
    expect(seen).toMatchObject({
      stage: 'draft',
      next: 'finish_form',
      plan: 'complete',
      payment: null,
      receipt: null,
      answer: 'not_paid',
      tokenName: 'Ajolote',
    });
    // A line for a whole plan is listed as the items of that plan.
    expect(seen.items).toHaveLength(
      PLANS.complete.items.length - 1 + PLANS.standard.items.length - 1 + PLANS.basic.items.length,
    );
    expect(JSON.stringify(seen)).not.toMatch(/ana@|@ana|0x5aAeb/);
  });
});

describe('a burst of anonymous writes', () => {
  const solve = async (challenge: Record<string, unknown>): Promise<SolvedChallenge> => {
    const solution = await solveChallenge({ challenge: challenge as unknown as Challenge, deriveKey });
    if (!solution) throw new Error('not solved');
    return { challenge, solution };
  };
  const challengeOf = async (write: () => Promise<unknown>): Promise<Record<string, unknown>> => {
    for (let i = 0; i < 20; i++) {
      const error = await write().then(
        () => null,
        (failure: { code: string; data: { challenge: Record<string, unknown> } }) => failure,
      );
      if (!error) continue;
      expect(error.code).toBe('CHALLENGE_NEEDED');
      return error.data.challenge;
    }
    throw new Error('never asked');
  };

  it('from one /24 requires a proof of work, which is valid once, before its expiry, and unchanged', async () => {
    app.pass(120_000);
    let last = 0;
    const create = (challenge?: SolvedChallenge, net = 1) =>
      app.as(null, { address: `10.200.${net}.${++last}` }).tokenRequests.create({
        data: {},
        ...(challenge ? { challenge } : {}),
      });
    const challenge = await challengeOf(() => create());
    expect(last).toBe(6);
    const solved = await solve(challenge);
    expect((await create(solved)).id).toBeTruthy();
    await expect(create(solved)).rejects.toMatchObject({ code: 'CHALLENGE_NEEDED' });

    const second = await solve(await challengeOf(() => create()));
    const cheap = structuredClone(second);
    (cheap.challenge['parameters'] as Record<string, unknown>)['cost'] = 1;
    await expect(create(cheap)).rejects.toMatchObject({ code: 'CHALLENGE_NEEDED' });
    const guessed = {
      ...second,
      solution: { ...second.solution, counter: second.solution.counter + 1, derivedKey: '00' },
    };
    await expect(create(guessed)).rejects.toMatchObject({ code: 'CHALLENGE_NEEDED' });
    await expect(create({ challenge: {}, solution: { counter: 1, derivedKey: '' } })).rejects.toMatchObject({
      code: 'CHALLENGE_NEEDED',
    });
    // After ten minutes it has expired.
    app.pass(11 * 60_000);
    for (let i = 0; i < 5; i++) await create();
    await expect(create(second)).rejects.toMatchObject({ code: 'CHALLENGE_NEEDED' });
    // Other IP addresses, and members in the same network, are not challenged.
    expect((await create(undefined, 2)).id).toBeTruthy();
    const member = await app.member();
    expect((await app.as(member, { address: '10.200.1.9' }).tokenRequests.create({ data: {} })).id).toBeTruthy();
  });
});
