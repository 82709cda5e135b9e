// A stand-in for the payment provider: speaks its API on loopback, has a payment page of its own, and sends signed
// callbacks. Shares no code with the server, so that both can't be wrong in the same way.
import { createHmac, randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { renderMissing, renderPage } from './page.ts';
import { type Invoice, type Payment, RATES, type State, type Status } from './state.ts';

const ACTIONS = [
  'choose',
  'pay_all',
  'pay_part',
  'top_up',
  'pay_more',
  'late',
  'fail',
  'expire',
  'refund',
  'wrong_asset',
  'duplicate',
  'reorder',
  'mute',
  'unmute',
] as const;
export type Action = (typeof ACTIONS)[number];

export interface EmulatorOptions {
  apiKey: string;
  ipnSecret: string;
  /** Where payers reach our pages: https://host/sandbox */
  pageBase: string;
  /** Keeps everything over a restart. */
  file?: string | undefined;
  port?: number;
  /** Between two steps of a confirmation, and before a callback is repeated. Milliseconds. */
  pace?: number;
  retryPause?: number;
  now?: () => number;
}

export interface Emulator {
  /** http://127.0.0.1:port */
  origin: string;
  /** What the buttons of the page do; resolves when all its callbacks are through. */
  act(invoiceId: number, action: Action, currency?: string): Promise<void>;
  /** The provider's truth. */
  payments(invoiceId: number): Payment[];
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const BODY_MOST = 64 * 1024;
const DAY = 86_400_000;
const TRIES = 3;
/** Payments of one invoice, and invoices in all: the page is open to everybody, and everything is one file. */
const PAYMENTS_MOST = 50;
const INVOICES_MOST = 2_000;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted((value as Record<string, unknown>)[key])]));
}

export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { apiKey, ipnSecret, file } = options;
  const pace = options.pace ?? 1_500;
  const retryPause = options.retryPause ?? 60_000;
  const now = options.now ?? Date.now;
  const state = load(file);
  const underWay = new Set<Promise<void>>();
  let closed = false;

  const save = () => {
    if (!file) return;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, JSON.stringify(state));
    renameSync(`${file}.new`, file);
  };
  // 15 digits: JSON numbers hold them, and nobody guesses one.
  const newId = () => randomInt(100_000_000_000, 281_000_000_000_000);
  const invoiceOf = (id: number) => state.invoices.find((invoice) => invoice.id === id);
  const paymentsOf = (invoiceId: number) => state.payments.filter((payment) => payment.invoice_id === invoiceId);

  function newPayment(over: Partial<Payment> & { price_amount: number; pay_currency: string }): Payment {
    const id = newId();
    const at = new Date(now()).toISOString();
    const payment: Payment = {
      payment_id: id,
      parent_payment_id: null,
      invoice_id: null,
      payment_status: 'waiting',
      pay_address: `SIMULACION-${over.pay_currency}-${id}`,
      price_currency: 'usd',
      pay_amount: Number((over.price_amount * (RATES[over.pay_currency] ?? 1)).toFixed(8)),
      actually_paid: 0,
      order_id: null,
      order_description: null,
      purchase_id: String(newId()),
      created_at: at,
      updated_at: at,
      callback: null,
      sent: [],
      ...over,
    };
    state.payments.push(payment);
    return payment;
  }

  function publicForm({ callback, sent: _, ...payment }: Payment) {
    return {
      ...payment,
      ipn_callback_url: callback,
      payin_extra_id: null,
      payment_extra_ids: null,
      type: 'crypto2crypto',
    };
  }

  async function deliver(url: string, body: string): Promise<void> {
    const signature = createHmac('sha512', ipnSecret)
      .update(JSON.stringify(sorted(JSON.parse(body))))
      .digest('hex');
    for (let attempt = 1; attempt <= TRIES && !closed; attempt++) {
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-nowpayments-sig': signature },
          body,
          signal: AbortSignal.timeout(3_000),
        });
        await response.arrayBuffer();
        if (response.ok) return;
      } catch {
        // Repeated below.
      }
      if (attempt < TRIES) await sleep(retryPause);
    }
  }

  async function callBack(payment: Payment): Promise<void> {
    const body = JSON.stringify({
      payment_id: payment.payment_id,
      parent_payment_id: payment.parent_payment_id,
      invoice_id: payment.invoice_id,
      payment_status: payment.payment_status,
      pay_address: payment.pay_address,
      payin_extra_id: null,
      price_amount: payment.price_amount,
      price_currency: payment.price_currency,
      pay_amount: payment.pay_amount,
      actually_paid: payment.actually_paid,
      actually_paid_at_fiat: 0,
      pay_currency: payment.pay_currency,
      order_id: payment.order_id,
      order_description: payment.order_description,
      purchase_id: payment.purchase_id,
      outcome_amount: payment.actually_paid,
      outcome_currency: payment.pay_currency,
      payment_extra_ids: null,
      fee: { currency: payment.pay_currency, depositFee: '0', serviceFee: 0, withdrawalFee: '0' },
      updated_at: Date.parse(payment.updated_at),
    });
    payment.sent = [...payment.sent, body].slice(-20);
    save();
    const invoice = payment.invoice_id === null ? undefined : invoiceOf(payment.invoice_id);
    if (payment.callback && !invoice?.muted) await deliver(payment.callback, body);
  }

  /** Expiry is the one change of which the provider tells nobody. */
  async function move(payment: Payment, status: Status, paid?: number, at = now()): Promise<void> {
    payment.payment_status = status;
    if (paid !== undefined) payment.actually_paid = Number(paid.toFixed(8));
    payment.updated_at = new Date(at).toISOString();
    save();
    if (status !== 'expired') await callBack(payment);
  }

  async function confirm(payment: Payment, share: number, at = now()): Promise<void> {
    const paid = payment.pay_amount * share;
    await move(payment, 'confirming', paid, at);
    await sleep(pace);
    if (share < 1) return move(payment, 'partially_paid', paid, at);
    for (const status of ['confirmed', 'sending', 'finished'] as const) {
      await move(payment, status, paid, at);
      if (status !== 'finished') await sleep(pace);
    }
  }

  async function act(invoiceId: number, action: Action, currency = 'usdttrc20'): Promise<void> {
    const invoice = invoiceOf(invoiceId);
    if (!invoice) throw new Error('no such invoice');
    if (paymentsOf(invoiceId).length >= PAYMENTS_MOST && !['mute', 'unmute', 'top_up', 'refund'].includes(action))
      return;
    const own = paymentsOf(invoiceId).filter((payment) => payment.parent_payment_id === null);
    const latest = own.at(-1);
    const open = own.findLast(({ payment_status: status }) => status === 'waiting');
    const fresh = () =>
      newPayment({
        invoice_id: invoice.id,
        price_amount: invoice.price_amount,
        price_currency: invoice.price_currency,
        pay_currency: currency in RATES ? currency : 'usdttrc20',
        order_id: invoice.order_id,
        order_description: invoice.order_description,
        callback: invoice.callback,
      });
    switch (action) {
      case 'choose':
        return callBack(fresh());
      case 'pay_all':
        return confirm(open ?? fresh(), 1);
      case 'pay_part':
        return confirm(open ?? fresh(), 0.4);
      case 'pay_more':
        return confirm(open ?? fresh(), 1.25);
      case 'top_up': {
        const short = own.findLast(({ payment_status: status }) => status === 'partially_paid');
        if (short) await move(short, 'finished', short.pay_amount);
        return;
      }
      case 'late': {
        const payment = open ?? latest ?? fresh();
        await move(payment, 'expired', 0);
        await sleep(pace);
        // As if it had come nine days after the end of a week.
        return confirm(payment, 1, now() + 16 * DAY);
      }
      case 'fail': {
        const payment = open ?? fresh();
        await move(payment, 'confirming', payment.pay_amount * 0.001);
        await sleep(pace);
        return move(payment, 'failed');
      }
      case 'expire':
        return move(open ?? fresh(), 'expired', 0);
      case 'refund': {
        const paid = own.findLast(({ actually_paid: amount }) => amount > 0);
        if (paid) await move(paid, 'refunded');
        return;
      }
      case 'wrong_asset': {
        const parent = latest ?? fresh();
        const child = newPayment({
          invoice_id: invoice.id,
          parent_payment_id: parent.payment_id,
          price_amount: invoice.price_amount,
          pay_currency: parent.pay_currency === 'bnbbsc' ? 'sol' : 'bnbbsc',
          callback: invoice.callback,
        });
        return move(child, 'partially_paid', child.pay_amount / 2);
      }
      case 'duplicate': {
        const body = latest?.sent.at(-1);
        if (latest?.callback && body) for (let i = 0; i < 3; i++) await deliver(latest.callback, body);
        return;
      }
      case 'reorder': {
        if (latest?.callback) for (const body of latest.sent.toReversed()) await deliver(latest.callback, body);
        return;
      }
      case 'mute':
      case 'unmute':
        invoice.muted = action === 'mute';
        return save();
    }
  }

  const start = (work: Promise<void>) => {
    const tracked = work.catch((error: unknown) => console.error(error)).finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  };

  async function answer(req: http.IncomingMessage, res: http.ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', 'http://emulator');
    const route = `${req.method} ${url.pathname.replace(/\/$/, '')}`;
    const json = (status: number, body: unknown) => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const refuse = (status: number, code: string, message: string) =>
      json(status, { status: false, statusCode: status, code, message });
    const html = (status: number, text: string) =>
      res.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(text);

    const page = /^(GET|POST) \/sandbox\/pay\/(\d{1,15})$/.exec(route);
    if (page) {
      const invoice = invoiceOf(Number(page[2]));
      if (!invoice) return void html(404, renderMissing());
      if (page[1] === 'GET') return void html(200, renderPage(invoice, paymentsOf(invoice.id)));
      const form = new URLSearchParams(await readBody(req));
      const action = ACTIONS.find((name) => name === form.get('action'));
      if (!action) return void html(400, renderMissing());
      start(act(invoice.id, action, form.get('currency') ?? undefined));
      // The first step shows at once.
      await sleep(Math.min(pace, 150));
      return void res.writeHead(303, { location: `${options.pageBase}/pay/${invoice.id}` }).end();
    }

    if (route === 'GET /v1/status') return json(200, { message: 'OK' });
    if (req.headers['x-api-key'] !== apiKey) return refuse(403, 'INVALID_API_KEY', 'Invalid api key');
    if (route === 'POST /v1/auth') return json(200, { token: 'simulation' });
    if (route === 'GET /v1/currencies') return json(200, { currencies: Object.keys(RATES) });
    if (route === 'POST /v1/invoice' || route === 'POST /v1/payment') {
      let body: Record<string, unknown>;
      try {
        body = JSON.parse(await readBody(req)) as Record<string, unknown>;
      } catch {
        return refuse(400, 'INVALID_REQUEST_PARAMS', 'Not JSON');
      }
      const price = Number(body['price_amount']);
      const text = (key: string) => (typeof body[key] === 'string' ? body[key] : null);
      if (!(price > 0) || !text('price_currency'))
        return refuse(400, 'INVALID_REQUEST_PARAMS', 'price_amount and price_currency are needed');
      if (price < 2) return refuse(400, 'AMOUNT_MINIMAL_ERROR', 'Crypto amount is less than minimal');
      if (route === 'POST /v1/payment') {
        const currency = text('pay_currency') ?? '';
        if (!(currency in RATES)) return refuse(400, 'CURRENCY_UNAVAILABLE', `Currency ${currency} is unavailable`);
        const payment = newPayment({
          price_amount: price,
          price_currency: text('price_currency') ?? 'usd',
          pay_currency: currency,
          order_id: text('order_id'),
          order_description: text('order_description'),
          callback: text('ipn_callback_url'),
        });
        save();
        return json(201, { ...publicForm(payment), payment_id: String(payment.payment_id) });
      }
      const invoice: Invoice = {
        id: newId(),
        order_id: text('order_id'),
        order_description: text('order_description'),
        price_amount: price,
        price_currency: text('price_currency') ?? 'usd',
        callback: text('ipn_callback_url'),
        success_url: text('success_url'),
        created_at: new Date(now()).toISOString(),
        muted: false,
      };
      state.invoices.push(invoice);
      const gone = new Set(state.invoices.splice(0, state.invoices.length - INVOICES_MOST).map(({ id }) => id));
      if (gone.size > 0) state.payments = state.payments.filter(({ invoice_id: of }) => of === null || !gone.has(of));
      save();
      return json(201, {
        id: String(invoice.id),
        token_id: String(newId()),
        order_id: invoice.order_id,
        order_description: invoice.order_description,
        price_amount: String(invoice.price_amount),
        price_currency: invoice.price_currency,
        pay_currency: null,
        ipn_callback_url: invoice.callback,
        invoice_url: `${options.pageBase}/pay/${invoice.id}`,
        success_url: invoice.success_url,
        cancel_url: text('cancel_url'),
        created_at: invoice.created_at,
        updated_at: invoice.created_at,
      });
    }
    if (route === 'GET /v1/payment') {
      const wanted = url.searchParams.get('invoiceId');
      const found = state.payments.filter((payment) => wanted === null || String(payment.invoice_id) === wanted);
      const limit = Number(url.searchParams.get('limit') ?? 10);
      return json(200, {
        data: found.slice(-limit).map(publicForm),
        limit,
        page: 0,
        pagesCount: 1,
        total: found.length,
      });
    }
    const one = /^GET \/v1\/payment\/(\d+)$/.exec(route);
    if (one) {
      const payment = state.payments.find(({ payment_id: id }) => String(id) === one[1]);
      return payment ? json(200, publicForm(payment)) : refuse(404, 'PAYMENT_NOT_FOUND', 'Payment not found');
    }
    refuse(404, 'NOT_FOUND', 'Endpoint not found');
  }

  const server = http.createServer((req, res) => {
    answer(req, res).catch((error: unknown) => {
      console.error(error);
      if (res.headersSent) res.destroy();
      else res.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    act,
    payments: paymentsOf,
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    close: () =>
      new Promise((resolve) => {
        closed = true;
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function load(file: string | undefined): State {
  try {
    if (file) return JSON.parse(readFileSync(file, 'utf8')) as State;
  } catch {
    // The first start, or a file that a crash cut short: begin anew.
  }
  return { invoices: [], payments: [] };
}

async function readBody(req: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    size += (chunk as Buffer).length;
    if (size > BODY_MOST) throw new Error('too long');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
