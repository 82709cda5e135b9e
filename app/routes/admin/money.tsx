import { Link } from 'react-router';
import { CsvLink } from '#app/features/admin/kit/list/CsvLink.tsx';
import { ListScreen } from '#app/features/admin/kit/list/ListScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import { Income } from '#app/features/admin/money/Income.tsx';
import { MoneyPanel } from '#app/features/admin/money/MoneyPanel.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminMoneyTexts } from '#app/lib/messages/admin/money.ts';
import { buttonClass } from '#app/ui/controls/button-class.ts';

/** /admin/money */
export default function MoneyPage() {
  const messages = useText(adminMoneyTexts).money;
  const href = useHref();
  const locale = useLocale();
  const list = useAdminList({
    procedure: rpc.admin.money.list,
    csv: 'money',
    csvForPeople: true,
    sort: '-month',
    filters: { plan: '', network: '', simulation: '' },
  });
  // The file is as narrow as the list.
  const { plan = '', network = '', simulation = '' } = list.filter;
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.test(list.q) ? list.q : '';
  const narrowed = Object.entries({ plan, network, simulation, month }).filter(([, value]) => value !== '');
  const payments = new URLSearchParams({ headings: locale, ...Object.fromEntries(narrowed) });
  return (
    <ListScreen
      list={list}
      messages={messages}
      actions={
        <CsvLink className={buttonClass({ size: 'sm' })} href={`/api/admin/payments.csv?${payments}`}>
          {messages.payments}
        </CsvLink>
      }
      lead={
        <>
          {messages.lead}{' '}
          <Link to={href('/admin/token-creation')} className="link">
            {messages.orders}
          </Link>
        </>
      }
    >
      <MoneyPanel list={list} />
      <Income />
    </ListScreen>
  );
}
