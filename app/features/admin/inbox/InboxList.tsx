import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { Fragment, useEffect, useState } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { integer } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { SceneEmptyStage } from '#app/ui/art/scenes/SceneEmptyStage.tsx';
import { IconButton } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { InboxItem, InboxSource } from '#contract/admin/inbox.ts';
import { MANY_FOUND, TIMING } from '#contract/limits.ts';
import { LoadError } from '../kit/LoadError.tsx';
import { Choice } from '../kit/list/AdminRows.tsx';
import { boundedCount } from '../kit/list/bounded-count.ts';
import { CollapsibleFilters } from '../kit/list/CollapsibleFilters.tsx';
import { StoredListButton, useShownParts } from '../kit/list/StoredListButton.tsx';
import { SelectionBar, useSelection } from '../kit/list/selection.tsx';
import { Switch } from '../kit/Switch.tsx';
import { useQueryParameters } from '../kit/useQueryParameters.ts';
import { INBOX_PARTS, Item } from './Item.tsx';
import { ITEM_TEXTS, titleOf } from './item-text.ts';
import { useHeld } from './useHold.ts';
import { keyOf, useInboxBulk } from './useInboxBulk.tsx';

const SOURCES: InboxSource[] = [
  'reading',
  'source',
  'creation',
  'chain',
  'payment',
  'unplaced',
  'request',
  'report',
  'appeal',
  'review',
  'submission',
  'moderator',
  'vote_cluster',
  'deliverable',
  'refund',
  'settlement',
  'job',
];
type Mine = 'all' | 'yes' | 'no';

export function useInbox() {
  const { parameters, set } = useQueryParameters();
  const source = SOURCES.find((one) => one === parameters.get('source'));
  const mineParameter = parameters.get('mine');
  const mine: Mine = mineParameter === 'yes' || mineParameter === 'no' ? mineParameter : 'all';
  const query = useQuery(
    rpc.admin.inbox.list.queryOptions({
      input: { mine, ...(source ? { source } : {}) },
      placeholderData: keepPreviousData,
      refetchInterval: TIMING.dashboardRefresh,
      refetchOnWindowFocus: true,
    }),
  );
  return {
    query,
    source,
    mine,
    total: Object.values(query.data?.counts ?? {}).reduce((sum, count) => sum + count, 0),
    choose: (change: { source?: string; mine?: string }) =>
      set(Object.fromEntries(Object.entries(change).map(([name, value]) => [name, value === 'all' ? null : value]))),
  };
}

/** Everything that waits for a person: item, waiting time, assignee, and next step. */
export function InboxList({ inbox }: { inbox: ReturnType<typeof useInbox> }) {
  const text = useText(...ITEM_TEXTS, adminTexts);
  const messages = text.inbox;
  const locale = useLocale();
  const { query, source, mine, choose, total } = inbox;
  const now = useMinutes();
  const shows = useShownParts('inbox');
  const items = query.data?.items ?? [];
  const { listed, hold } = useHeld(items);
  const rows = listed.map((item) => ({ id: keyOf(item), item }));
  const selection = useSelection(rows);
  const nameOf = (item: InboxItem) => titleOf(item, text);
  const { bulk, dialogs } = useInboxBulk(nameOf);
  const waiting = source ? (query.data?.counts[source] ?? 0) : total;
  const rest = waiting - items.length;
  // The server stops counting above MANY_FOUND: the number of items that are not listed is a lower bound then.
  const counts = source ? [waiting] : Object.values(query.data?.counts ?? {});
  const bounded = counts.some((count) => count > MANY_FOUND);
  return (
    <>
      <div className="admin-toolbar">
        <CollapsibleFilters active={(source ? 1 : 0) + (mine === 'all' ? 0 : 1)}>
          <Switch
            label={messages.filter}
            name="source"
            className="flex-wrap"
            value={source ?? 'all'}
            choices={(['all', ...SOURCES] as const).flatMap((one) => {
              const count = one === 'all' ? total : query.data?.counts[one];
              // A source without items is not offered, unless it is the chosen one.
              if (one !== 'all' && !count && one !== source) return [];
              return [
                [
                  one,
                  <Fragment key={one}>
                    {one === 'all' ? messages.all : messages.sources[one]}
                    {count ? <span className="admin-figure ml-1.5">{boundedCount(count, locale)}</span> : null}
                  </Fragment>,
                ] as const,
              ];
            })}
            onChoose={(one) => choose({ source: one })}
          />
          <Switch
            label={messages.filterMine}
            name="mine"
            value={mine}
            choices={[
              ['all', messages.mineAll],
              ['yes', messages.mine],
              ['no', messages.free],
            ]}
            onChoose={(one) => choose({ mine: one })}
          />
        </CollapsibleFilters>
        <span className="ml-auto">
          <StoredListButton list="inbox" columns={INBOX_PARTS.map((key) => ({ key, header: messages.parts[key] }))} />
        </span>
        <IconButton size="sm" label={messages.refresh} onClick={() => void query.refetch()}>
          <RotateCw aria-hidden="true" />
        </IconButton>
      </div>
      {query.isPending ? (
        <SkeletonGroup label={messages.loading} className="grid gap-2">
          <Skeleton className="h-20 rounded-card" />
          <Skeleton className="h-20 rounded-card" />
        </SkeletonGroup>
      ) : query.isError && !query.data ? (
        <LoadError what={messages.failed} of={query} className="admin-panel admin-note" />
      ) : rows.length === 0 ? (
        <EmptyState
          role="status"
          scene={<SceneEmptyStage />}
          title={total === 0 ? messages.empty : messages.emptyFilter}
          text={total === 0 ? messages.emptyText : undefined}
        />
      ) : (
        <>
          {selection.selected.length > 0 ? (
            <SelectionBar count={selection.selected.length} onClear={selection.clear}>
              {bulk(
                selection.selected.map(({ item }) => item),
                selection.clear,
              )}
            </SelectionBar>
          ) : null}
          <label className="check">
            <input {...selection.wholePage} />
            {text.admin.list.selectAll}
          </label>
          <ul className="grid grid-cols-1 gap-2">
            {rows.map(({ id, item }) => (
              <li key={id}>
                <Item
                  item={item}
                  now={now}
                  shows={shows}
                  onHold={(held) => hold(item, held)}
                  choice={
                    <Choice
                      name={text.admin.list.select(nameOf(item))}
                      id={id}
                      chosen={selection.chosen.has(id)}
                      onChoose={selection.choose}
                    />
                  }
                />
              </li>
            ))}
          </ul>
        </>
      )}
      {dialogs}
      {mine === 'all' && !query.isPlaceholderData && items.length > 0 && rest > 0 ? (
        <p className="text-center text-sm text-quiet">{messages.more(integer(rest, locale) + (bounded ? '+' : ''))}</p>
      ) : null}
    </>
  );
}

/** The time, good to the minute. */
function useMinutes(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
