import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { amountsInCoins } from '#app/lib/format/coins.ts';
import { cents, integer } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminMoneyTexts } from '#app/lib/messages/admin/money.ts';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { MoneyRow } from '#contract/admin/money.ts';
import { PLANS } from '#contract/limits.ts';
import { AdminTable, type Column } from '../kit/list/AdminTable.tsx';
import { ListSelect } from '../kit/list/filters.tsx';
import { tableText } from '../kit/list/table-text.ts';
import type { AdminList } from '../kit/list/useAdminList.ts';
import { usePlanName } from '../kit/plan-name.ts';
import { useRights } from '../kit/rights.tsx';
import { networksQuery, useNetworkNames } from '../networks/names.ts';

const PLAN_NAMES = Object.keys(PLANS) as (keyof typeof PLANS)[];

/** Sums of the money ledger by month, plan and network. */
export function MoneyPanel({ list }: { list: AdminList<MoneyRow> }) {
  const messages = useText(adminMoneyTexts).money;
  const planName = usePlanName();
  const locale = useLocale();
  const href = useHref();
  const { may } = useRights();
  const { on } = useText(coinsTexts).coins;
  const networkName = useNetworkNames();
  const networks = useQuery({ ...networksQuery(), enabled: may('networks.list') });
  const planOf = ({ plan }: MoneyRow) => (plan ? planName(plan) : messages.noPlan);
  const dollars = (name: 'expected' | 'received' | 'short' | 'refunded'): Column<MoneyRow> => ({
    key: name,
    ...(name === 'short' || name === 'refunded' ? { collapsible: true } : {}),
    header: messages[name],
    align: 'end',
    cell: (row) => <span className="figures whitespace-nowrap">{cents(row[`${name}Cents`] / 100, locale)} USD</span>,
  });
  const coins = (name: 'fees' | 'unplaced'): Column<MoneyRow> => ({
    key: name,
    header: messages[name],
    collapsible: 'line',
    cell: (row) => {
      const amounts = amountsInCoins(row[name], locale, on);
      return (
        <span className="figures admin-wrapping text-sm">
          {amounts && name === 'unplaced' && may('unplaced.list') ? (
            <Link to={href('/admin/token-creation')} className="link">
              {amounts}
            </Link>
          ) : (
            amounts || '—'
          )}
        </span>
      );
    },
  });
  const count = (name: 'overdue' | 'differences'): Column<MoneyRow> => ({
    key: name,
    collapsible: 'line',
    header: messages[name],
    align: 'end',
    cell: (row) =>
      row[name] === 0 ? <span className="figures">0</span> : <Badge tone="coral">{integer(row[name], locale)}</Badge>,
  });
  const columns: Column<MoneyRow>[] = [
    {
      key: 'month',
      header: messages.month,
      sort: 'month',
      lead: true,
      cell: (row) => (
        <span className="grid">
          <span className="figures">{row.month}</span>
          {row.simulation ? <span className="text-sm text-quiet">{messages.simulation}</span> : null}
        </span>
      ),
    },
    { key: 'plan', header: messages.plan, cell: (row) => <span className="admin-word">{planOf(row)}</span> },
    {
      key: 'network',
      header: messages.network,
      cell: ({ network }) => <span className="admin-word">{network ? networkName(network) : '—'}</span>,
    },
    dollars('expected'),
    dollars('received'),
    dollars('short'),
    dollars('refunded'),
    coins('fees'),
    coins('unplaced'),
    count('overdue'),
    count('differences'),
  ];
  return (
    <AdminTable
      {...tableText(messages)}
      list={list}
      columns={columns}
      nameOf={(row) => `${row.month} ${planOf(row)}`}
      filters={
        <>
          <ListSelect
            list={list}
            name="plan"
            label={messages.plan}
            options={[['', messages.allPlans], ...PLAN_NAMES.map((plan) => [plan, planName(plan)] as const)]}
          />
          <ListSelect
            list={list}
            name="network"
            label={messages.network}
            options={[
              ['', messages.allNetworks],
              ...(networks.data?.rows ?? []).map(({ key, name }) => [key, name] as const),
            ]}
          />
          <ListSelect
            list={list}
            name="simulation"
            label={messages.simulation}
            options={[
              ['', messages.realAndSimulated],
              ['no', messages.onlyReal],
              ['yes', messages.onlySimulated],
            ]}
          />
        </>
      }
      screen="tokens"
    />
  );
}
