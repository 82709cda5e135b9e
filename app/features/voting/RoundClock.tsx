import { useQuery } from '@tanstack/react-query';
import { timeLeft } from '#app/lib/format/format.ts';
import { LocalTime } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { useNow } from '#app/lib/live/clock.ts';
import { useLiveState } from '#app/lib/live/live.ts';
import { voteTexts } from '#app/lib/messages/vote.ts';
import { Marquee } from '#app/ui/art/Marquee.tsx';
import { LiveDot } from '#app/ui/layout/Badge.tsx';
import { Countdown } from '#app/ui/layout/Countdown.tsx';
import { Skeleton } from '#app/ui/layout/Skeleton.tsx';
import { rankingQuery } from './ranking.queries.ts';

/** The open round: its number, whether counts are live, and the time left. */
export function RoundClock() {
  const text = useText(voteTexts);
  const { data, isPending } = useQuery(rankingQuery());
  const now = useNow(data?.serverTime ?? '1970-01-01T00:00:00Z');
  if (isPending) return <Skeleton className="h-[7.5rem] w-60" />;
  if (!data) return null;
  if (!data.round) return <p className="max-w-72 font-semibold">{text.vote.paused}</p>;
  const left = timeLeft(data.round.closesAt, now);
  const pad = (value: number) => String(value).padStart(2, '0');
  return (
    <div className="grid gap-2">
      <p className="max-w-72 text-sm text-quiet">
        {text.vote.round(data.round.number)} ·{' '}
        {left ? text.vote.closesIn : data.round.next ? text.vote.closed : text.vote.closedLast}
      </p>
      {left ? (
        <Countdown
          hot={left.days === 0 && left.hours === 0}
          parts={[
            { label: text.countdown.days, value: pad(left.days) },
            { label: text.countdown.hours, value: pad(left.hours) },
            { label: text.countdown.minutes, value: pad(left.minutes) },
          ]}
        />
      ) : null}
      {left ? (
        <p className="text-sm text-quiet">
          {text.vote.closesAt} <LocalTime iso={data.round.closesAt} />
        </p>
      ) : null}
    </div>
  );
}

/** The lights over the open round: animated while votes arrive live. */
export const LiveLights = () => <Marquee lit={useLiveState() !== 'off'} className="mx-2 mt-2" />;

/** Shows whether the counts on this page are live. */
export function LiveState() {
  const text = useText(voteTexts);
  const state = useLiveState();
  return state === 'off' ? (
    <span className="eyebrow text-quiet">{text.vote.offline}</span>
  ) : (
    <LiveDot>{text.vote.live}</LiveDot>
  );
}
