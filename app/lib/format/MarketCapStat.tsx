import { listedMarketCap } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { English } from '#app/ui/layout/English.tsx';
import { Stat } from '#app/ui/layout/Stat.tsx';
import type { Project } from '#contract/domains/projects.ts';

/** The market cap on the card of a token, with its source. */
export function MarketCapStat({ token }: { token: Pick<Project, 'marketCap' | 'marketCapFrom'> }) {
  const text = useText();
  const locale = useLocale();
  return (
    <dl>
      <Stat
        className="stat-sourced"
        label={<English>{text.home.marketCap}</English>}
        value={listedMarketCap(token.marketCap, locale)}
        hint={token.marketCapFrom && text.home.capFrom[token.marketCapFrom]}
      />
    </dl>
  );
}
