import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleX, Send } from 'lucide-react';
import { useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { amountInCoin } from '#app/lib/format/coins.ts';
import { When } from '#app/lib/format/When.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminDeliverablesTexts } from '#app/lib/messages/admin/deliverables.ts';
import { adminRefundsTexts } from '#app/lib/messages/admin/refunds.ts';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { ButtonLink, IconButton } from '#app/ui/controls/Button.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { AdminRefund } from '#contract/admin/refunds.ts';
import { useRefusal } from '../deliverables/refusals.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { Cancelled } from '../kit/failures.ts';
import { useReopenedForm } from '../kit/forms/stored-forms.ts';
import { AdminTable, type Column } from '../kit/list/AdminTable.tsx';
import { ListSelect } from '../kit/list/filters.tsx';
import { tableText } from '../kit/list/table-text.ts';
import type { AdminList } from '../kit/list/useAdminList.ts';
import { useStepUp } from '../kit/StepUp.tsx';
import { Mailbox } from '../people/Mailbox.tsx';
import { PersonLink } from '../people/PersonLink.tsx';
import { SendRefund } from './SendRefund.tsx';

const TONES: Record<AdminRefund['state'], Tone> = {
  address_needed: 'neutral',
  address_unconfirmed: 'neutral',
  ready: 'lead',
  sent: 'mint',
  withdrawn: 'sky',
};
const STATES = Object.keys(TONES) as AdminRefund['state'][];
const isOpen = ({ state }: AdminRefund) => state !== 'sent' && state !== 'withdrawn';

/** Refunds: their address, and whether they were sent. */
export function RefundsPanel({ list }: { list: AdminList<AdminRefund> }) {
  const text = useText(adminDeliverablesTexts, adminRefundsTexts, coinsTexts);
  const messages = text.adminRefunds;
  const locale = useLocale();
  const href = useHref();
  const [requested, setRequested] = useState<{ what: 'send' | 'withdraw'; row: AdminRefund } | null>(null);
  useReopenedForm<AdminRefund>('sentRefund', (row) => row && setRequested({ what: 'send', row }));
  const withdraw = useWithdraw();
  const amountOf = ({ amount, asset }: AdminRefund) => amountInCoin(amount, asset, locale, text.coins.on);
  const columns: Column<AdminRefund>[] = [
    {
      key: 'number',
      header: messages.number,
      lead: true,
      cell: (row) => <Numbers row={row} />,
    },
    {
      key: 'amount',
      header: messages.amount,
      cell: (row) => (
        <span className="grid">
          <span className="figures">{amountOf(row)}</span>
          <span className="text-sm text-quiet">{messages.causes[row.cause]}</span>
        </span>
      ),
    },
    {
      key: 'address',
      collapsible: 'line',
      header: messages.address,
      cell: ({ address }) => <span className="figures text-sm wrap-anywhere">{address ?? '—'}</span>,
    },
    {
      key: 'state',
      header: messages.state,
      cell: (row) => <State row={row} />,
    },
    {
      key: 'transaction',
      collapsible: 'line',
      header: messages.transaction,
      cell: ({ transaction }) => <span className="admin-whole figures">{transaction ?? '—'}</span>,
    },
    { key: 'since', header: messages.since, sort: 'createdAt', cell: ({ openedAt }) => <When iso={openedAt} /> },
  ];
  return (
    <>
      <AdminTable
        {...tableText(messages)}
        empty={{
          title: messages.empty,
          text: messages.emptyText,
          action: (
            <ButtonLink to={href('/admin/token-creation')} size="sm">
              {messages.orders}
            </ButtonLink>
          ),
        }}
        list={list}
        columns={columns}
        nameOf={({ number }) => number}
        filters={
          <ListSelect
            list={list}
            name="state"
            label={messages.state}
            options={[['', messages.all], ...STATES.map((state) => [state, messages.states[state]] as const)]}
          />
        }
        screen="tokens"
        actions={(row) =>
          isOpen(row) ? (
            <>
              <IconButton
                size="sm"
                label={messages.sendOf(row.number)}
                onClick={() => setRequested({ what: 'send', row })}
              >
                <Send aria-hidden="true" />
              </IconButton>
              {row.claim ? null : (
                <IconButton
                  size="sm"
                  label={messages.withdrawOf(row.number)}
                  onClick={() => setRequested({ what: 'withdraw', row })}
                >
                  <CircleX aria-hidden="true" />
                </IconButton>
              )}
            </>
          ) : null
        }
      />
      {requested?.what === 'send' ? (
        <SendRefund row={requested.row} amountOf={amountOf} onClose={() => setRequested(null)} />
      ) : null}
      <ConfirmDialog
        open={requested?.what === 'withdraw'}
        onClose={() => setRequested(null)}
        title={messages.withdrawOf(requested?.row.number ?? '')}
        text={messages.withdrawText}
        confirmLabel={messages.withdrawConfirm}
        busyLabel={messages.withdrawBusy}
        reason="required"
        onConfirm={async (reason) => {
          if (requested) await withdraw.mutateAsync({ id: requested.row.id, version: requested.row.version, reason });
        }}
      />
    </>
  );
}

/** Numbers of the refund and of its order, and the payer. */
function Numbers({ row }: { row: AdminRefund }) {
  const messages = useText(adminDeliverablesTexts).deliverables;
  return (
    <span className="grid">
      <span className="figures">{row.number}</span>
      <span className="figures text-sm text-quiet">{row.orderId}</span>
      <span className="text-sm font-normal wrap-anywhere">
        <PersonLink id={row.memberId} mailbox={row.email}>
          <Mailbox email={row.email} />
        </PersonLink>
      </span>
      {row.simulation ? <span className="text-sm text-quiet">{messages.simulation}</span> : null}
    </span>
  );
}

function State({ row: { state, withdrawnCause, byProvider, claim, halted } }: { row: AdminRefund }) {
  const messages = useText(adminRefundsTexts).adminRefunds;
  return (
    <span className="grid justify-items-start gap-1">
      <Badge tone={halted ? 'coral' : TONES[state]}>{halted ? messages.claim.halted : messages.states[state]}</Badge>
      {claim ? (
        <span className="text-sm text-quiet wrap-anywhere">
          {claim.over ? messages.claim.unresolved : messages.claim.by(claim.by ?? messages.claim.nobody)}
        </span>
      ) : null}
      {withdrawnCause === 'returned' || byProvider ? (
        <span className="text-sm text-quiet">{messages.returned}</span>
      ) : null}
    </span>
  );
}

function useWithdraw() {
  const messages = useText(adminRefundsTexts).adminRefunds;
  const refusal = useRefusal();
  const queries = useQueryClient();
  const withProof = useStepUp();
  return useMutation({
    mutationFn: (input: { id: string; version: number; reason: string }) =>
      withProof(() => client.admin.refunds.withdraw(input)),
    onSuccess: () => notify.success({ title: messages.withdrawn }),
    onError: (error) => {
      if (!(error instanceof Cancelled)) notify.failed(error, { title: messages.withdrawFailed, text: refusal(error) });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: rpc.admin.key() }),
  });
}
