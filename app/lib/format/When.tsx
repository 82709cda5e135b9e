import { useLocale } from '../i18n/i18n.tsx';
import { useMounted } from '../live/clock.ts';
import { exactly, when, zoneName } from './format.ts';

/** A moment in the reader's own time; seconds and zone on hover. For what is written in the browser only. */
export function When({ iso, className }: { iso: string; className?: string }) {
  const locale = useLocale();
  return (
    <time dateTime={iso} title={exactly(iso, locale)} className={className}>
      {when(iso, locale)}
    </time>
  );
}

/**
 * A moment with its hour in the reader's own time, and the name of that zone. The server does not know the zone: its
 * document, and the browser's first render, say UTC.
 */
export function LocalTime({ iso }: { iso: string }) {
  const locale = useLocale();
  const zone = useMounted() ? {} : ({ timeZone: 'UTC' } as const);
  return (
    <time dateTime={iso} title={exactly(iso, locale, zone)} suppressHydrationWarning>
      {when(iso, locale, zone)} <span className="whitespace-nowrap">{zoneName(iso, locale, zone)}</span>
    </time>
  );
}
