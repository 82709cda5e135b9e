import { type Locale, price, TAG } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { marketTexts } from '#app/lib/messages/market.ts';
import { Chart } from '#app/ui/charts/Chart.tsx';
import { ticksOf } from '#app/ui/charts/ticks.ts';
import type { PriceHistory, PriceRange } from '#contract/domains/market.ts';
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
  /** Label of the chart; caption of the table for screen readers. */
  label: string;
}

/** Prices over time, between their minimum and maximum; screen readers get a table. Times in the reader's time zone. */
export function PriceChart({ points, range, label }: PriceChartProps) {
  const text = useText(marketTexts).market;
  const locale = useLocale();
  const labelOf = labels(range, locale);
  const { line, area, dots, low, high, heightOf } = pricePath(points.map((point) => point.price));
  return (
    <Chart
      label={label}
      pointHeading={text.time}
      valueHeading={text.price}
      line={line}
      area={area}
      dots={dots}
      // A constant price has only one tick.
      ticks={(low < high ? ticksOf(low, high) : [high]).map((value) => ({
        y: heightOf(value),
        label: price(value, locale),
      }))}
      points={points.map((point) => ({
        key: point.at,
        label: labelOf(point.at),
        value: point.price === null ? text.none : price(point.price, locale),
        known: point.price !== null,
      }))}
    />
  );
}
