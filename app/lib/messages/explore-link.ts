import { defineMessages } from './define-messages.ts';

/** Ways from the lists to what can be done with them. */
export const exploreLinkTexts = defineMessages({
  es: { explore: { link: 'Filtrar y comparar', print: 'Imprimir la clasificación', embed: 'Para poner en tu web' } },
  en: { explore: { link: 'Filter and compare', print: 'Print the ranking', embed: 'For your site' } },
});
