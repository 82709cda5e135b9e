import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { type TextOf, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { adminPeopleTexts } from '#app/lib/messages/admin/people.ts';
import { adminRolesTexts } from '#app/lib/messages/admin/roles.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Checkbox, Select } from '#app/ui/controls/Field.tsx';
import type { RoleRow } from '#contract/admin/roles.ts';
import type { Role } from '#contract/domains/auth.ts';
import { TIMING } from '#contract/limits.ts';
import { STAFF_ROLES, type StaffRole } from '#contract/staff.ts';
import { sessionQuery } from '../admin.queries.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { Cancelled, type Conflict, useAdminFailure } from '../kit/failures.ts';
import { useUndo } from '../kit/notices.ts';
import { useStepUp } from '../kit/StepUp.tsx';
import { useRefreshPeople } from '../people/useActions.tsx';

export const ROLES: Role[] = ['user', 'moderator', 'admin'];

/** A member whose role is changed, as the admin saw them. */
type Member = Pick<RoleRow, 'id' | 'username' | 'email' | 'emailVerified' | 'role' | 'staffRoles'>;
export const nameOf = ({ username, email }: Pick<RoleRow, 'username' | 'email'>): string => username ?? email;

export const roleCountsQuery = () =>
  rpc.admin.roles.counts.queryOptions({ staleTime: TIMING.roleFresh, refetchInterval: TIMING.rolesRefresh });

/** Rights of a user: the role, and of an admin the staff roles. */
export type Rights = Pick<RoleRow, 'role' | 'staffRoles'>;
export const alike = (some: Rights, others: Rights): boolean =>
  some.role === others.role &&
  some.staffRoles.length === others.staffRoles.length &&
  some.staffRoles.every((one) => others.staffRoles.includes(one));

/** 'Administrator: Editor, Finance'. */
export function useRightsInWords(): (rights: Rights) => string {
  const text = useText(adminRolesTexts, adminPeopleTexts, adminTexts);
  return ({ role, staffRoles }) =>
    staffRoles.length === 0
      ? text.people.roles[role]
      : text.roles.asStaff(
          text.people.roles[role],
          text.admin.closed.and(staffRoles.map((one) => text.admin.staffRoles[one])),
        );
}

/** Chooses one of the roles. */
export function RoleSelect({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const text = useText(adminPeopleTexts);
  return (
    <Select value={value} onChange={(event) => onChange(event.target.value as Role)}>
      {ROLES.map((role) => (
        <option key={role} value={role}>
          {text.people.roles[role]}
        </option>
      ))}
    </Select>
  );
}

/** The staff roles of an admin: all or some. Owner is exclusive: choosing it clears the others, and the other way round. */
export function StaffRoles({ chosen, onChoose }: { chosen: StaffRole[]; onChoose: (roles: StaffRole[]) => void }) {
  const text = useText(adminRolesTexts, adminTexts);
  const messages = text.roles;
  const withRole = (role: StaffRole): StaffRole[] =>
    role === 'owner'
      ? ['owner']
      : STAFF_ROLES.filter((one) => one === role || (one !== 'owner' && chosen.includes(one)));
  return (
    <fieldset className="admin-panel grid gap-2">
      <legend className="float-left mb-1 w-full font-semibold">{messages.staffRoles}</legend>
      {STAFF_ROLES.map((role) => (
        <Checkbox
          key={role}
          checked={chosen.includes(role)}
          onChange={(event) => onChoose(event.target.checked ? withRole(role) : chosen.filter((one) => one !== role))}
          label={text.admin.staffRoles[role]}
          hint={messages.staffRoleTexts[role]}
        />
      ))}
      {chosen.length === 0 ? (
        <p role="status" className="text-sm text-coral-text">
          {messages.chooseOne}
        </p>
      ) : null}
    </fieldset>
  );
}

/**
 * What to know before rights in the back office change.
 *
 * @param second true when the admins may have to use passkeys from then on.
 */
export function questionText(
  messages: TextOf<typeof adminRolesTexts>['roles'],
  { row, to }: { row: Pick<Member, 'email' | 'emailVerified' | 'role'>; to: Rights },
  second: boolean,
): string {
  const isNew = to.role === 'admin' && row.role !== 'admin';
  return [
    messages.confirmText,
    ...(isNew && !row.emailVerified ? [messages.confirmUnproven(row.email)] : []),
    ...(second ? [messages.confirmSecond] : []),
  ].join(' ');
}

interface Requested {
  row: Member;
  to: Rights;
  run: () => Promise<void>;
}

/** Changes a role; granting or revoking the rights of an admin asks for confirmation, in the dialog. */
export function useRoleChange(): {
  /** @param removing true to take the role away. */
  change: (row: Member, to: Rights, removing?: boolean) => void;
  busy: boolean;
  dialog: ReactNode;
} {
  const text = useText(adminRolesTexts, adminPeopleTexts);
  const messages = text.roles;
  const failure = useAdminFailure('users');
  const refresh = useRefreshPeople();
  const withProof = useStepUp();
  const undo = useUndo();
  const [busy, setBusy] = useState(false);
  const [requested, setRequested] = useState<Requested | null>(null);
  const inWords = useRightsInWords();
  const counts = useQuery(roleCountsQuery()).data;
  const session = useQuery({ ...sessionQuery(), enabled: false }).data;
  // With a second admin the server may require passkeys: an admin without one loses access to the back office at once.
  const secondAdmin = (to: Rights) => to.role === 'admin' && counts?.admins === 1 && session?.passkey === false;

  const reasonOf = (error: unknown): string => {
    const code = codeOf(error);
    if (code === 'VERSION_CONFLICT') {
      const { by, current } = (error as { data: Conflict }).data;
      return messages.faster(by ?? messages.somebody, inWords(current as unknown as Rights));
    }
    if (code === 'UNEXPECTED') return text.people.unknownError;
    const own: Record<string, string> = text.people.codes;
    return code === 'FORBIDDEN' ? failure(error) : (own[code] ?? failure(error));
  };

  /** @param back true for an undo: the original change offered it, the undo offers none. */
  async function save(row: Member, to: Rights, removing: boolean, back = false): Promise<void> {
    setBusy(true);
    const { id, role: seen, staffRoles: seenStaffRoles } = row;
    try {
      await withProof(() =>
        removing
          ? client.admin.roles.remove({ id, seen, seenStaffRoles, undo: back })
          : client.admin.roles.assign({
              id,
              role: to.role,
              ...(to.role === 'admin' ? { staffRoles: to.staffRoles } : {}),
              seen,
              seenStaffRoles,
              undo: back,
            }),
      );
      notify.success({
        title: removing ? messages.toast.removed : messages.toast.assigned,
        ...(back
          ? {}
          : undo(() =>
              save({ ...row, ...to }, { role: seen, staffRoles: seenStaffRoles }, seen === 'user', true).catch(
                () => {},
              ),
            )),
      });
    } catch (error) {
      if (!(error instanceof Cancelled))
        notify.failed(error, {
          title: removing ? messages.toast.removeFailed : messages.toast.assignFailed,
          text: reasonOf(error),
        });
      throw error;
    } finally {
      setBusy(false);
      void refresh();
    }
  }

  function change(row: Member, to: Rights, removing = false) {
    const run = () => save(row, to, removing);
    if (row.role === 'admin' || to.role === 'admin') setRequested({ row, to, run });
    else void run().catch(() => {});
  }
  const dialog = (
    <ConfirmDialog
      open={requested !== null}
      onClose={() => setRequested(null)}
      title={messages.confirmTitle}
      question={requested ? messages.confirmAssign(nameOf(requested.row), inWords(requested.to)) : ''}
      text={requested ? questionText(messages, requested, secondAdmin(requested.to)) : ''}
      confirmLabel={messages.confirm}
      busyLabel={messages.confirming}
      onConfirm={async () => requested?.run()}
    />
  );
  return { change, busy, dialog };
}
