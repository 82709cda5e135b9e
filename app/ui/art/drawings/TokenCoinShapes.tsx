import { tokenArt } from '#contract/token-art.ts';

export interface TokenCoinProps {
  id: string;
  symbol: string;
  /** Below about 48 px: no lettering. */
  small: boolean;
}

/** Shapes of the coin of a token, in its box of 96 x 96. */
export function TokenCoinShapes({ id, symbol, small }: TokenCoinProps) {
  const { drawing, characters } = tokenArt(id, symbol, small);
  return (
    <>
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
    </>
  );
}
