import { globSync, readFileSync } from 'node:fs';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, Suspense, useId } from 'react';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Author } from '#app/features/forum/Author.tsx';
import { UserText } from '#app/features/forum/writing/UserText.tsx';
import { ProjectCard } from '#app/features/projects/ProjectCard.tsx';
import { RankingList } from '#app/features/voting/RankingList.tsx';
import { rankingQuery } from '#app/features/voting/ranking.queries.ts';
import { VoteControl } from '#app/features/voting/VoteControl.tsx';
import { makeQueryClient } from '#app/lib/api/query-client.ts';
import { LanguageProvider, type Site, SiteProvider } from '#app/lib/i18n/i18n.tsx';
import { en } from '#app/lib/messages/en.ts';
import { es } from '#app/lib/messages/es.ts';
import { Footer } from '#app/lib/page/Footer.tsx';
import { DocumentFragments, FragmentCache } from '#app/lib/page/fragment-cache.tsx';
import { CrownedPuppet } from '#app/ui/art/Puppet.tsx';
import { Skyline, Stars } from '#app/ui/art/Skyline.tsx';
import { AssetsBase } from '#app/ui/assets.ts';
import { FragmentContext, fragment } from '#app/ui/fragment.ts';
import type { Project } from '#contract/domains/projects.ts';
import type { Candidate } from '#contract/domains/voting.ts';

const project: Project = {
  id: 'd2a7c5a0-6f3e-4b52-9a55-1f0d6c1b7a11',
  tokenName: 'Luna <i id="x.0"></i>',
  tokenSymbol: 'LUNA',
  tokenSlug: 'luna',
  description: 'Ñandú & “co”',
  imageUrl: '/media/a.webp',
  marketCap: '$2.50M',
  marketCapFrom: 'team',
  progressPercentage: 40,
  status: 'approved',
  change7d: 0.12,
  verified: [{ by: 'wallet', what: '0x12', at: '2026-11-01T00:00:00.000Z' }] as Project['verified'],
  sold: { until: '2026-12-01T00:00:00.000Z', es: 'Patrocinado', en: 'Sponsored' },
  orderIndex: 7,
  createdAt: '2026-10-02T00:00:00.000Z',
};

const candidate: Candidate = {
  id: '7a1b0f0e-3a55-4a3e-8a60-7d8f4c7d9b22',
  tokenName: 'Sol',
  tokenSymbol: 'SOL',
  tokenSlug: 'sol',
  description: null,
  imageUrl: '/media/b.webp',
  orderIndex: 1,
  createdAt: '2026-10-02T00:00:00.000Z',
  totalVotes: 12,
  votesToday: 3,
  reachedAt: null,
  trend: [1, 2, 3],
  verified: [],
} as Candidate;

const author = {
  author: { username: 'ana', shortId: '#12', staff: true },
  createdAt: '2026-10-02T11:12:13.000Z',
  editedAt: '2026-10-02T12:12:13.000Z',
  size: 32,
};

const site: Site = { name: 'Florka', mark: null, languages: ['es', 'en'], planNotes: {} };

/** A part of a page with the data that it shows. */
const PARTS: Record<string, { data: object; part: (data: never) => ReactNode }> = {
  ProjectCardContent: {
    data: project,
    part: (data: Project) => <ProjectCard project={data} eager={data.orderIndex > 5} />,
  },
  CandidateContent: { data: candidate, part: rankingOf },
  FirstControl: { data: candidate, part: rankingOf },
  VisitorsAuthor: { data: author, part: (data: typeof author) => <Author {...data} /> },
  UserText: {
    data: { children: 'Mira https://example.com/a?b=1&c=2 y <b>esto</b>' },
    part: (data: { children: string }) => <UserText className="max-w-[70ch]">{data.children}</UserText>,
  },
  Footer: { data: {}, part: () => <Footer /> },
  Skyline: { data: {}, part: () => <Skyline className="hero-scene" /> },
  Stars: { data: {}, part: () => <Stars /> },
  CrownedPuppet: { data: {}, part: () => <CrownedPuppet className="hero-puppet" /> },
};

function rankingOf(data: Candidate): ReactNode {
  const queries = makeQueryClient();
  queries.setQueryData(rankingQuery().queryKey, {
    items: [data, { ...candidate, id: project.id, totalVotes: 10 }],
    total: 2,
  } as never);
  return (
    <QueryClientProvider client={queries}>
      <RankingList
        action={(one) => <VoteControl candidateId={one.id} name={one.tokenName} signedIn={undefined} look="soft" />}
      />
    </QueryClientProvider>
  );
}

interface Around {
  locale?: 'es' | 'en';
  site?: Site;
  assets?: string;
}

const around = (part: ReactNode, { locale = 'es', site: about = site, assets = '' }: Around) => (
  <StaticRouter location={locale === 'es' ? '/vote' : '/en/vote'}>
    <SiteProvider value={about}>
      <LanguageProvider locale={locale} text={locale === 'es' ? es : en}>
        <AssetsBase value={assets}>{part}</AssetsBase>
      </LanguageProvider>
    </SiteProvider>
  </StaticRouter>
);

/** The part as React renders it within the page. */
const plain = (part: ReactNode, where: Around = {}) => renderToString(around(part, where));

function fromCache(cache: FragmentCache, part: ReactNode, where: Around = {}): string {
  const fragments = new DocumentFragments(cache, 'nonce');
  const html = renderToString(<FragmentContext value={fragments}>{around(part, where)}</FragmentContext>);
  return Buffer.from(fragments.fill(Buffer.from(html, 'utf8').toString('latin1')), 'latin1').toString('utf8');
}

/** React writes the preloads of a part at its start; in documents they are in the head. */
const withoutPreloads = (html: string) => html.replace(/^(?:<link rel="preload"[^>]*>)+/, '');

/** Another value of the same enumeration. */
const OTHERS: Record<string, string> = { wallet: 'dns', approved: 'published_home', team: 'dexscreener' };
const other = (text: string) => OTHERS[text] ?? (text.startsWith('2026-') ? text.replace('2026', '2025') : `${text}x`);

/** Every value inside the data replaced by another one of its kind, one at a time. */
function* variants<T>(value: T): Generator<T> {
  if (typeof value === 'string') yield other(value) as T;
  else if (typeof value === 'number') yield (value + 1) as T;
  else if (typeof value === 'boolean') yield !value as T;
  else if (Array.isArray(value))
    for (const [i, one] of value.entries()) for (const changed of variants(one)) yield value.with(i, changed) as T;
  else if (value !== null && typeof value === 'object')
    for (const [name, one] of Object.entries(value)) {
      for (const changed of variants(one)) yield { ...value, [name]: changed };
      if (['sold', 'imageUrl', 'description', 'editedAt'].includes(name)) yield { ...value, [name]: null };
    }
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe.each(Object.entries(PARTS))('the fragment %s', (_, { data, part: partOf }) => {
  const part = partOf as (data: object) => ReactNode;

  it('equals what React renders within its page, on the first render and from the cache', () => {
    const cache = new FragmentCache();
    const expected = withoutPreloads(plain(part(data)));
    for (const _time of [1, 2, 3]) expect(withoutPreloads(fromCache(cache, part(data)))).toBe(expected);
  });

  it('is rendered anew for every change of its data', () => {
    const cache = new FragmentCache();
    fromCache(cache, part(data));
    for (const one of variants(data))
      expect(withoutPreloads(fromCache(cache, part(one)))).toBe(withoutPreloads(plain(part(one))));
  });

  it('is cached separately by language, site and origin of images', () => {
    const cache = new FragmentCache();
    const places: Around[] = [
      {},
      { locale: 'en' },
      { site: { ...site, name: 'Feria' } },
      { site: { ...site, mark: '/media/mark.webp' } },
      { site: { ...site, mark: '/media/mark.webp' }, assets: 'https://cdn.example' },
      { assets: 'https://cdn.example' },
      { locale: 'en', assets: 'https://cdn.example' },
    ];
    for (const where of [...places, ...places])
      expect(withoutPreloads(fromCache(cache, part(data), where))).toBe(withoutPreloads(plain(part(data), where)));
  });

  it('does not depend on the time', () => {
    const now = plain(part(data));
    vi.useFakeTimers({ now: new Date('2031-02-03T04:05:06Z') });
    expect(plain(part(data))).toBe(now);
  });
});

it('every fragment of the app is tested above', () => {
  const names = globSync('app/**/*.tsx', { exclude: ['**/*.test.tsx'] }).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/const (\w+) = fragment\b/g)].map(([, name]) => name),
  );
  expect(names.toSorted()).toEqual(Object.keys(PARTS).toSorted());
});

describe('a fragment cache', () => {
  it('renders a fragment once per value of its properties', () => {
    const render = vi.fn(({ name }: { name: string }) => <b>{name}</b>);
    const Name = fragment(render);
    const cache = new FragmentCache();
    for (const name of ['a', 'b', 'a', 'b']) expect(fromCache(cache, <Name name={name} />)).toBe(`<b>${name}</b>`);
    expect(render).toHaveBeenCalledTimes(2);
  });

  it('keeps fragments with the same properties apart', () => {
    const cache = new FragmentCache();
    const Bold = fragment(() => <b />);
    const Small = fragment(() => <small />);
    expect(fromCache(cache, [<Bold key="b" />, <Small key="s" />])).toBe('<b></b><small></small>');
  });

  it('preloads the images of a cached fragment as those of a rendered one', () => {
    const cache = new FragmentCache();
    const preloaded = (html: string) =>
      [...html.matchAll(/<link rel="preload"[^>]*href="([^"]*)"/g)].map((one) => one[1]);
    const card = <ProjectCard project={{ ...project, imageUrl: '/media/a.webp?a=1&b="2"' }} eager />;
    const expected = preloaded(plain(card));
    expect(expected).toHaveLength(1);
    for (const _time of [1, 2]) {
      const fragments = new DocumentFragments(cache, 'nonce');
      const html = renderToString(<FragmentContext value={fragments}>{around(card, {})}</FragmentContext>);
      expect(preloaded(html)).toEqual(expected);
    }
  });

  it('evicts fragments that are no longer used', () => {
    const render = vi.fn(({ name }: { name: string }) => <b>{name.repeat(50_000)}</b>);
    const Name = fragment(render);
    const cache = new FragmentCache();
    for (let i = 0; i < 200; i++) fromCache(cache, [<Name key="a" name="always" />, <Name key="b" name={`n${i}`} />]);
    const before = render.mock.calls.length;
    fromCache(cache, <Name name="always" />);
    expect(render.mock.calls.length).toBe(before);
    fromCache(cache, <Name name="n0" />);
    expect(render.mock.calls.length).toBe(before + 1);
  });

  it('refuses a component whose markup depends on its place in the page', () => {
    const Named = fragment(() => <b id={useId()} />);
    const Late = fragment(() => (
      <Suspense>
        <b />
      </Suspense>
    ));
    expect(() => fromCache(new FragmentCache(), <Named />)).toThrow('useId');
    expect(() => fromCache(new FragmentCache(), <Late />)).toThrow('Suspense');
  });
});

it('the vote control of the server is what a browser shows before its session is loaded', () => {
  const control = () => (
    <QueryClientProvider client={makeQueryClient()}>
      <VoteControl candidateId={candidate.id} name={candidate.tokenName} signedIn={undefined} look="soft" />
      <VoteControl candidateId={candidate.id} name={candidate.tokenName} signedIn={undefined} />
    </QueryClientProvider>
  );
  const server = plain(control());
  vi.stubEnv('SSR', false);
  expect(plain(control())).toBe(server);
});
