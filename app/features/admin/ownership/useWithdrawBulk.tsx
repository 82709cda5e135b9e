import { type ReactNode, useState } from 'react';
import { client } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminOwnershipTexts } from '#app/lib/messages/admin/ownership.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import type { AdminProof } from '#contract/admin/ownership.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { useStepUp } from '../kit/StepUp.tsx';
import { useActions } from '../people/useActions.tsx';

/** Withdraws several proofs for one reason. There is no undo: an ended proof never becomes valid again, which the question says. */
export function useWithdrawBulk(refresh: () => Promise<unknown>): {
  bulk: (selected: AdminProof[], clear: () => void) => ReactNode;
  dialogs: ReactNode;
} {
  const messages = useText(adminOwnershipTexts).adminOwnership;
  const withProof = useStepUp();
  const [question, setQuestion] = useState<{ rows: { id: string; name: string }[]; clear: () => void } | null>(null);
  const { runBulk, report } = useActions('other', refresh);
  return {
    bulk: (selected, clear) => (
      <Button
        size="sm"
        onClick={() => setQuestion({ clear, rows: selected.map(({ id, tokenName }) => ({ id, name: tokenName })) })}
      >
        {messages.withdrawConfirm}
      </Button>
    ),
    dialogs: (
      <>
        <ConfirmDialog
          open={question !== null}
          onClose={() => setQuestion(null)}
          title={messages.withdrawMany(question?.rows.length ?? 0)}
          text={messages.withdrawText}
          confirmLabel={messages.withdrawConfirm}
          busyLabel={messages.withdrawBusy}
          reason="required"
          onConfirm={async (reason) => {
            if (!question) return;
            await runBulk({
              rows: question.rows,
              work: (ids) => withProof(() => client.admin.ownership.withdrawMany({ ids, reason })),
              done: { title: messages.toast.withdrawn },
              failed: messages.toast.withdrawFailed,
            });
            question.clear();
          }}
        />
        {report}
      </>
    ),
  };
}
