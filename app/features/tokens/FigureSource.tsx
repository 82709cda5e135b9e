import { ago } from '#app/lib/format/ago.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { useNow } from '#app/lib/live/clock.ts';
import { tokenTexts } from '#app/lib/messages/token.ts';
import type { Provenance } from '#contract/domains/market.ts';

interface FigureSourceProps {
  /** Null when the figure is unknown. */
  from: Provenance | null;
  serverTime: string;
}

/** Below a figure: its source and date, and whether it is outdated. */
export function FigureSource({ from, serverTime }: FigureSourceProps) {
  const text = useText(tokenTexts).token;
  const locale = useLocale();
  const now = useNow(serverTime, 30_000);
  if (!from) return text.noData;
  return (
    <>
      {from.source === 'team' ? text.team : text.source[from.source]}
      {from.at ? (
        <>
          {', '}
          {/* The token may have been read again, minutes after the document, before this part's code is there. */}
          <time dateTime={from.at} className="whitespace-nowrap" suppressHydrationWarning>
            {ago(from.at, now, locale, 'short')}
          </time>
        </>
      ) : null}
      {from.stale ? (
        <>
          , <span className="text-coral-text">{text.stale}</span>
        </>
      ) : null}
    </>
  );
}
