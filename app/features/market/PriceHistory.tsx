import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { day } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { marketTexts } from '#app/lib/messages/market.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import type { PriceRange } from '#contract/domains/market.ts';
import { TIMING } from '#contract/limits.ts';
import { PriceChart } from './PriceChart.tsx';
import type { PricesProps } from './Prices.tsx';

const RANGES: readonly PriceRange[] = ['day', 'week', 'month', 'year'];

/** The shortest range with data: a history that began today has none for a year. */
function firstRange(since: string): PriceRange {
  const days = (Date.now() - Date.parse(since)) / 86_400_000;
  return days < 1 ? 'day' : days < 30 ? 'week' : 'month';
}

export default function PriceHistory({ token, since }: PricesProps) {
  const text = useText(marketTexts).market;
  const locale = useLocale();
  const [range, setRange] = useState(() => firstRange(since));
  const { data, isError, refetch, isPlaceholderData } = useQuery(
    rpc.market.prices.queryOptions({
      input: { kind: token.kind, id: token.id, range },
      placeholderData: keepPreviousData,
      staleTime: TIMING.homeRefresh,
    }),
  );
  return (
    <div>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <fieldset className="tabs-list min-w-0">
          <legend className="visually-hidden">{text.range}</legend>
          {RANGES.map((one) => (
            <button
              key={one}
              type="button"
              className="tabs-tab px-3 sm:px-4"
              aria-pressed={one === range}
              data-state={one === range ? 'active' : 'inactive'}
              onClick={() => setRange(one)}
            >
              {text.ranges[one]}
            </button>
          ))}
        </fieldset>
        <p className="text-sm text-quiet">
          {text.since(day(since, locale))} {data?.source ? text.from(text.source[data.source]) : null}
        </p>
      </div>
      <div className="min-h-50" aria-busy={isPlaceholderData}>
        {data?.points.length ? (
          <PriceChart points={data.points} range={range} label={text.chart(token.tokenName, text.ranges[range])} />
        ) : isError ? (
          <div role="alert" className="grid min-h-50 place-content-center justify-items-center gap-3 text-quiet">
            <p>{text.failed}</p>
            <Button size="sm" onClick={() => void refetch()}>
              {text.retry}
            </Button>
          </div>
        ) : (
          <p className="grid min-h-50 place-content-center text-center text-quiet">
            {data ? text.empty : text.loading}
          </p>
        )}
      </div>
    </div>
  );
}
