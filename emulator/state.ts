export type Status =
  | 'waiting'
  | 'confirming'
  | 'confirmed'
  | 'sending'
  | 'partially_paid'
  | 'finished'
  | 'failed'
  | 'refunded'
  | 'expired';

export interface Payment {
  payment_id: number;
  parent_payment_id: number | null;
  invoice_id: number | null;
  payment_status: Status;
  pay_address: string;
  price_amount: number;
  price_currency: string;
  pay_amount: number;
  actually_paid: number;
  pay_currency: string;
  order_id: string | null;
  order_description: string | null;
  purchase_id: string;
  created_at: string;
  updated_at: string;
  callback: string | null;
  /** Bodies that were sent, oldest first. */
  sent: string[];
}

export interface Invoice {
  id: number;
  order_id: string | null;
  order_description: string | null;
  price_amount: number;
  price_currency: string;
  callback: string | null;
  success_url: string | null;
  created_at: string;
  /** Callbacks get lost. */
  muted: boolean;
}

export interface State {
  invoices: Invoice[];
  payments: Payment[];
}

/** Units of each currency for one US dollar. */
export const RATES: Record<string, number> = {
  usdttrc20: 1,
  btc: 1 / 60_000,
  eth: 1 / 3_000,
  sol: 1 / 150,
  bnbbsc: 1 / 600,
};
