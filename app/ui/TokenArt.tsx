import { hashText } from './hash.ts';
import { tokenGrounds } from './token-grounds.tsx';
import { tokenMotifs } from './token-motifs.tsx';
import { tokenPalettes } from './token-palettes.ts';

export interface TokenArtProps {
  id: string;
  symbol: string;
  /** Absent or empty: decoration. */
  label?: string | undefined;
  /** Only ground, coin and letters: for what is smaller than about 48 px. */
  plain?: boolean | undefined;
}

/**
 * The coin every token is born with: colours, ground and motif come from the id alone, the letters from the symbol.
 * Normally used through `TokenImage`.
 */
export function TokenArt({ id, symbol, label, plain }: TokenArtProps) {
  const hash = hashText(id);
  const palette = pick(tokenPalettes, hash);
  const ground = pick(tokenGrounds, hash >>> 8);
  const motif = pick(tokenMotifs, hash >>> 14);
  const night = ((hash >>> 22) & 3) === 0;
  const cap = ((hash >>> 25) & 1) === 1;
  const { ink, pop, pale } = palette;
  const disc = night ? ink : pale;
  const body = night ? pale : ink;
  const letters = Array.from(symbol.replace(/^\$/, '').toUpperCase())
    .slice(0, plain ? 6 : 10)
    .join('');
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by aria-label, or hidden.
    <svg viewBox="0 0 96 96" {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}>
      <path d="M0 0h96v96H0z" fill={palette.ground} />
      <g opacity="0.2">{ground(night ? pale : ink)}</g>
      <circle cx="48" cy="48" r="40" fill={body} />
      {cap ? (
        <circle
          cx="48"
          cy="48"
          r="39.5"
          fill="none"
          stroke={body}
          strokeWidth="7.5"
          strokeLinecap="round"
          strokeDasharray="0 8.273"
        />
      ) : null}
      <circle cx="48" cy="48" r="36.8" fill={disc} />
      <circle
        cx="48"
        cy="48"
        r="38.4"
        fill="none"
        stroke={night ? ink : pop}
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeDasharray="0 6.032"
      />
      {plain ? null : (
        <>
          <g transform="translate(0 -1)">{motif(body, pop, disc)}</g>
          <path d="M8 62h80l-5 9 5 9H8l5-9z" fill={night ? pale : ink} />
        </>
      )}
      <text
        x="48"
        y={plain ? 48 : 71.4}
        fill={plain ? body : night ? ink : pale}
        fontFamily="var(--font-display)"
        fontWeight="800"
        fontSize={Math.min(
          plain
            ? ([0, 44, 34, 27, 21, 18, 15][letters.length] ?? 15)
            : letters.length > 5
              ? 12.6
              : letters.length > 4
                ? 14.5
                : 16,
          62 / widthOf(letters),
        )}
        letterSpacing={plain ? -0.5 : 0.8}
        textAnchor="middle"
        dominantBaseline="central"
      >
        {letters}
      </text>
    </svg>
  );
}

/** About how wide the letters are, in units of their size: a row of W must not leave the ribbon. */
function widthOf(letters: string): number {
  return Array.from(letters).reduce((width, letter) => width + (/[MW]/.test(letter) ? 1 : 0.7), 0);
}

function pick<T>(list: readonly T[], number: number): T {
  return list[number % list.length] as T;
}
