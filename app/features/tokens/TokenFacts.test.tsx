import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { en } from '#app/lib/messages/en.ts';
import { es } from '#app/lib/messages/es.ts';
import type { Token } from '#contract/domains/tokens.ts';
import { TokenFacts } from './TokenFacts.tsx';

const AT = '2026-08-01T12:00:00.000Z';

it.each([
  ['es', '1.000.000', '33,33\u00a0%'],
  ['en', '1,000,000', '33.33%'],
] as const)('figures read from the chain have the separators of the language: %s', (locale, supply, share) => {
  const token = {
    network: 'solana',
    liquidity: null,
    verified: [],
    serverTime: AT,
    facts: {
      creation: {
        network: 'solana',
        transaction: null,
        transactionUrl: null,
        createdAt: AT,
        readAt: AT,
        supply: '1000000',
        ownerShare: 33.33,
        mintRevoked: null,
        freezeRevoked: null,
        metadataLocked: null,
        sourceVerifiedAt: null,
        simulation: false,
        again: null,
      },
    },
  } as unknown as Token;
  const html = renderToStaticMarkup(
    <LanguageProvider locale={locale} text={{ es, en }[locale]}>
      <MemoryRouter>
        <TokenFacts token={token} />
      </MemoryRouter>
    </LanguageProvider>,
  );
  const figures = [...html.matchAll(/<span class="figures">([^<]*)<\/span>/g)].map(([, figure]) => figure);
  expect(figures).toEqual([supply, share]);
});
