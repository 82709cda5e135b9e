import { defineMessages } from './define-messages.ts';

/** The short notice beside tokens and payments. It is fixed: the page behind it is what operators write. */
export const riskTexts = defineMessages({
  es: {
    risk: {
      label: 'Aviso de riesgo',
      text: 'Los criptoactivos pueden perder todo su valor. Esto no es un consejo de inversión.',
      more: 'Leer el aviso de riesgo',
    },
  },
  en: {
    risk: {
      label: 'Risk notice',
      text: 'Crypto-assets can lose all of their value. This is no investment advice.',
      more: 'Read the risk notice',
    },
  },
});
