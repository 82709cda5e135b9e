/** A drawing in a box of 100 x 100: connected prices as lines over areas, isolated ones as dots. */
export interface PricePath {
  line: string;
  area: string;
  dots: { x: number; y: number }[];
  low: number;
  high: number;
  /** The y coordinate of a price. */
  heightOf: (price: number) => number;
}

const round = (value: number) => Math.round(value * 100) / 100;

/** Prices between their minimum and maximum, with a gap where none was recorded. */
export function pricePath(prices: readonly (number | null)[]): PricePath {
  const known = prices.filter((price) => price !== null);
  const low = Math.min(...known);
  const high = Math.max(...known);
  // Constant prices are drawn in the middle.
  const margin = (high - low) * 0.08 || high * 0.1;
  const span = high - low + 2 * margin;
  const heightOf = (price: number) => round(100 - ((price - low + margin) / span) * 100);
  const at = (price: number, i: number) => ({
    x: round(prices.length > 1 ? (i / (prices.length - 1)) * 100 : 50),
    y: heightOf(price),
  });
  const path: PricePath = { line: '', area: '', dots: [], low, high, heightOf };
  for (let i = 0; i < prices.length; ) {
    const run: { x: number; y: number }[] = [];
    for (; i < prices.length; i++) {
      const price = prices[i];
      if (price === null || price === undefined) break;
      run.push(at(price, i));
    }
    i++;
    const [first] = run;
    const last = run.at(-1);
    if (!first || !last) continue;
    if (run.length === 1) path.dots.push(first);
    else {
      const line = `M${run.map(({ x, y }) => `${x} ${y}`).join('L')}`;
      path.line += line;
      path.area += `${line}L${last.x} 100L${first.x} 100Z`;
    }
  }
  return path;
}
