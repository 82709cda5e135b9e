import { useQuery } from '@tanstack/react-query';
import {
  ArrowRight,
  ClipboardList,
  Coins,
  MessagesSquare,
  Newspaper,
  Rocket,
  ShieldUser,
  Trophy,
  Vote,
} from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { rpc } from '#app/lib/api/rpc.ts';
import { integer } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminDashboardTexts } from '#app/lib/messages/admin/dashboard.ts';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { English } from '#app/ui/layout/English.tsx';
import { Skeleton } from '#app/ui/layout/Skeleton.tsx';
import { Stat } from '#app/ui/layout/Stat.tsx';
import type { DashboardCounts } from '#contract/admin/dashboard.ts';
import { TIMING } from '#contract/limits.ts';
import { LoadError } from '../kit/LoadError.tsx';
import { boundedCount } from '../kit/list/bounded-count.ts';
import { useRights } from '../kit/rights.tsx';
import { screenAt } from '../navigation.ts';

const DashboardCharts = lazy(() => loadWithRetry(() => import('./DashboardCharts.tsx')));

/** Counts, activity of the last days, and a link to every section. */
export function Dashboard() {
  const messages = useText(adminDashboardTexts).dashboard;
  const locale = useLocale();
  const counts = useQuery(
    rpc.admin.dashboard.counts.queryOptions({
      refetchInterval: TIMING.dashboardRefresh,
      refetchOnWindowFocus: 'always',
      staleTime: TIMING.dashboardRefresh,
    }),
  );
  const { data } = counts;
  const format = (value: number | null | undefined) =>
    value === undefined || value === null ? <Skeleton className="mt-1 h-6 w-16" /> : integer(value, locale);
  // Counts of work that the user has no right to are not shown.
  const theirs = (name: keyof DashboardCounts) => data?.[name] !== null;
  const overview = (
    [
      ['moderators', messages.moderators],
      ['pendingModerators', messages.pending],
      ['posts', messages.posts],
    ] as const
  ).filter(([name]) => theirs(name));
  return (
    <>
      {counts.isError && !data ? (
        <LoadError what={messages.failed} of={counts} screen="dashboard" className="admin-panel admin-note" />
      ) : null}
      {data?.inbox === null ? null : <InboxLine waiting={data?.inbox} free={data?.inboxFree} />}
      <section aria-label={messages.figures} aria-busy={counts.isPending}>
        {counts.isPending ? (
          <p className="visually-hidden" role="status">
            {messages.loading}
          </p>
        ) : null}
        <dl className="admin-stats">
          {(['users', 'projects', 'votes', 'news', 'online'] as const).filter(theirs).map((name) => (
            <Stat
              key={name}
              className="admin-panel"
              label={<English>{messages.stats[name]}</English>}
              value={format(data?.[name])}
            />
          ))}
        </dl>
      </section>
      <Suspense fallback={<Skeleton className="h-72 rounded-card" />}>
        <DashboardCharts />
      </Suspense>
      <Tiles
        counts={{
          projects: data?.projects,
          nextProjects: data?.nextProjects,
          votes: data?.candidates,
          news: data?.news,
          forum: data?.posts,
          users: data?.users,
          submissions: data?.newSubmissions,
          tokenCreation: data?.pendingRequests,
        }}
      />
      {overview.length > 0 ? (
        <section>
          <h2 className="mb-2 text-[1.125rem]">
            <English>{messages.overview}</English>
          </h2>
          <dl className="admin-stats">
            {overview.map(([name, label]) => (
              <Stat
                key={name}
                className="admin-panel"
                label={<English>{label}</English>}
                value={format(data?.[name])}
              />
            ))}
          </dl>
        </section>
      ) : null}
    </>
  );
}

function InboxLine({ waiting, free }: { waiting: number | undefined; free: number | null | undefined }) {
  const messages = useText(adminDashboardTexts).dashboard.inbox;
  const locale = useLocale();
  const href = useHref();
  if (waiting === undefined) return <Skeleton className="h-16 rounded-card" />;
  return (
    <section className="admin-panel flex flex-wrap items-center gap-3" data-inbox={waiting}>
      <p className="text-[1.0625rem] font-semibold">
        {waiting === 0 ? messages.none : waiting === 1 ? messages.one : messages.waiting(boundedCount(waiting, locale))}
      </p>
      {free ? <Badge tone="coral">{messages.free(boundedCount(free, locale))}</Badge> : null}
      <ButtonLink to={href('/admin/inbox')} size="sm" variant={waiting ? 'primary' : 'secondary'} className="ml-auto">
        {messages.open}
        <ArrowRight aria-hidden="true" />
      </ButtonLink>
    </section>
  );
}

const TILES = [
  { name: 'projects', path: '/admin/projects', icon: Trophy },
  { name: 'nextProjects', path: '/admin/next-projects', icon: Rocket },
  { name: 'votes', path: '/admin/votes', icon: Vote },
  { name: 'news', path: '/admin/news', icon: Newspaper },
  { name: 'forum', path: '/admin/forum', icon: MessagesSquare },
  { name: 'users', path: '/admin/users', icon: ShieldUser },
  { name: 'submissions', path: '/admin/submissions', icon: ClipboardList },
  { name: 'tokenCreation', path: '/admin/token-creation', icon: Coins },
] as const;

function Tiles({ counts }: { counts: Record<(typeof TILES)[number]['name'], number | null | undefined> }) {
  const messages = useText(adminDashboardTexts).dashboard;
  const locale = useLocale();
  const href = useHref();
  const { may } = useRights();
  const tiles = TILES.filter(({ path }) => screenAt(path)?.reads.some(may));
  if (tiles.length === 0) return null;
  return (
    <section aria-label={messages.sections}>
      <ul className="admin-tiles">
        {tiles.map(({ name, path, icon: Icon }) => (
          <li key={name} className="admin-tile">
            <Icon aria-hidden="true" />
            <Link to={href(path)} className="stretched flex-1">
              <English>{messages.tiles[name]}</English>
            </Link>
            {typeof counts[name] === 'number' ? (
              <span className="admin-figure text-quiet">
                {name === 'tokenCreation' ? boundedCount(counts[name], locale) : integer(counts[name], locale)}
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
