import { tokenArt } from '#contract/token-art.ts';

export interface TokenArtProps {
  id: string;
  symbol: string;
  /** Absent or empty: decoration. */
  label?: string | undefined;
  /** For what is smaller than about 48 px: no lettering. */
  small?: boolean | undefined;
}

/** The coin every token is born with. Normally used through `TokenImage`. */
export function TokenArt({ id, symbol, label, small }: TokenArtProps) {
  const { drawing, letters } = tokenArt(id, symbol, small);
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by aria-label, or hidden.
    <svg viewBox="0 0 96 96" {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing; what people typed is in the text below. */}
      <g dangerouslySetInnerHTML={{ __html: drawing }} />
      {letters ? (
        <text
          x={letters.x}
          y={letters.y}
          fill={letters.fill}
          fontFamily="var(--font-display)"
          fontWeight="800"
          fontSize={letters.size}
          letterSpacing={letters.spacing}
          textAnchor="middle"
          dominantBaseline="central"
        >
          {letters.text}
        </text>
      ) : null}
    </svg>
  );
}
