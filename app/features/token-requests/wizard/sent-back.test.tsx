import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { rpc } from '#app/lib/api/rpc.ts';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { es } from '#app/lib/messages/es.ts';
import type { OtherPayment, Payment } from '#contract/domains/payments.ts';
import { BLANK_STATE } from './draft-state.ts';
import { Paid } from './Paid.tsx';
import { PaymentCard } from './PaymentCard.tsx';

/** A part of the wizard while the draft has a payment in this state. */
function draw(
  part: ReactNode,
  state: Payment['state'],
  sentBack: boolean,
  { otherPayments = [], tokenChanged = false }: { otherPayments?: OtherPayment[]; tokenChanged?: boolean } = {},
): string {
  const at = '2026-08-01T12:00:00.000Z';
  const payment = {
    ...{ orderId: 'FL-1', plan: BLANK_STATE.data.selectedPlan, state, confirmed: state === 'paid', paymentId: '7' },
    ...{ paymentUrl: 'https://pay.example/1', payAddress: null, payAmount: null, payCurrency: null },
    ...{ providerStatus: null, actuallyPaid: null, missingAmount: null, priceAmount: 500 },
    priceCurrency: 'usd',
    ...{ receivedUsd: 200, missingUsd: 300, simulation: false, expiresAt: at, checkedAt: null },
    ...{ createdAt: at, updatedAt: at },
  } as const;
  const queries = new QueryClient();
  // In static markup no draft is loaded, so its id and secret are empty.
  const input = { id: '', secret: '', ask: false };
  const known = { answer: 'unknown', payment, sentBack, tokenChanged } as const;
  queries.setQueryData(rpc.tokenRequests.check.queryKey({ input }), { ...known, otherPayments });
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <LanguageProvider locale="es" text={es}>
        <MemoryRouter>{part}</MemoryRouter>
      </LanguageProvider>
    </QueryClientProvider>,
  );
}
const paid = <Paid onAnother={() => {}} />;
const card = <PaymentCard onInvalid={() => {}} onStep={() => {}} />;

it('a payment that the team sent back has neither a link to pay the rest nor a message of success', () => {
  expect(draw(paid, 'partially_paid', false)).toContain('Pagar lo que falta');
  expect(draw(paid, 'paid', false)).toContain('Payment Successful!');
  for (const state of ['partially_paid', 'paid'] as const) {
    const html = draw(paid, state, true);
    expect(html).toContain('Reembolsado por el equipo');
    expect(html).toContain('Empezar otra solicitud');
    expect(html).not.toContain('Pagar lo que falta');
    expect(html).not.toContain('Payment Successful!');
  }
});

it('after the team sent the money back the payment card offers another request instead of another payment', () => {
  expect(draw(card, 'under_review', false)).toContain('Crear pago');
  const html = draw(card, 'under_review', true);
  expect(html).toContain('Empezar otra solicitud');
  expect(html).not.toContain('Crear pago');
  expect(html).not.toContain('una persona tiene que mirar');
});

it('the payment card shows whether another pending payment counts, and explains money sent to an expired or failed one', () => {
  const other = (replaced: boolean, state: OtherPayment['state'] = 'confirming'): OtherPayment[] => {
    const money = { receivedUsd: 0, returned: null, deposits: [] };
    return [{ orderId: 'FL-2', plan: 'basic', priceUsd: 500, simulation: false, replaced, state, ...money }];
  };
  expect(draw(card, 'awaiting', false, { otherPayments: other(false) })).toContain(
    'cuenta para este pedido en cuanto se confirme',
  );
  for (const others of [other(true), other(false, 'under_review')])
    expect(draw(card, 'awaiting', false, { otherPayments: others })).toContain(
      'una persona del equipo decide si lo acepta o lo devuelve',
    );
  for (const state of ['expired', 'failed'] as const)
    expect(draw(card, state, false)).toMatch(/Si (?:ya )?enviaste (?:el )?dinero/);
});

it('the payment card has no link to a payment page that was created before the token was changed', () => {
  expect(draw(card, 'awaiting', false)).toContain('https://pay.example/1');
  const html = draw(card, 'awaiting', false, { tokenChanged: true });
  expect(html).not.toContain('https://pay.example/1');
  expect(html).toContain('Crear otro pago');
  expect(html).toContain('es para los datos de antes');
});
