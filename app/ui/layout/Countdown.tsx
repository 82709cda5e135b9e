import { cx } from '../cx.ts';

export interface CountdownProps {
  /** Largest unit first; values already padded ("07"). */
  parts: readonly { label: string; value: string }[];
  size?: 'sm' | 'md' | 'lg' | undefined;
  /** Less than an hour left: the figures light up. */
  hot?: boolean | undefined;
  className?: string | undefined;
}

/** The departure board: one flap per digit; a digit that changes falls into place. It counts nothing by itself. */
export function Countdown({ parts, size = 'md', hot, className }: CountdownProps) {
  return (
    <span className={className} role="timer">
      <span className="visually-hidden">{parts.map((part) => `${part.value} ${part.label}`).join(', ')}</span>
      <span className={cx('board', size !== 'md' && `board-${size}`, hot && 'board-hot')} aria-hidden="true">
        {parts.map((part) => (
          <span className="board-part" key={part.label}>
            <span className="board-cells">
              {Array.from(part.value, (digit, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a digit is its place.
                <span className="board-cell" key={place}>
                  <span key={digit}>{digit}</span>
                </span>
              ))}
            </span>
            <span className="board-label">{part.label}</span>
          </span>
        ))}
      </span>
    </span>
  );
}
