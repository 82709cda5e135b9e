import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { day, integer } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminDashboardTexts } from '#app/lib/messages/admin/dashboard.ts';
import { AreaChart } from '#app/ui/charts/AreaChart.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import { TIMING } from '#contract/limits.ts';
import { LoadError } from '../kit/LoadError.tsx';
import { useRights } from '../kit/rights.tsx';
import { Switch } from '../kit/Switch.tsx';

const RANGES = [7, 30, 90];
const PLOTS = [
  { name: 'votes', field: 'votes', colour: '' },
  { name: 'signUps', field: 'signUps', colour: 'var(--color-sky)' },
  { name: 'posts', field: 'posts', colour: 'var(--color-mint)' },
  { name: 'views', field: 'views', colour: 'var(--color-sky)' },
  { name: 'revenue', field: 'revenueUsd', colour: 'var(--color-lead-text)' },
] as const;

/** Votes, sign-ups, posts, shown pages and revenue by UTC day, each with a table for those who use a screen reader. */
export default function DashboardCharts() {
  const messages = useText(adminDashboardTexts).dashboard.plots;
  const locale = useLocale();
  const [range, setRange] = useState(30);
  const days = useQuery(
    rpc.admin.dashboard.days.queryOptions({
      input: { days: range },
      placeholderData: keepPreviousData,
      staleTime: TIMING.dashboardRefresh,
    }),
  );
  const { data } = days;
  const enabled = useRights().may('rounds.list');
  const closed = useQuery(
    rpc.admin.rounds.list.queryOptions({ input: {}, staleTime: TIMING.dashboardRefresh, enabled }),
  );
  const current = useQuery(rpc.admin.rounds.current.queryOptions({ staleTime: TIMING.dashboardRefresh, enabled }));
  const rounds = [current.data?.round, ...(closed.data?.rows ?? [])].flatMap((round) => round ?? []);
  /** Starts of rounds within the days shown. */
  const marks = rounds.flatMap(({ number, opensAt }) => {
    const point = data?.findIndex((one) => one.day === opensAt.slice(0, 10)) ?? -1;
    return point >= 0 ? [{ point, label: messages.round(number) }] : [];
  });
  return (
    <section>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-[1.125rem]">{messages.heading}</h2>
        <Switch
          label={messages.range}
          name="range"
          value={String(range)}
          choices={RANGES.map((one) => [String(one), messages.days(one)] as const)}
          onChoose={(one) => setRange(RANGES.find((days) => String(days) === one) ?? range)}
        />
      </div>
      {data ? (
        <div className="grid grid-cols-1 gap-3 md:grid-cols-2">
          {PLOTS.map(({ name, field, colour }) => {
            const money = name === 'revenue';
            const note = money ? messages.revenueNote : name === 'views' ? messages.viewsNote : null;
            // Null for users without the right to see revenue.
            if (data.some((one) => one[field] === null)) return null;
            const formatTick = (value: number) => `${money ? '$' : ''}${integer(Math.round(value), locale)}`;
            const total = data.reduce((sum, one) => sum + (one[field] ?? 0), 0);
            return (
              // An item alone in its last row takes the full width.
              <div key={name} className="admin-panel md:last:odd:col-span-2">
                <div className="admin-panel-head mb-3 flex flex-wrap items-baseline justify-between gap-2">
                  <h3 className="text-[1.0625rem]">{messages[name]}</h3>
                  <p className="figures text-sm text-quiet">{messages.total(formatTick(total))}</p>
                </div>
                {note ? <p className="-mt-2 mb-2 text-sm text-quiet">{note}</p> : null}
                <div style={{ '--chart-height': '8rem', ...(colour ? { '--spark': colour } : {}) } as never}>
                  <AreaChart
                    points={data.map((one) => ({ label: day(one.day, locale), value: one[field] ?? 0 }))}
                    label={messages[name]}
                    pointHeading={messages.day}
                    valueHeading={messages.value}
                    format={formatTick}
                    unfinished={messages.today}
                    marks={name === 'votes' ? marks : []}
                  />
                </div>
              </div>
            );
          })}
        </div>
      ) : days.isError ? (
        <LoadError what={messages.failed} of={days} className="admin-panel admin-note" />
      ) : (
        <SkeletonGroup label={messages.loading} className="grid gap-3 md:grid-cols-2">
          <Skeleton className="h-48 rounded-card" />
          <Skeleton className="h-48 rounded-card" />
        </SkeletonGroup>
      )}
    </section>
  );
}
