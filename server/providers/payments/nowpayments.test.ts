import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { nowPayments } from './nowpayments.ts';
import { openPayments } from './open.ts';
import { type Deposit, ProviderError } from './port.ts';
import { signBody, verifyBody } from './signature.ts';

type Answer = (req: http.IncomingMessage, res: http.ServerResponse, body: string) => void;

/** A failing provider: responds as the test sets it. */
const box: { answer: Answer; requests: { target: string; headers: http.IncomingHttpHeaders; body: string }[] } = {
  answer: (_, res) => res.end('{}'),
  requests: [],
};
const server = http.createServer(async (req, res) => {
  let body = '';
  for await (const chunk of req) body += String(chunk);
  box.requests.push({ target: `${req.method} ${req.url}`, headers: req.headers, body });
  box.answer(req, res, body);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const options = {
  baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`,
  apiKey: 'key',
  ipnSecret: 'sixteen-signs-at-least',
  timeoutMs: 2_000,
};
const provider = nowPayments(options);

const json =
  (status: number, value: unknown): Answer =>
  (_, res) => {
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
const PAYMENT = {
  payment_id: 5333977169,
  payment_status: 'finished',
  price_amount: '50',
  price_currency: 'USD',
  pay_amount: '0.04781784',
  actually_paid: 0.04781784,
  pay_currency: 'SOL',
  pay_address: 'abc',
  order_id: 'FL-0000000001',
  invoice_id: '6273668572',
  parent_payment_id: null,
  updated_at: '2026-01-01T00:00:00.000Z',
};

describe('NOWPayments', () => {
  it('creates invoices', async () => {
    box.answer = json(201, { id: 4522625843, invoice_url: 'https://nowpayments.io/payment/?iid=4522625843' });
    const made = await provider.createInvoice({
      orderId: 'FL-0000000001',
      priceUsd: 50,
      description: 'x',
      callbackUrl: 'https://florka.test/webhooks/nowpayments',
      returnUrl: 'https://florka.test/order/1',
    });
    expect(made).toEqual({ invoiceId: '4522625843', url: 'https://nowpayments.io/payment/?iid=4522625843' });
    const lastRequest = box.requests.at(-1);
    expect(lastRequest).toMatchObject({ target: 'POST /v1/invoice', headers: { 'x-api-key': 'key' } });
    expect(JSON.parse(lastRequest?.body ?? '')).toMatchObject({
      price_amount: 50,
      price_currency: 'usd',
      order_id: 'FL-0000000001',
    });
  });

  it('reads numbers and strings alike', async () => {
    box.answer = json(200, PAYMENT);
    expect(await provider.deposit('5333977169')).toEqual({
      paymentId: '5333977169',
      parentId: null,
      invoiceId: '6273668572',
      orderId: 'FL-0000000001',
      status: 'finished',
      priceAmount: 50,
      priceCurrency: 'usd',
      payAddress: 'abc',
      payAmount: 0.04781784,
      payCurrency: 'sol',
      actuallyPaid: 0.04781784,
      payText: '0.04781784',
      paidText: '0.04781784',
      updatedAt: Date.parse('2026-01-01'),
    });
  });

  it('keeps all digits of the outcome and of the fees of a deposit', async () => {
    const text = JSON.stringify({
      ...PAYMENT,
      outcome_amount: 0.1,
      outcome_currency: 'ETH',
      payin_hash: '0xin',
      fee: { currency: 'eth', depositFee: '0.001', serviceFee: 0.000000000000000002, withdrawalFee: '0' },
    });
    box.answer = (_, res) => res.end(text.replace('"outcome_amount":0.1', '"outcome_amount":0.123456789012345678'));
    expect((await provider.deposit('5333977169'))?.outcome).toEqual({
      amount: '0.123456789012345678',
      currency: 'eth',
      payinHash: '0xin',
      payoutHash: null,
      fee: { amount: '0.001000000000000002', currency: 'eth' },
    });
  });

  it('returns null for unknown deposits', async () => {
    box.answer = json(404, { status: false, statusCode: 404, code: 'PAYMENT_NOT_FOUND', message: 'no' });
    expect(await provider.deposit('1')).toBeNull();
    box.answer = json(200, {});
    expect(await provider.deposit('1\ud800')).toBeNull();
  });

  const nonsense: [string, Answer][] = [
    ['HTML with 429', (_, res) => res.writeHead(429, { 'content-type': 'text/html' }).end('<html>nginx</html>')],
    ['HTML with 200', (_, res) => res.writeHead(200).end('<html>login</html>')],
    ['HTML with 404', (_, res) => res.writeHead(404).end('<html>not found</html>')],
    ['HTML with 403', (_, res) => res.writeHead(403).end('<html>blocked</html>')],
    ['500', json(500, { message: 'x' })],
    ['an empty answer', (_, res) => res.end()],
    ['a list', json(200, [PAYMENT])],
    ['another payment', json(200, { ...PAYMENT, payment_id: 6 })],
    ['an id past 2^53', (_, res) => res.end(JSON.stringify(PAYMENT).replace('5333977169', '9007199254740993'))],
    ['no price', json(200, { ...PAYMENT, price_amount: 'much' })],
    ['two megabytes', (_, res) => res.end(`{"a":"${'x'.repeat(2 * 1024 * 1024)}"}`)],
    ['a redirect', (_, res) => res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['a cut connection', (_, res) => res.destroy()],
    [
      'half an answer',
      (_, res) => {
        res.writeHead(200, { 'content-length': '100' });
        res.write('{');
        setTimeout(() => res.destroy(), 20);
      },
    ],
    ['no response', () => {}],
  ];
  it.each(nonsense)('reports an unknown effect after %s', async (_, answer) => {
    box.answer = answer;
    await expect(provider.deposit('5333977169')).rejects.toMatchObject({ name: 'ProviderError', kind: 'unknown' });
    await expect(
      provider.createInvoice({ orderId: 'a', priceUsd: 1, description: '', callbackUrl: '', returnUrl: '' }),
    ).rejects.toMatchObject({ name: 'ProviderError', kind: 'unknown' });
  });

  it('returns a deposit in an unknown state', async () => {
    box.answer = json(200, { ...PAYMENT, payment_status: 'verifying' });
    expect(await provider.deposit('5333977169')).toMatchObject({ status: 'unknown', rawStatus: 'verifying' });
    box.answer = json(200, { ...PAYMENT, payment_status: undefined });
    expect(await provider.deposit('5333977169')).toMatchObject({ status: 'unknown', rawStatus: '' });
  });

  it('distinguishes an unreachable provider from a refusal and an invalid response', async () => {
    const failure = async (answer: Answer) => {
      box.answer = answer;
      return provider.deposit('5333977169').catch((error: unknown) => error);
    };
    for (const away of [json(500, {}), json(429, {}), ((_, res) => res.destroy()) satisfies Answer])
      expect(await failure(away)).toMatchObject({ kind: 'unknown', unreachable: true });
    expect(await failure(json(400, { code: 'INVALID_REQUEST_PARAMS' }))).toMatchObject({ unreachable: false });
    expect(await failure(json(200, { ...PAYMENT, payment_id: 6 }))).toMatchObject({
      kind: 'unknown',
      unreachable: false,
    });
  });

  it('lists all deposits page by page, and reports whether they are complete', async () => {
    const simulation = nowPayments({ ...options, simulation: true });
    const since = Date.parse('2026-01-01T00:00:00.000Z');
    box.answer = (req, res) => {
      const query = new URL(req.url ?? '', 'http://x').searchParams;
      expect(query.get('dateFrom')).toBe('2026-01-01T00:00:00.000Z');
      const page = Number(query.get('page'));
      json(200, { data: [{ ...PAYMENT, payment_id: page + 1 }], pagesCount: 3, page })(req, res, '');
    };
    const list = await simulation.recent(since);
    expect([list?.complete, list?.deposits.map(({ paymentId }) => paymentId)]).toEqual([true, ['1', '2', '3']]);
    // Without a page count only an empty page is the end, and the number of pages is limited.
    box.answer = json(200, { data: [PAYMENT] });
    expect(await simulation.recent(since)).toMatchObject({ complete: false });
    box.answer = json(200, { data: [] });
    expect(await simulation.recent(since)).toEqual({ deposits: [], complete: true });
    expect(await provider.recent(since)).toBeNull();
  });

  it.each([
    ['no price', { ...PAYMENT, payment_id: 9, price_amount: null }],
    ['an id that lost digits', { ...PAYMENT, payment_id: 2 ** 53 }],
    ['nothing', null],
  ])('does not call a list complete that has an entry with %s, and returns the others', async (_, entry) => {
    const simulation = nowPayments({ ...options, simulation: true });
    box.answer = json(200, { data: [entry, PAYMENT], pagesCount: 1 });
    expect(await simulation.recent(0)).toMatchObject({
      complete: false,
      deposits: [{ paymentId: String(PAYMENT.payment_id) }],
    });
    const pages: string[][] = [];
    const onPage = async (page: Deposit[]) => void pages.push(page.map(({ paymentId }) => paymentId));
    expect(await simulation.everything(onPage)).toBe('cut');
    expect(pages).toEqual([[String(PAYMENT.payment_id)]]);
    box.answer = json(200, { data: [PAYMENT], pagesCount: 1 });
    expect(await simulation.everything(onPage)).toBe('whole');
  });

  it('reports the list of an order as incomplete if an entry that may be of this order is invalid', async () => {
    const simulation = nowPayments({ ...options, simulation: true });
    const of = { invoiceId: String(PAYMENT.invoice_id), orderId: PAYMENT.order_id };
    box.answer = json(200, { data: [PAYMENT, { ...PAYMENT, payment_id: 9, price_amount: null }] });
    const [paymentId] = [String(PAYMENT.payment_id)];
    expect(await simulation.deposits(of)).toMatchObject({ complete: false, deposits: [{ paymentId }] });
    box.answer = json(200, { data: [PAYMENT, null] });
    expect(await simulation.deposits(of)).toMatchObject({ complete: false, deposits: [{ paymentId }] });
    // One of another order, where the filter is ignored, is not about this order.
    box.answer = json(200, { data: [PAYMENT, { ...PAYMENT, invoice_id: 1, order_id: 'FL-X', price_amount: null }] });
    expect(await simulation.deposits(of)).toMatchObject({ complete: true, deposits: [{ paymentId }] });
  });

  it('distinguishes a refusal from a failure, and never discloses the key', async () => {
    box.answer = json(403, { status: false, statusCode: 403, code: 'INVALID_API_KEY', message: 'Invalid api key' });
    const error = await provider.deposit('1').catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ kind: 'refused', status: 403 });
    expect(String(error)).not.toContain('key ');
  });

  it('lists by invoice, signs in when required, and applies the filter itself', async () => {
    box.answer = json(200, {
      data: [PAYMENT, { ...PAYMENT, payment_id: 7, invoice_id: 1, order_id: 'FL-0000000002' }, { broken: true }, null],
    });
    const simulation = nowPayments({ ...options, simulation: true });
    const list = await simulation.deposits({ invoiceId: '6273668572', orderId: 'FL-0000000001' });
    expect(list?.deposits.map(({ paymentId }) => paymentId)).toEqual(['5333977169']);
    box.answer = json(401, { code: 'AUTH_REQUIRED', message: 'Authorization header is empty' });
    expect(await simulation.deposits({ invoiceId: '1', orderId: 'x' })).toBeNull();
    // Without an account no request is made.
    const before = box.requests.length;
    expect(await provider.deposits({ invoiceId: '1', orderId: 'x' })).toBeNull();
    expect(box.requests).toHaveLength(before);
    const withAccount = nowPayments({ ...options, account: { email: 'a@b.c', password: 'p' } });
    box.answer = (req, res) => {
      if (req.url === '/v1/auth') return json(200, { token: 'jwt' })(req, res, '');
      return json(req.headers.authorization === 'Bearer jwt' ? 200 : 401, { data: [PAYMENT] })(req, res, '');
    };
    expect((await withAccount.deposits({ invoiceId: '6273668572', orderId: 'x' }))?.deposits).toHaveLength(1);
    expect((await withAccount.deposits({ invoiceId: '6273668572', orderId: 'x' }))?.deposits).toHaveLength(1);
    expect(box.requests.filter(({ target }) => target === 'POST /v1/auth')).toHaveLength(1);
  });

  it('refuses a callback with a number that lost digits', () => {
    const callback = (text: string) =>
      provider.verifyCallback(Buffer.from(text), signBody(JSON.parse(text), options.ipnSecret));
    expect(callback('{"payment_id":5333977169,"order_id":"FL-0000000001"}')).toMatchObject({
      paymentId: '5333977169',
      orderId: 'FL-0000000001',
    });
    expect(callback('{"payment_id":9007199254740993,"order_id":"FL-0000000001"}')).toBeNull();
    expect(callback('{"payment_id":-1}')).toBeNull();
    expect(callback('{"payment_id":"1/../2"}')).toBeNull();
  });

  it('reads payments with former keys, and accepts callbacks signed with former secrets', async () => {
    const rotated = nowPayments({
      ...options,
      apiKey: 'new',
      ipnSecret: 'a-new-secret-of-callbacks',
      oldApiKeys: ['revoked', 'key'],
      oldIpnSecrets: [options.ipnSecret],
    });
    box.answer = (req, res) => {
      const key = req.headers['x-api-key'];
      if (key === 'key') return json(200, PAYMENT)(req, res, '');
      return json(key === 'revoked' ? 403 : 404, { code: 'PAYMENT_NOT_FOUND' })(req, res, '');
    };
    expect(await rotated.deposit('5333977169')).toMatchObject({ paymentId: '5333977169' });
    expect(await nowPayments({ ...options, apiKey: 'new' }).deposit('5333977169')).toBeNull();
    // Invoices are created with the current key only.
    box.answer = json(201, { id: 1, invoice_url: 'https://nowpayments.io/payment/?iid=1' });
    await rotated.createInvoice({ orderId: 'a', priceUsd: 1, description: '', callbackUrl: '', returnUrl: '' });
    expect(box.requests.at(-1)?.headers['x-api-key']).toBe('new');
    const body = '{"payment_id":5333977169}';
    const signedBy = (secret: string) => rotated.verifyCallback(Buffer.from(body), signBody(JSON.parse(body), secret));
    expect(signedBy(options.ipnSecret)).toMatchObject({ paymentId: '5333977169' });
    expect(signedBy('a-new-secret-of-callbacks')).toMatchObject({ paymentId: '5333977169' });
    expect(signedBy('a-secret-of-somebody-else')).toBeNull();
  });

  it('requires a key and a secret', () => {
    expect(() => nowPayments({ ...options, ipnSecret: '' })).toThrow();
    expect(() => nowPayments({ ...options, apiKey: '' })).toThrow();
    const at = { publicUrl: 'http://x', localUrl: 'http://x', root: '.', warn: () => {} };
    const env = {
      DEMO: false,
      DATA_DIR: '/nowhere',
      AUTH_SECRET: 'x',
      NOWPAYMENTS_URL: 'https://api.nowpayments.io/v1',
    };
    expect(openPayments(env, at)).toBeNull();
    const real = openPayments({ ...env, DEMO: true, NOWPAYMENTS_API_KEY: 'k', NOWPAYMENTS_IPN_SECRET: 's' }, at);
    expect(real).toMatchObject({ emulator: null, provider: { simulation: false, target: 'api.nowpayments.io' } });
  });
});

describe('signatures', () => {
  const secret = 'secret-of-the-callbacks';
  const body = { b: [{ z: 1, a: 2 }], a: { d: null, c: 'ñ' } };
  const raw = Buffer.from(JSON.stringify(body));

  it('cover all keys, sorted at every level, with lists as lists or as objects', () => {
    expect(signBody({ a: 1, b: 2 }, secret)).toBe(signBody({ b: 2, a: 1 }, secret));
    for (const asObjects of [false, true])
      expect(verifyBody(raw, signBody(body, secret, asObjects), secret)).toEqual(body);
    expect(verifyBody(raw, signBody({ ...body, a: {} }, secret), secret)).toBeNull();
    // The provider's own example omits nested values and is always invalid.
    const naive = JSON.parse(JSON.stringify(body, Object.keys(body).sort())) as object;
    expect(verifyBody(raw, signBody(naive, secret), secret)).toBeNull();
  });

  it('are invalid without a secret', () => {
    expect(verifyBody(raw, signBody(body, ''), '')).toBeNull();
  });
});
