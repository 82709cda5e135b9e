import { tokenArt } from '#contract/token-art.ts';

export interface TokenArtProps {
  id: string;
  symbol: string;
  /** Empty or undefined: decoration. */
  label?: string | undefined;
  /** Below about 48 px: no lettering. */
  small?: boolean | undefined;
}

/** The generated coin of a token. Normally used through `TokenImage`. */
export function TokenArt({ id, symbol, label, small }: TokenArtProps) {
  const { drawing, characters } = tokenArt(id, symbol, small);
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by aria-label, or hidden.
    <svg viewBox="0 0 96 96" {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing; what people typed is in the text below. */}
      <g dangerouslySetInnerHTML={{ __html: drawing }} />
      {characters ? (
        <text
          x={characters.x}
          y={characters.y}
          fill={characters.fill}
          fontFamily="var(--font-display)"
          fontWeight="800"
          fontSize={characters.size}
          letterSpacing={characters.spacing}
          textAnchor="middle"
          dominantBaseline="central"
        >
          {characters.text}
        </text>
      ) : null}
    </svg>
  );
}
