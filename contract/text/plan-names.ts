// Apart from value-names.ts, of which the public pages need nothing else.

/** Plans. */
export const PLAN_NAMES = {
  es: { entry: 'Entrada', basic: 'Básico', standard: 'Estándar', complete: 'Completo' },
  en: { entry: 'Entry', basic: 'Basic', standard: 'Standard', complete: 'Complete' },
} as const;
