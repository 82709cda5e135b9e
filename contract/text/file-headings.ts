import { REPORT_WEEKS } from '../limits.ts';
import type { PageKind } from '../page-views.ts';

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

/** Income of a week, and of a token. */
const INCOME_SUMS = {
  receivedCents: { es: 'Recibido (USD)', en: 'Received (USD)' },
  refundedCents: { es: 'Devuelto (USD)', en: 'Refunded (USD)' },
  netCents: { es: 'Queda (USD)', en: 'Left (USD)' },
  simulation: { es: 'Simulación', en: 'Simulation' },
} as const;
const INCOME_HEADINGS = {
  week: { es: 'Semana del', en: 'Week of' },
  orders: { es: 'Pedidos', en: 'Orders' },
  ...INCOME_SUMS,
} as const;
const LAUNCH_INCOME_HEADINGS = {
  tokenName: { es: 'Token', en: 'Token' },
  tokenSymbol: { es: 'Símbolo', en: 'Symbol' },
  createdAt: { es: 'Empezado (UTC)', en: 'Begun (UTC)' },
  plan: { es: 'Plan', en: 'Plan' },
  network: { es: 'Red', en: 'Network' },
  delivered: { es: 'Entregado', en: 'Delivered' },
  ...INCOME_SUMS,
} as const;

/** Token requests by the week in which they were begun, and how far they came. */
const FUNNEL_HEADINGS = {
  week: { es: 'Semana del', en: 'Week of' },
  started: { es: 'Empezadas', en: 'Begun' },
  filled: { es: 'Con los datos', en: 'Filled in' },
  step2: { es: 'Paso 2: mercado', en: 'Step 2: market data' },
  step3: { es: 'Paso 3: redes y contacto', en: 'Step 3: socials and contact' },
  step4: { es: 'Paso 4: plan', en: 'Step 4: plan' },
  step5: { es: 'Paso 5: pago', en: 'Step 5: payment' },
  ordered: { es: 'Con pedido', en: 'With an order' },
  paid: { es: 'Pagadas', en: 'Paid' },
  delivered: { es: 'Entregadas', en: 'Delivered' },
} as const;

const MODERATION_HEADINGS = {
  week: { es: 'Semana del', en: 'Week of' },
  reported: { es: 'Denuncias', en: 'Reports' },
  hidden: { es: 'Textos ocultados', en: 'Texts hidden' },
  restored: { es: 'Restaurados', en: 'Restored' },
  kept: { es: 'Denuncias descartadas', en: 'Reports dismissed' },
  banned: { es: 'Cuentas bloqueadas', en: 'Accounts banned' },
  waited: { es: 'Textos en espera', en: 'Texts that waited' },
  reviewed: { es: 'Textos revisados', en: 'Texts reviewed' },
  appealed: { es: 'Apelaciones', en: 'Appeals' },
  appealsDecided: { es: 'Apelaciones decididas', en: 'Appeals decided' },
  requestsDecided: { es: 'Solicitudes decididas', en: 'Requests decided' },
} as const;

/** Page views of a UTC day: in total, from outside, and by kind of page. */
const PAGE_VIEW_HEADINGS = {
  day: { es: 'Día (UTC)', en: 'Day (UTC)' },
  views: { es: 'Vistas', en: 'Views' },
  arrivals: { es: 'Desde fuera', en: 'From outside' },
  home: { es: 'Portada', en: 'Home' },
  vote: { es: 'Votación', en: 'Vote' },
  tokens: { es: 'Listas de tokens', en: 'Lists of tokens' },
  token: { es: 'Tokens', en: 'Tokens' },
  next: { es: 'NEXT', en: 'NEXT' },
  news: { es: 'Noticias', en: 'News' },
  forum: { es: 'Foro', en: 'Forum' },
  search: { es: 'Búsqueda', en: 'Search' },
  create: { es: 'Crear y publicar', en: 'Create and publish' },
  account: { es: 'Cuenta', en: 'Account' },
  text: { es: 'Textos del sitio', en: 'Texts of the site' },
  other: { es: 'Otras', en: 'Others' },
} as const satisfies Record<'day' | 'views' | 'arrivals' | PageKind, { es: string; en: string }>;

/** Lists that have a file for people. */
export const FILES_FOR_PEOPLE: Readonly<Record<string, Readonly<Record<string, { es: string; en: string }>>>> = {
  money: MONEY_HEADINGS,
  payments: PAYMENT_HEADINGS,
  retention: RETENTION_HEADINGS,
  income: INCOME_HEADINGS,
  launchIncome: LAUNCH_INCOME_HEADINGS,
  funnel: FUNNEL_HEADINGS,
  moderationLoad: MODERATION_HEADINGS,
  pageViews: PAGE_VIEW_HEADINGS,
};

/** Words of a value that is true or false. */
export const YES_NO = { es: { true: 'sí', false: 'no' }, en: { true: 'yes', false: 'no' } } as const;
