// Notifies the merchant's server of the state of a payment by signed callbacks, repeated until it responds.
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Payment } from './state.ts';
import type { Store } from './store.ts';

const MAX_ATTEMPTS = 3;

interface CallbackOptions {
  store: Store;
  ipnSecret: string;
  /** Delay before a callback is repeated. Milliseconds. */
  retryDelay: number;
  /** True after the close: nothing may be sent. */
  closed: () => boolean;
}

export type Callbacks = ReturnType<typeof createCallbacks>;

export function createCallbacks({ store, ipnSecret, retryDelay, closed }: CallbackOptions) {
  async function deliver(url: string, body: string): Promise<void> {
    const signature = createHmac('sha512', ipnSecret)
      .update(JSON.stringify(sorted(JSON.parse(body))))
      .digest('hex');
    for (let attempt = 1; attempt <= MAX_ATTEMPTS && !closed(); attempt++) {
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
      if (attempt < MAX_ATTEMPTS) await sleep(retryDelay);
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
    store.save();
    const invoice = payment.invoice_id === null ? undefined : store.invoice(payment.invoice_id);
    if (payment.callback && !invoice?.muted) await deliver(payment.callback, body);
  }

  return { deliver, callBack };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted((value as Record<string, unknown>)[key])]));
}
