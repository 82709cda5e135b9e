import { type ReactNode, useState } from 'react';
import { client } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminRolesTexts } from '#app/lib/messages/admin/roles.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import type { RoleRow } from '#contract/admin/roles.ts';
import type { Role } from '#contract/domains/auth.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { useStepUp } from '../kit/StepUp.tsx';
import { useActions } from '../people/useActions.tsx';

type Given = 'user' | 'moderator';
interface Row {
  id: string;
  name: string;
  role: Role;
}
interface Question {
  to: Given;
  rows: Row[];
  clear: () => void;
}

/** Several members become moderators, or users again; admins change one at a time, where the question names whom and what. */
export function useRoleBulk(nameOf: (row: RoleRow) => string): {
  bulk: (selected: RoleRow[], clear: () => void) => ReactNode;
  dialogs: ReactNode;
} {
  const messages = useText(adminRolesTexts).roles;
  const withProof = useStepUp();
  const { runBulk, report } = useActions();
  const [question, setQuestion] = useState<Question | null>(null);
  const run = (rows: Row[], to: (row: Row) => Given, seen: (row: Row) => Role, back: boolean): Promise<void> =>
    runBulk({
      rows,
      work: () =>
        withProof(() =>
          client.admin.roles.assignMany({
            changes: rows.map((row) => ({ id: row.id, to: to(row), seen: seen(row) })),
            undo: back,
          }),
        ),
      done: { title: messages.bulk.done },
      failed: messages.bulk.failed,
      undo: back
        ? undefined
        : (ids) =>
            run(
              rows.filter(({ id }) => ids.includes(id)),
              // Admins were refused: nothing of them is undone.
              ({ role }) => (role === 'moderator' ? 'moderator' : 'user'),
              to,
              true,
            ),
    });
  return {
    bulk: (selected, clear) =>
      (['moderator', 'user'] as const).map((to) => (
        <Button
          key={to}
          size="sm"
          onClick={() =>
            setQuestion({ to, clear, rows: selected.map((row) => ({ id: row.id, name: nameOf(row), role: row.role })) })
          }
        >
          {messages.bulk[to]}
        </Button>
      )),
    dialogs: (
      <>
        <ConfirmDialog
          open={question !== null}
          onClose={() => setQuestion(null)}
          title={question ? messages.bulk[question.to] : ''}
          question={question ? messages.bulk.members(question.rows.length) : null}
          text={messages.bulk.text}
          confirmLabel={messages.confirm}
          busyLabel={messages.confirming}
          harmless
          onConfirm={async () => {
            if (!question) return;
            const { to, rows, clear } = question;
            await run(
              rows,
              () => to,
              ({ role }) => role,
              false,
            );
            clear();
          }}
        />
        {report}
      </>
    ),
  };
}
