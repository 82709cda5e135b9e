import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Hand, RotateCw } from 'lucide-react';
import { Fragment, useEffect, useState } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { ago } from '#app/lib/format/ago.ts';
import { exactly, when, whole } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { Written } from '#app/lib/i18n/Written.tsx';
import { adminInboxTexts } from '#app/lib/messages/admin/inbox.ts';
import { SceneEmptyStage } from '#app/ui/art/scenes/SceneEmptyStage.tsx';
import { Button, ButtonLink, IconButton } from '#app/ui/controls/Button.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { InboxItem, InboxSource } from '#contract/admin/inbox.ts';
import type { RemovalRule } from '#contract/domains/forum.ts';
import { TIMING } from '#contract/limits.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { RuleField } from '../kit/forms/RuleField.tsx';
import { CollapsibleFilters } from '../kit/list/CollapsibleFilters.tsx';
import { StoredListButton } from '../kit/list/StoredListButton.tsx';
import { Switch } from '../kit/Switch.tsx';
import { Unread } from '../kit/Unread.tsx';
import { useAddress } from '../kit/useAddress.ts';
import { useNetworkNames } from '../networks/names.ts';
import { AppealAction } from './AppealAction.tsx';
import { detailsOf, ITEM_TEXTS, MAIL_EXPIRED, titleOf } from './item-text.ts';
import { type ItemActions, useItemActions } from './useItemActions.ts';

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
const TONES: Record<InboxSource, Tone> = {
  payment: 'coral',
  unplaced: 'coral',
  request: 'lead',
  creation: 'coral',
  chain: 'coral',
  submission: 'sky',
  moderator: 'neutral',
  report: 'coral',
  appeal: 'coral',
  review: 'lead',
  vote_cluster: 'lead',
  job: 'neutral',
  deliverable: 'coral',
  refund: 'lead',
  settlement: 'coral',
  reading: 'coral',
  source: 'lead',
};

/** The screen where an item is processed; reports and jobs are processed here. */
const placeOf = ({ source, id, title }: InboxItem): string | null => {
  if (source === 'payment') return `/admin/token-creation?payment=${id}`;
  if (source === 'unplaced') return '/admin/token-creation';
  if (source === 'request') return `/admin/token-creation?request=${id}`;
  if (['creation', 'reading', 'source'].includes(source)) return `/admin/token-creation?tab=create&from=${id}`;
  if (source === 'chain') return '/admin/token-creation?tab=create';
  if (source === 'submission') return `/admin/submissions?open=${id}`;
  if (source === 'vote_cluster') return `/admin/vote-review?id=${id}&state=all`;
  if (source === 'deliverable') return `/admin/deliverables?overdue=yes&q=${title}`;
  if (source === 'refund') return `/admin/refunds?q=${title}`;
  if (source === 'settlement') return `/admin/settlement?q=${title}`;
  if (source === 'review') return '/moderation';
  if (source === 'moderator') return `/admin/moderator-requests?q=${id}`;
  return null;
};

type Mine = 'all' | 'yes' | 'no';

export function useInbox() {
  const { parameters, set } = useAddress();
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
  const messages = useText(adminInboxTexts).inbox;
  const locale = useLocale();
  const { query, source, mine, choose, total } = inbox;
  const now = useMinutes();
  const items = query.data?.items ?? [];
  const waiting = source ? (query.data?.counts[source] ?? 0) : total;
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
              // A kind without items is no choice, unless it is the chosen one.
              if (one !== 'all' && !count && one !== source) return [];
              return [
                [
                  one,
                  <Fragment key={one}>
                    {one === 'all' ? messages.all : messages.sources[one]}
                    {count ? <span className="admin-figure ml-1.5">{whole(count, locale)}</span> : null}
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
          <StoredListButton list="inbox" columns={[]} />
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
        <Unread what={messages.failed} of={query} className="admin-panel admin-note" />
      ) : items.length === 0 ? (
        <EmptyState
          role="status"
          scene={<SceneEmptyStage />}
          title={total === 0 ? messages.empty : messages.emptyFilter}
          text={total === 0 ? messages.emptyText : undefined}
        />
      ) : (
        <ul className="grid grid-cols-1 gap-2">
          {items.map((item) => (
            <li key={`${item.source}-${item.id}`}>
              <Item item={item} now={now} />
            </li>
          ))}
        </ul>
      )}
      {mine === 'all' && !query.isPlaceholderData && items.length > 0 && waiting > items.length ? (
        <p className="text-center text-sm text-quiet">{messages.more(whole(waiting - items.length, locale))}</p>
      ) : null}
    </>
  );
}

function Item({ item, now }: { item: InboxItem; now: number }) {
  const text = useText(...ITEM_TEXTS);
  const messages = text.inbox;
  const locale = useLocale();
  const href = useHref();
  const title = titleOf(item, text);
  const position = placeOf(item);
  const networkName = useNetworkNames();
  const mutations = useItemActions(item);
  const [discarding, setDiscarding] = useState(false);
  return (
    <article
      className="admin-panel flex flex-wrap items-center gap-x-2 gap-y-2 sm:grid sm:gap-x-4 sm:grid-cols-[1fr_auto] xl:grid-cols-[1fr_auto_auto]"
      aria-label={title}
    >
      <div className="min-w-0 max-sm:basis-full sm:col-span-full xl:col-span-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge tone={TONES[item.source]}>{messages.sources[item.source]}</Badge>
          <span className="min-w-0 font-semibold wrap-anywhere">
            <Written>{title}</Written>
          </span>
        </p>
        <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-quiet">
          <time dateTime={item.since} title={exactly(item.since, locale)}>
            {ago(item.since, now, locale)}
          </time>
          <span>{detailsOf(item, { text, locale, networkName })}</span>
          {item.dueAt ? <Due at={item.dueAt} now={now} /> : null}
        </p>
      </div>
      <div className="text-sm max-sm:contents sm:flex sm:flex-wrap sm:items-center sm:gap-2">
        <span className="text-sm text-quiet max-sm:w-full">
          {messages.owner}: {item.owner?.name ?? messages.nobody}
        </span>
        {item.owner ? (
          <Button
            size="sm"
            variant="ghost"
            aria-label={messages.releaseOf(title)}
            busy={mutations.release.isPending}
            onClick={() => mutations.release.mutate()}
          >
            {messages.release}
          </Button>
        ) : (
          <Button
            size="sm"
            aria-label={messages.takeOf(title)}
            busy={mutations.take.isPending}
            onClick={() => mutations.take.mutate()}
          >
            <Hand aria-hidden="true" />
            {messages.take}
          </Button>
        )}
      </div>
      <div className="max-sm:contents sm:flex sm:flex-wrap sm:justify-end sm:gap-2">
        {position ? (
          <ButtonLink
            to={href(position)}
            size="sm"
            variant="soft"
            aria-label={messages.nextOf(messages.next[item.source], title)}
          >
            {messages.next[item.source]}
          </ButtonLink>
        ) : item.source === 'report' ? (
          <ReportActions item={item} mutations={mutations} />
        ) : item.source === 'appeal' ? (
          <AppealAction id={item.id} title={title} />
        ) : (
          <>
            {item.details.includes(MAIL_EXPIRED) ? null : (
              <Button
                size="sm"
                variant="soft"
                aria-label={messages.nextOf(messages.retryJob, title)}
                busy={mutations.settle.isPending}
                onClick={() => mutations.settle.mutate('retry')}
              >
                {messages.retryJob}
              </Button>
            )}
            <Button
              size="sm"
              variant="ghost"
              aria-label={messages.nextOf(messages.discardJob, title)}
              onClick={() => setDiscarding(true)}
            >
              {messages.discardJob}
            </Button>
            <ConfirmDialog
              open={discarding}
              onClose={() => setDiscarding(false)}
              title={messages.discardTitle}
              question={title}
              text={messages.discardText}
              confirmLabel={messages.discardJob}
              busyLabel={messages.discarding}
              onConfirm={() => mutations.settle.mutateAsync('discard')}
            />
          </>
        )}
      </div>
    </article>
  );
}

function ReportActions({ item, mutations }: { item: InboxItem; mutations: ItemActions }) {
  const messages = useText(adminInboxTexts).inbox;
  const href = useHref();
  const [requested, setRequested] = useState<'keep' | 'hide' | null>(null);
  const [rule, setRule] = useState<RemovalRule | ''>('');
  const what = item.details[0] === 'comment' ? 'comment' : 'post';
  return (
    <>
      <ButtonLink
        to={href(`/admin/forum?what=${what}&q=${item.id}`)}
        size="sm"
        variant="ghost"
        aria-label={messages.nextOf(messages.see, item.title)}
      >
        {messages.see}
      </ButtonLink>
      <Button size="sm" aria-label={messages.nextOf(messages.keep, item.title)} onClick={() => setRequested('keep')}>
        {messages.keep}
      </Button>
      <Button
        size="sm"
        variant="soft"
        aria-label={messages.nextOf(messages.hide, item.title)}
        onClick={() => setRequested('hide')}
      >
        {messages.hide}
      </Button>
      <ConfirmDialog
        open={requested === 'keep'}
        onClose={() => setRequested(null)}
        title={messages.keepTitle}
        question={item.title}
        text={messages.keepText}
        confirmLabel={messages.keep}
        busyLabel={messages.keeping}
        harmless
        onConfirm={() => mutations.resolve.mutateAsync({ decision: 'kept', reason: '' })}
      />
      <ConfirmDialog
        open={requested === 'hide'}
        onClose={() => setRequested(null)}
        title={messages.hideTitle}
        question={item.title}
        text={messages.hideText}
        confirmLabel={messages.hide}
        busyLabel={messages.hiding}
        reason="required"
        blocked={!rule}
        onConfirm={async (reason) => rule && mutations.resolve.mutateAsync({ decision: 'hidden', rule, reason })}
      >
        <RuleField value={rule} onChange={setRule} />
      </ConfirmDialog>
    </>
  );
}

/** When an item is due. */
function Due({ at, now }: { at: string; now: number }) {
  const messages = useText(adminInboxTexts).inbox;
  const locale = useLocale();
  const over = Date.parse(at) < now;
  return (
    <time dateTime={at} title={exactly(at, locale)} className={over ? 'font-semibold text-danger' : undefined}>
      {(over ? messages.overdue : messages.due)(when(at, locale))}
    </time>
  );
}

/** The current time, updated every minute. */
function useMinutes(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
