import { Link } from 'react-router';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { exploreTexts } from '#app/lib/messages/explore.ts';
import { tokenTexts } from '#app/lib/messages/token.ts';
import { cx } from '#app/ui/cx.ts';
import type { ExploreFilter } from '#contract/domains/tokens.ts';
import { EXPLORE_ORDERS } from '#contract/explore.ts';
import { NETWORKS } from '#contract/networks.ts';
import { explorePath, type FilteredPage } from './explore.queries.ts';

interface ExploreFiltersProps {
  filter: ExploreFilter;
  page?: FilteredPage;
  /** The token that is to be compared with one of the list. */
  comparing?: string | null;
}

const chip = (on: boolean) =>
  cx(
    'inline-flex min-h-10 items-center rounded-badge border px-3.5 text-sm whitespace-nowrap no-underline',
    on ? 'border-lead bg-lead font-semibold text-on-lead' : 'border-line bg-panel text-text hover:border-quiet',
  );

/** Lists, filters and sort orders, each choice a link. */
export function ExploreFilters({ filter, page = '/tokens', comparing = null }: ExploreFiltersProps) {
  const { explore: text } = useText(exploreTexts);
  const { token } = useText(tokenTexts);
  const href = useHref();
  const choice = (key: string, label: string, on: boolean, over: Partial<ExploreFilter>) => (
    <Link
      key={key}
      to={href(explorePath(filter, { page, over, comparing }))}
      preventScrollReset
      aria-current={on ? 'true' : undefined}
      className={chip(on)}
    >
      {label}
    </Link>
  );
  const toggle = <Name extends 'contract' | 'since' | 'status' | 'launch'>(
    name: Name,
    value: NonNullable<ExploreFilter[Name]>,
    label: string,
  ) => {
    const on = filter[name] === value;
    return choice(`${name}-${value}`, label, on, { [name]: on ? undefined : value });
  };
  const { kind } = filter;
  const orders = EXPLORE_ORDERS[kind];
  const order = filter.order ?? orders[0];
  return (
    <div className="mb-6 grid gap-3">
      {page === '/tokens' ? <Lists filter={filter} comparing={comparing} /> : null}
      <nav aria-label={text.order} className="-ml-0.5 flex gap-2 overflow-x-auto p-0.5 pb-1.5" data-region>
        {orders.map((one, index) => choice(one, text.orders[one], one === order, { order: index ? one : undefined }))}
      </nav>
      <nav aria-label={text.filters} className="flex flex-wrap gap-2">
        {choice('any', text.anyNetwork, !filter.network, { network: undefined })}
        {NETWORKS.map((network) => choice(network, token.networks[network], filter.network === network, { network }))}
        {toggle('contract', 'yes', text.contract)}
        {toggle('since', 'month', text.month)}
        {kind === 'next' ? (
          <>
            {toggle('launch', 'week', text.week)}
            {toggle('status', 'published', text.coming)}
            {toggle('status', 'launched', text.launched)}
          </>
        ) : null}
      </nav>
      <p className="text-sm text-quiet">
        {text.orderNote[order === 'launch' && filter.status === 'launched' ? 'launched' : order]}
      </p>
    </div>
  );
}

/** The three lists. A filter specific to one is removed with it; the others stay. */
function Lists({ filter, comparing }: { filter: ExploreFilter; comparing: string | null }) {
  const { explore: text } = useText(exploreTexts);
  const href = useHref();
  const over = { network: filter.network, contract: filter.contract, since: filter.since };
  return (
    <nav aria-label={text.lists} className="tabs-list max-w-xl">
      {(['project', 'candidate', 'next'] as const).map((kind) => (
        <Link
          key={kind}
          to={href(explorePath({ kind }, { over, comparing }))}
          className="tabs-tab inline-flex items-center justify-center no-underline max-sm:px-2"
          aria-current={kind === filter.kind ? 'true' : undefined}
          data-state={kind === filter.kind ? 'active' : 'inactive'}
          preventScrollReset
        >
          {text.list[kind]}
        </Link>
      ))}
    </nav>
  );
}
