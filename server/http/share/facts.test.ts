import { describe, expect, it } from 'vitest';
import type { Token } from '#contract/domains/tokens.ts';
import { marketCap } from '#contract/text/figures.ts';
import { SITE_LOOK } from '#tests/support/samples/site.ts';
import { createCardContents } from './card-contents.ts';

const token = {
  kind: 'project',
  id: 'ab3c1c1e-0000-4000-8000-000000000000',
  tokenName: 'Títere Real',
  tokenSymbol: 'TITERE',
  tokenSlug: 'titere-real',
  marketCap: '$1.4m',
  holdersCount: 8_410,
  progressPercentage: null,
  sources: { marketCap: 'team', holders: 'team' },
  createdAt: '2026-06-05T00:00:00.000Z',
} as unknown as Token;

describe('a card', () => {
  const facts = createCardContents(
    async <T>() => token as T,
    (path) => path,
    () => SITE_LOOK,
  );
  it('formats figures like the pages of its language', async () => {
    const es = await facts.token('titere-real', 'es');
    expect(es.stub?.value).toBe(marketCap('$1.4m', 'es'));
    expect(es.stub?.value.replace(/\s/g, ' ')).toBe('$1,4 M');
    expect(es.figures.map(({ value }) => value.replace(/\s/g, ' '))).toEqual(['8,41 K']);
    const en = await facts.token('titere-real', 'en');
    expect([en.stub?.value, en.figures[0]?.value]).toEqual(['$1.40M', '8.41K']);
  });
});
