import { ListScreen } from '#app/features/admin/kit/list/ListScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import { NetworksPanel } from '#app/features/admin/networks/NetworksPanel.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminNetworksTexts } from '#app/lib/messages/admin/networks.ts';

/** /admin/networks */
export default function NetworksPage() {
  const messages = useText(adminNetworksTexts).networks;
  const list = useAdminList({
    procedure: rpc.admin.networks.list,
    csv: 'networks',
    sort: 'createdAt',
    filters: { shelf: 'live' },
  });
  return (
    <ListScreen list={list} messages={messages} lead={messages.lead}>
      <NetworksPanel list={list} />
    </ListScreen>
  );
}
