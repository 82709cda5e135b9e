import { CalendarPlus } from 'lucide-react';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import { nextTexts } from '#app/lib/messages/next.ts';
import { buttonClass } from '#app/ui/controls/button-class.ts';

/** Subscribes the reader's calendar to the launches; before the script is loaded it downloads them once. */
export function CalendarLink() {
  const text = useText(nextTexts);
  const mounted = useMounted();
  const calendar = useHref()('/next/calendar.ics');
  return (
    <a
      href={mounted ? `webcal://${window.location.host}${calendar}` : calendar}
      className={buttonClass({ size: 'sm' })}
    >
      <CalendarPlus aria-hidden="true" />
      {text.next.calendar}
    </a>
  );
}
