// Headings of the money file for people. Programs read the file without them, whose columns are the fields of the API.

/** Columns of the file for people, in their order, with their headings in both languages; amounts are US dollars with two decimals. */
export const MONEY_HEADINGS = {
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

/** Words of a value that is true or false. */
export const YES_NO = { es: { true: 'sí', false: 'no' }, en: { true: 'yes', false: 'no' } } as const;
