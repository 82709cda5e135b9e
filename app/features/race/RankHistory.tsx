import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { day, dayAndMonth, integer } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { raceTexts } from '#app/lib/messages/race.ts';
import { Section } from '#app/ui/layout/Page.tsx';
import type { Placing } from '#contract/domains/race.ts';
import { placingsQuery, ranksQuery } from './race.queries.ts';

interface CandidateProps {
  candidateId: string;
  name: string;
}

/** A candidate's place on each day of the open round, and its final place in earlier ones. */
export function RankHistory({ candidateId, name }: CandidateProps) {
  return (
    <>
      <OpenRound candidateId={candidateId} name={name} />
      <EarlierRounds candidateId={candidateId} name={name} />
    </>
  );
}

/** Renders nothing on its first day: one place is no history. */
function OpenRound({ candidateId, name }: CandidateProps) {
  const { race: text } = useText(raceTexts);
  const href = useHref();
  const { data } = useQuery(ranksQuery(candidateId));
  if (!data || data.length < 2) return null;
  return (
    <Section
      title={text.history}
      actions={
        <Link to={href('/vote/race')} className="link inline-flex min-h-10 items-center text-sm">
          {text.link}
        </Link>
      }
    >
      <div className="card">
        <Columns days={data} label={text.historyOf(name)} />
      </div>
    </Section>
  );
}

function EarlierRounds({ candidateId, name }: CandidateProps) {
  const { race: text } = useText(raceTexts);
  const { data } = useQuery(placingsQuery(candidateId));
  if (!data || data.length === 0) return null;
  return (
    <Section title={text.placings}>
      <ol className="grid grid-cols-1 gap-3">
        {data.map((placing) => (
          <li key={placing.round} className="card min-w-0 px-4 py-3">
            <EndedRound placing={placing} name={name} />
          </li>
        ))}
      </ol>
    </Section>
  );
}

function EndedRound({ placing, name }: { placing: Placing; name: string }) {
  const { race: text } = useText(raceTexts);
  const locale = useLocale();
  const href = useHref();
  const { round, endedAt, place, total, days } = placing;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="font-bold">{text.placingOf(round)}</span>
        <span className="figures font-bold text-lead-text">{text.place(place)}</span>
        <span className="figures">{text.votes(integer(total, locale))}</span>
        <span className="text-sm text-quiet">{text.endedOn(day(endedAt, locale))}</span>
      </p>
      {days.length > 1 ? (
        <details
          className="mt-1"
          // Closed it has no width to scroll.
          onToggle={({ currentTarget }) => toLast(currentTarget.querySelector('[data-region]'))}
        >
          <summary className="link inline-flex min-h-10 cursor-pointer items-center text-sm">
            {text.placingDays}
          </summary>
          <Columns days={days} label={`${text.placingOf(round)}: ${text.historyOf(name)}`} />
          <Link to={href(`/vote/race?round=${round}`)} className="link inline-flex min-h-10 items-center text-sm">
            {text.placingRace(round)}
          </Link>
        </details>
      ) : null}
    </>
  );
}

/** Where not all days fit, the last ones are seen first. */
const toLast = (days: Element | null): void => days?.scrollTo({ left: days.scrollWidth });

/** One column for each day; higher for a better place. */
function Columns({ days, label }: { days: readonly { day: string; rank: number }[]; label: string }) {
  const { race: text } = useText(raceTexts);
  const locale = useLocale();
  const worst = Math.max(...days.map(({ rank }) => rank)) + 1;
  return (
    <section
      ref={toLast}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard.
      tabIndex={0}
      data-region
      className="overflow-x-auto p-4"
    >
      <ol className="flex w-full min-w-max items-end gap-2">
        {days.map((entry, index) => (
          <li key={entry.day} className="grid min-w-14 flex-1 justify-items-center gap-1.5 text-center">
            <span
              aria-hidden="true"
              className={index === days.length - 1 ? 'w-7 rounded-t-md bg-lead' : 'w-7 rounded-t-md bg-lead-soft'}
              style={{ height: `${(1 + (6 * (worst - entry.rank)) / worst).toFixed(2)}rem` }}
            />
            <span className="figures font-bold">{text.place(entry.rank)}</span>
            <span className="text-xs text-quiet">{dayAndMonth(entry.day, locale)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
