import { Badge } from '#app/ui/layout/Badge.tsx';
import { Countdown } from '#app/ui/layout/Countdown.tsx';
import { useText } from '../i18n/i18n.tsx';
import { useNow } from '../live/clock.ts';
import { timeLeft } from './format.ts';

interface LaunchCountdownProps {
  countdownEnd: string | null;
  launchDate: string | null;
  launched: boolean;
  serverTime: string;
  size?: 'sm' | 'md' | 'lg';
}

/** Time until a launch on the server's clock: its countdown, else its date; 'Lanzado' once that has passed. */
export function LaunchCountdown({ countdownEnd, launchDate, launched, serverTime, size = 'sm' }: LaunchCountdownProps) {
  const text = useText();
  const now = useNow(serverTime);
  const end = countdownEnd ?? launchDate;
  if (!launched && !end) return <span className="text-sm text-quiet">{text.countdown.noDate}</span>;
  const left = launched || !end ? null : timeLeft(end, now);
  if (!left) return <Badge tone="mint">{text.countdown.launched}</Badge>;
  const pad = (value: number) => String(value).padStart(2, '0');
  return (
    <Countdown
      size={size}
      hot={left.days === 0 && left.hours === 0}
      parts={[
        { label: text.countdown.days, value: pad(left.days) },
        { label: text.countdown.hours, value: pad(left.hours) },
        { label: text.countdown.minutes, value: pad(left.minutes) },
      ]}
    />
  );
}
