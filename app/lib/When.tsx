import { exactly, when } from './format.ts';
import { useLocale } from './i18n.tsx';

/** A moment in the reader's own time; seconds and zone on hover. For what is written in the browser only. */
export function When({ iso, className }: { iso: string; className?: string }) {
  const locale = useLocale();
  return (
    <time dateTime={iso} title={exactly(iso, locale)} className={className}>
      {when(iso, locale)}
    </time>
  );
}
