import { When } from '#app/lib/format/When.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminCreationTexts } from '#app/lib/messages/admin/token-creation/creation-part.ts';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { TokenCreation, TokenReading } from '#contract/admin/token-creation.ts';
import { amountOf, groupedDigits } from './money.ts';

const TONES: Record<TokenReading['outcome'], Tone> = { same: 'mint', different: 'coral', unanswered: 'neutral' };

/** Readings of a token's contract since its creation: the current one, and all earlier ones. */
export function ReadingsPart({ creation }: { creation: TokenCreation }) {
  const messages = useText(adminCreationTexts).creation.readings;
  const newest = (['chain', 'files'] as const).flatMap(
    (what) => creation.readings.find((one) => one.what === what && one.outcome !== 'unanswered') ?? [],
  );
  const differs = newest.filter(({ outcome }) => outcome === 'different');
  return (
    <section className="grid grid-cols-1 gap-2" aria-label={messages.heading}>
      <h4 className="text-sm font-semibold">{messages.heading}</h4>
      {differs.map((reading) => (
        <div key={reading.what} className="admin-callout" data-tone="coral" role="alert">
          <p className="font-semibold">{messages.differs[reading.what]}</p>
          <p className="text-sm">{reading.differences.map((code) => messages.codes[code] ?? code).join(', ')}</p>
          <p className="text-sm">{messages.todo}</p>
        </div>
      ))}
      {creation.readings.length === 0 ? <p className="text-sm text-quiet">{messages.none}</p> : null}
      {newest.map((reading) => (
        <Line key={reading.what} reading={reading} decimals={creation.decimals} />
      ))}
      {creation.readings.length > newest.length ? (
        <details className="admin-more">
          <summary>{messages.all}</summary>
          {creation.readings.map((reading) => (
            <Line key={`${reading.what} ${reading.at}`} reading={reading} decimals={creation.decimals} />
          ))}
        </details>
      ) : null}
    </section>
  );
}

function Line({ reading, decimals }: { reading: TokenReading; decimals: number }) {
  const messages = useText(adminCreationTexts).creation.readings;
  const locale = useLocale();
  const { what, outcome, at, supply, block, differences, detail } = reading;
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm">
      <Badge tone={TONES[outcome]}>{messages.outcomes[outcome]}</Badge>
      <span>{messages.what[what]}</span>
      <When iso={at} className="text-quiet" />
      {block ? <span className="figures text-quiet">{messages.block(groupedDigits(block, locale))}</span> : null}
      {supply ? (
        <span className="figures text-quiet">{messages.supply(amountOf(supply, decimals, locale))}</span>
      ) : null}
      {differences.length > 0 ? (
        <span>{differences.map((code) => messages.codes[code] ?? code).join(', ')}</span>
      ) : null}
      {detail && outcome !== 'same' ? (
        <span className="admin-code" lang="en">
          {detail}
        </span>
      ) : null}
    </p>
  );
}
