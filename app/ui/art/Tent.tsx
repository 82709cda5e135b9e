export interface TentProps {
  x: number;
  /** y coordinate of the eaves. */
  y: number;
  width: number;
  /** Height of the roof, and of the wall below it. */
  roof: number;
  wall: number;
  colours: readonly [string, string];
  stripes?: number | undefined;
  flag?: string | undefined;
}

/** A striped tent for the drawn scenes: a `<g>` whose base is at `y + wall`. */
export function Tent({ x, y, width, roof, wall, colours, stripes = 7, flag }: TentProps) {
  const cell = width / stripes;
  const bands = Array.from({ length: stripes }, (_, i) => i - stripes / 2);
  return (
    <g transform={`translate(${x} ${y})`}>
      {flag ? (
        <path
          d={`M0 ${-roof}v-${n(roof * 0.3)}l${n(roof * 0.26)} ${n(roof * 0.1)}-${n(roof * 0.26)} ${n(roof * 0.1)}`}
          fill={flag}
          stroke={flag}
          strokeWidth="2"
        />
      ) : null}
      {bands.map((band, i) => {
        const a = band * cell;
        const b = (band + 1) * cell;
        const fill = colours[i % 2] ?? colours[0];
        return (
          <g fill={fill} key={band}>
            <path d={`M${n(a * 0.9)} 0H${n(b * 0.9)}V${wall}H${n(a * 0.9)}z`} opacity="0.82" />
            <path
              d={`M0 ${-roof}Q${n(a * 0.36)} ${n(-roof * 0.26)} ${n(a)} 0a${n(cell / 2)} ${n(cell / 2)} 0 0 0 ${n(cell)} 0Q${n(b * 0.36)} ${n(-roof * 0.26)} 0 ${-roof}z`}
            />
          </g>
        );
      })}
    </g>
  );
}

function n(value: number): number {
  return Math.round(value * 10) / 10;
}
