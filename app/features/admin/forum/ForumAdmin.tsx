import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { adminForumTexts } from '#app/lib/messages/admin/forum.ts';
import type { ModeratedText } from '#contract/admin/forum.ts';
import { TIMING } from '#contract/limits.ts';
import { LoadError } from '../kit/LoadError.tsx';
import type { AdminList } from '../kit/list/useAdminList.ts';
import { IfAllowed, useRights } from '../kit/rights.tsx';
import { PendingPanel } from '../moderators/ModeratorRequests.tsx';
import { Figures } from '../people/Figures.tsx';
import { DebugPanel } from './DebugPanel.tsx';
import { Moderation } from './Moderation.tsx';

/** Administration of the forum: statistics, requests to become a moderator, moderation, and raw tables. */
export function ForumAdmin({ list }: { list: AdminList<ModeratedText> }) {
  const messages = useText(adminForumTexts).forumAdmin;
  const href = useHref();
  const { may } = useRights();
  const stats = useQuery(rpc.admin.forum.stats.queryOptions({ refetchInterval: TIMING.dashboardRefresh }));
  const { data } = stats;
  return (
    <>
      {stats.isError && !data ? (
        <LoadError what={messages.failed} of={stats} className="admin-panel admin-note" />
      ) : null}
      <Figures
        figures={[
          { key: 'users', label: messages.stats.users, value: data?.totalUsers },
          { key: 'posts', label: messages.stats.posts, value: data?.totalPosts },
          { key: 'moderators', label: messages.stats.moderators, value: data?.totalModerators },
          {
            key: 'pending',
            label: messages.stats.pending,
            value: data?.pendingModeratorRequests,
            ...(may('moderatorRequests.list') ? { to: '/admin/moderator-requests' } : {}),
          },
          // This is only a link to that screen.
          ...(may('roles.list')
            ? [{ key: 'roles', label: messages.stats.roles, value: messages.stats.rolesValue, to: '/admin/users' }]
            : []),
        ]}
      />
      <IfAllowed call="moderatorRequests.list">
        <PendingPanel />
      </IfAllowed>
      <IfAllowed call="inbox.list">
        <p>
          <Link to={href('/admin/inbox?source=appeal')} className="link inline-flex min-h-11 items-center">
            {messages.appeals}
          </Link>
        </p>
      </IfAllowed>
      <Moderation list={list} />
      <DebugPanel />
    </>
  );
}
