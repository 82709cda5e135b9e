import { readBody } from '#server/lib/network/read-body.ts';
import { amountOf, depositOf, idOf, type Json, parse, readList, textOf } from './nowpayments-answers.ts';
import { type Callback, type Deposit, type InvoiceOrder, type PaymentProvider, ProviderError } from './port.ts';
import { verifyBody } from './signature.ts';

/** Timeout of one request. Milliseconds. */
const TIMEOUT_MS = 12_000;
/** Maximum size of a response. Bytes; a list of 100 deposits has about 100 KB. */
const MAX_ANSWER = 1024 * 1024;
/** Maximum number of deposits of one order that are listed. */
const MAX_LIST = 100;
/** Deposits per page of the list of all deposits, and the maximum number of pages for recent ones. */
const MAX_PAGE = 500;
const MAX_PAGES = 6;
/** Lifetime of a sign-in for lists; the provider ends it after five minutes. Milliseconds. */
const TOKEN_LIFE = 4 * 60_000;

export interface NowPaymentsOptions {
  /** For example https://api.nowpayments.io/v1 */
  baseUrl: string | (() => Promise<string>);
  apiKey: string;
  ipnSecret: string;
  /** Former keys and secrets: payments created with them are still read, and callbacks signed with them accepted. */
  oldApiKeys?: readonly string[];
  oldIpnSecrets?: readonly string[];
  /** The account is shared with other systems. */
  shared?: boolean;
  simulation?: boolean;
  /** Credentials of the account, for listing deposits: the provider requires a sign-in for that. */
  account?: { email: string; password: string } | undefined;
  timeoutMs?: number;
}

interface NowPaymentsContext {
  base: () => Promise<string>;
  options: NowPaymentsOptions;
  apiKey: string;
  ipnSecret: string;
  /** Token of the sign-in for lists, and its expiry (`performance.now()`). */
  token: { value: string; until: number } | undefined;
  mayList: boolean;
}

/**
 * The API of NOWPayments (invoices, deposits, signed callbacks). Tolerant: numbers may be strings, errors may be HTML.
 */
export function nowPayments(options: NowPaymentsOptions): PaymentProvider {
  const { apiKey, ipnSecret } = options;
  if (!apiKey || !ipnSecret) throw new Error('a payment provider without key or callback secret');
  const { baseUrl } = options;
  const base = typeof baseUrl === 'string' ? async () => baseUrl.replace(/\/$/, '') : baseUrl;
  // Lists require a sign-in, except in the simulation; without one no request is made.
  const mayList = Boolean(options.account || options.simulation);

  const context: NowPaymentsContext = { base, options, apiKey, ipnSecret, token: undefined, mayList };
  return {
    simulation: options.simulation ?? false,
    shared: options.shared ?? false,
    target: typeof baseUrl === 'string' ? new URL(baseUrl).host : 'simulation',
    createInvoice: (order) => createInvoice(context, order),
    deposit: (paymentId) => deposit(context, paymentId),
    deposits: (of) => deposits(context, of),
    recent: (since) => recent(context, since),
    everything: (onPage) => everything(context, onPage),
    verifyCallback: (rawBody, signature) => verifyCallback(context, rawBody, signature),
  };
}

async function call(
  context: NowPaymentsContext,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  { bearer, apiKey = context.apiKey }: { bearer?: string | undefined; apiKey?: string } = {},
): Promise<Json> {
  const { base, options } = context;
  let status: number | undefined;
  let text: string;
  try {
    const response = await fetch((await base()) + path, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
      headers: {
        'x-api-key': apiKey,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    status = response.status;
    text = await readBody(response, MAX_ANSWER);
  } catch (cause) {
    throw new ProviderError('unknown', 'The payment provider does not respond', {
      cause,
      ...(status ? { status } : {}),
    });
  }
  const json = parse(text);
  if (status >= 200 && status < 300 && json) return json;
  // A 429 or 5xx may come as HTML from a server in front: the effect of the request is then unknown.
  const refused = status >= 400 && status < 500 && status !== 408 && status !== 429 && json !== null;
  const code = typeof json?.['code'] === 'string' ? ` ${json['code']}` : '';
  throw new ProviderError(
    refused ? 'refused' : 'unknown',
    `The payment provider responded with status ${status}${code}`,
    {
      status,
    },
  );
}

async function bearer(context: NowPaymentsContext): Promise<string | undefined> {
  const { options } = context;
  if (!options.account) return undefined;
  if (context.token && context.token.until > performance.now()) return context.token.value;
  const { token: value } = await call(context, 'POST', '/auth', options.account);
  if (typeof value !== 'string')
    throw new ProviderError('unknown', 'The payment provider returned no token at sign-in');
  context.token = { value, until: performance.now() + TOKEN_LIFE };
  return value;
}

/** A page of a list; null if the account may not list. */
async function list(context: NowPaymentsContext, query: Record<string, string>): Promise<Json | null> {
  let answer: Json;
  try {
    answer = await call(context, 'GET', `/payment/?${new URLSearchParams(query)}`, undefined, {
      bearer: await bearer(context),
    });
  } catch (error) {
    const { status } = error as ProviderError;
    if (status !== 401 && status !== 403) throw error;
    context.token = undefined;
    return null;
  }
  if (!Array.isArray(answer['data']))
    throw new ProviderError('unknown', 'The payment provider did not return a list', { answered: true });
  return answer;
}

async function createInvoice(
  context: NowPaymentsContext,
  order: InvoiceOrder,
): Promise<{ invoiceId: string; url: string }> {
  const made = await call(context, 'POST', '/invoice', {
    price_amount: order.priceUsd,
    price_currency: 'usd',
    order_id: order.orderId,
    order_description: order.description,
    ipn_callback_url: order.callbackUrl,
    success_url: order.returnUrl,
    cancel_url: order.returnUrl,
    partially_paid_url: order.returnUrl,
  });
  const invoiceId = idOf(made['id']);
  const url = made['invoice_url'];
  if (!invoiceId || typeof url !== 'string' || !/^https?:\/\//.test(url))
    throw new ProviderError('unknown', 'The payment provider returned no invoice');
  return { invoiceId, url };
}

async function deposit(context: NowPaymentsContext, paymentId: string): Promise<Deposit | null> {
  // A lone surrogate cannot be encoded in a URL, and no id of the provider contains one.
  if (!paymentId.isWellFormed()) return null;
  const found = await findDeposit(context, paymentId);
  if (!found) return null;
  const deposit = depositOf(found);
  if (deposit?.paymentId !== paymentId)
    throw new ProviderError('unknown', 'The payment provider returned another deposit than the requested one', {
      answered: true,
    });
  return deposit;
}

/** Reads a payment with the key that created it: the current one, otherwise the former ones. */
async function findDeposit(context: NowPaymentsContext, paymentId: string): Promise<Json | null> {
  const path = `/payment/${encodeURIComponent(paymentId)}`;
  for (const apiKey of [context.apiKey, ...(context.options.oldApiKeys ?? [])])
    try {
      return await call(context, 'GET', path, undefined, { apiKey });
    } catch (error) {
      const { kind, status } = error as ProviderError;
      // A 404 that is not JSON comes from a server in front: it says nothing about the payment.
      if (kind === 'refused' && status === 404) continue;
      // A former key that is refused altogether gives no information about the payment.
      if (apiKey === context.apiKey || status !== 403) throw error;
    }
  return null;
}

async function deposits(
  context: NowPaymentsContext,
  { invoiceId, orderId }: { invoiceId: string | null; orderId: string },
): Promise<{ deposits: Deposit[]; complete: boolean } | null> {
  const { mayList } = context;
  if (!invoiceId || !mayList) return null;
  const answer = await list(context, {
    limit: String(MAX_LIST),
    page: '0',
    sortBy: 'created_at',
    orderBy: 'desc',
    invoiceId,
  });
  if (!answer) return null;
  const { deposits: found, unreadable } = readList(answer);
  // If the filter is ignored, the response contains deposits of all orders.
  const isOfOrder = (invoice: string | null, order: string | null) => invoice === invoiceId || order === orderId;
  const mayBeOfOrder = (invoice: string | null, order: string | null) =>
    isOfOrder(invoice, order) || (invoice === null && order === null);
  return {
    deposits: found.filter((deposit) => isOfOrder(deposit.invoiceId, deposit.orderId)),
    complete: !unreadable.some((json) => mayBeOfOrder(idOf(json['invoice_id']), textOf(json['order_id']))),
  };
}

async function recent(
  context: NowPaymentsContext,
  since: number,
): Promise<{ deposits: Deposit[]; complete: boolean } | null> {
  const { mayList } = context;
  if (!mayList) return null;
  const found = new Map<string, Deposit>();
  let isReadable = true;
  for (let index = 0; index < MAX_PAGES; index++) {
    const answer = await list(context, {
      limit: String(MAX_PAGE),
      page: String(index),
      sortBy: 'created_at',
      orderBy: 'desc',
      dateFrom: new Date(since).toISOString(),
    });
    if (!answer) return null;
    const size = (answer['data'] as unknown[]).length;
    const { deposits: page, unreadable } = readList(answer);
    if (unreadable.length > 0) isReadable = false;
    for (const deposit of page) found.set(deposit.paymentId, deposit);
    const pages = amountOf(answer['pagesCount']);
    // Without a page count, a page that is not full may have a lower limit of the provider.
    if (size === 0 || (pages !== null && index + 1 >= pages))
      return { deposits: [...found.values()], complete: isReadable };
  }
  return { deposits: [...found.values()], complete: false };
}

/** Maximum number of pages of all deposits: 1,000,000 deposits. */
const MAX_ALL_PAGES = 2_000;

async function everything(
  context: NowPaymentsContext,
  onPage: (deposits: Deposit[]) => Promise<void>,
): Promise<'whole' | 'cut' | null> {
  if (!context.mayList) return null;
  let isReadable = true;
  for (let page = 0; page < MAX_ALL_PAGES; page++) {
    const answer = await list(context, {
      limit: String(MAX_PAGE),
      page: String(page),
      sortBy: 'created_at',
      orderBy: 'asc',
    });
    if (!answer) return null;
    const size = (answer['data'] as unknown[]).length;
    const { deposits: found, unreadable } = readList(answer);
    if (unreadable.length > 0) isReadable = false;
    if (size > 0) await onPage(found);
    const pages = amountOf(answer['pagesCount']);
    if (size === 0 || (pages !== null && page + 1 >= pages)) return isReadable ? 'whole' : 'cut';
  }
  return 'cut';
}

function verifyCallback(
  context: NowPaymentsContext,
  rawBody: Buffer<ArrayBufferLike>,
  signature: string | undefined,
): Callback | null {
  const secrets = [context.ipnSecret, ...(context.options.oldIpnSecrets ?? [])];
  // All signatures are computed, so that the duration does not reveal which secret matched.
  const body = secrets.map((secret) => verifyBody(rawBody, signature, secret)).find((one) => one !== null) ?? null;
  const paymentId = body && idOf(body['payment_id']);
  if (!body || !paymentId) return null;
  return {
    paymentId,
    parentId: idOf(body['parent_payment_id']),
    invoiceId: idOf(body['invoice_id']),
    orderId: textOf(body['order_id']),
    body,
  };
}
