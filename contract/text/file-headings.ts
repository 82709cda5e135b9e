import { REPORT_WEEKS } from '../limits.ts';
import type { PageKind } from '../page-views.ts';
import { PLAN_ITEM_NAMES } from './plan-items.ts';
import { PLAN_NAMES } from './plan-names.ts';
import {
  CLOSURE_NAMES,
  CREATION_STATE_NAMES,
  DELIVERABLE_KIND_NAMES,
  DELIVERABLE_STATE_NAMES,
  DIFFERENCE_KIND_NAMES,
  EVIDENCE_KIND_NAMES,
  PAYMENT_STAGE_NAMES,
  PAYMENT_STATE_NAMES,
  PLACE_END_NAMES,
  PLACE_KIND_NAMES,
  REFUND_CAUSE_NAMES,
  REFUND_STATE_NAMES,
  REQUEST_STATUS_NAMES,
  WITHDRAWAL_CAUSE_NAMES,
} from './value-names.ts';

// Headings and words of the files for people. Programs read the files without `headings`, whose columns are the fields of the API, and
// whose values are its codes.

/** Names of codes, by code, in both languages. */
type Names = Readonly<Record<'es' | 'en', Readonly<Record<string, string>>>>;

/** A column of a file for people. Without `names` and `of` its values are written as they are. */
export interface FileColumn {
  es: string;
  en: string;
  /** Its values are codes with these names; an empty one stays empty. */
  names?: Names;
  /**
   * What else its values are. `network`: the key of a network, whose name the team edits. `coin`: a code of the payment provider.
   * `amounts`: amounts in such coins, as '0.5 eth, 2 usdttrc20'. `refunds`: numbers of refunds with their states, as 'RF-… sent'.
   */
  of?: 'network' | 'coin' | 'amounts' | 'refunds';
}

const PLAN = { es: 'Plan', en: 'Plan', names: PLAN_NAMES } as const;
const NETWORK = { es: 'Red', en: 'Network', of: 'network' } as const;

/** Columns of the file for people, in their order, with their headings in both languages; amounts are US dollars with two decimals. */
const MONEY_HEADINGS = {
  month: { es: 'Mes (UTC)', en: 'Month (UTC)' },
  plan: PLAN,
  network: NETWORK,
  simulation: { es: 'Simulación', en: 'Simulation' },
  expectedCents: { es: 'Acordado (USD)', en: 'Agreed (USD)' },
  receivedCents: { es: 'Recibido (USD)', en: 'Received (USD)' },
  shortCents: { es: 'Perdonado (USD)', en: 'Waived (USD)' },
  refundedCents: { es: 'Devuelto (USD)', en: 'Refunded (USD)' },
  fees: { es: 'Comisiones', en: 'Fees', of: 'amounts' },
  unplaced: { es: 'Sin colocar', en: 'Unplaced', of: 'amounts' },
  overdue: { es: 'Entregas atrasadas', en: 'Overdue deliverables' },
  differences: { es: 'Diferencias', en: 'Differences' },
} as const satisfies Record<string, FileColumn>;

/** The same for the file with one line for each payment. */
const PAYMENT_HEADINGS = {
  orderId: { es: 'Pedido', en: 'Order' },
  at: { es: 'Fecha (UTC)', en: 'Date (UTC)' },
  tokenName: { es: 'Token', en: 'Token' },
  plan: PLAN,
  network: NETWORK,
  state: { es: 'Estado', en: 'State', names: PAYMENT_STATE_NAMES },
  priceCents: { es: 'Precio al pedir (USD)', en: 'Price when ordered (USD)' },
  amounts: { es: 'Importe recibido', en: 'Amount received', of: 'amounts' },
  receivedCents: { es: 'Recibido (USD)', en: 'Received (USD)' },
  refundedCents: { es: 'Devuelto (USD)', en: 'Refunded (USD)' },
  refunds: { es: 'Devoluciones', en: 'Refunds', of: 'refunds' },
  providerPaymentId: { es: 'Número del proveedor', en: 'Provider’s number' },
  simulation: { es: 'Simulación', en: 'Simulation' },
} as const satisfies Record<string, FileColumn>;

/** Token requests with their current orders. */
const ORDER_HEADINGS = {
  orderId: { es: 'Pedido', en: 'Order' },
  createdAt: { es: 'Empezada (UTC)', en: 'Begun (UTC)' },
  tokenName: { es: 'Token', en: 'Token' },
  tokenSymbol: { es: 'Símbolo', en: 'Symbol' },
  plan: PLAN,
  network: NETWORK,
  ownerWallet: { es: 'Wallet del propietario', en: 'Owner wallet' },
  email: { es: 'Email', en: 'E-mail' },
  telegram: { es: 'Telegram', en: 'Telegram' },
  status: { es: 'Estado', en: 'Status', names: REQUEST_STATUS_NAMES },
  paymentStage: { es: 'Pago', en: 'Payment', names: PAYMENT_STAGE_NAMES },
  paymentState: { es: 'Estado en el proveedor', en: 'State at the provider', names: PAYMENT_STATE_NAMES },
  priceUsd: { es: 'Precio (USD)', en: 'Price (USD)' },
  priceSol: { es: 'Precio (SOL)', en: 'Price (SOL)' },
  orderedUsd: { es: 'Precio del pedido (USD)', en: 'Price of the order (USD)' },
  receivedUsd: { es: 'Recibido (USD)', en: 'Received (USD)' },
  missingUsd: { es: 'Falta (USD)', en: 'Missing (USD)' },
  'returned.returnedUsd': { es: 'Devuelto (USD)', en: 'Refunded (USD)' },
  'returned.remainingUsd': { es: 'Queda (USD)', en: 'Left (USD)' },
  acceptedBy: { es: 'Aceptado por', en: 'Accepted by' },
  acceptedAt: { es: 'Aceptado (UTC)', en: 'Accepted (UTC)' },
  attention: { es: 'Por revisar', en: 'To look at' },
  creationState: { es: 'Creación del token', en: 'Token creation', names: CREATION_STATE_NAMES },
  closedAs: { es: 'Cierre', en: 'Closing', names: CLOSURE_NAMES },
  updatedAt: { es: 'Último cambio (UTC)', en: 'Last change (UTC)' },
} as const satisfies Record<string, FileColumn>;

const REFUND_HEADINGS = {
  number: { es: 'Número', en: 'Number' },
  orderId: { es: 'Pedido', en: 'Order' },
  tokenName: { es: 'Token', en: 'Token' },
  email: { es: 'Email', en: 'E-mail' },
  cause: { es: 'Causa', en: 'Cause', names: REFUND_CAUSE_NAMES },
  reason: { es: 'Motivo', en: 'Reason' },
  state: { es: 'Estado', en: 'State', names: REFUND_STATE_NAMES },
  amount: { es: 'Importe', en: 'Amount' },
  asset: { es: 'Moneda', en: 'Currency', of: 'coin' },
  address: { es: 'Dirección', en: 'Address' },
  transaction: { es: 'Transacción', en: 'Transaction' },
  byProvider: { es: 'La devolvió el proveedor', en: 'Sent by the provider' },
  openedAt: { es: 'Abierta (UTC)', en: 'Opened (UTC)' },
  openedBy: { es: 'Abierta por', en: 'Opened by' },
  addressAt: { es: 'Dirección escrita (UTC)', en: 'Address given (UTC)' },
  confirmedAt: { es: 'Dirección confirmada (UTC)', en: 'Address confirmed (UTC)' },
  paying: { es: 'Se está pagando', en: 'Being paid' },
  'claim.by': { es: 'La paga', en: 'Paid by' },
  'claim.at': { es: 'Reservada (UTC)', en: 'Claimed (UTC)' },
  'claim.until': { es: 'Reservada hasta (UTC)', en: 'Claimed until (UTC)' },
  halted: { es: 'Detenida', en: 'Halted' },
  sentAt: { es: 'Enviada (UTC)', en: 'Sent (UTC)' },
  sentBy: { es: 'Enviada por', en: 'Sent by' },
  withdrawnAt: { es: 'Retirada (UTC)', en: 'Withdrawn (UTC)' },
  withdrawnCause: { es: 'Retirada por', en: 'Withdrawn because of', names: WITHDRAWAL_CAUSE_NAMES },
  withdrawnReason: { es: 'Motivo de la retirada', en: 'Reason of the withdrawal' },
  simulation: { es: 'Simulación', en: 'Simulation' },
} as const satisfies Record<string, FileColumn>;

/** Deliverables of paid plans. */
const DELIVERABLE_HEADINGS = {
  orderId: { es: 'Pedido', en: 'Order' },
  createdAt: { es: 'Comprada (UTC)', en: 'Bought (UTC)' },
  tokenName: { es: 'Token', en: 'Token' },
  plan: PLAN,
  network: NETWORK,
  email: { es: 'Email', en: 'E-mail' },
  item: { es: 'Entrega', en: 'Deliverable', names: PLAN_ITEM_NAMES },
  kind: { es: 'Clase', en: 'Kind', names: DELIVERABLE_KIND_NAMES },
  state: { es: 'Estado', en: 'State', names: DELIVERABLE_STATE_NAMES },
  dueAt: { es: 'Prometida para (UTC)', en: 'Promised for (UTC)' },
  overdue: { es: 'Atrasada', en: 'Overdue' },
  'owner.name': { es: 'Responsable', en: 'Owner' },
  evidenceKind: { es: 'Clase de prueba', en: 'Kind of evidence', names: EVIDENCE_KIND_NAMES },
  evidence: { es: 'Prueba', en: 'Evidence' },
  note: { es: 'Nota', en: 'Note' },
  'place.kind': { es: 'Espacio contratado', en: 'Sold place', names: PLACE_KIND_NAMES },
  'place.startsAt': { es: 'Espacio desde (UTC)', en: 'Place from (UTC)' },
  'place.endsAt': { es: 'Espacio hasta (UTC)', en: 'Place until (UTC)' },
  'place.endedAt': { es: 'Espacio terminado (UTC)', en: 'Place ended (UTC)' },
  'place.endCause': { es: 'Por qué terminó', en: 'Why it ended', names: PLACE_END_NAMES },
  doneAt: { es: 'Entregada (UTC)', en: 'Delivered (UTC)' },
  doneBy: { es: 'Entregada por', en: 'Delivered by' },
  withdrawnAt: { es: 'Retirada (UTC)', en: 'Withdrawn (UTC)' },
  withdrawnReason: { es: 'Motivo de la retirada', en: 'Reason of the withdrawal' },
  refund: { es: 'Devolución', en: 'Refund' },
  simulation: { es: 'Simulación', en: 'Simulation' },
} as const satisfies Record<string, FileColumn>;

/** Differences between the money ledger and the payment provider. */
const SETTLEMENT_HEADINGS = {
  kind: { es: 'Diferencia', en: 'Difference', names: DIFFERENCE_KIND_NAMES },
  subject: { es: 'De', en: 'Of' },
  orderId: { es: 'Pedido', en: 'Order' },
  asset: { es: 'Moneda', en: 'Currency', of: 'coin' },
  ours: { es: 'Libro de dinero', en: 'Money ledger' },
  theirs: { es: 'Proveedor', en: 'Provider' },
  foundAt: { es: 'Vista desde (UTC)', en: 'Seen since (UTC)' },
  seenAt: { es: 'Vista por última vez (UTC)', en: 'Last seen (UTC)' },
  goneAt: { es: 'Ya no está (UTC)', en: 'Gone (UTC)' },
  explainedAt: { es: 'Explicada (UTC)', en: 'Explained (UTC)' },
  explainedBy: { es: 'Explicada por', en: 'Explained by' },
  reason: { es: 'Explicación', en: 'Explanation' },
} as const satisfies Record<string, FileColumn>;

/** Voters by the week of their first vote, and how many of them voted in each week after it. */
const RETENTION_HEADINGS = {
  week: { es: 'Semana UTC del', en: 'UTC week of' },
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
  week: { es: 'Semana UTC del', en: 'UTC week of' },
  orders: { es: 'Pedidos', en: 'Orders' },
  ...INCOME_SUMS,
} as const;
const LAUNCH_INCOME_HEADINGS = {
  tokenName: { es: 'Token', en: 'Token' },
  tokenSymbol: { es: 'Símbolo', en: 'Symbol' },
  createdAt: { es: 'Empezado (UTC)', en: 'Begun (UTC)' },
  plan: PLAN,
  network: NETWORK,
  delivered: { es: 'Entregado', en: 'Delivered' },
  ...INCOME_SUMS,
} as const;

/** Token requests by the week in which they were begun, and how far they came. */
const FUNNEL_HEADINGS = {
  week: { es: 'Semana UTC del', en: 'UTC week of' },
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
  week: { es: 'Semana UTC del', en: 'UTC week of' },
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
export const FILES_FOR_PEOPLE: Readonly<Record<string, Readonly<Record<string, FileColumn>>>> = {
  money: MONEY_HEADINGS,
  payments: PAYMENT_HEADINGS,
  tokenRequests: ORDER_HEADINGS,
  refunds: REFUND_HEADINGS,
  deliverables: DELIVERABLE_HEADINGS,
  settlement: SETTLEMENT_HEADINGS,
  retention: RETENTION_HEADINGS,
  income: INCOME_HEADINGS,
  launchIncome: LAUNCH_INCOME_HEADINGS,
  funnel: FUNNEL_HEADINGS,
  moderationLoad: MODERATION_HEADINGS,
  pageViews: PAGE_VIEW_HEADINGS,
};

/** Words of a value that is true or false. */
export const YES_NO = { es: { true: 'sí', false: 'no' }, en: { true: 'yes', false: 'no' } } as const;
