import { defineMessages } from './define-messages.ts';

/** Said on a page of one language in the other one, to those who prefer it: found under the language of the page. */
export const languageOfferTexts = defineMessages({
  es: {
    languageOffer: {
      label: 'Language',
      action: 'Read this page in English',
      close: 'Close and stay in Spanish',
    },
  },
  en: {
    languageOffer: {
      label: 'Idioma',
      action: 'Leer esta página en español',
      close: 'Cerrar y seguir en inglés',
    },
  },
});
