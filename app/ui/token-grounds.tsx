import type { ReactElement } from 'react';

/** What lies behind the coin, in a box of 96: drawn with dashes, so that nothing needs an id. */
export const tokenGrounds: readonly ((colour: string) => ReactElement)[] = [
  // Rays of a tent seen from above.
  (c) => <circle cx="48" cy="48" r="36" fill="none" stroke={c} strokeWidth="72" strokeDasharray="9.42 9.42" />,
  // Lights.
  (c) => (
    <path
      d="M4 6H96M-2 18H96M4 30H96M-2 42H96M4 54H96M-2 66H96M4 78H96M-2 90H96"
      stroke={c}
      strokeWidth="4.5"
      strokeLinecap="round"
      strokeDasharray="0 12"
    />
  ),
  // Awning.
  (c) => <path d="M8 0V96M24 0V96M40 0V96M56 0V96M72 0V96M88 0V96" stroke={c} strokeWidth="8" />,
  // Harlequin.
  (c) => (
    <g stroke={c} strokeWidth="12" strokeDasharray="12 12" transform="rotate(45 48 48)">
      <path d="M-24-12H120M-24 12H120M-24 36H120M-24 60H120M-24 84H120M-24 108H120" />
      <path d="M-12 0H120M-12 24H120M-12 48H120M-12 72H120M-12 96H120" />
    </g>
  ),
  // Ring toss.
  (c) => (
    <g fill="none" stroke={c} strokeWidth="5">
      <circle cx="48" cy="48" r="46" />
      <circle cx="48" cy="48" r="57" />
      <circle cx="48" cy="48" r="68" />
    </g>
  ),
  // Slanted ribbon.
  (c) => (
    <path
      d="M-48 48 48-48M-32 64 64-32M-16 80 80-16M0 96 96 0M16 112 112 16M32 128 128 32M48 144 144 48"
      stroke={c}
      strokeWidth="6"
    />
  ),
];
