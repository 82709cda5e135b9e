import type { ReactNode } from 'react';
import { Crown } from '../art/Logo.tsx';
import { cx } from '../cx.ts';

export interface PodiumProps {
  first?: ReactNode;
  second?: ReactNode;
  third?: ReactNode;
  label?: string | undefined;
  className?: string | undefined;
}

/**
 * Three steps, the first raised in the middle under the crown and the lights; on a phone they are three rows in order. Put a `Winner`
 * in each slot; without one its step is omitted. Its places show once all of them have arrived: each is aligned with the others, and its step
 * with what stands on it, so they would move while a document arrives slowly.
 */
export function Podium({ first, second, third, label, className }: PodiumProps) {
  const places = [first, second, third];
  return (
    <ol className={cx('podium', className)} aria-label={label}>
      {places.map((slot, i) =>
        slot == null ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is the identity.
          <li className={`podium-place podium-${i + 1}`} key={i}>
            {i === 0 ? <span className="podium-beams" aria-hidden="true" /> : null}
            {i === 0 ? <Crown className="podium-crown" /> : null}
            <div className="podium-step">{i + 1}</div>
            <div className="podium-slot">{slot}</div>
          </li>
        ),
      )}
      <li className="podium-end" hidden />
    </ol>
  );
}

export interface WinnerProps {
  /** Usually a `TokenImage` of 88. */
  image: ReactNode;
  title: ReactNode;
  subtitle?: ReactNode;
  /** The figure that determines its place. */
  value?: ReactNode;
  /** Where the figure comes from. */
  source?: ReactNode;
  action?: ReactNode;
  /** In the upper right corner, above the link that covers the step; null until it is loaded: its place is reserved. */
  corner?: ReactNode;
  /** Heading level. */
  level?: 2 | 3 | undefined;
}

/** Content of a step of the `Podium`: a row on phones, a column from 736 px on. */
export function Winner({ image, title, subtitle, value, source, action, corner, level = 3 }: WinnerProps) {
  const Heading = `h${level}` as const;
  return (
    <article className={cx('winner', corner !== undefined && 'winner-cornered')}>
      <div className="winner-image">{image}</div>
      <div className="min-w-0">
        <Heading className="winner-title">{title}</Heading>
        {subtitle == null ? null : <div className="figures text-sm text-quiet">{subtitle}</div>}
        {value == null ? null : <div className="figures mt-0.5 text-[0.9375rem] font-semibold">{value}</div>}
        {source == null ? null : <div className="text-xs text-quiet">{source}</div>}
      </div>
      {action == null ? null : <div className="winner-action">{action}</div>}
      {corner == null ? null : <div className="corner-action">{corner}</div>}
    </article>
  );
}
