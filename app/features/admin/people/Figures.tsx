import { Link } from 'react-router';
import { integer } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminPeopleTexts } from '#app/lib/messages/admin/people.ts';
import { Skeleton } from '#app/ui/layout/Skeleton.tsx';
import { Stat } from '#app/ui/layout/Stat.tsx';

interface Figure {
  key: string;
  label: string;
  /** Undefined while it is loading. */
  value: number | string | undefined;
  /** Target of the card's link. */
  to?: string;
}

/** The cards with statistics above a list. */
export function Figures({ figures }: { figures: Figure[] }) {
  const messages = useText(adminPeopleTexts).people;
  const locale = useLocale();
  const href = useHref();
  return (
    <section aria-label={messages.figures}>
      <dl className="admin-stats">
        {figures.map(({ key, label: name, value, to }) => (
          <Stat
            key={key}
            className="admin-panel relative"
            label={
              to ? (
                <Link to={href(to)} className="stretched">
                  {name}
                </Link>
              ) : (
                name
              )
            }
            value={
              value === undefined ? (
                <Skeleton className="mt-1 h-6 w-16" />
              ) : typeof value === 'number' ? (
                integer(value, locale)
              ) : (
                <span className="admin-word">{value}</span>
              )
            }
          />
        ))}
      </dl>
    </section>
  );
}
