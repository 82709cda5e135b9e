import { describe, expect, it } from 'vitest';
import { coinsTexts } from '../messages/coins.ts';
import { amountInCoin, coinFrom, coinText } from './coins.ts';

describe('the coin behind a code of the payment provider', () => {
  it.each([
    ['usdttrc20', 'USDT', 'Tron'],
    ['USDTERC20', 'USDT', 'Ethereum'],
    ['usdcmatic', 'USDC', 'Polygon'],
    ['usdtbsc', 'USDT', 'BNB Smart Chain'],
    ['bnbbsc', 'BNB', 'BNB Smart Chain'],
    ['btc', 'BTC', 'Bitcoin'],
    // Nobody here knows on which network it moves.
    ['usdc', 'USDC', null],
    ['shibbsc2', 'SHIBBSC2', null],
    ['constructor', 'CONSTRUCTOR', null],
  ])('%s is %s on %s', (code, symbol, network) => {
    expect(coinFrom(code)).toEqual({ symbol, network });
  });

  it('is said in words, with all digits of the amount', () => {
    expect(coinText('usdttrc20', coinsTexts.es.coins.on)).toBe('USDT en la red Tron');
    expect(amountInCoin(0.0000001, 'btc', coinsTexts.en.coins.on)).toBe('0.0000001 BTC on the Bitcoin network');
    expect(amountInCoin('30', 'usdc', coinsTexts.es.coins.on)).toBe('30 USDC');
    expect(amountInCoin(12, null, coinsTexts.es.coins.on)).toBe('12');
  });
});
