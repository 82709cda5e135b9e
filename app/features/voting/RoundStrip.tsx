import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { integer, timeLeft } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { useNow } from '#app/lib/live/clock.ts';
import { onLiveEvent, useLiveState } from '#app/lib/live/live.ts';
import { firstLoadIsOver, loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { LiveDot } from '#app/ui/layout/Badge.tsx';
import { stripQuery } from './ranking.queries.ts';

/** The open round in one line: leader, lead, end. Links to the vote. */
export function RoundStrip({ otherwise }: { otherwise: ReactNode }) {
  const text = useText();
  const messages = text.home.round;
  const href = useHref();
  const locale = useLocale();
  const { data } = useQuery(stripQuery());
  const now = useNow(data?.serverTime ?? '1970-01-01T00:00:00Z', 5_000);
  const live = useLiveState() !== 'off';
  useLaterCounts();
  const [first, second] = data?.items ?? [];
  if (!data?.round || !first) return otherwise;
  const left = timeLeft(data.round.closesAt, now);
  const ahead = second && first.totalVotes > 0 ? first.totalVotes - second.totalVotes : null;
  const number = messages.number(data.round.number);
  return (
    <Link to={href('/vote')} className="round-strip">
      <span className="round-strip-head">{live ? <LiveDot>{number}</LiveDot> : number}</span>
      <Part label={messages.leads}>
        {first.tokenName}{' '}
        <small>{first.totalVotes ? messages.votes(integer(first.totalVotes, locale)) : messages.none}</small>
      </Part>
      {ahead === null ? null : (
        <Part label={messages.gap}>{ahead ? messages.votes(integer(ahead, locale)) : messages.tie}</Part>
      )}
      {left ? (
        <Part label={messages.closes}>
          {left.days ? `${left.days} d ` : null}
          {left.days || left.hours ? `${left.hours} h ` : null}
          {left.minutes} min
        </Part>
      ) : (
        <Part label={messages.closing} />
      )}
    </Link>
  );
}

/** Subscribes to the votes once the first page load is over; votes cast before that are refetched. */
function useLaterCounts(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let gone = false;
    let missed = false;
    let stop = onLiveEvent((event) => {
      if (event.type === 'votes.changed') missed = true;
    });
    void firstLoadIsOver()
      .then(() => loadWithRetry(() => import('./live-counts.ts')))
      .then(({ syncCounts }) => {
        if (gone) return;
        stop();
        stop = syncCounts(queries);
        if (missed) void queries.invalidateQueries({ queryKey: stripQuery().queryKey });
      });
    return () => {
      gone = true;
      stop();
    };
  }, [queries]);
}

function Part({ label, children }: { label: string; children?: ReactNode }) {
  return (
    <span className="round-strip-part">
      <span className="round-strip-label">{label}</span> <b>{children}</b>
    </span>
  );
}
