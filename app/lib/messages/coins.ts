import { area } from './area.ts';

export const coinsTexts = area({
  es: { coins: { on: (symbol: string, network: string) => `${symbol} en la red ${network}` } },
  en: { coins: { on: (symbol, network) => `${symbol} on the ${network} network` } },
});
