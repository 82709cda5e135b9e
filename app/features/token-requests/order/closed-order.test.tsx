import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { es } from '#app/lib/messages/es.ts';
import type { Order } from '#contract/domains/token-requests.ts';
import { Proposals } from './Proposals.tsx';
import { Receipt } from './Receipt.tsx';
import { Timeline } from './Timeline.tsx';

/** An order of which a part is paid. */
const order = (over: object): Order => {
  const at = '2026-08-01T12:00:00.000Z';
  const receipt = {
    ...{ kind: 'part', number: 'FL-1', paidAt: at, plan: 'basic', priceUsd: 1500, receivedUsd: 600, missingUsd: 900 },
    ...{ amount: 600, currency: 'usdttrc20', providerPaymentId: '7', simulation: false },
  };
  return {
    ...{ tokenName: 'Ajolote', tokenSymbol: 'AJO', stage: 'partially_paid', accepted: false, closure: null },
    ...{ otherPayments: [], refunds: [], deposits: [], returned: null, receipt },
    payment: { orderId: 'FL-1', state: 'partially_paid', confirmed: false, createdAt: at },
    ...over,
  } as unknown as Order;
};
const draw = (part: ReactNode) =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <LanguageProvider locale="es" text={es}>
        <MemoryRouter>{part}</MemoryRouter>
      </LanguageProvider>
    </QueryClientProvider>,
  );
const cancelled = { stage: 'closed', closure: { as: 'cancelled', at: null } };

it('the timeline shows a part payment as not done, and stops for an order that is closed or all being refunded', () => {
  const current = (over: object) => {
    const html = draw(<Timeline order={order(over)} />);
    return /aria-current="step".*?<p[^>]*>(.*?)<\/p><p[^>]*>(.*?)<\/p>/.exec(html)?.slice(1);
  };
  expect(current({})).toEqual(['Pago', 'ahora']);
  expect(current(cancelled)).toEqual(['Pago', 'parado']);
  expect(current({ ...cancelled, payment: { confirmed: true, createdAt: null } })).toEqual([
    'Creando tu token',
    'parado',
  ]);
  const back = {
    deposits: [{ amount: 600, currency: 'usdttrc20', status: 'finished' }],
    refunds: [{ orderId: 'FL-1', state: 'ready', asset: 'usdttrc20', amount: '600', byProvider: false }],
  };
  const paid = { stage: 'paid', payment: { orderId: 'FL-1', state: 'paid', confirmed: true, createdAt: null } };
  expect(current({ ...paid, ...back, refunds: [] })).toEqual(['Creando tu token', 'ahora']);
  expect(current({ ...paid, ...back })).toEqual(['Creando tu token', 'parado']);
});

it('the receipt of a part payment no longer requests the rest once it is being refunded or the order is closed', () => {
  const going = {
    refunds: [{ orderId: 'FL-1', state: 'ready', asset: 'usdttrc20', amount: '600', byProvider: false }],
  };
  expect(draw(<Receipt order={order({})} />)).toContain('El token se crea cuando llegue el resto');
  for (const over of [cancelled, going]) {
    const html = draw(<Receipt order={order(over)} />);
    expect(html).toContain('No envíes el resto.');
    expect(html).not.toContain('El token se crea cuando llegue el resto');
  }
});

it('the receipt lists each deposit that counts, also one that the team accepted although it did not match the order', () => {
  const first = { paymentId: '7', status: 'partially_paid', amount: 600, currency: 'usdttrc20', counts: true };
  const rest = { paymentId: '8', status: 'finished', amount: 0.25, currency: 'eth', counts: false };
  const receipt = { ...order({}).receipt, kind: 'full', receivedUsd: 1500, missingUsd: 0 };
  const paidWith = (accepted: boolean) => {
    const deposits = [first, rest].map((one) => ({ ...one, accepted }));
    return draw(<Receipt order={order({ stage: 'paid', accepted, receipt, deposits })} />);
  };
  expect(paidWith(true)).toContain('600 USDT en la red Tron + 0,25 ETH en la red Ethereum');
  expect(paidWith(true)).toContain('7, 8');
  expect(paidWith(false)).not.toContain('0,25 ETH');
});

it('a question about the token takes no answer once the order is closed or refunded', () => {
  const proposal = { id: '1', state: 'open', changed: [], proposedAt: '2026-08-01T12:00:00.000Z', supply: '1' };
  const question = (over: object) => {
    const shown = order({ proposals: [proposal], summary: null, ...over });
    return draw(<Proposals order={shown} orderRef={{ id: '1', key: '2' }} />);
  };
  expect(question({ stage: 'paid' })).toContain('Confirmar estos datos');
  for (const over of [cancelled, { stage: 'refunded' }]) {
    const html = question(over);
    expect(html).toContain('Esta pregunta ya no espera respuesta.');
    expect(html).not.toContain('Confirmar estos datos');
    expect(html).not.toContain('Espera tu respuesta');
  }
});

it('the order page asks to report wrong data of the token only until it is on the chain', () => {
  const summary = {
    network: 'ethereum',
    ownerWallet: '0x1',
    tokenName: 'Ajolote',
    tokenSymbol: 'AJO',
    supply: '1',
    hash: 'a',
  };
  const seen = (stage: string) => {
    const ordered = order({ stage, summary, proposals: [] });
    return draw(<Proposals order={ordered} orderRef={{ id: '1', key: '2' }} />);
  };
  expect(seen('creating')).toContain('díselo ahora al equipo');
  expect(seen('created')).not.toContain('díselo ahora al equipo');
});
