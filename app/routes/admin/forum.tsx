import { ForumAdmin } from '#app/features/admin/forum/ForumAdmin.tsx';
import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminForumTexts } from '#app/lib/messages/admin/forum.ts';
import { TIMING } from '#contract/limits.ts';

/** /admin/forum */
export default function ForumAdminPage() {
  const messages = useText(adminForumTexts).forumAdmin;
  const list = useAdminList({
    procedure: rpc.admin.forum.list,
    csv: 'forum',
    sort: '-createdAt',
    filters: { what: 'post', shelf: 'all' },
    refetchInterval: TIMING.dashboardRefresh,
  });
  return (
    <AdminScreen title={messages.heading} lead={messages.lead}>
      <ForumAdmin list={list} />
    </AdminScreen>
  );
}
