import { lazy, Suspense } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import { tokenTexts } from '#app/lib/messages/token.ts';
import { tokenDetailTexts } from '#app/lib/messages/token-details.ts';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { Section } from '#app/ui/layout/Page.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { TokenKind } from '#contract/fields/schemas.ts';

const PriceHistory = lazy(() => loadWithRetry(() => import('./PriceHistory.tsx')));

export interface PricesProps {
  token: { kind: TokenKind; id: string; tokenName: string };
  /** Start of the recorded prices. */
  since: string;
}

/** Price over time. The chart is loaded after the page, and uses the reader's time zone. */
export function Prices(props: PricesProps) {
  const text = useText(tokenTexts, tokenDetailTexts).token;
  const waiting = (
    <SkeletonGroup label={text.pricesLoading}>
      <Skeleton className="h-[17.25rem] rounded-card" />
    </SkeletonGroup>
  );
  return (
    <Section title={text.prices}>
      {useMounted() ? (
        <Suspense fallback={waiting}>
          <PriceHistory {...props} />
        </Suspense>
      ) : (
        waiting
      )}
    </Section>
  );
}
