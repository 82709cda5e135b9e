import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { LanguageProvider } from '#app/lib/i18n.tsx';
import { es } from '#app/lib/messages/es.ts';
import { rpc } from '#app/lib/rpc.ts';
import { EMPTY_DRAFT } from '#contract/token-form.ts';
import type { DraftData } from '#contract/token-requests.ts';
import { FormContext, networksQuery } from './Fields.tsx';
import { StepContact } from './StepContact.tsx';
import { StepMarket } from './StepMarket.tsx';

const NETWORKS = [
  { id: '1', key: 'solana', name: 'Solana', symbol: 'SOL', isActive: true, createdAt: '' },
  { id: '2', key: 'bnb', name: 'BNB Chain', symbol: 'BNB', isActive: true, createdAt: '' },
];

/** A step as it stands, with these networks on offer; null while they are on their way. */
function shown(step: ReactNode, data: Partial<DraftData>, networks: typeof NETWORKS | null): string {
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
const options = (html: string) => [...html.matchAll(/<option[^>]*>([^<]*)/g)].map(([, words]) => words);

describe('the network of the third step', () => {
  it('is one of the active ones, with its symbol; until they are known it says so [CREATE-42] [CREATE-43]', () => {
    expect(options(shown(<StepContact />, {}, NETWORKS))).toEqual(['Elige una red', 'Solana (SOL)', 'BNB Chain (BNB)']);
    expect(options(shown(<StepContact />, {}, null))).toEqual(['Cargando redes...']);
  });

  it('says so when none is on offer, and only then', () => {
    const none = 'Ahora mismo no hay ninguna red abierta.';
    expect(shown(<StepContact />, {}, [])).toContain(none);
    expect(shown(<StepContact />, {}, NETWORKS)).not.toContain(none);
    expect(shown(<StepContact />, {}, null)).not.toContain(none);
  });

  it('stays chosen when it is no longer on offer [AMB-54]', () => {
    const html = shown(<StepContact />, { selectedNetwork: 'polygon' }, NETWORKS);
    expect(options(html)).toContain('polygon');
    expect(html).toMatch(/<option value="polygon" selected="">/);
  });
});

describe('the parts of a hundred', () => {
  it('have the limits of the browser and no others [CREATE-34..37] [CREATE-67] [AMB-60]', () => {
    const html = shown(<StepMarket />, { distribucionTokens: '130' }, NETWORKS);
    for (const name of ['distribucionTokens', 'productorToken', 'porcentajeMarketing', 'porcentajePartnersInversores'])
      expect(html).toMatch(
        new RegExp(`<input(?=[^>]*name="${name}")(?=[^>]*type="number")(?=[^>]*min="0")(?=[^>]*max="100")`),
      );
    expect(html).toContain('value="130"');
    expect(html).not.toContain('aria-invalid');
  });
});
