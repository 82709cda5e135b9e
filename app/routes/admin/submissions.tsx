import { ListScreen } from '#app/features/admin/kit/list/ListScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import { SubmissionsPanel } from '#app/features/admin/submissions/SubmissionsPanel.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminSubmissionsTexts } from '#app/lib/messages/admin/submissions.ts';
import { TIMING } from '#contract/limits.ts';

/** /admin/submissions */
export default function SubmissionsPage() {
  const messages = useText(adminSubmissionsTexts).submissions;
  const list = useAdminList({
    procedure: rpc.admin.submissions.list,
    csv: 'submissions',
    sort: '-createdAt',
    filters: { status: '' },
    refetchInterval: TIMING.dashboardRefresh,
  });
  return (
    <ListScreen list={list} messages={messages} lead={messages.lead}>
      <SubmissionsPanel list={list} />
    </ListScreen>
  );
}
