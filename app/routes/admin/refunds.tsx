import { ListScreen } from '#app/features/admin/kit/list/ListScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import { RefundsPanel } from '#app/features/admin/refunds/RefundsPanel.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminRefundsTexts } from '#app/lib/messages/admin/refunds.ts';

/** /admin/refunds */
export default function RefundsPage() {
  const messages = useText(adminRefundsTexts).adminRefunds;
  const list = useAdminList({
    procedure: rpc.admin.refunds.list,
    csv: 'refunds',
    csvForPeople: true,
    sort: '-createdAt',
    filters: { state: '' },
  });
  return (
    <ListScreen list={list} messages={messages} lead={messages.lead}>
      <RefundsPanel list={list} />
    </ListScreen>
  );
}
