// An emulator of the payment provider: serves its API on loopback, has a payment page of its own, and sends signed
// callbacks. Shares no code with the server, so that both cannot have the same mistake.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCallbacks } from './callbacks.ts';
import { renderMissing, renderPage } from './page.ts';
import { ACTIONS, type Action, createPayers, isUnderWay } from './payers.ts';
import { filled, type Recorded } from './recorded.ts';
import { type Payment, RATES } from './state.ts';
import { openStore } from './store.ts';

const MAX_BODY = 64 * 1024;

export interface EmulatorOptions {
  apiKey: string;
  ipnSecret: string;
  /** Where payers reach our pages: https://host/sandbox */
  pageBase: string;
  /** Stores everything across restarts. */
  file?: string | undefined;
  port?: number;
  /** Delay between two steps of a confirmation, and before a callback is repeated. Milliseconds. */
  pace?: number;
  retryDelay?: number;
  now?: () => number;
}

export interface Emulator {
  /** http://127.0.0.1:port */
  origin: string;
  /** What the buttons of the page do; resolves when all its callbacks are through. */
  apply(invoiceId: number, action: Action, currency?: string): Promise<void>;
  /**
   * A deposit of a file in ./recorded: returned from now on unchanged, and sent as its callback. Not stored across a restart.
   *
   * @returns its id.
   */
  replay(invoiceId: number, recorded: Recorded): Promise<number>;
  /** The state at the provider. */
  payments(invoiceId: number): Payment[];
  /** Resolves when no work is in progress. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { apiKey, ipnSecret, file } = options;
  const pace = options.pace ?? 1_500;
  const now = options.now ?? Date.now;
  const underWay = new Set<Promise<void>>();
  let closed = false;
  const store = openStore(file, now);
  const callbacks = createCallbacks({
    store,
    ipnSecret,
    retryDelay: options.retryDelay ?? 60_000,
    closed: () => closed,
  });
  const { apply, goOn } = createPayers({ store, ...callbacks, pace, now, closed: () => closed });

  const start = (work: Promise<void>) => {
    const tracked = work.catch((error: unknown) => console.error(error)).finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  };

  const replayed = new Map<string, Record<string, unknown>>();
  const context: EmulatorContext = { apiKey, pageBase: options.pageBase, pace, store, apply, start, replayed };

  // Payments interrupted by a restart continue, as they would at a real provider.
  for (const payment of store.payments()) if (isUnderWay(payment)) start(goOn(payment));

  const server = http.createServer((req, res) => {
    answer(context, req, res).catch((error: unknown) => {
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
    apply,
    replay: async (invoiceId, recorded) => {
      const invoice = store.invoice(invoiceId);
      if (!invoice) throw new Error('no such invoice');
      const ids = { invoice, payment: store.newId(), parent: store.newId() };
      replayed.set(String(ids.payment), filled(recorded.answer, ids));
      if (recorded.callback && invoice.callback)
        await callbacks.deliver(invoice.callback, JSON.stringify(filled(recorded.callback, ids)));
      return ids.payment;
    },
    payments: store.paymentsOf,
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

/** Context of a request. */
interface EmulatorContext {
  apiKey: string;
  pageBase: string;
  /** Delay between two steps of a confirmation. Milliseconds. */
  pace: number;
  store: ReturnType<typeof openStore>;
  apply: ReturnType<typeof createPayers>['apply'];
  /** Runs work that continues after the response. */
  start: (work: Promise<void>) => void;
  /** Responses about recorded deposits, by id. */
  replayed: Map<string, Record<string, unknown>>;
}

function json(res: http.ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const refuse = (res: http.ServerResponse, status: number, code: string, message: string): void =>
  json(res, status, { status: false, statusCode: status, code, message });

async function answer(context: EmulatorContext, req: http.IncomingMessage, res: http.ServerResponse): Promise<void> {
  const { apiKey, store } = context;
  const url = new URL(req.url ?? '/', 'http://emulator');
  const route = `${req.method} ${url.pathname.replace(/\/$/, '')}`;

  const page = /^(GET|POST) \/sandbox\/pay\/(\d{1,15})$/.exec(route);
  if (page) return answerPage(context, req, res, Number(page[2]));

  if (route === 'GET /v1/status') return json(res, 200, { message: 'OK' });
  if (req.headers['x-api-key'] !== apiKey) return refuse(res, 403, 'INVALID_API_KEY', 'Invalid api key');
  if (route === 'POST /v1/auth') return json(res, 200, { token: 'simulation' });
  if (route === 'GET /v1/currencies') return json(res, 200, { currencies: Object.keys(RATES) });
  if (route === 'POST /v1/invoice' || route === 'POST /v1/payment') return answerOrder(context, req, res, route);
  if (route === 'GET /v1/payment') return answerList(context, res, url.searchParams);
  const one = /^GET \/v1\/payment\/(\d+)$/.exec(route);
  if (one) {
    const recorded = context.replayed.get(one[1] ?? '');
    if (recorded) return json(res, 200, recorded);
    const payment = store.payment(one[1] ?? '');
    return payment ? json(res, 200, publicForm(payment)) : refuse(res, 404, 'PAYMENT_NOT_FOUND', 'Payment not found');
  }
  refuse(res, 404, 'NOT_FOUND', 'Endpoint not found');
}

/** The payment page of an invoice, and its buttons. */
async function answerPage(
  { store, pageBase, pace, apply, start }: EmulatorContext,
  req: http.IncomingMessage,
  res: http.ServerResponse,
  id: number,
): Promise<void> {
  const html = (status: number, text: string) =>
    res.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(text);
  const invoice = store.invoice(id);
  if (!invoice) return void html(404, renderMissing());
  if (req.method === 'GET') return void html(200, renderPage(invoice, store.paymentsOf(invoice.id)));
  const form = new URLSearchParams(await readBody(req));
  const action = ACTIONS.find((name) => name === form.get('action'));
  if (!action) return void html(400, renderMissing());
  start(apply(invoice.id, action, form.get('currency') ?? undefined));
  // The first step is visible immediately.
  await sleep(Math.min(pace, 150));
  res.writeHead(303, { location: `${pageBase}/pay/${invoice.id}` }).end();
}

/** Creates an invoice, or a payment without one. */
async function answerOrder(
  { store, pageBase }: EmulatorContext,
  req: http.IncomingMessage,
  res: http.ServerResponse,
  route: 'POST /v1/invoice' | 'POST /v1/payment',
): Promise<void> {
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(await readBody(req)) as Record<string, unknown>;
  } catch {
    return refuse(res, 400, 'INVALID_REQUEST_PARAMS', 'Not JSON');
  }
  const price = Number(body['price_amount']);
  const text = (key: string) => (typeof body[key] === 'string' ? body[key] : null);
  if (!(price > 0) || !text('price_currency'))
    return refuse(res, 400, 'INVALID_REQUEST_PARAMS', 'price_amount and price_currency are needed');
  if (price < 2) return refuse(res, 400, 'AMOUNT_MINIMAL_ERROR', 'Crypto amount is less than minimal');
  if (route === 'POST /v1/payment') {
    const currency = text('pay_currency') ?? '';
    if (!(currency in RATES)) return refuse(res, 400, 'CURRENCY_UNAVAILABLE', `Currency ${currency} is unavailable`);
    const payment = store.addPayment({
      price_amount: price,
      price_currency: text('price_currency') ?? 'usd',
      pay_currency: currency,
      order_id: text('order_id'),
      order_description: text('order_description'),
      callback: text('ipn_callback_url'),
    });
    store.save();
    return json(res, 201, { ...publicForm(payment), payment_id: String(payment.payment_id) });
  }
  const invoice = store.addInvoice({
    order_id: text('order_id'),
    order_description: text('order_description'),
    price_amount: price,
    price_currency: text('price_currency') ?? 'usd',
    callback: text('ipn_callback_url'),
    success_url: text('success_url'),
  });
  store.save();
  json(res, 201, {
    id: String(invoice.id),
    token_id: String(store.newId()),
    order_id: invoice.order_id,
    order_description: invoice.order_description,
    price_amount: String(invoice.price_amount),
    price_currency: invoice.price_currency,
    pay_currency: null,
    ipn_callback_url: invoice.callback,
    invoice_url: `${pageBase}/pay/${invoice.id}`,
    success_url: invoice.success_url,
    cancel_url: text('cancel_url'),
    created_at: invoice.created_at,
    updated_at: invoice.created_at,
  });
}

/**
 * Payments of one invoice or all payments, newest first by default. The provider requires the token of `POST /v1/auth` as well; on
 * loopback, where only the site that started us has the key, it would protect nothing.
 */
function answerList({ store, replayed }: EmulatorContext, res: http.ServerResponse, query: URLSearchParams): void {
  const wanted = query.get('invoiceId');
  const since = Date.parse(query.get('dateFrom') ?? '') || 0;
  const found = store
    .payments()
    .filter((payment) => wanted === null || String(payment.invoice_id) === wanted)
    .filter((payment) => Date.parse(payment.created_at) >= since);
  const recorded = [...replayed.values()].filter(
    (one) =>
      (wanted === null || String(one['invoice_id']) === wanted) && Date.parse(String(one['created_at'])) >= since,
  );
  const all = [...found.map(publicForm), ...recorded];
  if (query.get('orderBy') !== 'asc') all.reverse();
  const limit = Number(query.get('limit') ?? 10);
  const page = Number(query.get('page') ?? 0);
  json(res, 200, {
    data: all.slice(page * limit, (page + 1) * limit),
    limit,
    page,
    pagesCount: Math.ceil(all.length / limit),
    total: all.length,
  });
}

/** Then it reports the credited amount: here all of it. */
const DONE = ['finished', 'partially_paid'];

function publicForm({ callback, sent: _, ...payment }: Payment) {
  return {
    ...payment,
    ipn_callback_url: callback,
    payin_extra_id: null,
    payment_extra_ids: null,
    ...(DONE.includes(payment.payment_status)
      ? { outcome_amount: payment.actually_paid, outcome_currency: payment.pay_currency }
      : {}),
    type: 'crypto2crypto',
  };
}

async function readBody(req: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY) throw new Error('too long');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
