// Names of coded values, the same on screens and in the files for people.

/** States of an order's payment. */
export const PAYMENT_STATE_NAMES = {
  es: {
    awaiting: 'Esperando',
    confirming: 'Confirmando',
    partially_paid: 'Pago parcial',
    paid: 'Pagado',
    overpaid: 'Pagado de más',
    paid_late: 'Pagado tarde',
    expired: 'Vencido',
    failed: 'Fallido',
    refunded: 'Reembolsado',
    under_review: 'En revisión',
  },
  en: {
    awaiting: 'Awaiting',
    confirming: 'Confirming',
    partially_paid: 'Part payment',
    paid: 'Paid',
    overpaid: 'Overpaid',
    paid_late: 'Paid late',
    expired: 'Expired',
    failed: 'Failed',
    refunded: 'Refunded',
    under_review: 'In review',
  },
} as const;

/** The team's view of a request's payment. */
export const PAYMENT_STAGE_NAMES = {
  es: {
    pending: 'Pendiente',
    under_review: 'En revisión',
    part_paid: 'Pago parcial',
    paid: 'Pagado',
    accepted: 'Aceptado',
    failed: 'Fallido',
    expired: 'Vencido',
    refunded: 'Reembolsado',
  },
  en: {
    pending: 'Pending',
    under_review: 'In review',
    part_paid: 'Part payment',
    paid: 'Paid',
    accepted: 'Accepted',
    failed: 'Failed',
    expired: 'Expired',
    refunded: 'Refunded',
  },
} as const;

/** Status of a token request. */
export const REQUEST_STATUS_NAMES = {
  es: { completed: 'Completado', pending_payment: 'Pago pendiente', incomplete: 'Incompleto' },
  en: { completed: 'Completed', pending_payment: 'Payment pending', incomplete: 'Incomplete' },
} as const;

/** How the team closed a request. */
export const CLOSURE_NAMES = {
  es: { delivered: 'Entregado a mano', cancelled: 'No se entrega' },
  en: { delivered: 'Delivered by hand', cancelled: 'Not delivered' },
} as const;

/** States of a token's creation. */
export const CREATION_STATE_NAMES = {
  es: { queued: 'En cola', working: 'En curso', held: 'Detenida', completed: 'Creado', failed: 'Fallida' },
  en: { queued: 'Queued', working: 'Under way', held: 'Held', completed: 'Created', failed: 'Failed' },
} as const;

/** States of a refund. */
export const REFUND_STATE_NAMES = {
  es: {
    address_needed: 'Sin dirección',
    address_unconfirmed: 'Sin confirmar',
    ready: 'Por enviar',
    sent: 'Enviada',
    withdrawn: 'Retirada',
  },
  en: {
    address_needed: 'No address',
    address_unconfirmed: 'Not confirmed',
    ready: 'To send',
    sent: 'Sent',
    withdrawn: 'Withdrawn',
  },
} as const;

/** Why a refund was opened. */
export const REFUND_CAUSE_NAMES = {
  es: { payment: 'Pago', deliverable: 'Entrega retirada', cancelled: 'Pedido cerrado', network: 'Red sin servicio' },
  en: {
    payment: 'Payment',
    deliverable: 'Withdrawn deliverable',
    cancelled: 'Closed order',
    network: 'Network not served',
  },
} as const;

/** Who withdrew a refund. */
export const WITHDRAWAL_CAUSE_NAMES = {
  es: { team: 'El equipo', returned: 'El proveedor devolvió el dinero' },
  en: { team: 'The team', returned: 'The provider gave the money back' },
} as const;

/** Kinds of differences between the money ledger and the payment provider. */
export const DIFFERENCE_KIND_NAMES = {
  es: {
    missing_here: 'Está en el proveedor y no en el libro',
    missing_there: 'Está en el libro y el proveedor no lo conoce',
    amount: 'Otro importe recibido',
    returned: 'Otro importe devuelto',
    outcome: 'Otro importe abonado',
    over_returned: 'Se devolvió más de lo que llegó',
    totals: 'Un total no es la suma de sus apuntes',
  },
  en: {
    missing_here: 'At the provider and not in the ledger',
    missing_there: 'In the ledger and unknown to the provider',
    amount: 'Another amount received',
    returned: 'Another amount given back',
    outcome: 'Another amount credited',
    over_returned: 'More went back than came',
    totals: 'A total is not the sum of its entries',
  },
} as const;

/** States of a deliverable. */
export const DELIVERABLE_STATE_NAMES = {
  es: { open: 'Por hacer', delivered: 'Entregado', withdrawn: 'Retirado' },
  en: { open: 'To do', delivered: 'Delivered', withdrawn: 'Withdrawn' },
} as const;

/** Kinds of deliverables. */
export const DELIVERABLE_KIND_NAMES = {
  es: {
    token: 'Token',
    chain: 'Operación en la red',
    document: 'Documento',
    publication: 'Publicación',
    service: 'Servicio',
  },
  en: {
    token: 'Token',
    chain: 'Operation on the chain',
    document: 'Document',
    publication: 'Publication',
    service: 'Service',
  },
} as const;

/** Kinds of the evidence of a delivery. */
export const EVIDENCE_KIND_NAMES = {
  es: {
    creation: 'Creación del token',
    statement: 'Declaración del equipo',
    place: 'Espacio en portada',
    url: 'Dirección web',
    transaction: 'Transacción',
    file: 'Imagen',
  },
  en: {
    creation: 'Creation of the token',
    statement: 'Statement of the team',
    place: 'Place on home',
    url: 'Web address',
    transaction: 'Transaction',
    file: 'Picture',
  },
} as const;

/** Sold places on home. */
export const PLACE_KIND_NAMES = {
  es: { home: 'Portada', top3: 'Top 3' },
  en: { home: 'Home', top3: 'Top 3' },
} as const;

/** Why a sold place ended. */
export const PLACE_END_NAMES = {
  es: { time: 'Cumplido', interrupted: 'Interrumpido', withdrawn: 'Entrega retirada' },
  en: { time: 'Completed', interrupted: 'Interrupted', withdrawn: 'Deliverable withdrawn' },
} as const;
