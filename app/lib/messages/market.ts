import { defineMessages } from './define-messages.ts';

export const marketTexts = defineMessages({
  es: {
    market: {
      range: 'Periodo',
      ranges: { day: '24 h', week: '7 días', month: '30 días', year: '1 año' },
      chart: (name: string, range: string) => `Precio de ${name} en dólares, ${range}`,
      time: 'Momento',
      price: 'Precio',
      loading: 'Cargando precios...',
      empty: 'No hay precios registrados en este periodo.',
      failed: 'No se pudieron cargar los precios.',
      retry: 'Reintentar',
      none: 'Sin datos',
      since: (day: string) => `Precios registrados por Florka desde el ${day}.`,
      from: (source: string) => `Fuente: ${source}.`,
      source: {
        team: 'el equipo del proyecto',
        dexscreener: 'DexScreener',
        geckoterminal: 'GeckoTerminal',
        demo: 'datos de ejemplo',
        chain: 'la cadena',
      },
    },
  },
  en: {
    market: {
      range: 'Period',
      ranges: { day: '24 h', week: '7 days', month: '30 days', year: '1 year' },
      chart: (name, range) => `Price of ${name} in dollars, ${range}`,
      time: 'Moment',
      price: 'Price',
      loading: 'Loading prices...',
      empty: 'No prices were recorded in this period.',
      failed: 'The prices could not be loaded.',
      retry: 'Try again',
      none: 'No data',
      since: (day) => `Prices recorded by Florka since ${day}.`,
      from: (source) => `Source: ${source}.`,
      source: {
        team: "the project's team",
        dexscreener: 'DexScreener',
        geckoterminal: 'GeckoTerminal',
        demo: 'sample data',
        chain: 'the chain',
      },
    },
  },
});
