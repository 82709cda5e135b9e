import { REPORT_WEEKS } from '../limits.ts';

// Headings of the files for people. Programs read the files without them, whose columns are the fields of the API.

/** Columns of the file for people, in their order, with their headings in both languages; amounts are US dollars with two decimals. */
const MONEY_HEADINGS = {
  month: { es: 'Mes (UTC)', en: 'Month (UTC)' },
  plan: { es: 'Plan', en: 'Plan' },
  network: { es: 'Red', en: 'Network' },
  simulation: { es: 'Simulación', en: 'Simulation' },
  expectedCents: { es: 'Acordado (USD)', en: 'Agreed (USD)' },
  receivedCents: { es: 'Recibido (USD)', en: 'Received (USD)' },
  shortCents: { es: 'Perdonado (USD)', en: 'Waived (USD)' },
  refundedCents: { es: 'Devuelto (USD)', en: 'Refunded (USD)' },
  fees: { es: 'Comisiones', en: 'Fees' },
  unplaced: { es: 'Sin colocar', en: 'Unplaced' },
  overdue: { es: 'Entregas atrasadas', en: 'Overdue deliverables' },
  differences: { es: 'Diferencias', en: 'Differences' },
} as const satisfies Record<string, { es: string; en: string }>;

/** The same for the file with one line for each payment. */
const PAYMENT_HEADINGS = {
  orderId: { es: 'Pedido', en: 'Order' },
  at: { es: 'Fecha (UTC)', en: 'Date (UTC)' },
  tokenName: { es: 'Token', en: 'Token' },
  plan: { es: 'Plan', en: 'Plan' },
  network: { es: 'Red', en: 'Network' },
  state: { es: 'Estado', en: 'State' },
  priceCents: { es: 'Precio al pedir (USD)', en: 'Price when ordered (USD)' },
  amount: { es: 'Importe recibido', en: 'Amount received' },
  currency: { es: 'Moneda', en: 'Currency' },
  receivedCents: { es: 'Recibido (USD)', en: 'Received (USD)' },
  refundedCents: { es: 'Devuelto (USD)', en: 'Refunded (USD)' },
  refunds: { es: 'Devoluciones', en: 'Refunds' },
  providerPaymentId: { es: 'Número del proveedor', en: 'Provider’s number' },
  simulation: { es: 'Simulación', en: 'Simulation' },
} as const satisfies Record<string, { es: string; en: string }>;

/** Voters by the week of their first vote, and how many of them voted in each week after it. */
const RETENTION_HEADINGS = {
  week: { es: 'Semana del', en: 'Week of' },
  voters: { es: 'Votantes', en: 'Voters' },
  ...Object.fromEntries(
    Array.from({ length: REPORT_WEEKS - 1 }, (_, i) => [
      `weeks.${i + 1}`,
      { es: `Semana +${i + 1}`, en: `Week +${i + 1}` },
    ]),
  ),
};

/** Lists that have a file for people. */
export const FILES_FOR_PEOPLE: Readonly<Record<string, Readonly<Record<string, { es: string; en: string }>>>> = {
  money: MONEY_HEADINGS,
  payments: PAYMENT_HEADINGS,
  retention: RETENTION_HEADINGS,
};

/** Words of a value that is true or false. */
export const YES_NO = { es: { true: 'sí', false: 'no' }, en: { true: 'yes', false: 'no' } } as const;
