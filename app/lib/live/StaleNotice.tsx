import type { ReactNode } from 'react';
import type { Locale } from '../format/format.ts';
import { useLocale, useText } from '../i18n/i18n.tsx';
import { useStaleSince } from './stale.ts';

/**
 * Time of the data, in a stale document that came from the server's cache or from this browser's service worker. It is in every
 * document, hidden: the server fills in the time and shows it without rendering (contract/stale-copy.ts), so the first render here
 * does not change the time.
 */
export function StaleNotice() {
  const text = useText();
  const locale = useLocale();
  const since = useStaleSince();
  const clock = since && clockOf(new Date(since), locale);
  return (
    <div id="stale-notice" className="stale-notice" role="status">
      <p className="page py-3">
        <strong>
          {text.stale.dataOf}{' '}
          <time key={clock ?? ''} data-stale-time="" suppressHydrationWarning>
            {clock ?? '–'}
          </time>
          {'.'}
        </strong>{' '}
        {text.stale.meaning}
      </p>
    </div>
  );
}

/** The time, and the date unless it is today: copies in the browser may be days old. */
function clockOf(at: Date, locale: Locale): string {
  const hour = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hour12: false }).format(at);
  if (at.toDateString() === new Date().toDateString()) return hour;
  return `${hour} (${new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(at)})`;
}

/** The content of a page; while it is a stale copy its buttons and fields are disabled, and the notice says why. */
export function StaleGuard({ children }: { children: ReactNode }) {
  const stale = useStaleSince() !== null;
  return (
    <fieldset data-content="" role="presentation" className="contents" disabled={stale}>
      {children}
    </fieldset>
  );
}
