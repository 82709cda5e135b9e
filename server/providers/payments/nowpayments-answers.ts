// Reads what NOWPayments answers: amounts and ids are numbers or strings.
import { sumOf } from '#server/lib/fixed-point.ts';
import { type Deposit, type Outcome, PROVIDER_STATUSES, type ProviderStatus } from './port.ts';

export type Json = Record<string, unknown>;

/** The deposits of a list, and its entries without a valid id or price: a list with such an entry is not complete. */
export function readList(answer: Json): { deposits: Deposit[]; unreadable: Json[] } {
  const items = (answer['data'] as unknown[]).map((item) =>
    item !== null && typeof item === 'object' ? (item as Json) : {},
  );
  const read = items.map((item) => ({ item, deposit: depositOf(item) }));
  return {
    deposits: read.flatMap(({ deposit }) => deposit ?? []),
    unreadable: read.flatMap(({ item, deposit }) => (deposit ? [] : [item])),
  };
}

export function parse(text: string): Json | null {
  try {
    const value: unknown = parseExactly(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

/** Amounts are read as text: a double has 17 digits, coins have up to 18 decimal places. */
const AMOUNTS = new Set(['pay_amount', 'actually_paid', 'outcome_amount', 'depositFee', 'withdrawalFee', 'serviceFee']);

/** @throws SyntaxError */
function parseExactly(text: string): unknown {
  // TypeScript's types lack the third argument.
  const keep = (key: string, value: unknown, { source }: { source?: string } = {}): unknown =>
    typeof value === 'number' && source !== undefined && AMOUNTS.has(key) ? source : value;
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown);
}

export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 200) : null;

/** Ids are numbers or strings; a number above 2^53 has lost digits. */
export function idOf(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : null;
  return typeof value === 'string' && /^[0-9A-Za-z_-]{1,64}$/.test(value) ? value : null;
}

/** Amounts are numbers or strings. */
export function amountOf(value: unknown): number | null {
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 ? amount : null;
}

function timeOf(value: unknown): number {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && Number.isFinite(time) && time > 0 ? time : 0;
}

export function depositOf(json: Json): Deposit | null {
  const paymentId = idOf(json['payment_id']);
  const rawStatus = json['payment_status'];
  const priceAmount = amountOf(json['price_amount']);
  if (!paymentId || priceAmount === null) return null;
  const status = isStatus(rawStatus) ? rawStatus : 'unknown';
  return {
    paymentId,
    parentId: idOf(json['parent_payment_id']),
    invoiceId: idOf(json['invoice_id']),
    orderId: textOf(json['order_id']),
    status,
    ...(status === 'unknown' ? { rawStatus: (textOf(rawStatus) ?? '').slice(0, 60) } : {}),
    priceAmount,
    priceCurrency: (textOf(json['price_currency']) ?? '').toLowerCase(),
    payAddress: textOf(json['pay_address']),
    payAmount: amountOf(json['pay_amount']),
    payCurrency: textOf(json['pay_currency'])?.toLowerCase() ?? null,
    actuallyPaid: amountOf(json['actually_paid']),
    ...exactly('payText', json['pay_amount']),
    ...exactly('paidText', json['actually_paid']),
    updatedAt: timeOf(json['updated_at']),
    ...outcomeOf(json),
    ...descriptionOf(json),
  };
}

const descriptionOf = (json: Json): { description?: string } => {
  const description = textOf(json['order_description']);
  return description === null ? {} : { description };
};

const exactly = <Name extends string>(name: Name, value: unknown): { [name in Name]?: string } => {
  const text = amountText(value);
  return text === null ? {} : ({ [name]: text } as { [name in Name]: string });
};

/** The text of an amount; null for an invalid one. */
function amountText(value: unknown): string | null {
  if (amountOf(value) === null) return null;
  const text = String(value).trim();
  return /^\d{1,40}(\.\d{1,40})?(e[+-]?\d{1,3})?$/i.test(text) ? text : null;
}

function outcomeOf(json: Json): { outcome?: Outcome } {
  const amount = amountText(json['outcome_amount']);
  const currency = textOf(json['outcome_currency'])?.toLowerCase();
  if (amount === null || !currency || Number(amount) === 0) return {};
  const payinHash = textOf(json['payin_hash']);
  const payoutHash = textOf(json['payout_hash']);
  return { outcome: { amount, currency, payinHash, payoutHash, fee: feeOf(json['fee']) } };
}

/** Sum of the provider's fees; null if they are missing, or cannot be added exactly. */
function feeOf(value: unknown): Outcome['fee'] {
  if (value === null || typeof value !== 'object') return null;
  const fee = value as Json;
  const currency = textOf(fee['currency'])?.toLowerCase();
  const parts = ['depositFee', 'withdrawalFee', 'serviceFee'].map((name) => amountText(fee[name] ?? '0'));
  if (!currency || parts.some((part) => part === null)) return null;
  return { amount: sumOf(parts.filter((part) => part !== null)), currency };
}

const isStatus = (value: unknown): value is ProviderStatus => (PROVIDER_STATUSES as readonly unknown[]).includes(value);
