import { useState } from 'react';
import { client } from '#app/lib/api/rpc.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminUsersTexts } from '#app/lib/messages/admin/users.ts';
import { Field, Select } from '#app/ui/controls/Field.tsx';
import type { AdminUser } from '#contract/admin/users.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { useStepUp } from '../kit/StepUp.tsx';
import { useActions } from '../people/useActions.tsx';

export type UserAction = 'confirm' | 'promote' | 'ban' | 'unban' | 'revokeSessions' | 'resetPassword' | 'remove';
export interface RequestedAction {
  action: UserAction;
  rows: AdminUser[];
  /** Clears the selection. */
  clear?: (() => void) | undefined;
}

const DAYS = ['1', '7', '30', 'none'] as const;
const DEFAULT_DAYS = '7';
const HARMLESS: UserAction[] = ['confirm', 'promote', 'unban', 'resetPassword'];
/** Actions whose reason goes into the audit log. */
const WITH_REASON: UserAction[] = ['ban', 'remove'];

/** The confirmation before an action on accounts, and its outcome. */
export function UserActions({ requested, onClose }: { requested: RequestedAction | null; onClose: () => void }) {
  const messages = useText(adminUsersTexts).users;
  const locale = useLocale();
  const withProof = useStepUp();
  const { runBulk, report } = useActions();
  const [days, setDays] = useState<(typeof DAYS)[number]>(DEFAULT_DAYS);
  const action = requested?.action ?? 'confirm';
  const rows = requested?.rows ?? [];
  const { users } = client.admin;

  const calls: Record<UserAction, (ids: string[], reason: string) => ReturnType<typeof users.confirm>> = {
    confirm: (ids) => users.confirm({ ids }),
    promote: (ids) => withProof(() => users.promote({ ids })),
    ban: (ids, reason) => withProof(() => users.ban({ ids, days: days === 'none' ? null : Number(days), reason })),
    unban: (ids) => users.unban({ ids }),
    revokeSessions: (ids) => users.revokeSessions({ ids }),
    resetPassword: (ids) => users.resetPassword({ ids, locale }),
    remove: (ids, reason) => withProof(() => users.remove({ ids, reason })),
  };
  /** The undo of the action, for a ban and for a promotion; the questions of the others say that they have none. */
  function undoOf(rows: AdminUser[]): ((ids: string[]) => Promise<void>) | undefined {
    const undoOptions = (ids: string[]) => ({
      rows: rows.filter(({ id }) => ids.includes(id)).map(({ id, email }) => ({ id, name: email })),
      failed: messages.toast.undoFailed,
    });
    if (action === 'ban')
      return (done) =>
        runBulk({
          ...undoOptions(done),
          work: (ids) => users.unban({ ids, undo: true }),
          done: { title: messages.toast.banUndone },
        });
    if (action === 'promote')
      return (done) =>
        runBulk({
          ...undoOptions(done),
          work: (ids) =>
            withProof(() =>
              client.admin.roles.assignMany({
                changes: ids.map((id) => ({ id, to: 'user', seen: 'moderator' })),
                undo: true,
              }),
            ),
          done: { title: messages.toast.demote },
        });
    return undefined;
  }
  async function confirmed(reason: string): Promise<void> {
    if (!requested) return;
    const [first] = rows;
    await runBulk({
      rows: rows.map(({ id, email }) => ({ id, name: email })),
      work: (ids) => calls[action](ids, reason),
      done: {
        title: messages.toast[action],
        ...(action === 'confirm' && first ? { text: messages.toast.confirmText(first.email) } : {}),
      },
      undo: undoOf(rows),
      failed: messages.toast[`${action}Failed`],
    });
    requested.clear?.();
  }
  return (
    <>
      <ConfirmDialog
        open={requested !== null}
        onClose={() => {
          // The next ban begins with the default again.
          setDays(DEFAULT_DAYS);
          onClose();
        }}
        title={messages.questions[action](rows.length)}
        question={rows.length === 1 ? rows[0]?.email : undefined}
        text={messages.questions[`${action}Text`]}
        confirmLabel={action === 'confirm' ? messages.approve : messages[action]}
        busyLabel={messages.questions.doing}
        harmless={HARMLESS.includes(action)}
        {...(WITH_REASON.includes(action) ? { reason: 'required' as const } : {})}
        {...(action === 'remove' ? { typed: messages.questions.removeWord } : {})}
        onConfirm={confirmed}
      >
        {action === 'ban' ? (
          <Field label={messages.questions.banDays}>
            <Select value={days} onChange={(event) => setDays(event.target.value as (typeof DAYS)[number])}>
              {DAYS.map((one) => (
                <option key={one} value={one}>
                  {messages.questions.banChoices[one]}
                </option>
              ))}
            </Select>
          </Field>
        ) : null}
      </ConfirmDialog>
      {report}
    </>
  );
}
