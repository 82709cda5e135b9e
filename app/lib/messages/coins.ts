import { defineMessages } from './define-messages.ts';

export const coinsTexts = defineMessages({
  es: { coins: { on: (symbol: string, network: string) => `${symbol} en la red ${network}` } },
  en: { coins: { on: (symbol, network) => `${symbol} on the ${network} network` } },
});
