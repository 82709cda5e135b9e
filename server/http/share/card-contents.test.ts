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

describe('a launch', () => {
  const NOW = '2026-08-01T12:00:00.000Z';
  const of = (launch: Partial<NonNullable<Token['launch']>>) =>
    createCardContents(
      async <T>() =>
        ({
          ...token,
          kind: 'next',
          sources: {},
          serverTime: NOW,
          launch: {
            status: 'published',
            launchDate: null,
            countdownEnd: null,
            isVotingWinner: false,
            proof: { by: 'none' },
            ...launch,
          },
        }) as T,
      (path) => path,
      () => SITE_LOOK,
    );
  const read = async (launch: Partial<NonNullable<Token['launch']>>, language: 'es' | 'en') => {
    const facts = of(launch);
    const { kicker, stub, note } = await facts.token('titere-real', language);
    const badge = /<title>.*: (.*)<\/title>/.exec(await facts.badge('titere-real', language))?.[1];
    return { kicker, stub: stub?.name, note, badge };
  };

  it('is upcoming before its time, or without one', async () => {
    const before = { countdownEnd: '2026-08-01T12:00:00.001Z' };
    expect(await read(before, 'es')).toEqual({
      kicker: 'Próximo lanzamiento',
      stub: 'sale a la pista',
      note: '1 ago, 12:00 UTC',
      badge: 'Próximo lanzamiento',
    });
    expect(await read(before, 'en')).toMatchObject({ kicker: 'Upcoming launch', badge: 'Upcoming launch' });
    expect(await read({}, 'en')).toMatchObject({ kicker: 'Upcoming launch', badge: 'Upcoming launch', note: '' });
  });

  it('is not upcoming once its time has passed, and says what proves it', async () => {
    // The countdown counts, not the date.
    const passed = { countdownEnd: NOW, launchDate: '2026-09-01T00:00:00.000Z' };
    expect(await read(passed, 'es')).toEqual({
      kicker: 'Lanzamiento',
      stub: 'lanzado',
      note: '1 ago, 12:00 UTC · sin demostrar',
      badge: 'Lanzamiento',
    });
    expect(await read(passed, 'en')).toEqual({
      kicker: 'Launch',
      stub: 'launched',
      note: 'Aug 1, 12:00 UTC · not proven',
      badge: 'Launch',
    });
  });

  it('is not upcoming once its status says that it has launched, with or without a time', async () => {
    const launched = { status: 'launched', proof: { by: 'team' } } as const;
    expect(await read(launched, 'es')).toEqual({
      kicker: 'Lanzamiento',
      stub: undefined,
      note: 'lo dice el equipo',
      badge: 'Lanzamiento',
    });
    expect(await read({ ...launched, launchDate: '2026-09-01T00:00:00.000Z' }, 'en')).toMatchObject({
      kicker: 'Launch',
      badge: 'Launch',
      stub: 'launched',
    });
    expect(await read({ ...launched, isVotingWinner: true }, 'en')).toMatchObject({
      kicker: 'Winner of the vote',
      badge: 'Winner of the vote',
    });
  });
});
