import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { cx } from '../cx.ts';

export interface CopyableProps {
  value: string;
  /** Name of the action ("copy the address"). */
  label: string;
  /** Announced and shown once it is copied. */
  copiedLabel: string;
  /** Number of characters shown at each end. */
  head?: number | undefined;
  tail?: number | undefined;
  className?: string | undefined;
}

/** An address or id: shortened in the middle, in full on hover and for screen readers, copied with one click. */
export function Copyable({ value, label, copiedLabel, head = 6, tail = 4, className }: CopyableProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const shown = value.length > head + tail + 1 ? `${value.slice(0, head)}…${value.slice(value.length - tail)}` : value;
  const Icon = copied ? Check : Copy;
  return (
    <>
      <button
        type="button"
        className={cx('copyable', className)}
        title={value}
        data-copied={copied || undefined}
        onClick={() => {
          navigator.clipboard?.writeText(value).then(
            () => setCopied(true),
            () => undefined,
          );
        }}
      >
        <span className="visually-hidden">
          {label} {value}
        </span>
        <span className="figures" aria-hidden="true">
          {copied ? copiedLabel : shown}
        </span>
        <Icon aria-hidden="true" />
      </button>
      <span className="visually-hidden" role="status">
        {copied ? copiedLabel : ''}
      </span>
    </>
  );
}
