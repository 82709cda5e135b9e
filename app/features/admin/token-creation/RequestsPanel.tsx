import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { rpc } from '#app/lib/api/rpc.ts';
import { cents, coins } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminClosingTexts } from '#app/lib/messages/admin/token-creation/close-part.ts';
import { adminTokenTexts } from '#app/lib/messages/admin/token-creation.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Checkbox } from '#app/ui/controls/Field.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { AdminTokenRequestRow } from '#contract/admin/token-requests.ts';
import { PLANS, TIMING } from '#contract/limits.ts';
import { AdminTable, type Column } from '../kit/list/AdminTable.tsx';
import { ListSelect } from '../kit/list/filters.tsx';
import { type AdminList, useAdminList } from '../kit/list/useAdminList.ts';
import { usePlanName } from '../kit/plan-name.ts';
import { networksQuery, useNetworkNames } from '../networks/names.ts';
import { PersonLink } from '../people/PersonLink.tsx';
import { STAGE_TONES, usd } from './money.ts';

type Row = AdminTokenRequestRow;

const STATUS: Record<Row['status'], Tone> = { completed: 'mint', pending_payment: 'lead', incomplete: 'neutral' };

interface RequestsPanelProps {
  onView: (id: string) => void;
}

/** Requests of the wizard: the token, its requester, and the state of the payment. */
export function RequestsPanel({ onView }: RequestsPanelProps) {
  const text = useText(adminTokenTexts).tokenAdmin.requests;
  const list = useAdminList({
    procedure: rpc.admin.tokenRequests.list,
    csv: 'token-requests',
    csvForPeople: true,
    sort: '-createdAt',
    // `paymentStatus` is no longer offered; links and named filters with it still filter the list.
    filters: { status: '', paymentStatus: '', paymentStage: '', plan: '', network: '', attention: '' },
    refetchInterval: TIMING.dashboardRefresh,
  });
  const nameOf = (row: Row) => row.tokenName || text.unnamed;
  const columns = useColumns();
  return (
    <AdminTable
      list={list}
      columns={columns}
      caption={text.caption}
      nameOf={nameOf}
      searchLabel={text.searchLabel}
      filters={<Filters list={list} />}
      loading={text.loading}
      empty={{ title: text.empty, text: text.emptyText }}
      failed={text.failed}
      screen="tokens"
      actions={(row) => (
        <Button size="sm" aria-label={text.viewOf(nameOf(row))} onClick={() => onView(row.id)}>
          {text.view}
        </Button>
      )}
    />
  );
}

function useColumns(): Column<Row>[] {
  const messages = useText(adminTokenTexts).tokenAdmin;
  const text = messages.requests;
  const { closing } = useText(adminClosingTexts);
  const locale = useLocale();
  const networkName = useNetworkNames();
  const planName = usePlanName();
  return [
    {
      key: 'token',
      header: text.token,
      lead: true,
      cell: (row) => (
        <span className="admin-two">
          <span className="admin-whole">
            {row.tokenName || text.unnamed}{' '}
            {row.tokenSymbol ? <span className="figures text-quiet">{row.tokenSymbol}</span> : null}
          </span>
          {row.orderId ? <span className="figures text-sm text-quiet">{row.orderId}</span> : null}
        </span>
      ),
    },
    {
      key: 'plan',
      header: text.plan,
      collapsible: 'wide',
      sort: 'plan',
      cell: ({ plan }) => <span className="whitespace-nowrap">{planName(plan).toLocaleUpperCase(locale)}</span>,
    },
    {
      key: 'network',
      collapsible: 'wide',
      header: text.network,
      cell: ({ network }) => <span className="whitespace-nowrap">{network ? networkName(network) : text.none}</span>,
    },
    {
      key: 'wallet',
      collapsible: 'wide',
      header: text.wallet,
      cell: ({ ownerWallet }) =>
        ownerWallet ? (
          <span className="figures text-sm" title={ownerWallet}>
            <span className="visually-hidden">{ownerWallet}</span>
            <span aria-hidden="true" className="admin-two whitespace-nowrap">
              <span>{ownerWallet.slice(0, 8)}…</span>
              <span>{ownerWallet.slice(-8)}</span>
            </span>
          </span>
        ) : (
          text.none
        ),
    },
    {
      key: 'contact',
      collapsible: 'wide',
      header: text.contact,
      cell: ({ email, memberId, telegram }) => (
        <span className="admin-two">
          <span className="admin-whole">
            <PersonLink id={memberId} mailbox={email}>
              {email || text.none}
            </PersonLink>
          </span>
          {telegram ? <span className="admin-whole text-sm text-quiet">{telegram}</span> : null}
        </span>
      ),
    },
    {
      key: 'price',
      header: text.price,
      sort: 'priceUsd',
      cell: ({ priceUsd, priceSol }) => (
        <span className="figures grid whitespace-nowrap">
          {text.usd(cents(priceUsd, locale))}
          {priceSol === null ? null : <span className="text-sm text-quiet">{text.sol(coins(priceSol, locale))}</span>}
        </span>
      ),
    },
    {
      key: 'status',
      header: text.status,
      sort: 'status',
      cell: ({ status, closedAs }) => (
        <span className="grid justify-items-start gap-1">
          <Badge tone={STATUS[status]}>{messages.status[status]}</Badge>
          {closedAs ? <Badge tone="neutral">{closing.kinds[closedAs]}</Badge> : null}
        </span>
      ),
    },
    {
      key: 'payment',
      header: text.payment,
      sort: 'paymentStatus',
      cell: (row) => (
        <span className="grid gap-1">
          <span className="flex flex-wrap items-center gap-1.5">
            <MoneyBadge row={row} />
            {row.attention && row.paymentStage !== 'part_paid' ? (
              <span className="text-coral-text" title={text.attention}>
                <TriangleAlert aria-hidden="true" className="size-4" />
                <span className="visually-hidden">{text.attention}</span>
              </span>
            ) : null}
          </span>
          <Amounts row={row} />
        </span>
      ),
    },
    {
      key: 'date',
      collapsible: true,
      header: text.date,
      sort: 'createdAt',
      cell: ({ createdAt }) => <When iso={createdAt} />,
    },
  ];
}

function MoneyBadge({ row }: { row: Row }) {
  const messages = useText(adminTokenTexts).tokenAdmin;
  return <Badge tone={STAGE_TONES[row.paymentStage]}>{messages.stages[row.paymentStage]}</Badge>;
}

/** Received, missing and returned amounts of an order that is neither simply paid nor open, and who accepted a part as enough. */
function Amounts({ row }: { row: Row }) {
  const messages = useText(adminTokenTexts).tokenAdmin;
  const locale = useLocale();
  const { orderedUsd, missingUsd, returned, acceptedBy, acceptedAt } = row;
  // What the provider returned does not count as received any more.
  const receivedUsd = returned?.receivedUsd ?? row.receivedUsd;
  if (orderedUsd === null || receivedUsd === null || missingUsd === null) return null;
  if (!acceptedAt && !returned && !(missingUsd > 0 && receivedUsd > 0)) return null;
  return (
    <span className="figures admin-wrapping grid text-sm">
      <span>{messages.detail.received(usd(receivedUsd, locale), usd(orderedUsd, locale))}</span>
      {returned ? (
        <span>{messages.detail.returned(usd(returned.returnedUsd, locale), usd(returned.remainingUsd, locale))}</span>
      ) : null}
      {missingUsd > 0 ? <span>{messages.missing(usd(missingUsd, locale))}</span> : null}
      {acceptedAt ? (
        <span className="wrap-anywhere text-quiet">{messages.acceptedBy(acceptedBy ?? messages.detail.someone)}</span>
      ) : null}
    </span>
  );
}

function Filters({ list }: { list: AdminList<Row> }) {
  const messages = useText(adminTokenTexts).tokenAdmin;
  const text = messages.requests;
  const networks = useQuery(networksQuery());
  const planName = usePlanName();
  const choice = (name: string, label: string, all: string, options: [value: string, label: string][]) => (
    <ListSelect list={list} name={name} label={label} options={[['', all], ...options]} />
  );
  return (
    <>
      {choice('status', text.status, text.allStatuses, Object.entries(messages.status))}
      {choice('paymentStage', text.payment, text.allPayments, Object.entries(messages.stages))}
      {choice(
        'plan',
        text.plan,
        text.allPlans,
        Object.keys(PLANS).map((plan) => [plan, planName(plan)]),
      )}
      {choice(
        'network',
        text.network,
        text.allNetworks,
        (networks.data?.rows ?? []).map(({ key, name }) => [key, name]),
      )}
      <Checkbox
        className="self-center"
        label={text.onlyAttention}
        checked={list.filter['attention'] === 'yes'}
        onChange={(event) => list.set({ attention: event.target.checked ? 'yes' : '' })}
      />
    </>
  );
}
