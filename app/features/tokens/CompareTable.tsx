import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { count, day, dollars, integer, marketCap, price } from '#app/lib/format/format.ts';
import { LaunchProofLine } from '#app/lib/format/LaunchProof.tsx';
import { LocalTime } from '#app/lib/format/When.tsx';
import { type TextOf, useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { exploreTexts } from '#app/lib/messages/explore.ts';
import { tokenTexts } from '#app/lib/messages/token.ts';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { cx } from '#app/ui/cx.ts';
import type { Token } from '#contract/domains/tokens.ts';
import { isLaunchOver, launchTime } from '#contract/text/launch-time.ts';
import { FigureSource } from './FigureSource.tsx';

type Row = keyof TextOf<typeof exploreTexts>['compare']['rows'];
const ROWS: readonly Row[] = [
  'kind',
  'network',
  'contract',
  'totalVotes',
  'votesToday',
  'price',
  'marketCap',
  'volume24h',
  'liquidity',
  'holders',
  'maxSupply',
  'launch',
  'createdAt',
  'made',
];

/** Data of two tokens, each figure with its source. */
export function CompareTable({
  one,
  other,
  follow,
}: {
  one: Token;
  other: Token;
  follow: (token: Token) => ReactNode;
}) {
  const { compare: text } = useText(exploreTexts);
  const href = useHref();
  const cells = [useCells(one), useCells(other)];
  const rows = ROWS.filter((row) => cells.some((of) => of[row] !== undefined));
  return (
    <div className="overflow-x-auto rounded-card border border-line bg-panel" data-region>
      <table className="w-full table-fixed border-collapse text-left max-sm:block sm:min-w-80">
        <caption className="visually-hidden">{text.table(one.tokenName, other.tokenName)}</caption>
        <thead className="max-sm:block">
          <tr className="align-top max-sm:grid max-sm:grid-cols-2">
            <th scope="col" className="p-3 max-sm:col-span-2 max-sm:p-0 sm:w-44">
              <span className="visually-hidden">{text.figure}</span>
            </th>
            {[one, other].map((token) => (
              <th key={token.id} scope="col" className="p-3 font-normal">
                <span className="grid gap-2">
                  <TokenImage id={token.id} symbol={token.tokenSymbol} src={token.imageUrl} alt="" size={56} eager />
                  <Link
                    to={href(`/token/${token.tokenSlug ?? token.id}${token.kind === 'candidate' ? '/candidate' : ''}`)}
                    className="link font-display text-lg font-bold wrap-anywhere"
                  >
                    {token.tokenName}
                  </Link>
                  <span className="figures text-sm text-quiet">${token.tokenSymbol}</span>
                  {/* The icon is aligned with the lines above. */}
                  <span className="-ml-3">{follow(token)}</span>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {rows.map((row) => (
            // On a phone the label of a figure is above both tokens: a third column would break words and numbers.
            <tr key={row} className="border-t border-line align-top max-sm:grid max-sm:grid-cols-2">
              <th
                scope="row"
                className="p-3 text-sm font-semibold text-quiet hyphens-auto max-sm:col-span-2 max-sm:pb-0"
              >
                {text.rows[row]}
              </th>
              {cells.map((of, side) => (
                <td key={side === 0 ? one.id : other.id} className="p-3 wrap-anywhere max-sm:pt-1">
                  {of[row] ?? <span className="text-quiet">{text.unknown}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The cells of a token; unknown ones are undefined. */
function useCells(token: Token): Partial<Record<Row, ReactNode>> {
  const { compare: text } = useText(exploreTexts);
  const { token: messages } = useText(tokenTexts);
  const locale = useLocale();
  const valueOrSource = (value: string | number | null, shown: string, from: Token['sources']['price']): ReactNode =>
    value === null ? undefined : (
      <>
        {/* A long one is smaller: in two columns of a phone it would break within the figure. */}
        <span className={cx('figures', shown.length > 12 && 'text-sm')}>{shown}</span>
        <span className="block text-xs text-quiet">
          <FigureSource from={from} serverTime={token.serverTime} />
        </span>
      </>
    );
  const starts = token.launch && launchTime(token.launch);
  const votes = token.kind === 'candidate' || token.totalVotes > 0;
  return {
    kind: messages.kind[token.kind],
    network: token.network ? messages.networks[token.network] : undefined,
    contract: token.contractAddress ? <span className="figures text-sm">{token.contractAddress}</span> : text.none,
    totalVotes: votes ? <span className="figures">{integer(token.totalVotes, locale)}</span> : undefined,
    votesToday:
      token.kind === 'candidate' ? <span className="figures">{integer(token.votesToday, locale)}</span> : undefined,
    price: valueOrSource(token.price, price(token.price, locale), token.sources.price),
    marketCap: valueOrSource(token.marketCap, marketCap(token.marketCap, locale), token.sources.marketCap),
    volume24h: valueOrSource(token.volume24h, dollars(token.volume24h, locale), token.sources.volume24h),
    liquidity: valueOrSource(token.liquidity, dollars(token.liquidity, locale), token.sources.liquidity),
    holders: valueOrSource(token.holdersCount, count(token.holdersCount, '', locale), token.sources.holders),
    maxSupply: valueOrSource(token.maxSupply, count(token.maxSupply, '', locale), token.sources.maxSupply),
    launch:
      token.launch && (starts || token.launch.status === 'launched') ? (
        <>
          {starts ? <LocalTime iso={starts} /> : null}
          {isLaunchOver(token.launch, Date.parse(token.serverTime)) ? (
            <span className="block text-xs text-quiet">
              <LaunchProofLine proof={token.launch.proof} />
            </span>
          ) : null}
        </>
      ) : undefined,
    createdAt: day(token.createdAt, locale),
    made: token.facts.creation ? text.yes : text.no,
  };
}
