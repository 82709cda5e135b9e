import type { CSSProperties } from 'react';
import { type Locale, price, TAG } from '#app/lib/format.ts';
import { useLocale, useText } from '#app/lib/i18n.tsx';
import { marketTexts } from '#app/lib/messages/market.ts';
import type { PriceHistory, PriceRange } from '#contract/market.ts';
import { pricePath } from './price-path.ts';

const SHOWN: Record<PriceRange, Intl.DateTimeFormatOptions> = {
  day: { hour: '2-digit', minute: '2-digit' },
  week: { weekday: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
  month: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  year: { day: 'numeric', month: 'short', year: 'numeric' },
};
const labels = (range: PriceRange, locale: Locale) => {
  const format = new Intl.DateTimeFormat(TAG[locale], { ...SHOWN[range], hourCycle: 'h23' });
  return (iso: string) => format.format(new Date(iso));
};

interface PriceChartProps {
  points: PriceHistory['points'];
  range: PriceRange;
  /** Name of the chart; caption of the table that screen readers get instead. */
  label: string;
}

/** Prices over time, drawn between their lowest and highest; screen readers get a table. Times of the reader's own clock. */
export function PriceChart({ points, range, label }: PriceChartProps) {
  const text = useText(marketTexts).market;
  const labelOf = labels(range, useLocale());
  const { line, area, dots, low, high } = pricePath(points.map((point) => point.price));
  return (
    <figure className="chart">
      <div className="chart-plot" aria-hidden="true">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <path d={area} fill="currentColor" opacity="0.16" />
          <path
            d={line}
            fill="none"
            stroke="currentColor"
            strokeWidth="2.5"
            strokeLinejoin="round"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
          {dots.map(({ x, y }) => (
            <path
              key={x}
              d={`M${x} ${y} h0.01`}
              stroke="currentColor"
              strokeWidth="7"
              strokeLinecap="round"
              vectorEffect="non-scaling-stroke"
            />
          ))}
        </svg>
        <span className="chart-max figures">{price(high)}</span>
        {low < high ? <span className="chart-min figures">{price(low)}</span> : null}
        <div className="chart-hits">
          {points.map((point, i) => (
            <span className="chart-hit" key={point.at}>
              <span className="chart-tip" style={{ '--at': i / Math.max(1, points.length - 1) } as CSSProperties}>
                {labelOf(point.at)} <b className="figures">{point.price === null ? text.none : price(point.price)}</b>
              </span>
            </span>
          ))}
        </div>
      </div>
      <div className="chart-axis figures" aria-hidden="true">
        <span>{labelOf(points[0]?.at ?? '')}</span>
        <span>{labelOf(points.at(-1)?.at ?? '')}</span>
      </div>
      {/* A table ignores the width of its own hidden class, so its frame carries it. */}
      <div className="visually-hidden">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{text.time}</th>
              <th scope="col">{text.price}</th>
            </tr>
          </thead>
          <tbody>
            {points.flatMap((point) =>
              point.price === null
                ? []
                : [
                    <tr key={point.at}>
                      <th scope="row">{labelOf(point.at)}</th>
                      <td>{price(point.price)}</td>
                    </tr>,
                  ],
            )}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
