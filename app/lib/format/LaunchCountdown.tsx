import { cx } from '#app/ui/cx.ts';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Countdown } from '#app/ui/layout/Countdown.tsx';
import type { LaunchProof } from '#contract/domains/next-projects.ts';
import { useText } from '../i18n/i18n.tsx';
import { useNow } from '../live/clock.ts';
import { timeLeft } from './format.ts';
import { LaunchProofLine } from './LaunchProof.tsx';

interface LaunchCountdownProps {
  countdownEnd: string | null;
  launchDate: string | null;
  launched: boolean;
  proof: LaunchProof;
  serverTime: string;
  size?: 'sm' | 'md' | 'lg';
  /** On the token's own page: with an explanation of the proof. */
  long?: boolean;
}

/**
 * Time until a launch by the server's clock: its countdown, else its date; 'Lanzado' once that has passed, always with the state of
 * its proof.
 */
export function LaunchCountdown(props: LaunchCountdownProps) {
  const { countdownEnd, launchDate, launched, proof, serverTime, size = 'sm', long = false } = props;
  const text = useText();
  const now = useNow(serverTime);
  const end = countdownEnd ?? launchDate;
  if (!launched && !end) return <span className="text-sm text-quiet">{text.countdown.noDate}</span>;
  const left = launched || !end ? null : timeLeft(end, now);
  if (!left)
    return (
      <div className={cx(long ? 'max-w-md text-sm' : 'max-w-40 text-right text-xs')}>
        <Badge tone="mint">{text.countdown.launched}</Badge>
        <p className="mt-1 text-quiet">
          <LaunchProofLine proof={proof} long={long} />
        </p>
      </div>
    );
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
