import { useAsset } from '../assets.ts';
import { cx } from '../cx.ts';

export interface LogoProps {
  /** The product's name: the wordmark, or the accessible name of the mark alone. */
  name: string;
  wordmark?: boolean | undefined;
  /** Address of an image that stands in the place of the drawn mark. */
  mark?: string | null | undefined;
  /** Height of the mark in pixels. */
  size?: number | undefined;
  /** The name is already given nearby. */
  decorative?: boolean | undefined;
  className?: string | undefined;
}

/** The mark of the site, which is the puppet's head wearing the crown unless it has its own, with or without the name. */
export function Logo({ name, wordmark, mark, size = 32, decorative, className }: LogoProps) {
  const named = !wordmark && !decorative;
  const image = useAsset(mark);
  return (
    <span className={cx('inline-flex items-center gap-2.5', className)}>
      {image ? (
        <img
          src={image}
          alt={named ? name : ''}
          width={size}
          height={size}
          className="flex-none object-contain"
          style={{ width: size, height: size }}
        />
      ) : (
        <Drawn size={size} label={named ? name : null} />
      )}
      {wordmark ? (
        <span
          className="font-display font-extrabold tracking-[-0.04em]"
          style={{ fontSize: `${(size * 0.78) / 16}rem`, lineHeight: 1 }}
        >
          {name}
        </span>
      ) : null}
    </span>
  );
}

function Drawn({ size, label }: { size: number; label: string | null }) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by aria-label, or hidden.
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="flex-none"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <path
        d="M7.2 14.4 5.6 5.6l5.5 4L16 2.8l4.9 6.8 5.5-4-1.6 8.8z"
        fill="var(--color-lead)"
        stroke="light-dark(#a86a00, #ffb627)"
        strokeWidth="1.6"
      />
      <path
        d="M6.6 18.2v2.2a9.4 9.4 0 0 0 18.8 0v-2.2M12.2 29v-4.3h7.6V29M12 20.2h.01M20 20.2h.01"
        stroke="currentColor"
        strokeWidth="2.6"
      />
    </svg>
  );
}

/** The crown alone, for the first of a ranking. */
export function Crown({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 48 38" className={className} aria-hidden="true" width="48" height="38">
      <path
        d="M6 30 2 9l12 8L24 2l10 15 12-8-4 21z"
        fill="#ffb627"
        stroke="#9c6200"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      <path d="M6 30h36v5H6z" fill="#ff8f1f" stroke="#9c6200" strokeWidth="2" strokeLinejoin="round" />
      <g fill="#fff3cf">
        <circle cx="24" cy="22" r="3" />
        <circle cx="13" cy="24" r="2" />
        <circle cx="35" cy="24" r="2" />
      </g>
    </svg>
  );
}
