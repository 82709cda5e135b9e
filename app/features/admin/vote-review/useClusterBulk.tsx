import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminVoteReviewTexts } from '#app/lib/messages/admin/vote-review.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import type { VoteCluster } from '#contract/admin/vote-review.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { useActions } from '../people/useActions.tsx';
import { nameOf } from './cluster-name.ts';

type Decision = 'release' | 'void';
interface Question {
  decision: Decision;
  rows: { id: string; name: string }[];
  clear: () => void;
}

/** One decision about several clusters, for one reason; its report offers an undo. */
export function useClusterBulk(): {
  bulk: (selected: VoteCluster[], clear: () => void) => ReactNode;
  dialogs: ReactNode;
} {
  const messages = useText(adminVoteReviewTexts).voteReview;
  const queries = useQueryClient();
  const [question, setQuestion] = useState<Question | null>(null);
  const { runBulk, report } = useActions('votes', () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: rpc.admin.voteReview.key() }),
      queries.invalidateQueries({ queryKey: rpc.admin.clusterVotes.key() }),
      queries.invalidateQueries({ queryKey: rpc.admin.inbox.key() }),
    ]),
  );
  const undo = (rows: Question['rows']) =>
    runBulk({
      rows,
      work: (ids) => client.admin.voteReview.decideMany({ ids, decision: 'undo' }),
      done: { title: messages.bulk.undone },
      failed: messages.toast.failed,
    });
  const decide = ({ decision, rows }: Question, reason: string) =>
    runBulk({
      rows,
      work: (ids) => client.admin.voteReview.decideMany({ ids, decision, reason }),
      done: { title: messages.bulk.decided },
      undo: (ids) => undo(rows.filter(({ id }) => ids.includes(id))),
      failed: messages.toast.failed,
    });
  return {
    bulk: (selected, clear) =>
      (['release', 'void'] as const).map((decision) => (
        <Button
          key={decision}
          size="sm"
          onClick={() =>
            setQuestion({ decision, clear, rows: selected.map((one) => ({ id: one.id, name: nameOf(one, messages) })) })
          }
        >
          {messages.bulk[decision]}
        </Button>
      )),
    dialogs: (
      <>
        <ConfirmDialog
          open={question !== null}
          onClose={() => setQuestion(null)}
          title={question?.decision === 'void' ? messages.voidTitle : messages.releaseTitle}
          question={question ? messages.bulk.question(question.rows.length) : null}
          text={question?.decision === 'void' ? messages.voidText : messages.releaseText}
          confirmLabel={question?.decision === 'void' ? messages.void : messages.release}
          busyLabel={question?.decision === 'void' ? messages.voiding : messages.releasing}
          harmless={question?.decision === 'release'}
          reason={question?.decision === 'void' ? 'required' : 'optional'}
          onConfirm={async (reason) => {
            if (!question) return;
            await decide(question, reason);
            question.clear();
          }}
        />
        {report}
      </>
    ),
  };
}
