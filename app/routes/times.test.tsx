import { globSync, readFileSync } from 'node:fs';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Dashboard } from '#app/features/admin/dashboard/Dashboard.tsx';
import { DebugPanel } from '#app/features/admin/forum/DebugPanel.tsx';
import { PendingPanel } from '#app/features/admin/moderators/ModeratorRequests.tsx';
import { meQuery } from '#app/features/auth/auth.queries.ts';
import { feedQuery } from '#app/features/forum/forum.queries.ts';
import History from '#app/features/forum/moderation/History.tsx';
import { TrustPanel } from '#app/features/forum/moderation/TrustPanel.tsx';
import Mentions from '#app/features/forum/writing/Mentions.tsx';
import { newsListQuery } from '#app/features/news/news.queries.ts';
import { nextGridQuery, nextPageQuery } from '#app/features/next-projects/next-projects.queries.ts';
import { OnlinePanel } from '#app/features/presence/OnlinePanel.tsx';
import { podiumQuery, projectsQuery } from '#app/features/projects/projects.queries.ts';
import { tokenQuery } from '#app/features/tokens/tokens.queries.ts';
import { rankingQuery } from '#app/features/voting/ranking.queries.ts';
import { useMyVotes } from '#app/features/voting/voting.queries.ts';
import { makeQueryClient } from '#app/lib/api/query-client.ts';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { es } from '#app/lib/messages/es.ts';
import Toaster from '#app/ui/controls/Toaster.tsx';
import RolesPage from './admin/roles.tsx';
import VotesPage from './admin/votes.tsx';

// As in a browser: on the server queries are neither retried nor garbage-collected.
beforeAll(() => void vi.stubEnv('SSR', false));
afterAll(() => void vi.unstubAllEnvs());

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

interface Times {
  staleTime?: unknown;
  gcTime?: unknown;
  refetchInterval?: unknown;
  refetchOnWindowFocus?: unknown;
  refetchOnReconnect?: unknown;
  retry?: (failures: number, error: unknown) => boolean;
  retryDelay?: unknown;
}
/** The options of a query merged with the defaults. */
const whole = (options: object) => makeQueryClient().defaultQueryOptions(options as never) as Times;
/** Number of retries after a response with this status. */
const retries = ({ retry }: Times, status = 503) =>
  [0, 1, 2, 3, 4].filter((failures) => retry?.(failures, { status })).length;

/** Options of the queries of a part of a screen, by procedure. */
function timesOf(part: ReactNode): Record<string, Times> {
  const queries = makeQueryClient();
  const router = createMemoryRouter([{ path: '*', element: part }]);
  renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <LanguageProvider locale="es" text={es}>
        <RouterProvider router={router} />
      </LanguageProvider>
    </QueryClientProvider>,
  );
  return Object.fromEntries(
    queries
      .getQueryCache()
      .getAll()
      .map((query) => [(query.queryKey[0] as string[]).join('.'), query.options as Times]),
  );
}

describe('public lists', () => {
  it.each([
    ['the podium', podiumQuery()],
    ['the grid', projectsQuery('all')],
    ['the newest', projectsQuery('new')],
    ['NEXT on home', nextGridQuery()],
    ['a page of NEXT', nextPageQuery(1)],
  ])(
    '%s: stale after 10 minutes, refetched every 30 s and on reconnect, one retry after 2 s [TIME-01..06] [TIME-09] [AMB-206]',
    (_name, query) => {
      const times = whole(query);
      expect(times).toMatchObject({
        staleTime: 10 * MINUTE,
        refetchInterval: 30 * SECOND,
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
        retryDelay: 2 * SECOND,
      });
      expect(retries(times)).toBe(1);
      expect(retries(times, 404)).toBe(0);
    },
  );

  it('are cached for 15 minutes, candidates for 10 [TIME-02] [TIME-11]', async () => {
    // The gcTime of a list is set when its module is loaded.
    vi.resetModules();
    const { nextPageQuery: next } = await import('#app/features/next-projects/next-projects.queries.ts');
    const { projectsQuery: projects } = await import('#app/features/projects/projects.queries.ts');
    const { rankingQuery: ranking } = await import('#app/features/voting/ranking.queries.ts');
    expect(whole(projects('all')).gcTime).toBe(15 * MINUTE);
    expect(whole(next(1)).gcTime).toBe(15 * MINUTE);
    expect(whole(ranking()).gcTime).toBe(10 * MINUTE);
  });

  it('the candidates and a single token are stale after 5 minutes, and retried once [TIME-10] [TIME-12] [TIME-36] [CAND-39]', () => {
    for (const query of [whole(rankingQuery()), whole(tokenQuery('x'))]) {
      expect(query.staleTime).toBe(5 * MINUTE);
      expect(retries(query)).toBe(1);
      expect(retries(query, 404)).toBe(0);
    }
  });

  it('news are stale after 5 minutes, and refetched on window focus [TIME-14..15]', () => {
    expect(whole(newsListQuery(''))).toMatchObject({ staleTime: 5 * MINUTE, refetchOnWindowFocus: true });
  });
});

describe('queries about members', () => {
  it('one’s own role is stale after 5 s, one’s votes of today after 30 s [TIME-13] [TIME-16]', () => {
    function Mine() {
      useMyVotes(true);
      return null;
    }
    expect(whole(meQuery()).staleTime).toBe(5 * SECOND);
    expect(timesOf(<Mine />)['voting.mine']).toMatchObject({ staleTime: 30 * SECOND });
  });

  it('the members online are refetched every minute [TIME-19]', () => {
    expect(timesOf(<OnlinePanel me={null} />)['presence.online']).toMatchObject({ refetchInterval: MINUTE });
  });
});

describe('the back office', () => {
  it('figures of the dashboard are refetched every 30 s, and stale after 30 s [TIME-28]', () => {
    expect(timesOf(<Dashboard />)['admin.dashboard.counts']).toMatchObject({
      refetchInterval: 30 * SECOND,
      staleTime: 30 * SECOND,
    });
  });

  it('roles and their counts are refetched every 10 s, and stale after 5 s [TIME-31] [A-ROLE-25]', () => {
    const { 'admin.roles.list': list, 'admin.roles.counts': counts } = timesOf(<RolesPage />);
    for (const times of [list, counts])
      expect(times).toMatchObject({ refetchInterval: 10 * SECOND, staleTime: 5 * SECOND });
  });

  it('the tables of the forum and of moderator requests are refetched every 5 s [TIME-17] [TIME-32]', () => {
    expect(timesOf(<DebugPanel />)['admin.forum.debug']).toMatchObject({ refetchInterval: 5 * SECOND });
    expect(timesOf(<PendingPanel />)['admin.moderatorRequests.list']).toMatchObject({ refetchInterval: 5 * SECOND });
  });

  it('candidates are retried up to three times, and never after a refusal [TIME-35] [AMB-207]', () => {
    const list = timesOf(<VotesPage />)['admin.candidates.list'] as Times;
    expect(retries(list)).toBe(3);
    for (const status of [401, 403]) expect(retries(list, status)).toBe(0);
  });
});

it('a failed fetch is retried three times where the specification gives no number [TIME-26] [AMB-207]', () => {
  const all: Record<string, Times> = {
    news: whole(newsListQuery('')),
    'who is signed in': whole(meQuery()),
    'the forum': whole(feedQuery({})),
    ...timesOf(<Dashboard />),
    ...timesOf(<RolesPage />),
    ...timesOf(<DebugPanel />),
    ...timesOf(<TrustPanel />),
    ...timesOf(<History what="post" id="00000000-0000-4000-8000-000000000001" onClose={() => {}} />),
    ...timesOf(<Mentions typed="a" area={{ current: null }} onPick={() => {}} onClose={() => {}} />),
  };
  expect(Object.keys(all)).toEqual(expect.arrayContaining(['admin.dashboard.counts', 'admin.roles.list']));
  expect(Object.entries(all).filter(([, query]) => retries(query) !== 3)).toEqual([]);
  // No other file turns retries off; WalletChoice reads the wallets of the browser, without the network.
  const without = globSync('app/**/*.{ts,tsx}').filter((file) => !/\.test\.|WalletChoice/.test(file));
  expect(without.filter((file) => readFileSync(file, 'utf8').includes('retry: false'))).toEqual([]);
});

it('a notice is shown for five seconds, one at a time, with F8 as its shortcut [TIME-20] [TIME-22..23] [AMB-205]', () => {
  const { props } = Toaster({ label: 'x', closeLabel: 'y' });
  expect(props).toMatchObject({ duration: 5 * SECOND, visibleToasts: 1, hotkey: ['F8'] });
});
