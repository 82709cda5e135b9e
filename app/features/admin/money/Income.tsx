import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { cents, day, integer } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminMoneyTexts } from '#app/lib/messages/admin/money.ts';
import { adminReportsTexts } from '#app/lib/messages/admin/reports.ts';
import type { IncomeRow, LaunchIncomeRow } from '#contract/admin/money.ts';
import { usePlanName } from '../kit/plan-name.ts';
import { useNetworkNames } from '../networks/names.ts';
import { Report } from '../reports/Report.tsx';

/** All weeks that there are, of real and of simulated money. */
const WEEKS = { size: 100 };
/** Tokens on the screen; the file has all of them. */
const NEWEST = '-createdAt';
const TOKENS = { size: 50, sort: NEWEST } as const;

const SUMS = ['received', 'refunded', 'net'] as const;

/** Columns with the money of a row. */
function useSums() {
  const messages = useText(adminMoneyTexts).money;
  const locale = useLocale();
  return SUMS.map(
    (name) =>
      [
        messages[name],
        (row: IncomeRow | LaunchIncomeRow) => `${cents(row[`${name}Cents`] / 100, locale)} USD`,
      ] as const,
  );
}

function Simulated({ row }: { row: { simulation: boolean } }) {
  const messages = useText(adminMoneyTexts).money;
  return row.simulation ? <span className="block text-sm font-normal text-quiet">{messages.simulation}</span> : null;
}

/** Income by week, and by token. */
export function Income() {
  return (
    <div className="mt-6 grid grid-cols-1 gap-4">
      <Weeks />
      <Tokens />
    </div>
  );
}

function Weeks() {
  const text = useText(adminMoneyTexts, adminReportsTexts);
  const messages = text.money.weeks;
  const locale = useLocale();
  const query = useQuery(rpc.admin.income.list.queryOptions({ input: WEEKS }));
  return (
    <Report<IncomeRow>
      title={messages.title}
      text={messages.text}
      file="income"
      query={query}
      heading={text.reports.week}
      keyOf={({ id }) => id}
      head={(row) => (
        <>
          {day(`${row.week}T00:00:00Z`, locale)}
          <Simulated row={row} />
        </>
      )}
      columns={[[messages.orders, ({ orders }) => integer(orders, locale)], ...useSums()]}
    />
  );
}

function Tokens() {
  const { money } = useText(adminMoneyTexts);
  const messages = money.tokens;
  const locale = useLocale();
  const planName = usePlanName();
  const networkName = useNetworkNames();
  const query = useQuery(rpc.admin.launchIncome.list.queryOptions({ input: TOKENS }));
  return (
    <Report<LaunchIncomeRow>
      title={messages.title}
      text={messages.text}
      file="launch-income"
      sort={NEWEST}
      query={query}
      heading={messages.token}
      empty={messages.empty}
      keyOf={({ id }) => id}
      head={(row) => (
        <>
          {row.tokenName || row.tokenSymbol || '—'}
          <Simulated row={row} />
        </>
      )}
      columns={[
        [messages.begun, ({ createdAt }) => day(createdAt, locale)],
        [money.plan, ({ plan }) => planName(plan), 'text'],
        [money.network, ({ network }) => (network ? networkName(network) : '—'), 'text'],
        [messages.delivered, ({ delivered }) => (delivered ? messages.yes : messages.no), 'text'],
        ...useSums(),
      ]}
    />
  );
}
