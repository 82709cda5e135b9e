import { cx } from '../cx.ts';

export interface CountdownProps {
  /** Largest unit first; values already padded ("07"). */
  parts: readonly { label: string; value: string }[];
  size?: 'sm' | 'md' | 'lg' | undefined;
  /** Less than an hour left: the digits are highlighted. */
  hot?: boolean | undefined;
  className?: string | undefined;
}

/** A countdown with one flap per digit; a digit that changes is animated. It has no timer of its own. */
export function Countdown({ parts, size = 'md', hot, className }: CountdownProps) {
  return (
    <span className={className} role="timer">
      <span className="visually-hidden">{parts.map((part) => `${part.value} ${part.label}`).join(', ')}</span>
      <span className={cx('board', size !== 'md' && `board-${size}`, hot && 'board-hot')} aria-hidden="true">
        {parts.map((part) => (
          <span className="board-part" key={part.label}>
            <span className="board-cells">
              {Array.from(part.value, (digit, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a digit is identified by its position.
                <span className="board-cell" key={index}>
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
