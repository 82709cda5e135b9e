import { ListScreen } from '#app/features/admin/kit/list/ListScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import { ProofsPanel } from '#app/features/admin/ownership/ProofsPanel.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminOwnershipTexts } from '#app/lib/messages/admin/ownership.ts';

/** /admin/verified */
export default function VerifiedPage() {
  const messages = useText(adminOwnershipTexts).adminOwnership;
  const list = useAdminList({
    procedure: rpc.admin.ownership.list,
    csv: 'ownership',
    sort: '-startedAt',
    filters: { state: '' },
  });
  return (
    <ListScreen list={list} messages={messages} lead={messages.lead}>
      <ProofsPanel list={list} />
    </ListScreen>
  );
}
