import { ago } from '#app/lib/format/ago.ts';
import '../facts.css';
import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { count, dateTime, dollars, fullDateTime, price } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { useNow } from '#app/lib/live/clock.ts';
import { adminMarketTexts } from '#app/lib/messages/admin/market.ts';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { MarketView } from '#contract/admin/market.ts';
import type { FigureName } from '#contract/domains/market.ts';
import type { TokenKind } from '#contract/fields/schemas.ts';

/** Next to the figures that a form edits: the providers' values, their time, and which source is used. */
export function MarketNote({ kind, id }: { kind: TokenKind; id: string }) {
  const messages = useText(adminMarketTexts).market;
  const { data, isError } = useQuery(rpc.admin.market.read.queryOptions({ input: { kind, id }, staleTime: 0 }));
  return (
    <section className="admin-part grid gap-2">
      <h3 className="text-[1.0625rem]">{messages.title}</h3>
      {data ? (
        <View view={data} />
      ) : (
        <p className="text-sm text-quiet">{isError ? messages.failed : messages.loading}</p>
      )}
    </section>
  );
}

function View({ view }: { view: MarketView }) {
  const messages = useText(adminMarketTexts).market;
  const locale = useLocale();
  const now = useNow(view.serverTime, 30_000);
  const answered = view.answeredAt ? ago(view.answeredAt, now, locale) : '';
  const state = {
    nowhere: messages.nowhere,
    hidden: messages.hidden,
    never: messages.never,
    waiting: messages.waiting,
    unlisted: messages.unlisted(answered),
    listed: messages.listed(answered),
  }[view.state];
  const format = (figure: FigureName, value: number) =>
    figure === 'price'
      ? price(value, locale)
      : figure === 'holders'
        ? count(value, '', locale)
        : dollars(value, locale);
  return (
    <>
      <p className="text-sm text-quiet">{view.enabled || view.state === 'never' ? state : messages.off}</p>
      {view.enabled && view.pausedUntil ? (
        <p className="text-sm text-coral-text">{messages.paused(dateTime(view.pausedUntil, locale))}</p>
      ) : null}
      {view.figures.length > 0 ? (
        <>
          <dl className="admin-facts">
            {view.figures.map(({ figure, value, source, at, stale }) => (
              <div key={figure}>
                <dt>{messages.figure[figure]}</dt>
                <dd>
                  <span className="figures">{format(figure, value)}</span>
                  <span className="block text-sm text-quiet" title={fullDateTime(at, locale)}>
                    {messages.from(messages.source[source], ago(at, now, locale))}{' '}
                    {stale ? <Badge tone="coral">{messages.stale}</Badge> : null}
                  </span>
                </dd>
              </div>
            ))}
          </dl>
          <p className="text-sm text-quiet">{messages.rule}</p>
        </>
      ) : null}
    </>
  );
}
