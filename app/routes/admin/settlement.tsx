import { ListScreen } from '#app/features/admin/kit/list/ListScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import { DifferencesPanel } from '#app/features/admin/settlement/DifferencesPanel.tsx';
import { SettlementRuns } from '#app/features/admin/settlement/SettlementRuns.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminMoneyTexts } from '#app/lib/messages/admin/money.ts';

/** /admin/settlement */
export default function SettlementPage() {
  const messages = useText(adminMoneyTexts).settlement;
  const list = useAdminList({
    procedure: rpc.admin.settlement.list,
    csv: 'settlement',
    csvForPeople: true,
    sort: '-foundAt',
    filters: { state: '' },
  });
  return (
    <ListScreen list={list} messages={messages} lead={messages.lead}>
      <SettlementRuns />
      <DifferencesPanel list={list} />
    </ListScreen>
  );
}
