// Actions of payers on an invoice, correct and incorrect ones.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Callbacks } from './callbacks.ts';
import { type Payment, RATES, type Status } from './state.ts';
import type { Store } from './store.ts';

export const ACTIONS = [
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

const DAY = 86_400_000;
/** A smaller share of the price is below the provider's minimum. */
const DUST = 0.01;
/** Maximum number of payments of one invoice: the page is open to everybody. */
const MAX_PAYMENTS = 50;

interface PayerOptions extends Callbacks {
  store: Store;
  /** Delay between two steps of a confirmation. Milliseconds. */
  pace: number;
  now: () => number;
  /** True after the close: nothing may change. */
  closed: () => boolean;
}

const STEPS: Status[] = ['confirming', 'confirmed', 'sending', 'finished'];
export const isUnderWay = ({ payment_status: status }: Payment): boolean =>
  status === 'confirming' || status === 'confirmed' || status === 'sending';

/**
 * The actions of the page's buttons (`act`; it resolves when all callbacks of one are delivered), and the continuation
 * of those that a restart interrupted.
 */
export function createPayers({ store, deliver, callBack, pace, now, closed }: PayerOptions) {
  /** Expiry is the one change without a callback. */
  async function move(payment: Payment, status: Status, paid?: number, at = now()): Promise<void> {
    payment.payment_status = status;
    if (paid !== undefined) payment.actually_paid = Number(paid.toFixed(8));
    payment.updated_at = new Date(at).toISOString();
    store.save();
    if (status !== 'expired') await callBack(payment);
  }

  async function confirm(payment: Payment, share: number, at = now()): Promise<void> {
    const paid = payment.pay_amount * share;
    await move(payment, 'confirming', paid, at);
    return goOn(payment);
  }

  /** The remaining steps of a payment in progress. Its own clock continues: it may be in the future. */
  async function goOn(payment: Payment): Promise<void> {
    const at = Date.parse(payment.updated_at);
    const share = payment.actually_paid / payment.pay_amount;
    await sleep(pace, undefined, { ref: false });
    if (closed()) return;
    if (share < DUST) return move(payment, 'failed', undefined, at);
    if (share < 1) return move(payment, 'partially_paid', undefined, at);
    for (const status of STEPS.slice(STEPS.indexOf(payment.payment_status) + 1)) {
      await move(payment, status, undefined, at);
      if (status !== 'finished') await sleep(pace, undefined, { ref: false });
      if (closed()) return;
    }
  }

  async function apply(invoiceId: number, action: Action, currency = 'usdttrc20'): Promise<void> {
    const invoice = store.invoice(invoiceId);
    if (!invoice) throw new Error('no such invoice');
    if (store.paymentsOf(invoiceId).length >= MAX_PAYMENTS && !['mute', 'unmute', 'top_up', 'refund'].includes(action))
      return;
    const own = store.paymentsOf(invoiceId).filter((payment) => payment.parent_payment_id === null);
    const latest = own.at(-1);
    const open = own.findLast(({ payment_status: status }) => status === 'waiting');
    const fresh = () =>
      store.addPayment({
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
        return goOn(payment);
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
        const child = store.addPayment({
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
        return store.save();
    }
  }

  return { apply, goOn };
}
