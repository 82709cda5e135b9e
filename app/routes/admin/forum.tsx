import { ForumDesk } from '#app/features/admin/forum/ForumDesk.tsx';
import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/useAdminList.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminForumTexts } from '#app/lib/messages/admin/forum.ts';
import { TIMING } from '#contract/limits.ts';

/** /admin/forum */
export default function ForumDeskPage() {
  const words = useText(adminForumTexts).forumDesk;
  const list = useAdminList({
    procedure: rpc.admin.forum.list,
    csv: 'forum',
    sort: '-createdAt',
    filters: { what: 'post', shelf: 'all' },
    refetchInterval: TIMING.dashboardRefresh,
  });
  return (
    <AdminScreen title={words.heading} lead={words.lead}>
      <ForumDesk list={list} />
    </AdminScreen>
  );
}
