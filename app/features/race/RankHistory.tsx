import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { dayOfYear } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { raceTexts } from '#app/lib/messages/race.ts';
import { Section } from '#app/ui/layout/Page.tsx';
import { ranksQuery } from './race.queries.ts';

/** Where not all days fit, the last ones are seen first. */
const toToday = (days: HTMLElement | null): void => days?.scrollTo({ left: days.scrollWidth });

/** Where a candidate stood on each day of the open round. Nothing on its first day: one place is no history. */
export function RankHistory({ candidateId, name }: { candidateId: string; name: string }) {
  const { race: text } = useText(raceTexts);
  const locale = useLocale();
  const href = useHref();
  const { data } = useQuery(ranksQuery(candidateId));
  if (!data || data.length < 2) return null;
  // The better the place, the taller its column.
  const worst = Math.max(...data.map(({ rank }) => rank)) + 1;
  return (
    <Section
      title={text.history}
      actions={
        <Link to={href('/vote/race')} className="link inline-flex min-h-10 items-center text-sm">
          {text.link}
        </Link>
      }
    >
      <section
        ref={toToday}
        aria-label={text.historyOf(name)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard.
        tabIndex={0}
        data-region
        className="card overflow-x-auto p-4"
      >
        <ol className="flex w-full min-w-max items-end gap-2">
          {data.map((entry, index) => (
            <li key={entry.day} className="grid min-w-14 flex-1 justify-items-center gap-1.5 text-center">
              <span
                aria-hidden="true"
                className={index === data.length - 1 ? 'w-7 rounded-t-md bg-lead' : 'w-7 rounded-t-md bg-lead-soft'}
                style={{ height: `${(1 + (6 * (worst - entry.rank)) / worst).toFixed(2)}rem` }}
              />
              <span className="figures font-bold">{text.place(entry.rank)}</span>
              <span className="text-xs text-quiet">{dayOfYear(entry.day, locale)}</span>
            </li>
          ))}
        </ol>
      </section>
    </Section>
  );
}
