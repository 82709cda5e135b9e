import { Link } from 'react-router';
import { ListScreen } from '#app/features/admin/kit/list/ListScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import { IfAllowed } from '#app/features/admin/kit/rights.tsx';
import { SubmissionsPanel } from '#app/features/admin/submissions/SubmissionsPanel.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { adminSubmissionsTexts } from '#app/lib/messages/admin/submissions.ts';
import { TIMING } from '#contract/limits.ts';

/** What the screen is for, with a link to the setting that opens and closes submissions. */
function SubmissionsLead() {
  const messages = useText(adminSubmissionsTexts).submissions;
  const href = useHref();
  return (
    <>
      {messages.lead}{' '}
      <IfAllowed call="settings.save">
        <Link to={href('/admin/settings#site')} className="link">
          {messages.whoMaySend}
        </Link>
      </IfAllowed>
    </>
  );
}

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
    <ListScreen list={list} messages={messages} lead={<SubmissionsLead />}>
      <SubmissionsPanel list={list} />
    </ListScreen>
  );
}
