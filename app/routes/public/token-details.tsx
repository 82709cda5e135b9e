import { useQuery } from '@tanstack/react-query';
import { Prices } from '#app/features/market/Prices.tsx';
import { TokenFacts } from '#app/features/tokens/TokenFacts.tsx';
import { TokenLinks } from '#app/features/tokens/TokenLinks.tsx';
import { tokenQuery } from '#app/features/tokens/tokens.queries.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { tokenTexts } from '#app/lib/messages/token.ts';
import { tokenDetailTexts } from '#app/lib/messages/token-details.ts';
import { RiskNotice } from '#app/lib/page/RiskNotice.tsx';
import { English } from '#app/ui/layout/English.tsx';
import { Section } from '#app/ui/layout/Page.tsx';

/**
 * What is known about a token, on its page below the votes: prices, facts, description, links, and the risk. It reads the token itself,
 * because its properties may not change with each vote (see lazyInView).
 */
export default function TokenDetails({ slug }: { slug: string }) {
  const text = useText(tokenTexts, tokenDetailTexts);
  const { data: token } = useQuery(tokenQuery(slug));
  if (!token) return null;
  return (
    <>
      {token.pricesSince ? <Prices token={token} since={token.pricesSince} /> : null}
      <TokenFacts token={token} />
      <div className="gap-x-8 lg:grid lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:[&>:only-child]:col-span-2">
        {token.descriptionFull ? (
          <Section title={<English>{text.token.overview}</English>}>
            <div className="card p-5 md:p-6">
              <h3 className="text-lg" lang="en">
                {text.token.about}
              </h3>
              <div className="mt-2 max-w-[70ch] leading-relaxed whitespace-pre-line wrap-anywhere">
                <TextInItsLanguage>{token.descriptionFull}</TextInItsLanguage>
              </div>
            </div>
          </Section>
        ) : null}
        <TokenLinks token={token} />
      </div>
      <RiskNotice className="mt-6" />
    </>
  );
}
