import { percent as inPercent, type Locale } from '#contract/text/figures.ts';
import { cx } from '../cx.ts';

export interface ProgressProps {
  /** 0 to 100; clamped. */
  value: number;
  /** Label; visible when `showValue`, otherwise for screen readers only. */
  label: string;
  /** Language of the label, when it is not the page's. */
  labelLang?: 'en' | undefined;
  /** Shows the label and the percentage above the bar, formatted in this language. */
  showValue?: Locale | undefined;
  /** `lamps` is the strip of lights; `bar` is plain, for dense lists. */
  look?: 'lamps' | 'bar' | undefined;
  tone?: 'lead' | 'mint' | 'sky' | 'coral' | 'quiet' | undefined;
  className?: string | undefined;
}

/** A progress bar. Use `bar` in lists, `lamps` where there is room. */
export function Progress({
  value,
  label,
  labelLang,
  showValue,
  look = 'lamps',
  tone = 'lead',
  className,
}: ProgressProps) {
  const percent = Math.round(Math.min(100, Math.max(0, Number.isFinite(value) ? value : 0)));
  const colour = tone === 'lead' ? undefined : { '--lamp-on': `var(--color-${tone === 'quiet' ? 'edge' : tone})` };
  return (
    <div className={className} style={colour as React.CSSProperties | undefined}>
      {showValue ? (
        <div className="mb-1.5 flex justify-between gap-3 text-sm leading-snug">
          <span className="text-quiet" aria-hidden="true" lang={labelLang}>
            {label}
          </span>
          <span className="figures font-semibold">{inPercent(percent, showValue)}</span>
        </div>
      ) : null}
      <div
        className={cx(look)}
        role="progressbar"
        aria-label={label}
        lang={labelLang}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <span style={{ transform: `scaleX(${percent / 100})` }} />
      </div>
    </div>
  );
}
