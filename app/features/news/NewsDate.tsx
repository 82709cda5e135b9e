import { day, fullDateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import { newsTexts } from '#app/lib/messages/news.ts';

/** '21 nov 2026'; the time in the reader's time zone with its name on hover. */
export function NewsDate({ at }: { at: string | null }) {
  const text = useText(newsTexts);
  const locale = useLocale();
  const mounted = useMounted();
  if (!at) return <span>{text.news.noDate}</span>;
  return (
    <time dateTime={at} title={mounted ? fullDateTime(at, locale) : undefined}>
      {day(at, locale)}
    </time>
  );
}
