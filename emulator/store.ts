// The stored state of the emulator: every invoice and payment, in one file.
import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Invoice, type Payment, RATES, type State } from './state.ts';

/** Maximum number of invoices: the page is open to everybody, and all data is in one file. */
const MAX_INVOICES = 2_000;

export type Store = ReturnType<typeof openStore>;

/** @param file stores everything across restarts. */
export function openStore(file: string | undefined, now: () => number) {
  const state = load(file);
  // 15 digits: exact as JSON numbers, and hard to guess.
  const newId = () => randomInt(100_000_000_000, 281_000_000_000_000);
  return {
    newId,
    save() {
      if (!file) return;
      mkdirSync(path.dirname(file), { recursive: true });
      // Flushed before it replaces the old file: after a power failure one of the two is intact.
      writeFileSync(`${file}.new`, JSON.stringify(state), { flush: true });
      renameSync(`${file}.new`, file);
    },
    invoice: (id: number) => state.invoices.find((invoice) => invoice.id === id),
    payment: (id: string) => state.payments.find(({ payment_id: one }) => String(one) === id),
    payments: () => state.payments,
    paymentsOf: (invoiceId: number) => state.payments.filter((payment) => payment.invoice_id === invoiceId),

    /** The oldest ones are removed for it, with their payments. */
    addInvoice(over: Omit<Invoice, 'id' | 'created_at' | 'muted'>): Invoice {
      const invoice = { ...over, id: newId(), created_at: new Date(now()).toISOString(), muted: false };
      state.invoices.push(invoice);
      const gone = new Set(state.invoices.splice(0, state.invoices.length - MAX_INVOICES).map(({ id }) => id));
      if (gone.size > 0) state.payments = state.payments.filter(({ invoice_id: of }) => of === null || !gone.has(of));
      return invoice;
    },

    addPayment(over: Partial<Payment> & { price_amount: number; pay_currency: string }): Payment {
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
    },
  };
}

function load(file: string | undefined): State {
  const empty: State = { invoices: [], payments: [] };
  if (!file) return empty;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return empty;
    throw error;
  }
  try {
    return JSON.parse(text) as State;
  } catch {
    // The unreadable file stays for inspection; the emulator starts empty.
    console.error(`The payment simulation could not read ${file}; it is kept as ${file}.broken`);
    renameSync(file, `${file}.broken`);
    return empty;
  }
}
