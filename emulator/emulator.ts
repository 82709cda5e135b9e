// A stand-in for the payment provider: speaks its API on loopback, has a payment page of its own, and sends signed
// callbacks. Shares no code with the server, so that both can't be wrong in the same way.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBook } from './book.ts';
import { createCallbacks } from './callbacks.ts';
import { renderMissing, renderPage } from './page.ts';
import { ACTIONS, type Action, createPayers, isUnderWay } from './payers.ts';
import { type Payment, RATES } from './state.ts';

const BODY_MOST = 64 * 1024;

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

export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { apiKey, ipnSecret, file } = options;
  const pace = options.pace ?? 1_500;
  const now = options.now ?? Date.now;
  const underWay = new Set<Promise<void>>();
  let closed = false;
  const book = openBook(file, now);
  const callbacks = createCallbacks({
    book,
    ipnSecret,
    retryPause: options.retryPause ?? 60_000,
    closed: () => closed,
  });
  const { act, goOn } = createPayers({ book, ...callbacks, pace, now, closed: () => closed });

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
      const invoice = book.invoice(Number(page[2]));
      if (!invoice) return void html(404, renderMissing());
      if (page[1] === 'GET') return void html(200, renderPage(invoice, book.paymentsOf(invoice.id)));
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
        const payment = book.addPayment({
          price_amount: price,
          price_currency: text('price_currency') ?? 'usd',
          pay_currency: currency,
          order_id: text('order_id'),
          order_description: text('order_description'),
          callback: text('ipn_callback_url'),
        });
        book.save();
        return json(201, { ...publicForm(payment), payment_id: String(payment.payment_id) });
      }
      const invoice = book.addInvoice({
        order_id: text('order_id'),
        order_description: text('order_description'),
        price_amount: price,
        price_currency: text('price_currency') ?? 'usd',
        callback: text('ipn_callback_url'),
        success_url: text('success_url'),
      });
      book.save();
      return json(201, {
        id: String(invoice.id),
        token_id: String(book.newId()),
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
      const since = Date.parse(url.searchParams.get('dateFrom') ?? '') || 0;
      const found = book
        .payments()
        .filter((payment) => wanted === null || String(payment.invoice_id) === wanted)
        .filter((payment) => Date.parse(payment.created_at) >= since)
        .toReversed();
      const limit = Number(url.searchParams.get('limit') ?? 10);
      const page = Number(url.searchParams.get('page') ?? 0);
      return json(200, {
        data: found.slice(page * limit, (page + 1) * limit).map(publicForm),
        limit,
        page,
        pagesCount: Math.ceil(found.length / limit),
        total: found.length,
      });
    }
    const one = /^GET \/v1\/payment\/(\d+)$/.exec(route);
    if (one) {
      const payment = book.payment(one[1] ?? '');
      return payment ? json(200, publicForm(payment)) : refuse(404, 'PAYMENT_NOT_FOUND', 'Payment not found');
    }
    refuse(404, 'NOT_FOUND', 'Endpoint not found');
  }

  // What a restart cut off goes on, as it would at a real provider.
  for (const payment of book.payments()) if (isUnderWay(payment)) start(goOn(payment));

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
    payments: book.paymentsOf,
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

function publicForm({ callback, sent: _, ...payment }: Payment) {
  return {
    ...payment,
    ipn_callback_url: callback,
    payin_extra_id: null,
    payment_extra_ids: null,
    type: 'crypto2crypto',
  };
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
