import { useQuery } from '@tanstack/react-query';
import { Pause, Play } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { codeOf } from '#app/lib/api/failure.ts';
import { day as dayName, integer } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { raceTexts } from '#app/lib/messages/race.ts';
import { SceneEmptyStage } from '#app/ui/art/scenes/SceneEmptyStage.tsx';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { FailedState } from '#app/ui/layout/FailedState.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { Race } from '#contract/domains/race.ts';
import { raceQuery } from './race.queries.ts';

/** Delay between two days during playback. Milliseconds. */
const STEP_MS = 900;

/** The ranking of each day of a round, selected by a slider. */
export function RaceView({ round, missing }: { round: number | undefined; missing: boolean | undefined }) {
  const { race: text } = useText(raceTexts);
  const href = useHref();
  const { data, isError, error, refetch, isFetching } = useQuery(raceQuery(round));
  if (!data && (error ? codeOf(error) === 'NOT_FOUND' : missing))
    return (
      <EmptyState
        scene={<SceneEmptyStage />}
        title={text.notKept}
        text={text.notKeptText}
        action={<ButtonLink to={href('/vote/race')}>{text.now}</ButtonLink>}
      />
    );
  if (isError && !data)
    return <FailedState title={text.error} retryLabel={text.retry} onRetry={() => void refetch()} busy={isFetching} />;
  if (!data)
    return (
      <SkeletonGroup label={text.loading}>
        <Skeleton className="h-96 rounded-card" />
      </SkeletonGroup>
    );
  if (data.days.length === 0 || data.candidates.length === 0)
    return (
      <EmptyState
        scene={<SceneEmptyStage />}
        title={text.notStarted}
        text={text.notStartedText}
        action={<ButtonLink to={href('/vote')}>{text.back}</ButtonLink>}
      />
    );
  return <Days race={data} />;
}

function Days({ race }: { race: Race }) {
  const { race: text } = useText(raceTexts);
  const locale = useLocale();
  const href = useHref();
  const last = race.days.length - 1;
  const [chosen, setChosen] = useState<number | null>(null);
  const [playing, setPlaying] = useState(false);
  const at = Math.min(chosen ?? last, last);
  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => {
      if (at >= last) setPlaying(false);
      else setChosen(at + 1);
    }, STEP_MS);
    return () => clearTimeout(timer);
  }, [playing, at, last]);
  const name = `${dayName(race.days[at] ?? '', locale)}${at === last ? ` (${race.ended ? text.final : text.today})` : ''}`;
  const max = Math.max(1, ...race.candidates.map(({ totals }) => totals[at] ?? 0));
  // In the order of the day; candidates with the same place keep the current order.
  const rows = race.candidates
    .map((candidate, now) => ({ candidate, now, rank: candidate.ranks[at] ?? 1, total: candidate.totals[at] ?? 0 }))
    .toSorted((a, b) => a.rank - b.rank || a.now - b.now);
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="card flex flex-wrap items-center gap-4 p-4 sm:p-5">
        {last > 0 ? (
          <Button
            size="sm"
            className="flex-none motion-reduce:hidden"
            onClick={() => {
              if (!playing && at === last) setChosen(0);
              setPlaying(!playing);
            }}
          >
            {playing ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
            {playing ? text.stop : text.play}
          </Button>
        ) : null}
        <label className="flex min-w-52 flex-1 flex-col gap-1">
          <span className="flex flex-wrap justify-between gap-x-3 text-sm">
            <span className="font-semibold">{text.day}</span>
            <span className="figures">{name}</span>
          </span>
          <input
            type="range"
            min={0}
            max={last}
            value={at}
            disabled={last === 0}
            aria-valuetext={name}
            className="min-h-10 w-full accent-lead"
            onChange={(event) => {
              setPlaying(false);
              setChosen(Number(event.target.value));
            }}
          />
        </label>
      </div>
      {/* The document order never changes: places are positioned by CSS, so that changes can be animated. */}
      <ol aria-label={text.list(name)} className="relative" style={{ height: `${rows.length * 4.25}rem` }}>
        {rows.map(({ candidate, rank, total }, index) => (
          <li
            key={candidate.id}
            className="absolute inset-x-0 top-0 h-[3.75rem] transition-transform duration-200 ease-out motion-reduce:transition-none"
            style={{ transform: `translateY(${index * 4.25}rem)` }}
          >
            <Place
              to={candidate.tokenSlug ? href(`/token/${candidate.tokenSlug}${race.ended ? '' : '/candidate'}`) : null}
            >
              <span
                aria-hidden="true"
                className="absolute inset-y-0 left-0 w-full origin-left bg-lead-soft transition-transform duration-200 motion-reduce:transition-none"
                style={{ transform: `scaleX(${total / max})` }}
              />
              <span className="figures relative w-11 flex-none whitespace-nowrap text-right font-bold">
                {text.place(rank)}
              </span>
              <span className="relative flex-none">
                <TokenImage
                  id={candidate.id}
                  symbol={candidate.tokenSymbol}
                  src={candidate.imageUrl}
                  alt=""
                  size={40}
                />
              </span>
              <span className="relative min-w-0 flex-1 leading-tight">
                <span
                  dir="auto"
                  className="line-clamp-2 font-semibold wrap-anywhere max-sm:text-sm max-sm:leading-tight"
                >
                  {candidate.tokenName}
                </span>
                <span className="block truncate text-xs text-quiet">${candidate.tokenSymbol}</span>
              </span>
              <span className="figures relative flex-none text-sm">{text.votes(integer(total, locale))}</span>
            </Place>
          </li>
        ))}
      </ol>
      <p className="max-w-[70ch] text-sm text-quiet">
        {race.ended ? `${text.kept} ` : null}
        {text.rules}
      </p>
    </div>
  );
}

/** A row of the ranking; links to its token when that is public. */
function Place({ to, children }: { to: string | null; children: ReactNode }) {
  const linkClass = 'card relative flex h-full items-center gap-3 overflow-hidden px-3 text-text sm:px-4';
  if (!to) return <div className={linkClass}>{children}</div>;
  return (
    <Link to={to} className={`${linkClass} no-underline`}>
      {children}
    </Link>
  );
}
