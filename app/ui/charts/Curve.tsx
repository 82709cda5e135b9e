export interface CurveProps {
  /** Path data of the line and of what is below it. */
  line: string;
  area: string;
  /** The dashed part of the line, which is not final. */
  open?: string | undefined;
  dots?: readonly { x: number; y: number }[] | undefined;
}

/** A line over its area, within an `svg` of any shape: strokes keep their width when it is stretched. */
export function Curve({ line, area, open, dots, width }: CurveProps & { width: number }) {
  const stroke = {
    stroke: 'currentColor',
    strokeLinecap: 'round',
    strokeLinejoin: 'round',
    vectorEffect: 'non-scaling-stroke',
  } as const;
  return (
    <>
      <path d={area} fill="currentColor" opacity="0.16" />
      <path d={line} fill="none" strokeWidth={width} {...stroke} />
      {open ? (
        <path d={open} fill="none" strokeWidth={width} {...stroke} strokeDasharray={`0.1 ${width * 2.4}`} />
      ) : null}
      {dots?.map(({ x, y }) => (
        <path key={x} d={`M${x} ${y} h0.01`} strokeWidth="7" {...stroke} />
      ))}
    </>
  );
}
