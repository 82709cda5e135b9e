import { Link } from 'react-router';
import { ListScreen } from '#app/features/admin/kit/list/ListScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import { MoneyPanel } from '#app/features/admin/money/MoneyPanel.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { adminMoneyTexts } from '#app/lib/messages/admin/money.ts';

/** /admin/money */
export default function MoneyPage() {
  const messages = useText(adminMoneyTexts).money;
  const href = useHref();
  const list = useAdminList({
    procedure: rpc.admin.money.list,
    csv: 'money',
    csvForPeople: true,
    sort: '-month',
    filters: { plan: '', simulation: '' },
  });
  return (
    <ListScreen
      list={list}
      messages={messages}
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
    </ListScreen>
  );
}
