import type { ReactNode } from 'react';
import { Tent } from '#app/ui/art/Tent.tsx';
import { hashText } from '#contract/token-colours.ts';

/** Three bands of sky, the far hills, the ground, three colours of cloth, the bulbs. */
const SKIES = [
  ['#141838', '#232a5c', '#3a3d80', '#1c2150', '#0b0e25', '#ff6b5e', '#fff3d6', '#ffb627', '#ffdc8f'],
  ['#43214a', '#93395a', '#e87a5a', '#6d2d50', '#2a1230', '#ffb627', '#fff1de', '#3aa9a0', '#ffe7a8'],
  ['#f5b04c', '#fac878', '#fde3b0', '#dc9048', '#7a3f26', '#e0503f', '#fff9ec', '#2f8f87', '#fff6d8'],
  ['#1f7f80', '#57b7ac', '#b6e6d4', '#2f8f8a', '#0f4145', '#ff7a5c', '#fff6e0', '#ffc545', '#fff2b8'],
  ['#2e78bd', '#6cb2e6', '#bfe2f7', '#3d86c2', '#143c66', '#ff5d5d', '#ffffff', '#ffb627', '#fff3c4'],
  ['#7c2c55', '#cf5f83', '#f7b6b4', '#a34470', '#3f1430', '#ffcf4d', '#fff0e6', '#3a8fb0', '#ffeeb0'],
  ['#0e2e33', '#17555a', '#3b8f86', '#114247', '#071d20', '#ffb627', '#f7efd9', '#ff6b5e', '#ffe08a'],
] as const;

interface Paint {
  far: string;
  ground: string;
  cloth: readonly [string, string, string];
  bulb: string;
}

const spokes = (count: number, radius: number) =>
  Array.from({ length: count }, (_, i) => {
    const angle = (i / count) * Math.PI * 2 + 0.2;
    return [Math.round(Math.cos(angle) * radius * 10) / 10, Math.round(Math.sin(angle) * radius * 10) / 10] as const;
  });
const RIM = spokes(12, 58);

const MOTIFS: ((paint: Paint) => ReactNode)[] = [
  // The big wheel.
  ({ cloth, bulb, ground }) => (
    <g transform="translate(206 84)">
      <path d="M0 0-34 82M0 0l34 82" stroke={ground} strokeWidth="7" strokeLinecap="round" />
      <g fill="none" stroke={cloth[1]} strokeWidth="2">
        <path d={RIM.map(([x, y]) => `M0 0L${x} ${y}`).join('')} opacity="0.6" />
        <circle r="58" strokeWidth="4" />
        <circle r="44" opacity="0.5" />
      </g>
      <circle r="58" fill="none" stroke={bulb} strokeWidth="5" strokeLinecap="round" strokeDasharray="0 15.18" />
      {RIM.map(([x, y], i) => (
        <path key={`${x} ${y}`} d={`M${x - 7} ${y + 3}h14l-2 9h-10z`} fill={i % 2 ? cloth[0] : cloth[2]} />
      ))}
      <circle r="7" fill={bulb} />
    </g>
  ),
  // The big top between two small tents.
  ({ cloth }) => (
    <>
      <Tent x={70} y={124} width={84} roof={38} wall={34} colours={[cloth[2], cloth[1]]} stripes={5} flag={cloth[0]} />
      <Tent x={262} y={128} width={76} roof={34} wall={32} colours={[cloth[2], cloth[1]]} stripes={5} />
      <Tent x={166} y={104} width={148} roof={66} wall={56} colours={[cloth[0], cloth[1]]} flag={cloth[2]} />
    </>
  ),
  // Balloons over the tents.
  ({ cloth, far }) => (
    <>
      <Tent x={246} y={132} width={96} roof={40} wall={30} colours={[cloth[0], cloth[1]]} stripes={5} flag={cloth[2]} />
      {[
        [92, 62, 1.5, 0],
        [170, 44, 0.9, 2],
        [224, 74, 0.62, 1],
      ].map(([x = 0, y = 0, size = 1, shade = 0]) => (
        <g key={x} transform={`translate(${x} ${y}) scale(${size})`}>
          <path
            d="M0-34c20 0 30 14 30 29 0 17-18 25-24 37h-12c-6-12-24-20-24-37 0-15 10-29 30-29z"
            fill={cloth[shade]}
          />
          <path
            d="M0-34c9 0 13 14 13 29 0 17-7 25-9 37h-8c-2-12-9-20-9-37 0-15 4-29 13-29z"
            fill={cloth[(shade + 1) % 3]}
          />
          <path d="M-5 33-4 42M5 33 4 42" stroke={far} strokeWidth="1.5" />
          <path d="M-6 42H6l-1 8H-5z" fill={far} />
        </g>
      ))}
    </>
  ),
  // The carousel.
  ({ cloth, bulb, ground }) => (
    <g transform="translate(176 0)">
      <path d="M-74 158h148v12H-74z" fill={ground} />
      <path d="M-70 152h140v8H-70z" fill={cloth[2]} />
      <path d="M-4 76h8v78h-8z" fill={cloth[2]} />
      <path d="M-54 84v70M-26 84v70M26 84v70M54 84v70" stroke={bulb} strokeWidth="2.5" />
      {[-54, -26, 26, 54].map((x, i) => (
        <path
          key={x}
          transform={`translate(${x} ${i % 2 ? 126 : 116})`}
          d="M-13 4c0-7 6-9 13-9l4-9 8 3-2 6c3 3 3 8 1 12l3 10h-4l-4-8h-9l-3 8h-4l2-9c-3 0-5-1-5-4z"
          fill={i % 2 ? cloth[0] : cloth[1]}
        />
      ))}
      <Tent x={0} y={82} width={156} roof={50} wall={6} colours={[cloth[0], cloth[1]]} stripes={9} flag={cloth[2]} />
      <path d="M-66 96H66" stroke={bulb} strokeWidth="5" strokeLinecap="round" strokeDasharray="0 12" />
    </g>
  ),
  // Rockets over the roofs.
  ({ cloth, bulb }) => (
    <>
      {[
        [84, 54, 1, 0],
        [184, 38, 1.25, 2],
        [262, 66, 0.8, 1],
      ].map(([x = 0, y = 0, size = 1, shade = 0]) => (
        <g key={x} transform={`translate(${x} ${y}) scale(${size})`} fill="none" strokeLinecap="round">
          <path
            d="M0-8v-18M6-6 18-18M8 0h18M6 6l12 12M0 8v18M-6 6l-12 12M-8 0h-18M-6-6l-12-12"
            stroke={cloth[shade]}
            strokeWidth="3"
          />
          <path d="M0-32h0M23-23h0M32 0h0M23 23h0M-23 23h0M-32 0h0M-23-23h0M0 32h0" stroke={bulb} strokeWidth="4" />
        </g>
      ))}
      <Tent x={120} y={136} width={104} roof={40} wall={26} colours={[cloth[0], cloth[1]]} flag={cloth[2]} />
      <Tent x={232} y={142} width={84} roof={32} wall={22} colours={[cloth[2], cloth[1]]} stripes={5} />
    </>
  ),
  // The gate with its sign.
  ({ cloth, bulb, ground }) => (
    <>
      <Tent x={160} y={122} width={92} roof={36} wall={40} colours={[cloth[2], cloth[1]]} stripes={5} />
      <path d="M66 172V92a94 58 0 0 1 188 0v80" fill="none" stroke={cloth[0]} strokeWidth="15" />
      <path
        d="M66 168V92a94 58 0 0 1 188 0v76"
        fill="none"
        stroke={bulb}
        strokeWidth="6"
        strokeLinecap="round"
        strokeDasharray="0 13"
      />
      <path d="M112 44h96l10 15-10 15h-96l-10-15z" fill={cloth[1]} />
      <path d="m160 47 4 8 9 1-7 6 2 9-8-5-8 5 2-9-7-6 9-1z" fill={cloth[0]} />
      <path d="M58 160h16v14H58zM246 160h16v14h-16z" fill={ground} />
    </>
  ),
];

const STRINGS = [
  'M-8 30Q70 92 160 40T328 34',
  'M-8 14Q50 66 120 26Q200 84 328 20',
  'M-8 50Q90 84 190 22Q250 64 328 44',
];
const HEAVENS: ((paint: Paint) => ReactNode)[] = [
  ({ bulb }) => <circle cx="44" cy="40" r="20" fill={bulb} />,
  ({ bulb }) => <path d="M58 22a22 22 0 1 0 10 32 18 18 0 0 1-10-32z" fill={bulb} />,
  ({ bulb }) => (
    <path
      d="M24 28h0M58 54h0M96 18h0M132 62h0M172 20h0M214 14h0M256 48h0M296 22h0M282 84h0M30 84h0"
      stroke={bulb}
      strokeWidth="3"
      strokeLinecap="round"
    />
  ),
];

const pick = <T,>(list: readonly T[], number: number): T => list[number % list.length] as T;

/** A drawing of the fair, derived from the id: sky, ride, colours and lights. Decoration. */
export function FairScene({ id, className }: { id: string; className?: string | undefined }) {
  const hash = hashText(id);
  const [high, middle, low, far, ground, a, b, c, bulb] = pick(SKIES, hash);
  const variant = (hash >>> 20) % 2;
  const paint: Paint = { far, ground, cloth: variant ? [a, b, c] : [c, b, a], bulb };
  const string = pick(STRINGS, hash >>> 14);
  return (
    <svg className={className} viewBox="0 0 320 180" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path d="M0 0h320v180H0z" fill={high} />
      <path d="M0 72c60-18 110-12 170 2s100 6 150-10v116H0z" fill={middle} />
      <path d="M0 116c70-14 120 4 190-6s90-14 130-6v76H0z" fill={low} />
      <g transform={(hash >>> 12) & 1 ? 'matrix(-1 0 0 1 320 0)' : undefined}>
        {pick(HEAVENS, hash >>> 17)(paint)}
        <path d="M0 148c50-22 92-20 140-8s112-14 180 2v38H0z" fill={far} />
        {pick(MOTIFS, hash >>> 6)(paint)}
        <path d={string} fill="none" stroke={ground} strokeWidth="1.2" opacity="0.7" />
        <path d={string} fill="none" stroke={bulb} strokeWidth="5" strokeLinecap="round" strokeDasharray="0 15" />
      </g>
      <path d="M0 170c80-12 150-8 210-2s80 4 110-2v14H0z" fill={ground} />
    </svg>
  );
}
