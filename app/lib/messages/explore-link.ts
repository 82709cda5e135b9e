import { defineMessages } from './define-messages.ts';

/** Ways from the lists to what can be done with them. */
export const exploreLinkTexts = defineMessages({
  es: {
    explore: {
      link: 'Filtrar y ordenar',
      print: 'Imprimir la clasificación',
      printed: (site: string, round: number | null) =>
        round === null ? `${site} · Clasificación` : `${site} · Clasificación · Ronda ${round}`,
      embed: 'Para poner en tu web',
      code: 'Copiar el código para tu web',
      copied: 'Código copiado',
      copyFailed: 'No se pudo copiar: este es el código',
    },
  },
  en: {
    explore: {
      link: 'Filter and order',
      print: 'Print the ranking',
      printed: (site, round) => (round === null ? `${site} · Ranking` : `${site} · Ranking · Round ${round}`),
      embed: 'For your site',
      code: 'Copy the code for your site',
      copied: 'Code copied',
      copyFailed: 'It could not be copied: this is the code',
    },
  },
});
