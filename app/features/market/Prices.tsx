import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { day } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import { marketTexts } from '#app/lib/messages/market.ts';
import { tokenTexts } from '#app/lib/messages/token.ts';
import { tokenDetailTexts } from '#app/lib/messages/token-details.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Section } from '#app/ui/layout/Page.tsx';
import type { PriceRange } from '#contract/domains/market.ts';
import type { TokenKind } from '#contract/fields/schemas.ts';
import { TIMING } from '#contract/limits.ts';
import { PriceChart } from './PriceChart.tsx';

const RANGES: readonly PriceRange[] = ['day', 'week', 'month', 'year'];

/** The shortest range with data: a history that began today has none for a year. */
function firstRange(since: string): PriceRange {
  const days = (Date.now() - Date.parse(since)) / 86_400_000;
  return days < 1 ? 'day' : days < 30 ? 'week' : 'month';
}

interface PricesProps {
  token: { kind: TokenKind; id: string; tokenName: string };
  /** Start of the recorded prices. */
  since: string;
}

/**
 * Price over time, in the reader's time zone. Prices are requested in the browser only; until they are there the section has the height
 * that it has with them.
 */
export function Prices({ token, since }: PricesProps) {
  const { market: text, token: tokenText } = useText(marketTexts, tokenTexts, tokenDetailTexts);
  const locale = useLocale();
  const mounted = useMounted();
  const [chosen, setChosen] = useState<PriceRange>();
  // The document may be older than the reader's clock.
  const range = chosen ?? (mounted ? firstRange(since) : 'month');
  const { data, isError, refetch, isPlaceholderData } = useQuery(
    rpc.market.prices.queryOptions({
      input: { kind: token.kind, id: token.id, range },
      enabled: mounted,
      placeholderData: keepPreviousData,
      staleTime: TIMING.homeRefresh,
    }),
  );
  return (
    <Section title={tokenText.prices} className="noscript:hidden">
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <fieldset className="tabs-list min-w-0">
          <legend className="visually-hidden">{text.range}</legend>
          {RANGES.map((one) => (
            <button
              key={one}
              type="button"
              className="tabs-tab px-3 sm:px-4"
              aria-pressed={mounted && one === range}
              data-state={mounted && one === range ? 'active' : 'inactive'}
              onClick={() => setChosen(one)}
            >
              {text.ranges[one]}
            </button>
          ))}
        </fieldset>
        <p className="text-sm text-quiet">
          <span className="block">{text.since(day(since, locale))} </span>
          <span className="block min-h-lh">{data?.source ? text.from(text.source[data.source]) : null}</span>
        </p>
      </div>
      <div className="min-h-56" aria-busy={isPlaceholderData}>
        {data?.points.length ? (
          <PriceChart points={data.points} range={range} label={text.chart(token.tokenName, text.ranges[range])} />
        ) : isError ? (
          <div role="alert" className="grid min-h-56 place-content-center justify-items-center gap-3 text-quiet">
            <p>{text.failed}</p>
            <Button size="sm" onClick={() => void refetch()}>
              {text.retry}
            </Button>
          </div>
        ) : (
          <p className="grid min-h-56 place-content-center text-center text-quiet">
            {data ? text.empty : text.loading}
          </p>
        )}
      </div>
    </Section>
  );
}
