import { Link } from 'react-router';
import { ListScreen } from '#app/features/admin/kit/list/ListScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import { RoundsPanel } from '#app/features/admin/voting/RoundsPanel.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { adminVotingTexts } from '#app/lib/messages/admin/voting.ts';

/** /admin/votes/rounds */
export default function RoundsPage() {
  const { rounds: messages, round } = useText(adminVotingTexts).voting;
  const href = useHref();
  const list = useAdminList({ procedure: rpc.admin.rounds.list, csv: 'rounds', sort: '-number' });
  return (
    <ListScreen
      list={list}
      messages={messages}
      lead={
        <>
          {messages.lead}{' '}
          <Link to={href('/ledger')} className="link">
            {round.ledger}
          </Link>
        </>
      }
      back={{ to: '/admin/votes', label: messages.back }}
    >
      <RoundsPanel list={list} />
    </ListScreen>
  );
}
