import { expect, it } from 'vitest';
import { renderMail } from './templates.ts';

it('the receipt of an overpaid order names the amount received, and that of an exactly paid one does not', () => {
  const receipt = (receivedUsd: number, locale: 'es' | 'en' = 'en') => {
    const data = { orderId: 'FL-1', priceUsd: 1500, path: '/order', simulation: false, receivedUsd, missingUsd: 0 };
    return renderMail('orderPaid', data, locale, 'https://florka.test').text;
  };
  expect(receipt(1500)).not.toContain('More arrived');
  expect(receipt(1620.5)).toMatch(/1,500.+More arrived: .*1,620\.50?/);
  expect(receipt(1620.5, 'es')).toContain('Ha llegado más');
});
