// Deposits in the provider's format, as in the files of `recorded/`: returned by the API, and sent as a signed
// callback.
import type { Invoice } from './state.ts';

/** A deposit in the provider's own format. */
export interface Recorded {
  name: string;
  about: string;
  /** The state of an order in the product after this deposit. */
  expected: { state: string; confirmed: boolean; rawStatus?: string };
  /** Null: the provider sends none. */
  callback: Record<string, unknown> | null;
  answer: Record<string, unknown>;
}

/**
 * The deposit with its placeholders for ids replaced.
 * @param parent the payment that it belongs to; itself where it has none.
 */
export function filled(
  body: Record<string, unknown>,
  { invoice, payment, parent }: { invoice: Invoice; payment: number; parent: number },
): Record<string, unknown> {
  const values: Record<string, unknown> = {
    '<payment>': payment,
    '<payment text>': String(payment),
    '<parent>': parent,
    '<invoice>': invoice.id,
    '<invoice text>': String(invoice.id),
    '<order>': invoice.order_id,
    '<description>': invoice.order_description,
  };
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      typeof value === 'string' && value in values ? values[value] : value,
    ]),
  );
}
