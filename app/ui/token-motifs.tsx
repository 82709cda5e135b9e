import type { ReactElement } from 'react';

/** Draws one thing of the fair around 48,38, about 40 wide: `a` is its body, `b` its accent, `c` its cut-outs. */
type Motif = (a: string, b: string, c: string) => ReactElement;

export const tokenMotifs: readonly Motif[] = [
  // Tent.
  (a, b, c) => (
    <>
      <path d="M48 18 70 40H26z" fill={a} />
      <path d="M48 18 54 40H42zM48 18 62 40h8z" fill={b} />
      <path d="M48 18 34 40h-8z" fill={b} />
      <path d="M29 43h38v15H29z" fill={a} />
      <path d="M48 44c-4 4-6 9-6 14h12c0-5-2-10-6-14z" fill={c} />
      <path d="M48 18V9l9 3-9 3.5" fill={b} stroke={a} strokeWidth="1.6" strokeLinejoin="round" />
    </>
  ),
  // Crown.
  (a, b, c) => (
    <>
      <path d="M29 50 25 25l13 10 10-16 10 16 13-10-4 25z" fill={b} />
      <path d="M29 52h38v6H29z" fill={a} />
      <path d="M48 38l4 5-4 5-4-5z" fill={c} />
      <circle cx="25" cy="24" r="3" fill={a} />
      <circle cx="48" cy="17" r="3" fill={a} />
      <circle cx="71" cy="24" r="3" fill={a} />
    </>
  ),
  // Mask.
  (a, b, c) => (
    <>
      <path
        d="M20 29c8-5 18-5 28 0 10-5 20-5 28 0 0 16-6 25-15 25-6 0-10-4-13-10-3 6-7 10-13 10-9 0-15-9-15-25z"
        fill={a}
      />
      <path d="M28 38c4-5 10-5 14 1-5 5-11 4-14-1zM68 38c-4-5-10-5-14 1 5 5 11 4 14-1z" fill={c} />
      <path d="M48 28c-6-4-7-10-3-16 1 5 4 6 3 16zM48 28c6-4 7-10 3-16-1 5-4 6-3 16z" fill={b} />
      <path d="M39 27c-6-1-9-5-8-11 4 4 7 4 8 11zM57 27c6-1 9-5 8-11-4 4-7 4-8 11z" fill={b} />
    </>
  ),
  // Ticket.
  (a, b, c) => (
    <g transform="rotate(-16 48 38)">
      <path d="M24 25h48v8a5 5 0 0 0 0 10v8H24v-8a5 5 0 0 0 0-10z" fill={a} />
      <path d="M60 27v22" stroke={c} strokeWidth="2" strokeDasharray="2.5 2.5" />
      <path d="m43 28 3 7 7 .5-5.5 4.5 2 7-6.5-4-6.5 4 2-7-5.5-4.5 7-.5z" fill={b} />
    </g>
  ),
  // Wheel.
  (a, b, c) => (
    <>
      <path d="M48 38 36 60h24z" fill="none" stroke={a} strokeWidth="3" strokeLinejoin="round" />
      <circle cx="48" cy="36" r="17" fill="none" stroke={a} strokeWidth="3" />
      <path d="M48 19v34M31 36h34M36 24l24 24M60 24 36 48" stroke={a} strokeWidth="1.6" />
      <circle
        cx="48"
        cy="36"
        r="17"
        fill="none"
        stroke={b}
        strokeWidth="8"
        strokeLinecap="round"
        strokeDasharray="0 13.35"
      />
      <circle cx="48" cy="36" r="4" fill={c} stroke={a} strokeWidth="2" />
    </>
  ),
  // Balloons.
  (a, b, c) => (
    <>
      <path d="M35 42 48 60M61 42 48 60M48 34v26" stroke={a} strokeWidth="1.6" />
      <ellipse cx="35" cy="32" rx="10" ry="12" fill={a} />
      <ellipse cx="61" cy="32" rx="10" ry="12" fill={a} />
      <ellipse cx="48" cy="25" rx="11.5" ry="13.5" fill={b} stroke={c} strokeWidth="2" />
      <path d="M43 21c1-3 3-4 5-4" stroke={c} strokeWidth="2.5" strokeLinecap="round" fill="none" />
    </>
  ),
  // Shooting gallery.
  (a, b, c) => (
    <>
      <circle cx="47" cy="39" r="21" fill={a} />
      <circle cx="47" cy="39" r="15" fill={c} />
      <circle cx="47" cy="39" r="10" fill={b} />
      <circle cx="47" cy="39" r="4" fill={c} />
      <path d="M47 39 66 20" stroke={a} strokeWidth="3" strokeLinecap="round" />
      <path d="m62 24 2-9 6-3-1 6 6-1-4 6z" fill={b} stroke={a} strokeWidth="1.5" strokeLinejoin="round" />
    </>
  ),
  // Fireworks.
  (a, b) => (
    <>
      <g fill="none" strokeLinecap="round">
        <circle cx="48" cy="37" r="14" stroke={a} strokeWidth="11" strokeDasharray="2.6 8.4" strokeLinecap="butt" />
        <circle cx="48" cy="37" r="24" stroke={b} strokeWidth="4.5" strokeDasharray="0 18.85" />
      </g>
      <circle cx="48" cy="37" r="5" fill={b} />
    </>
  ),
  // Moon and stars.
  (a, b) => (
    <>
      <path d="M54 17a22 22 0 1 0 13 32 18 18 0 0 1-13-32z" fill={a} />
      <path d="m63 22 2.5 6 6.5.5-5 4.2 1.6 6.3-5.6-3.4-5.6 3.4 1.6-6.3-5-4.2 6.5-.5z" fill={b} />
      <circle cx="55" cy="46" r="2" fill={b} />
    </>
  ),
  // Pinwheel.
  (a, b, c) => (
    <>
      <path d="M48 40v22" stroke={a} strokeWidth="3" strokeLinecap="round" />
      <path d="M48 37c-14 0-17-10-14-19 9 2 14 9 14 19zM48 37c14 0 17 10 14 19-9-2-14-9-14-19z" fill={a} />
      <path d="M48 37c0-14 10-17 19-14-2 9-9 14-19 14zM48 37c0 14-10 17-19 14 2-9 9-14 19-14z" fill={b} />
      <circle cx="48" cy="37" r="4" fill={c} stroke={a} strokeWidth="2" />
    </>
  ),
  // Lollipop.
  (a, b, c) => (
    <>
      <path d="M48 40v22" stroke={a} strokeWidth="3.5" strokeLinecap="round" />
      <circle cx="48" cy="34" r="18" fill={b} />
      <path
        d="M48 34c0-4 6-4 6 1 0 7-13 7-13-2 0-12 20-12 20 2 0 9-7 13-13 13"
        fill="none"
        stroke={c}
        strokeWidth="3.5"
        strokeLinecap="round"
      />
    </>
  ),
  // Magician's hat.
  (a, b, c) => (
    <>
      <path d="M33 26h30l-3 29H36z" fill={a} />
      <path d="M35.3 45h25.4l-.8 7H36z" fill={b} />
      <rect x="25" y="53" width="46" height="6" rx="3" fill={a} />
      <ellipse cx="48" cy="26" rx="15" ry="4" fill={c} />
      <path d="m40 20 1.5-5 1.5 5 5 1.5-5 1.5-1.5 5-1.5-5-5-1.5zM56 14l1-4 1 4 4 1-4 1-1 4-1-4-4-1z" fill={b} />
    </>
  ),
];
