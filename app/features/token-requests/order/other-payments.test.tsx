import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { es } from '#app/lib/messages/es.ts';
import type { Order } from '#contract/domains/token-requests.ts';
import { OtherPayments } from './OtherPayments.tsx';

/** The other payment of an order as its payer reads it. */
const draw = (state: string, replaced: boolean) => {
  const deposits = [
    {
      ...{ paymentId: '9', status: 'confirming', amount: 5, due: 5, currency: 'eth', at: null },
      ...{ counts: true, accepted: false, sentBack: false },
    },
  ];
  const other = {
    orderId: 'FL-2',
    plan: 'basic',
    priceUsd: 1500,
    state,
    replaced,
    receivedUsd: 0,
    returned: null,
    deposits,
  };
  const order = { refunds: [], otherPayments: [other] } as unknown as Order;
  return renderToStaticMarkup(
    <LanguageProvider locale="es" text={es}>
      <OtherPayments order={order} />
    </LanguageProvider>,
  );
};

it('an unconfirmed other payment counts when it is for the same plan; for a replaced plan the team decides', () => {
  const replaced = draw('confirming', true);
  expect(replaced).toContain('Cambiaste de plan');
  expect(replaced).toContain('una persona del equipo decide');
  const same = draw('confirming', false);
  expect(same).toContain('cuenta para este pedido');
  expect(same).not.toContain('Cambiaste de plan');
  expect(same).not.toContain('una persona del equipo decide');
});
