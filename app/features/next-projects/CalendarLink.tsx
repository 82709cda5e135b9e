import { CalendarPlus } from 'lucide-react';
import { useMounted } from '#app/lib/clock.ts';
import { useText } from '#app/lib/i18n.tsx';
import { buttonClass } from '#app/ui/button-class.ts';

const CALENDAR = '/next/calendar.ics';

/** Subscribes the reader's own calendar to the launches; before the script it downloads them once. */
export function CalendarLink() {
  const text = useText();
  const mounted = useMounted();
  return (
    <a
      href={mounted ? `webcal://${window.location.host}${CALENDAR}` : CALENDAR}
      className={buttonClass({ size: 'sm' })}
    >
      <CalendarPlus aria-hidden="true" />
      {text.next.calendar}
    </a>
  );
}
