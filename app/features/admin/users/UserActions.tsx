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
  act: UserAction;
  rows: AdminUser[];
  /** Forgets the selection. */
  clear?: (() => void) | undefined;
}

const DAYS = ['1', '7', '30', 'none'] as const;
const HARMLESS: UserAction[] = ['confirm', 'promote', 'unban', 'resetPassword'];
/** Of these the audit keeps why. */
const WITH_REASON: UserAction[] = ['ban', 'remove'];

/** The one question before an act on accounts, and what became of it. */
export function UserActions({ asked, onClose }: { asked: RequestedAction | null; onClose: () => void }) {
  const messages = useText(adminUsersTexts).users;
  const locale = useLocale();
  const withProof = useStepUp();
  const { act: run, report } = useActions();
  const [days, setDays] = useState<(typeof DAYS)[number]>('7');
  const act = asked?.act ?? 'confirm';
  const rows = asked?.rows ?? [];
  const { users } = client.admin;

  const works: Record<UserAction, (ids: string[], reason: string) => ReturnType<typeof users.confirm>> = {
    confirm: (ids) => users.confirm({ ids }),
    promote: (ids) => withProof(() => users.promote({ ids })),
    ban: (ids, reason) => withProof(() => users.ban({ ids, days: days === 'none' ? null : Number(days), reason })),
    unban: (ids) => users.unban({ ids }),
    revokeSessions: (ids) => users.revokeSessions({ ids }),
    resetPassword: (ids) => users.resetPassword({ ids, locale }),
    remove: (ids, reason) => withProof(() => users.remove({ ids, reason })),
  };
  /** What takes an act on one account back, where something does: a ban of an open account, and a promotion. */
  function undoOf(row: AdminUser): (() => Promise<void>) | undefined {
    const back = {
      rows: [{ id: row.id, name: row.email }],
      failed: messages.toast.undoFailed,
    };
    if (act === 'ban' && row.access === 'open')
      return () => run({ ...back, work: (ids) => users.unban({ ids }), done: { title: messages.toast.unban } });
    if (act === 'promote')
      return () =>
        run({
          ...back,
          work: async () => {
            await withProof(() => client.admin.roles.remove({ id: row.id, seen: 'moderator' }));
            return { results: [{ id: row.id, outcome: 'done', code: null }] };
          },
          done: { title: messages.toast.demote },
        });
    return undefined;
  }
  async function confirmed(reason: string): Promise<void> {
    if (!asked) return;
    const [first] = rows;
    await run({
      rows: rows.map(({ id, email }) => ({ id, name: email })),
      work: (ids) => works[act](ids, reason),
      done: {
        title: messages.toast[act],
        ...(act === 'confirm' && first ? { text: messages.toast.confirmText(first.email) } : {}),
      },
      ...(first && rows.length === 1 ? { undo: undoOf(first) } : {}),
      failed: messages.toast[`${act}Failed`],
    });
    asked.clear?.();
  }
  return (
    <>
      <ConfirmDialog
        open={asked !== null}
        onClose={onClose}
        title={messages.ask[act](rows.length)}
        question={rows.length === 1 ? rows[0]?.email : undefined}
        text={messages.ask[`${act}Text`]}
        confirmLabel={act === 'confirm' ? messages.approve : messages[act]}
        busyLabel={messages.ask.doing}
        harmless={HARMLESS.includes(act)}
        {...(WITH_REASON.includes(act) ? { reason: 'required' as const } : {})}
        {...(act === 'remove' ? { typed: messages.ask.removeWord } : {})}
        onConfirm={confirmed}
      >
        {act === 'ban' ? (
          <Field label={messages.ask.banDays}>
            <Select value={days} onChange={(event) => setDays(event.target.value as (typeof DAYS)[number])}>
              {DAYS.map((one) => (
                <option key={one} value={one}>
                  {messages.ask.banChoices[one]}
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
