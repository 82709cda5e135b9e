import { cx } from '../cx.ts';

/** The mark of a verified creator: a drawn seal, which no name can contain. Its label says what was verified. */
export function Tick({ label, className }: { label: string; className?: string | undefined }) {
  return (
    <svg viewBox="0 0 24 24" role="img" aria-label={label} className={cx('tick', className)}>
      <title>{label}</title>
      <path
        className="tick-seal"
        d="M12 1.6l2.7 2 3.3-.3 1.2 3.1 3 1.5-.7 3.3 1.3 3.1-2.4 2.3-.3 3.4-3.3.6-2 2.7-3-1.4-3 1.4-2-2.7-3.3-.6-.3-3.4-2.4-2.3 1.3-3.1-.7-3.3 3-1.5L6 3.3l3.3.3z"
      />
      <path className="tick-check" d="M7.6 12.3l3 3 5.8-6.2" fill="none" />
    </svg>
  );
}
