import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { describe, expect, it } from 'vitest';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { es } from '#app/lib/messages/es.ts';
import type { NextProject } from '#contract/domains/next-projects.ts';
import { NextPages } from './NextPages.tsx';
import { nextPageQuery } from './next-projects.queries.ts';

const ITEM = {
  id: '00000000-0000-4000-8000-000000000001',
  tokenName: 'Prueba',
  tokenSymbol: 'PRUEBA',
  description: null,
  imageUrl: null,
  marketCap: 'TBD',
  marketCapFrom: null,
  progressPercentage: 0,
  status: 'published',
  launchDate: null,
  countdownEnd: null,
  isActive: true,
  isVotingWinner: false,
  verified: [] as NextProject['verified'],
  proof: { by: 'none' },
  orderIndex: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
} as const;

/** The pagination of a page with this many launches; null when there is none. */
function pagesOf(total: number, page = 1): string[] | null {
  const queries = new QueryClient();
  queries.setQueryData(nextPageQuery(page).queryKey, {
    items: [ITEM],
    total,
    serverTime: '2026-01-01T00:00:00.000Z',
  });
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <LanguageProvider locale="es" text={es}>
        <MemoryRouter>
          <NextPages requestedPage={page} follow={() => null} />
        </MemoryRouter>
      </LanguageProvider>
    </QueryClientProvider>,
  );
  expect(html).toContain('Prueba');
  const nav = /<nav[^>]*>(.*)<\/nav>/.exec(html)?.[1];
  if (nav === undefined) return null;
  return nav
    .replace(/<[^>]*>/g, ' ')
    .split(/\s+/)
    .filter(Boolean);
}

describe('the pagination of NEXT', () => {
  it.each([1, 7, 8])('is absent while all %i launches fit on one page [NEXT-07] [NEXT-08]', (total) => {
    expect(pagesOf(total)).toBeNull();
  });

  it.each([
    [9, 1, '1 2'],
    [40, 1, '1 2 3 4 5'],
    [40, 3, '1 2 3 4 5'],
    [41, 1, '1 2 3 4 … 6'],
    [41, 6, '1 … 3 4 5 6'],
    [80, 5, '1 … 4 5 6 … 10'],
  ])('of %i launches, on page %i, is %s [NEXT-07] [NEXT-08] [NEXT-09] [AMB-105]', (total, page, row) => {
    expect(pagesOf(total, page)?.join(' ')).toBe(row);
  });
});
