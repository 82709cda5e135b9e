import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { en } from '#app/lib/messages/en.ts';
import type { AdminPayment } from '#contract/admin/payments.ts';
import { PaymentPart } from './PaymentPart.tsx';

const shown = (state: AdminPayment['state'], more: Partial<AdminPayment> = {}): string =>
  renderToStaticMarkup(
    <MemoryRouter>
      <QueryClientProvider client={new QueryClient()}>
        <LanguageProvider locale="en" text={en}>
          <PaymentPart
            payment={
              {
                orderId: 'FL-1',
                state,
                plan: 'entry',
                attention: [],
                deposits: [],
                expiresAt: '2026-11-27T10:00:00.000Z',
                priceAmount: 50,
                ...more,
              } as unknown as AdminPayment
            }
          />
        </LanguageProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );

it('a failed or expired payment, unlike an awaited one, shows its reason and that the buyer can pay again', () => {
  expect(shown('failed')).toContain('The provider reports the attempt to pay as failed, and gives no reason.');
  expect(shown('expired')).toContain('The time to pay ended without a deposit that counts.');
  for (const state of ['failed', 'expired'] as const)
    expect(shown(state), state).toContain('buyer can pay again from the page of the order.');
  expect(shown('awaiting')).not.toMatch(/can pay again|reports the attempt to pay|The time to pay ended/);
});

it('a payment shows what it received, what was returned of it and what is left', () => {
  const returned = { receivedUsd: 50, returnedUsd: 20, remainingUsd: 30 };
  expect(shown('paid', { receivedUsd: 50, returned })).toContain('Given back 20.00 USD · 30.00 USD left');
  expect(shown('paid', { receivedUsd: 50, returned: null })).not.toContain('Given back');
  // receivedUsd of the payment no longer contains what the provider returned, although it did arrive.
  const all = { receivedUsd: 50, returnedUsd: 50, remainingUsd: 0 };
  expect(shown('refunded', { receivedUsd: 0, returned: all })).toContain('Received 50.00 USD of 50.00 USD');
});
