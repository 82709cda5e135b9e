import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ImageSlot } from '#app/features/admin/kit/forms/ImageField.tsx';
import { useReopenedForm } from '#app/features/admin/kit/forms/stored-forms.ts';
import { ListScreen } from '#app/features/admin/kit/list/ListScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import { CandidateForm } from '#app/features/admin/voting/CandidateForm.tsx';
import { CandidatesPanel } from '#app/features/admin/voting/CandidatesPanel.tsx';
import { RoundPanel } from '#app/features/admin/voting/RoundPanel.tsx';
import { useLiveVotes } from '#app/features/admin/voting/useLiveVotes.ts';
import { ImageUpload } from '#app/features/media/ImageUpload.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminVotingTexts } from '#app/lib/messages/admin/voting.ts';
import { Button } from '#app/ui/controls/Button.tsx';

const picker = (slot: ImageSlot) => <ImageUpload bucket="voting-candidate-images" {...slot} />;

/** /admin/votes */
export default function VotesPage() {
  const messages = useText(adminVotingTexts).voting;
  const [creating, setCreating] = useState(false);
  useReopenedForm('newCandidate', () => setCreating(true));
  useLiveVotes();
  const list = useAdminList({
    procedure: rpc.admin.candidates.list,
    csv: 'candidates',
    sort: 'orderIndex',
    filters: { shelf: 'live', status: 'all' },
  });
  return (
    <ListScreen
      list={list}
      messages={messages}
      lead={messages.lead}
      actions={
        <Button variant="primary" onClick={() => setCreating(true)}>
          <Plus aria-hidden="true" />
          {messages.create}
        </Button>
      }
    >
      <RoundPanel />
      <CandidatesPanel list={list} picker={picker} />
      {creating ? <CandidateForm picker={picker} onClose={() => setCreating(false)} /> : null}
    </ListScreen>
  );
}
