import { useLocale } from '../i18n/i18n.tsx';
import { useMounted } from '../live/clock.ts';
import { dateTime, fullDateTime, zoneName } from './format.ts';

/** A time in the reader's time zone; seconds and zone on hover. Only for content that is rendered in the browser. */
export function When({ iso, className }: { iso: string; className?: string }) {
  const locale = useLocale();
  return (
    <time dateTime={iso} title={fullDateTime(iso, locale)} className={className}>
      {dateTime(iso, locale)}
    </time>
  );
}

/**
 * A date and time in the reader's time zone, with its name. The server does not have the zone: its document, and the browser's first
 * render, use UTC.
 */
export function LocalTime({ iso }: { iso: string }) {
  const locale = useLocale();
  const zone = useMounted() ? {} : ({ timeZone: 'UTC' } as const);
  return (
    <time dateTime={iso} title={fullDateTime(iso, locale, zone)} suppressHydrationWarning>
      {dateTime(iso, locale, zone)} <span className="whitespace-nowrap">{zoneName(iso, locale, zone)}</span>
    </time>
  );
}
