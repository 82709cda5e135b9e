import { day, exactly } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import { newsTexts } from '#app/lib/messages/news.ts';

/** '21 nov 2026'; the reader's own time with its zone on hover. */
export function NewsDate({ at }: { at: string | null }) {
  const text = useText(newsTexts);
  const locale = useLocale();
  const mounted = useMounted();
  if (!at) return <span>{text.news.noDate}</span>;
  return (
    <time dateTime={at} title={mounted ? exactly(at, locale) : undefined}>
      {day(at, locale)}
    </time>
  );
}
