import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, CircleX, Hand, Megaphone } from 'lucide-react';
import { useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { day } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminDeliverablesTexts } from '#app/lib/messages/admin/deliverables.ts';
import { plansTexts } from '#app/lib/messages/plans.ts';
import { IconButton } from '#app/ui/controls/Button.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { AdminDeliverable } from '#contract/admin/deliverables.ts';
import { PLAN_ITEM_NAMES } from '#contract/text/plan-items.ts';
import type { ImagePicker } from '../kit/forms/ImageField.tsx';
import { useReopenedForm } from '../kit/forms/stored-forms.ts';
import { AdminTable, type Column } from '../kit/list/AdminTable.tsx';
import { ListSelect } from '../kit/list/filters.tsx';
import { tableText } from '../kit/list/table-text.ts';
import type { AdminList } from '../kit/list/useAdminList.ts';
import { notifyAndRefresh, useUndo } from '../kit/notices.ts';
import { useSeenBulk } from '../kit/records/useSeenBulk.tsx';
import { DeliverForm } from './DeliverForm.tsx';
import { PlaceForm } from './PlaceForm.tsx';
import { useRefusal } from './refusals.ts';
import { WithdrawForm } from './WithdrawForm.tsx';

const TONES: Record<AdminDeliverable['state'], Tone> = { open: 'neutral', delivered: 'mint', withdrawn: 'sky' };
const ITEMS = Object.keys(PLAN_ITEM_NAMES.es) as (keyof typeof PLAN_ITEM_NAMES.es)[];
const STATES = Object.keys(TONES) as AdminDeliverable['state'][];

/** Deliverables that were sold: assignee, due date and evidence of delivery. */
export function DeliverablesPanel({ list, picker }: { list: AdminList<AdminDeliverable>; picker: ImagePicker }) {
  const text = useText(adminDeliverablesTexts, plansTexts);
  const messages = text.deliverables;
  const [requested, setRequested] = useState<{ what: 'deliver' | 'withdraw' | 'place'; row: AdminDeliverable } | null>(
    null,
  );
  useReopenedForm<AdminDeliverable>('deliver', (row) => row && setRequested({ what: 'deliver', row }));
  useReopenedForm<AdminDeliverable>('soldPlace', (row) => row && setRequested({ what: 'place', row }));
  useReopenedForm<AdminDeliverable>('withdrawDeliverable', (row) => row && setRequested({ what: 'withdraw', row }));
  const assign = useAssign();
  const nameOf = (row: AdminDeliverable) => `${text.plans.item[row.item]} · ${row.orderId}`;
  const columns = useColumns();
  const { bulk, report } = useAssigning(nameOf);
  return (
    <>
      <AdminTable
        {...tableText(messages)}
        list={list}
        columns={columns}
        nameOf={nameOf}
        filters={
          <>
            <ListSelect
              list={list}
              name="state"
              label={messages.state}
              options={[['all', messages.all], ...STATES.map((state) => [state, messages.states[state]] as const)]}
            />
            <ListSelect
              list={list}
              name="overdue"
              label={messages.due}
              options={[
                ['', messages.everyDate],
                ['yes', messages.onlyOverdue],
              ]}
            />
            <ListSelect
              list={list}
              name="mine"
              label={messages.owner}
              options={[
                ['', messages.every],
                ['yes', messages.onlyMine],
              ]}
            />
            <ListSelect
              list={list}
              name="item"
              label={messages.item}
              options={[['', messages.everyItem], ...ITEMS.map((item) => [item, text.plans.item[item]] as const)]}
            />
          </>
        }
        screen="tokens"
        bulk={bulk}
        actions={(row) =>
          row.state === 'open' ? (
            <>
              <IconButton
                size="sm"
                label={row.owner ? messages.release(nameOf(row)) : messages.take(nameOf(row))}
                aria-pressed={row.owner !== null}
                onClick={() => assign(row)}
              >
                <Hand aria-hidden="true" />
              </IconButton>
              {row.item === 'spotlightWeek' && !isRunning(row) ? (
                <IconButton
                  size="sm"
                  label={messages.placeOf(nameOf(row))}
                  onClick={() => setRequested({ what: 'place', row })}
                >
                  <Megaphone aria-hidden="true" />
                </IconButton>
              ) : null}
              <IconButton
                size="sm"
                label={messages.deliverOf(nameOf(row))}
                onClick={() => setRequested({ what: 'deliver', row })}
              >
                <Check aria-hidden="true" />
              </IconButton>
              <IconButton
                size="sm"
                label={messages.withdrawOf(nameOf(row))}
                onClick={() => setRequested({ what: 'withdraw', row })}
              >
                <CircleX aria-hidden="true" />
              </IconButton>
            </>
          ) : null
        }
      />
      {report}
      {requested?.what === 'deliver' ? (
        <DeliverForm
          row={requested.row}
          name={nameOf(requested.row)}
          picker={picker}
          onClose={() => setRequested(null)}
        />
      ) : null}
      {requested?.what === 'place' ? (
        <PlaceForm row={requested.row} name={nameOf(requested.row)} onClose={() => setRequested(null)} />
      ) : null}
      {requested?.what === 'withdraw' ? (
        <WithdrawForm row={requested.row} name={nameOf(requested.row)} onClose={() => setRequested(null)} />
      ) : null}
    </>
  );
}

const isRunning = ({ place }: AdminDeliverable): boolean => place !== null && place.endedAt === null;

function useAssign() {
  const messages = useText(adminDeliverablesTexts).deliverables;
  const refusal = useRefusal();
  const queries = useQueryClient();
  const withNotices = notifyAndRefresh(() => queries.invalidateQueries({ queryKey: rpc.admin.deliverables.key() }));
  const undo = useUndo();
  const back = useMutation({
    mutationFn: ({ id, version }: AdminDeliverable) =>
      client.admin.deliverables.assign({ id, version, owner: 'before' }),
    ...withNotices({ title: messages.taken }, (error: unknown) => ({
      title: messages.assignFailed,
      text: refusal(error),
    })),
  });
  const assign = useMutation({
    mutationFn: ({ id, version, owner }: AdminDeliverable) =>
      client.admin.deliverables.assign({ id, version, owner: owner ? 'nobody' : 'me' }),
    ...withNotices(
      (after: AdminDeliverable) => ({ title: messages.taken, ...undo(() => back.mutate(after)) }),
      (error: unknown) => ({ title: messages.assignFailed, text: refusal(error) }),
    ),
  });
  return (row: AdminDeliverable) => {
    // A second press before the list is read again would meet a conflict with the first.
    if (!assign.isPending || assign.variables?.id !== row.id) assign.mutate(row);
  };
}

/** Assigns several to the current user, or unassigns them. */
function useAssigning(nameOf: (row: AdminDeliverable) => string) {
  const messages = useText(adminDeliverablesTexts).deliverables;
  const queries = useQueryClient();
  return useSeenBulk<AdminDeliverable, 'me' | 'nobody' | 'before'>({
    choices: [
      { to: 'me', label: messages.takeAll, done: { title: messages.taken } },
      { to: 'nobody', label: messages.releaseAll, done: { title: messages.taken } },
    ],
    // Undo returns each to its previous owner, also to a colleague.
    back: 'before',
    work: (records, owner) => client.admin.deliverables.assignMany({ records, owner }),
    failed: messages.assignFailed,
    nameOf,
    refresh: () => queries.invalidateQueries({ queryKey: rpc.admin.deliverables.key() }),
    screen: 'tokens',
  });
}

function useColumns(): Column<AdminDeliverable>[] {
  const text = useText(adminDeliverablesTexts, plansTexts);
  const messages = text.deliverables;
  const locale = useLocale();
  return [
    {
      key: 'item',
      header: messages.item,
      lead: true,
      cell: (row) => (
        <span className="grid">
          <span>{text.plans.item[row.item]}</span>
          <span className="text-sm text-quiet">{text.plans.name[row.plan]}</span>
        </span>
      ),
    },
    {
      key: 'order',
      header: messages.order,
      cell: (row) => (
        <span className="grid">
          <span className="figures">{row.orderId}</span>
          <span className="admin-whole text-sm text-quiet">{row.tokenName}</span>
          {row.simulation ? <span className="text-sm text-quiet">{messages.simulation}</span> : null}
        </span>
      ),
    },
    {
      key: 'due',
      header: messages.due,
      sort: 'dueAt',
      cell: ({ dueAt, overdue }) => (
        <span className="flex flex-wrap gap-1.5">
          {dueAt ? <time dateTime={dueAt}>{day(dueAt, locale)}</time> : '—'}
          {overdue ? <Badge tone="coral">{messages.overdue}</Badge> : null}
        </span>
      ),
    },
    { key: 'owner', collapsible: true, header: messages.owner, cell: ({ owner }) => owner?.name ?? messages.nobody },
    {
      key: 'state',
      header: messages.state,
      cell: ({ state, refund, place }) => (
        <span className="flex flex-wrap gap-1.5">
          <Badge tone={TONES[state]}>{messages.states[state]}</Badge>
          {place && place.endedAt === null ? (
            <span className="text-sm">{messages.placeUntil(day(place.endsAt, locale))}</span>
          ) : null}
          {place?.endedAt && place.endCause === 'interrupted' ? (
            <span className="text-sm text-coral-text">{messages.placeInterrupted(day(place.endedAt, locale))}</span>
          ) : null}
          {refund ? <span className="figures text-sm">{refund}</span> : null}
        </span>
      ),
    },
    {
      key: 'evidence',
      collapsible: true,
      header: messages.evidence,
      cell: ({ evidence, withdrawnReason }) => (
        <span className="admin-whole">{evidence ?? withdrawnReason ?? '—'}</span>
      ),
    },
  ];
}
