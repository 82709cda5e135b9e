import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { describe, expect, it } from 'vitest';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { en } from '#app/lib/messages/en.ts';
import { es } from '#app/lib/messages/es.ts';
import type { Token } from '#contract/domains/tokens.ts';
import { TokenHead } from './TokenHead.tsx';

const NOW = '2026-08-01T12:00:00.000Z';

/** The badges of the page's head for a token of this kind and launch. */
function badgesOf(locale: 'es' | 'en', over: Partial<Token>, launch?: Partial<NonNullable<Token['launch']>>): string[] {
  const token = {
    kind: 'next',
    id: 'ab3c1c1e-0000-4000-8000-000000000000',
    tokenName: 'Luna',
    tokenSymbol: 'LUNA',
    price: null,
    marketCap: null,
    volume24h: null,
    holdersCount: null,
    maxSupply: null,
    totalVotes: 0,
    progressPercentage: null,
    verified: [],
    serverTime: NOW,
    launch: launch
      ? {
          status: 'published',
          launchDate: null,
          countdownEnd: null,
          isVotingWinner: false,
          wonRound: null,
          proof: { by: 'none' },
          changes: [],
          ...launch,
        }
      : null,
    ...over,
  } as unknown as Token;
  const html = renderToStaticMarkup(
    <LanguageProvider locale={locale} text={{ es, en }[locale]}>
      <MemoryRouter>
        <TokenHead token={token} actions={null} />
      </MemoryRouter>
    </LanguageProvider>,
  );
  const head = html.slice(0, html.indexOf('<h2'));
  return [...head.matchAll(/<span class="badge[^"]*">(.*?)<\/span>/g)].map(([, content]) => content ?? '');
}

describe('the head of a token', () => {
  const passed = '2026-08-01T11:59:59.000Z';
  const later = '2026-08-01T12:00:01.000Z';

  it.each([
    ['without a time', {}],
    ['before its time', { launchDate: later }],
    ['before the end of its countdown, after its date', { launchDate: passed, countdownEnd: later }],
  ] as const)('calls a launch %s upcoming', (_, launch) => {
    expect(badgesOf('es', {}, launch)).toEqual(['Próximo lanzamiento']);
    expect(badgesOf('en', {}, launch)).toEqual(['Upcoming launch']);
  });

  it.each([
    ['after its time', { launchDate: passed }],
    ['marked as launched before its time', { status: 'launched', launchDate: later }],
    ['marked as launched without a time', { status: 'launched' }],
  ] as const)('does not call a launch %s upcoming', (_, launch) => {
    expect(badgesOf('es', {}, launch)).toEqual(['Lanzamiento']);
    expect(badgesOf('en', {}, { ...launch, isVotingWinner: true })).toEqual(['Launch', 'Winner of the vote']);
  });

  it('has a badge with the kind of a project or candidate', () => {
    expect(badgesOf('es', { kind: 'project' })).toEqual(['Proyecto']);
    expect(badgesOf('en', { kind: 'candidate' })).toEqual(['Candidate']);
  });
});
