import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { rpc } from '#app/lib/api/rpc.ts';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { es } from '#app/lib/messages/es.ts';
import type { Network } from '#contract/domains/networks.ts';
import type { DraftData } from '#contract/domains/token-requests.ts';
import { EMPTY_DRAFT } from '#contract/fields/token-form.ts';
import { FormContext, networksQuery } from './Fields.tsx';
import { StepContact } from './StepContact.tsx';
import { StepMarket } from './StepMarket.tsx';

const network = (key: string, name: string, symbol: string, delivery: Network['delivery'] = 'signer'): Network => ({
  id: key,
  key,
  name,
  symbol,
  isActive: true,
  delivery,
  manualDays: delivery === 'manual' ? 5 : null,
  createdAt: '',
});
const NETWORKS = [network('solana', 'Solana', 'SOL'), network('bnb', 'BNB Chain', 'BNB')];

/** Renders a step, with these networks available; null while they are loading. */
function shown(step: ReactNode, data: Partial<DraftData>, networks: Network[] | null): string {
  const queries = new QueryClient();
  if (networks) queries.setQueryData(networksQuery(rpc).queryKey, networks);
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <LanguageProvider locale="es" text={es}>
        <FormContext value={{ data: { ...EMPTY_DRAFT, ...data }, errors: {} }}>{step}</FormContext>
      </LanguageProvider>
    </QueryClientProvider>,
  );
}
const options = (html: string) => [...html.matchAll(/<option[^>]*>([^<]*)/g)].map(([, messages]) => messages);

describe('the network of the third step', () => {
  it('can be any active network, listed with its symbol; while they load the field says so [CREATE-42] [CREATE-43]', () => {
    expect(options(shown(<StepContact />, {}, NETWORKS))).toEqual(['Elige una red', 'Solana (SOL)', 'BNB Chain (BNB)']);
    expect(options(shown(<StepContact />, {}, null))).toEqual(['Cargando redes...']);
  });

  it('has a message when no network is on sale, and only then', () => {
    const none = 'Ahora mismo no hay ninguna red abierta.';
    expect(shown(<StepContact />, {}, [])).toContain(none);
    expect(shown(<StepContact />, {}, NETWORKS)).not.toContain(none);
    expect(shown(<StepContact />, {}, null)).not.toContain(none);
  });

  it('stays selected when it is no longer offered [AMB-54]', () => {
    const html = shown(<StepContact />, { selectedNetwork: 'polygon' }, NETWORKS);
    expect(options(html)).toContain('polygon');
    expect(html).toMatch(/<option value="polygon" selected="">/);
  });
});

describe('a network [AMB-216]', () => {
  const some = [...NETWORKS, network('polygon', 'Polygon', 'POL', null)];

  it('without delivery is not offered for the order, but still as the current network of the token', () => {
    expect(options(shown(<StepContact />, {}, some))).not.toContain('Polygon (POL)');
    expect(options(shown(<StepMarket />, {}, some))).toContain('Polygon');
  });

  it('that was selected before it lost its delivery keeps its name, with a message that it is no longer available', () => {
    const html = shown(<StepContact />, { selectedNetwork: 'polygon' }, some);
    expect(html).toMatch(/<option value="polygon" selected="">Polygon</);
    expect(html).toContain('La red elegida ya no está disponible. Elige otra.');
    expect(shown(<StepContact />, { selectedNetwork: 'solana' }, some)).not.toContain('ya no está disponible');
  });

  it('with manual or trial delivery says so beside the field', () => {
    const hand = [network('base', 'Base', 'B', 'manual'), network('solana', 'Solana', 'SOL', 'trial')];
    expect(shown(<StepContact />, { selectedNetwork: 'base' }, hand)).toContain(
      'En Base el equipo entrega a mano, como muy tarde 5 días después del pago.',
    );
    expect(shown(<StepContact />, { selectedNetwork: 'solana' }, hand)).toContain('no se creará ningún token');
    expect(shown(<StepContact />, { selectedNetwork: 'solana' }, NETWORKS)).not.toContain('no se creará ningún token');
  });
});

describe('the percentage fields', () => {
  it('are limited by min and max of the browser alone: 130 is not marked as an error [CREATE-34..37] [CREATE-67] [AMB-60]', () => {
    const html = shown(<StepMarket />, { distribucionTokens: '130' }, NETWORKS);
    for (const name of ['distribucionTokens', 'productorToken', 'porcentajeMarketing', 'porcentajePartnersInversores'])
      expect(html).toMatch(
        new RegExp(`<input(?=[^>]*name="${name}")(?=[^>]*type="number")(?=[^>]*min="0")(?=[^>]*max="100")`),
      );
    expect(html).toContain('value="130"');
    expect(html).not.toContain('aria-invalid');
  });
});
