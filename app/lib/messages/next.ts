import { PLANS } from '#contract/limits.ts';
import { counted, defineMessages } from './define-messages.ts';

/** The lowest price of a token. */
const PRICE = `$${PLANS.entry.priceUsd}`;

export const nextTexts = defineMessages({
  es: {
    next: {
      title: 'Próximos lanzamientos · Florka',
      description: 'Los próximos lanzamientos de la feria, con su cuenta atrás, y los favoritos de la votación.',
      heading: 'Próximos lanzamientos',
      lead: 'La puerta de salida: quién lanza, cuándo, y quién viene detrás.',
      podium: 'Top 3 de la votación',
      podiumEmpty: 'Todavía no hay candidatos en el podio.',
      podiumLoading: 'Cargando el podio...',
      votes: (votes: string) => counted(votes, 'voto', 'votos'),
      launchYours: 'Lanza el tuyo',
      promo: `Lanza tu token desde ${PRICE}`,
      promoText:
        'Con un vídeo promocional gratis y una publicación oficial en redes sociales, que ofrece el equipo aparte del plan: tu pedido no los enumera. El formulario dice qué planes están a la venta.',
      promoFrom: 'desde',
      promoPrice: PRICE,
      promoAction: 'Crear mi token',
      grid: 'Quién lanza y cuándo',
      loading: 'Loading next projects...',
      error: 'Error loading projects',
      retry: 'Reintentar',
      empty: 'No next projects available',
      emptyHint: 'Cuando una compañía tenga fecha de salida, la verás en este tablero.',
      calendar: 'Añadir al calendario',
      pages: 'Páginas de lanzamientos',
      page: (page: number) => `Página ${page}`,
      previous: 'Página anterior',
      following: 'Página siguiente',
      shown: (from: string, to: string, total: string) => `${from}–${to} de ${total}`,
    },
  },
  en: {
    next: {
      title: 'Next · Florka',
      description: 'The next launches of the fair with their countdowns, and the favourites of the vote.',
      heading: 'Next',
      lead: 'The launch gate: who leaves, when, and who comes after.',
      podium: 'Top 3 of the vote',
      podiumEmpty: 'There are no candidates on the podium yet.',
      podiumLoading: 'Loading the podium...',
      votes: (votes) => counted(votes, 'vote', 'votes'),
      launchYours: 'Launch yours',
      promo: `Launch your token from ${PRICE}`,
      promoText:
        'With a free promo video and an official post on social media, which the team offers in addition to the plan: your order does not list them. The form says which plans are on sale.',
      promoFrom: 'from',
      promoPrice: PRICE,
      promoAction: 'Create my token',
      grid: 'Next launches',
      loading: 'Loading next projects...',
      error: 'Error loading projects',
      retry: 'Try again',
      empty: 'No next projects available',
      emptyHint: 'As soon as a company has a date you will see it on this board.',
      calendar: 'Add to calendar',
      pages: 'Pages of launches',
      page: (page) => `Page ${page}`,
      previous: 'Previous page',
      following: 'Next page',
      shown: (from, to, total) => `${from}–${to} of ${total}`,
    },
  },
});
