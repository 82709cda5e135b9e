import { ListScreen } from '#app/features/admin/kit/list/ListScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import { ClustersPanel } from '#app/features/admin/vote-review/ClustersPanel.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminVoteReviewTexts } from '#app/lib/messages/admin/vote-review.ts';
import { TIMING } from '#contract/limits.ts';

/** /admin/vote-review */
export default function VoteReviewPage() {
  const messages = useText(adminVoteReviewTexts).voteReview;
  const list = useAdminList({
    procedure: rpc.admin.voteReview.list,
    csv: 'vote-review',
    sort: '-foundAt',
    filters: { signal: 'all', state: 'open', id: '' },
    refetchInterval: TIMING.dashboardRefresh,
  });
  return (
    <ListScreen list={list} messages={messages} lead={messages.lead}>
      <ClustersPanel list={list} />
    </ListScreen>
  );
}
