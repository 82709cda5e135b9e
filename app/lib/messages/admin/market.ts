import { defineMessages } from '../define-messages.ts';

export const adminMarketTexts = defineMessages({
  es: {
    market: {
      network: 'Red de la dirección',
      networkHint:
        'Las direcciones de Solana se reconocen solas. Las que empiezan por 0x son iguales en varias redes: hasta que no se elige una, no se piden datos de mercado.',
      networkNone: 'Sin indicar',
      networks: { solana: 'Solana', ethereum: 'Ethereum', bnb: 'BNB Smart Chain', polygon: 'Polygon' },
      title: 'Datos del proveedor',
      loading: 'Cargando los datos del proveedor...',
      failed: 'No se pudieron leer los datos del proveedor.',
      rule: 'Lo que dice el proveedor es lo que ve el público. Lo que escribas en este formulario se guarda sin tocarlo y se muestra, marcado como introducido por el equipo, mientras el proveedor no tenga ese dato.',
      off: 'La consulta a proveedores está apagada en este servidor (MARKET_DATA).',
      nowhere:
        'Sin una dirección en una red conocida no se pregunta a ningún proveedor: se muestran los datos del equipo.',
      hidden: 'Solo se pregunta por lo que ve el público: este registro no está publicado.',
      never: 'Es un token inventado de la demostración: no se pregunta por él.',
      waiting: 'El proveedor todavía no ha respondido por este token.',
      unlisted: (ago: string) => `El proveedor no conoce este token (preguntado ${ago}). Se volverá a preguntar.`,
      listed: (ago: string) => `El proveedor respondió ${ago}.`,
      paused: (at: string) =>
        `El proveedor no responde; se volverá a preguntar a partir de ${at}. Quedan los últimos valores.`,
      figure: {
        price: 'Precio',
        volume24h: 'Volumen 24 h',
        marketCap: 'Capitalización',
        liquidity: 'Liquidez',
        holders: 'Titulares',
      },
      from: (source: string, ago: string) => `${source}, ${ago}`,
      stale: 'desactualizado',
      source: {
        team: 'Equipo',
        dexscreener: 'DexScreener',
        geckoterminal: 'GeckoTerminal',
        demo: 'Dato de ejemplo',
        chain: 'Leído de la cadena',
      },
    },
  },
  en: {
    market: {
      network: 'Network of the address',
      networkHint:
        'Addresses of Solana are recognised. Those that begin with 0x are the same on several networks: until one is chosen, no market data are asked for.',
      networkNone: 'Not said',
      networks: { solana: 'Solana', ethereum: 'Ethereum', bnb: 'BNB Smart Chain', polygon: 'Polygon' },
      title: "The provider's figures",
      loading: "Loading the provider's figures...",
      failed: "The provider's figures could not be read.",
      rule: 'What the provider says is what the public sees. What you enter in this form is kept untouched and shown, marked as entered by the team, as long as the provider does not know that figure.',
      off: 'Providers are not asked on this server (MARKET_DATA).',
      nowhere: "Without an address on a known network no provider is asked: the team's figures are shown.",
      hidden: 'Providers are asked only about what the public sees: this record is not published.',
      never: 'A token invented for the demo: nobody is asked about it.',
      waiting: 'The provider has not answered about this token yet.',
      unlisted: (ago) => `The provider does not know this token (asked ${ago}). It will be asked again.`,
      listed: (ago) => `The provider answered ${ago}.`,
      paused: (at) => `The provider does not answer; it will be asked again from ${at} on. The last values stay.`,
      figure: {
        price: 'Price',
        volume24h: '24 h volume',
        marketCap: 'Market cap',
        liquidity: 'Liquidity',
        holders: 'Holders',
      },
      from: (source, ago) => `${source}, ${ago}`,
      stale: 'out of date',
      source: {
        team: 'Team',
        dexscreener: 'DexScreener',
        geckoterminal: 'GeckoTerminal',
        demo: 'Sample figure',
        chain: 'Read from the chain',
      },
    },
  },
});
