import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact, parseAmount } from '#contract/text/figures.ts';
import {
  cents,
  coins,
  count,
  dateTime,
  day,
  dollars,
  duration,
  fullDateTime,
  integer,
  listedMarketCap,
  marketCap,
  percent,
  price,
  timeLeft,
} from './format.ts';

describe('a time to wait', () => {
  it.each([
    [1, '1 segundo', '1 second'],
    [59, '59 segundos', '59 seconds'],
    [61, '2 minutos', '2 minutes'],
    [1_800, '30 minutos', '30 minutes'],
    [5_401, '2 horas', '2 hours'],
    [86_400, '24 horas', '24 hours'],
  ])('of %i seconds is %s', (seconds, es, en) => {
    expect([duration(seconds, 'es'), duration(seconds, 'en')]).toEqual([es, en]);
  });
});

describe('figures', () => {
  it.each([
    [0, '0'],
    [7, '7'],
    [12.345, '12.35'],
    [999, '999'],
    [1_000, '1.00K'],
    [1_500, '1.50K'],
    [999.996, '1.00K'],
    [999_990, '999.99K'],
    [999_994, '999.99K'],
    [999_999, '1.00M'],
    [999_999_999, '1.00B'],
    [-999_999, '-1.00M'],
    [1_000_000, '1.00M'],
    [2_345_678, '2.35M'],
    [1_000_000_000, '1.00B'],
    [5e9, '5.00B'],
    [-1_500, '-1.50K'],
  ])('%d is %s [CAND-30] [AMB-78]', (value, text) => {
    expect(compact(value, 'en')).toBe(text);
  });

  it.each([
    [compact(377_300, 'es'), '377,3\u00a0K'],
    [compact(1_500, 'es'), '1,5\u00a0K'],
    [compact(-2_345_678, 'es'), '-2,35\u00a0M'],
    [compact(5e9, 'es'), '5\u00a0B'],
    [compact(5.5e12, 'es'), '5.500\u00a0B'],
    [compact(12.345, 'es'), '12,35'],
    [compact(999, 'es'), '999'],
    [percent(79, 'es'), '79\u00a0%'],
    [percent(79.6, 'en'), '80%'],
    [percent(12.5, 'es', 2), '12,5\u00a0%'],
    [percent(100, 'en', 2), '100%'],
    [dollars(377_300, 'es'), '$377,3\u00a0K'],
    [dollars(null, 'es'), '$0.00'],
    [price(1.23456, 'es'), '$1,2346'],
    [price(12_345, 'es'), '$12.345,0000'],
    [price(0.000123, 'es'), '$0,000123'],
    [price(null, 'es'), '$0.00'],
    [marketCap('$12.1k', 'es'), '$12,1\u00a0K'],
    [marketCap('TBD', 'es'), 'TBD'],
    [count(1_500, '', 'es'), '1,5\u00a0K'],
    [cents(30, 'es'), '30,00'],
    [cents(1_500.5, 'es'), '1.500,50'],
    [cents(1_500.5, 'en'), '1,500.50'],
    [integer(1_500, 'es'), '1.500'],
    [coins(0.25, 'es'), '0,25'],
    [coins(0.000_000_1, 'en'), '0.0000001'],
  ])('have the number format of the language: %s', (written, text) => {
    expect(written).toBe(text);
  });

  it('never show 1,000 or more of a unit below B [CAND-30]', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), (value) => {
        const shown = compact(value, 'en');
        if (value < 1e9) expect(Number.parseFloat(shown), `${value} as ${shown}`).toBeLessThan(1_000);
        expect(shown).toMatch(/^\d+(,\d{3})*(\.\d{1,2})?[KMB]?$/);
      }),
    );
  });

  it.each([
    [0.000123, '$0.000123'],
    [0.000001, '$0.000001'],
    [0.000_000_123_4, '$0.00000012'],
    [0.0099, '$0.009900'],
    [0.01, '$0.0100'],
    [1.23456, '$1.2346'],
    [12_345, '$12,345.0000'],
    [0, '$0.00'],
    [null, '$0.00'],
    [undefined, '$0.00'],
  ])('a price of %s is %s [CAND-31..33]', (value, text) => {
    expect(price(value, 'en')).toBe(text);
  });

  it.each([
    [null, '$0.00'],
    [0, '$0.00'],
    [950, '$950'],
    [12_100, '$12.10K'],
  ])('an amount of %s is %s [CAND-33] [AMB-78]', (value, text) => {
    expect(dollars(value, 'en')).toBe(text);
  });

  it.each([
    ['$12.1k', '$12.10K'],
    ['12.1K', '$12.10K'],
    ['$1,250,000', '$1.25M'],
    [' $ 3.4M ', '$3.40M'],
    ['2b', '$2.00B'],
    ['$0', '$0.00'],
    ['TBD', 'TBD'],
    ['por definir', 'por definir'],
    ['1.2.3', '1.2.3'],
    ['$-5', '$-5'],
    ['', '$0.00'],
    [null, '$0.00'],
    [98_765, '$98.77K'],
  ])('a market cap of %s is %s [DATA-05] [AMB-78..79]', (value, text) => {
    expect(marketCap(value, 'en')).toBe(text);
  });

  it('a market cap of $0, the default of a record without one, is shown as $0 in lists [HOME-11] [HOME-22] [AMB-93]', () => {
    for (const locale of ['es', 'en'] as const) expect(listedMarketCap('$0', locale)).toBe('$0');
    expect(listedMarketCap('$12.1k', 'en')).toBe('$12.10K');
    expect(listedMarketCap('TBD', 'es')).toBe('TBD');
  });

  it('an amount is parsed with its suffix; anything else is null [AMB-79]', () => {
    expect(parseAmount('$12.1k')).toBeCloseTo(12_100);
    for (const text of ['', '$', 'k', '12 monkeys', '1e9', 'NaN', '0x10']) expect(parseAmount(text), text).toBeNull();
  });

  it('a missing count is shown as the text given for it [CAND-33] [AMB-78]', () => {
    expect(count(null, 'N/A', 'en')).toBe('N/A');
    expect(count(0, 'N/A', 'en')).toBe('0');
    expect(count(12_345, 'N/A', 'en')).toBe('12.35K');
  });

  it("whole numbers have the language's separators", () => {
    expect(integer(1_234, 'es')).toBe('1.234');
    expect(integer(1_234_567, 'es')).toBe('1.234.567');
    expect(integer(1_234_567, 'en')).toBe('1,234,567');
  });
});

describe('days', () => {
  it('are formatted in the language of the page, in UTC [APP-40] [AMB-209]', () => {
    expect(day('2026-11-21T23:59:00Z', 'es')).toBe('21 nov 2026');
    expect(day('2026-11-21T23:59:00Z', 'en')).toBe('Nov 21, 2026');
    expect(day('2026-03-01', 'es')).toBe('1 mar 2026');
  });
});

describe('times', () => {
  const utc = { timeZone: 'UTC' } as const;

  it("say 'a las' in Spanish and 'at' in English, by 24 hours [APP-39] [AMB-209]", () => {
    expect(dateTime('2026-11-21T09:05:59Z', 'es', utc)).toBe('21 nov 2026 a las 09:05');
    expect(dateTime('2026-11-21T00:05:59Z', 'en', utc)).toBe('Nov 21, 2026 at 00:05');
    expect(dateTime('2026-03-01T23:59:00Z', 'en', utc)).toBe('Mar 1, 2026 at 23:59');
  });

  it('have seconds and the time zone in the full format', () => {
    expect(fullDateTime('2026-11-21T14:05:59Z', 'es', utc)).toMatch(/21 de noviembre de 2026.*14:05:59 UTC/);
    expect(fullDateTime('2026-11-21T14:05:59Z', 'en', utc)).toMatch(/November 21, 2026.*14:05:59 UTC/);
  });
});

describe('the time left', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');

  it.each([
    ['2026-01-03T04:05:59Z', { days: 2, hours: 4, minutes: 5 }],
    ['2026-01-01T00:00:30Z', { days: 0, hours: 0, minutes: 0 }],
    ['2026-01-01T23:59:59Z', { days: 0, hours: 23, minutes: 59 }],
    ['2026-01-01T00:00:00Z', null],
    ['2025-12-31T00:00:00Z', null],
  ])('until %s is %o [AMB-102]', (until, left) => {
    expect(timeLeft(until, now)).toEqual(left);
  });

  it('adds up to the exact number of whole minutes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e10 }), (ms) => {
        const left = timeLeft(new Date(now + ms).toISOString(), now);
        const minutes = ((left?.days ?? 0) * 24 + (left?.hours ?? 0)) * 60 + (left?.minutes ?? 0);
        expect(minutes).toBe(Math.floor(ms / 60_000));
      }),
    );
  });
});
