import { useText } from '#app/lib/i18n/i18n.tsx';
import { ledgerTexts } from '#app/lib/messages/ledger.ts';

/** Centre of each node, and the nodes on the path from the second vote to the root. */
const LEAVES = [60, 180, 300, 420];
const PAIRS = [120, 360];
const [TOP, MIDDLE, BOTTOM] = [34, 108, 182];
const LINES = [
  ...LEAVES.map((x, i) => ({ from: [x, BOTTOM - 18], to: [PAIRS[i >> 1] ?? 0, MIDDLE + 15], onPath: i === 1 })),
  ...PAIRS.map((x, i) => ({ from: [x, MIDDLE - 15], to: [240, TOP + 18], onPath: i === 0 })),
];

/** Four votes, their tree and the path from one of them to the signed root. */
export function TreeDiagram() {
  const text = useText(ledgerTexts).ledger;
  return (
    <svg viewBox="0 0 480 210" role="img" aria-label={text.picture} className="w-full max-w-[36rem]">
      {LINES.map(({ from, to, onPath }) => (
        <line
          key={`${from} ${to}`}
          x1={from[0]}
          y1={from[1]}
          x2={to[0]}
          y2={to[1]}
          stroke={onPath ? 'var(--color-lead)' : 'var(--color-line)'}
          strokeWidth={onPath ? 4 : 2}
        />
      ))}
      {LEAVES.map((x, i) => (
        <g key={x}>
          <rect
            x={x - 50}
            y={BOTTOM - 18}
            width="100"
            height="36"
            rx="8"
            fill="var(--color-panel)"
            stroke={i === 1 ? 'var(--color-lead)' : 'var(--color-line)'}
            strokeWidth="2"
          />
          <text x={x} y={BOTTOM + 6} textAnchor="middle" fontSize="17" fill="var(--color-text)">
            {text.pictureVote} {i}
          </text>
        </g>
      ))}
      {PAIRS.map((x, i) => (
        <circle
          key={x}
          cx={x}
          cy={MIDDLE}
          r="15"
          fill="var(--color-panel)"
          stroke={i === 0 ? 'var(--color-lead)' : 'var(--color-line)'}
          strokeWidth="3"
        />
      ))}
      <rect
        x="165"
        y={TOP - 22}
        width="150"
        height="40"
        rx="10"
        fill="var(--color-panel)"
        stroke="var(--color-lead)"
        strokeWidth="3"
      />
      <text x="240" y={TOP + 4} textAnchor="middle" fontSize="18" fontWeight="700" fill="var(--color-text)">
        {text.pictureRoot}
      </text>
    </svg>
  );
}
