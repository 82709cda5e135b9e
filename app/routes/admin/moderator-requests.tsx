import { RotateCw } from 'lucide-react';
import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import { ModeratorRequests } from '#app/features/admin/moderators/ModeratorRequests.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminModeratorsTexts } from '#app/lib/messages/admin/moderators.ts';
import { adminPeopleTexts } from '#app/lib/messages/admin/people.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { TIMING } from '#contract/limits.ts';

/** /admin/moderator-requests */
export default function ModeratorRequestsPage() {
  const text = useText(adminModeratorsTexts, adminPeopleTexts);
  const messages = text.moderators;
  const list = useAdminList({
    procedure: rpc.admin.moderatorRequests.list,
    csv: 'moderator-requests',
    sort: 'requestedAt',
    filters: { status: 'pending' },
    refetchInterval: TIMING.moderatorPoll,
  });
  return (
    <AdminScreen
      title={messages.heading}
      back={{ to: '/admin/forum', label: messages.back }}
      {...(list.rows ? { count: list.count } : {})}
      actions={
        <Button
          onClick={() => {
            notify.success({ title: messages.toast.refreshing, text: messages.toast.refreshingText });
            list.refresh();
          }}
        >
          <RotateCw aria-hidden="true" />
          {text.people.refresh}
        </Button>
      }
    >
      <ModeratorRequests list={list} />
    </AdminScreen>
  );
}
