import { describe, expect, it } from 'vitest';
import { coinAmount } from '#contract/admin/forms/deliverables.ts';
import { coinFrom } from '#contract/text/coins.ts';
import { REFUND_COINS } from '#contract/text/refund-coins.ts';
import { coinsTexts } from '../messages/coins.ts';
import { amountInCoin, amountsInCoins, coinText, typedAmount } from './coins.ts';

describe('the coin behind a code of the payment provider', () => {
  it.each([
    ['usdttrc20', 'USDT', 'Tron'],
    ['USDTERC20', 'USDT', 'Ethereum'],
    ['usdcmatic', 'USDC', 'Polygon'],
    ['usdtbsc', 'USDT', 'BNB Smart Chain'],
    ['bnbbsc', 'BNB', 'BNB Smart Chain'],
    ['btc', 'BTC', 'Bitcoin'],
    // The network is unknown.
    ['usdc', 'USDC', null],
    ['shibbsc2', 'SHIBBSC2', null],
    ['constructor', 'CONSTRUCTOR', null],
  ])('%s is %s on %s', (code, symbol, network) => {
    expect(coinFrom(code)).toEqual({ symbol, network });
  });

  it('is listed with its networks when it can be refunded', () => {
    expect(REFUND_COINS.split('), ')).toEqual([
      'BNB (BNB Smart Chain',
      'BTC (Bitcoin',
      'ETH (Ethereum, BNB Smart Chain',
      'LTC (Litecoin',
      'POL (Polygon',
      'SOL (Solana',
      'TRX (Tron',
      'USDC (BNB Smart Chain, Ethereum, Polygon, Solana',
      'USDT (BNB Smart Chain, Ethereum, Polygon, Solana, Tron)',
    ]);
  });

  it('is written with its network and all digits of the amount', () => {
    expect(coinText('usdttrc20', coinsTexts.es.coins.on)).toBe('USDT en la red Tron');
    expect(amountInCoin(0.0000001, 'btc', 'en', coinsTexts.en.coins.on)).toBe('0.0000001 BTC on the Bitcoin network');
    expect(amountInCoin('30', 'usdc', 'es', coinsTexts.es.coins.on)).toBe('30 USDC');
    expect(amountInCoin(null, null, 'es', coinsTexts.es.coins.on)).toBe('0');
    expect(amountsInCoins('0.000000000000000001 eth, 1500 usdttrc20', 'es', coinsTexts.es.coins.on)).toBe(
      '0,000000000000000001 ETH en la red Ethereum · 1.500 USDT en la red Tron',
    );
    expect(amountsInCoins('', 'es', coinsTexts.es.coins.on)).toBe('');
  });

  it('has its amount in the number format of the language, given as a number or as text', () => {
    for (const amount of [0.00666667, '0.00666667'])
      expect(amountInCoin(amount, 'usdc', 'es', coinsTexts.es.coins.on)).toBe('0,00666667 USDC');
    expect(amountInCoin('1200.5', 'usdc', 'es', coinsTexts.es.coins.on)).toBe('1.200,5 USDC');
    expect(amountInCoin('0.016666666666666667', 'eth', 'es', coinsTexts.es.coins.on)).toMatch(
      /^0,016666666666666667 ETH/,
    );
    expect(amountInCoin('1200.5', 'usdc', 'en', coinsTexts.en.coins.on)).toBe('1,200.5 USDC');
  });
});

describe('a typed amount', () => {
  it.each([
    ['es', '0,01', '0.01'],
    ['es', '0.010', '0.010'],
    ['es', ' 1,200 ', '1.200'],
    ['es', '1200.5', '1200.5'],
    ['en', '1.200', '1.200'],
    ['en', '0,05', '0.05'],
    ['en', '12', '12'],
  ] as const)('in %s, %s is %s', (locale, typed, amount) => {
    expect(typedAmount(typed, locale)).toBe(amount);
  });

  it.each([
    ['es', '1.200'],
    ['es', '1.200.000'],
    ['en', '1,200'],
    ['en', '1,200,000'],
  ] as const)('in %s, %s can be read in two ways and is refused', (locale, typed) => {
    expect(coinAmount.safeParse(typedAmount(typed, locale)).success).toBe(false);
  });
});
