import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminSubmissionsTexts } from '#app/lib/messages/admin/submissions.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import type { AdminSubmissionRow } from '#contract/admin/submissions.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { useActions } from '../people/useActions.tsx';

type Status = AdminSubmissionRow['status'];
interface Row {
  id: string;
  version: number;
  name: string;
  status: Status;
}

/**
 * Marks several submissions as reviewed, or rejects them. Undo restores each former status; a mail that was sent is not revoked, which
 * the question before a rejection says.
 */
export function useSubmissionBulk(nameOf: (row: AdminSubmissionRow) => string): {
  bulk: (selected: AdminSubmissionRow[], clear: () => void) => ReactNode;
  dialogs: ReactNode;
} {
  const messages = useText(adminSubmissionsTexts).submissions;
  const queries = useQueryClient();
  const [rejected, setRejected] = useState<{ rows: Row[]; clear: () => void } | null>(null);
  const { runBulk, report } = useActions('other', () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: rpc.admin.submissions.key() }),
      queries.invalidateQueries({ queryKey: rpc.admin.inbox.key() }),
    ]),
  );
  const run = (rows: Row[], to: (row: Row) => Status, again: boolean): Promise<void> =>
    runBulk({
      rows,
      work: () =>
        client.admin.submissions.reviewMany({
          records: rows.map((row) => ({ id: row.id, version: row.version, status: to(row) })),
        }),
      done: { title: messages.bulk.done },
      failed: messages.bulk.failed,
      undo: again
        ? (ids) =>
            run(
              // The action raised the version by one.
              rows.filter(({ id }) => ids.includes(id)).map((row) => ({ ...row, version: row.version + 1 })),
              ({ status }) => status,
              false,
            )
        : undefined,
    });
  const rowsOf = (selected: AdminSubmissionRow[]): Row[] =>
    selected.map((row) => ({ id: row.id, version: row.version, status: row.status, name: nameOf(row) }));
  return {
    bulk: (selected, clear) => (
      <>
        <Button
          size="sm"
          // The mutation shows its own notice on failure.
          onClick={() => void run(rowsOf(selected), () => 'reviewed', true).then(clear, () => {})}
        >
          {messages.bulk.reviewed}
        </Button>
        <Button size="sm" onClick={() => setRejected({ rows: rowsOf(selected), clear })}>
          {messages.bulk.rejected}
        </Button>
      </>
    ),
    dialogs: (
      <>
        <ConfirmDialog
          open={rejected !== null}
          onClose={() => setRejected(null)}
          title={messages.bulk.rejectTitle}
          question={rejected ? messages.count(String(rejected.rows.length)) : null}
          text={messages.bulk.rejectText}
          confirmLabel={messages.bulk.rejected}
          busyLabel={messages.bulk.rejecting}
          onConfirm={async () => {
            if (!rejected) return;
            await run(rejected.rows, () => 'rejected', true);
            rejected.clear();
          }}
        />
        {report}
      </>
    ),
  };
}
