import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { adminPeopleTexts } from '#app/lib/messages/admin/people.ts';
import { adminRolesTexts } from '#app/lib/messages/admin/roles.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button, IconButton } from '#app/ui/controls/Button.tsx';
import { Checkbox, Field, Select } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { RoleRow } from '#contract/admin/roles.ts';
import type { Role } from '#contract/domains/auth.ts';
import { TIMING } from '#contract/limits.ts';
import { STAFF_ROLES, type StaffRole } from '#contract/staff.ts';
import { sessionQuery, useOwnId } from '../admin.queries.ts';
import { HistoryDialog } from '../audit/Timeline.tsx';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { Cancelled, type Conflict, useAdminFailure } from '../kit/failures.ts';
import { AdminTable, type Column } from '../kit/list/AdminTable.tsx';
import { ListSelect } from '../kit/list/filters.tsx';
import { tableText } from '../kit/list/table-text.ts';
import type { AdminList } from '../kit/list/useAdminList.ts';
import { useUndo } from '../kit/notices.ts';
import { useStepUp } from '../kit/StepUp.tsx';
import { Figures } from '../people/Figures.tsx';
import { Mailbox } from '../people/Mailbox.tsx';
import { PersonLink } from '../people/PersonLink.tsx';
import { cut, ROLE_TONE, useRefreshPeople } from '../people/useActions.tsx';
import { useRoleBulk } from './useRoleBulk.tsx';

/** Id of the text that says why users can't change their own role. */
const OWN = 'own-role';
const ROLES: Role[] = ['user', 'moderator', 'admin'];

/** Members with their roles, and the buttons to change them. */
export function RoleList({ list }: { list: AdminList<RoleRow> }) {
  const text = useText(adminRolesTexts, adminPeopleTexts);
  const messages = text.roles;
  const [chosen, setChosen] = useState<Role>('user');
  const [staffRoles, setStaffRoles] = useState<StaffRole[]>(['owner']);
  const given: Rights = { role: chosen, staffRoles: chosen === 'admin' ? staffRoles : [] };
  const inWords = useRightsInWords();
  const [announcement, setAnnouncement] = useState<RoleRow | null>(null);
  const { change, busy, requested, setRequested } = useRoleChange();
  const ownId = useOwnId();
  const counts = useQuery(
    rpc.admin.roles.counts.queryOptions({
      staleTime: TIMING.roleFresh,
      refetchInterval: TIMING.rolesRefresh,
    }),
  );
  const session = useQuery({ ...sessionQuery(), enabled: false }).data;
  // With a second admin the server may require passkeys: an admin without one loses access to the back office at once.
  const secondAdmin = (to: Rights) => to.role === 'admin' && counts.data?.admins === 1 && session?.passkey === false;
  const nameOf = (row: RoleRow) => row.username ?? row.email;

  const columns = useColumns(ownId);
  const { bulk, dialogs } = useRoleBulk(nameOf);
  return (
    <>
      <Figures
        figures={(['total', 'admins', 'moderators', 'users'] as const).map((key) => ({
          key,
          label: messages.stats[key],
          value: counts.data?.[key],
        }))}
      />
      <Field label={messages.chosen} hint={messages.chosenHint} className="max-w-md">
        <Select value={chosen} onChange={(event) => setChosen(event.target.value as Role)}>
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {text.people.roles[role]}
            </option>
          ))}
        </Select>
      </Field>
      {chosen === 'admin' ? <StaffRoles chosen={staffRoles} onChoose={setStaffRoles} /> : null}
      {/* Above the list: in the row of the account, its column would break it into many lines. */}
      <p id={OWN} className="text-sm text-quiet">
        {messages.ownHint}
      </p>
      <div className="admin-rows">
        <AdminTable
          {...tableText(messages)}
          list={list}
          columns={columns}
          nameOf={nameOf}
          filters={<RoleFilter list={list} />}
          screen="users"
          ownRefresh
          bulk={bulk}
          actions={(row) => (
            <>
              <IconButton size="sm" label={messages.historyOf(nameOf(row))} onClick={() => setAnnouncement(row)}>
                <History aria-hidden="true" />
              </IconButton>
              <Button
                size="sm"
                variant="soft"
                aria-label={messages.assignTo(nameOf(row), inWords(given))}
                disabled={
                  busy || alike(row, given) || row.id === ownId || (chosen === 'admin' && staffRoles.length === 0)
                }
                aria-describedby={row.id === ownId ? OWN : undefined}
                onClick={() => change(row, given)}
              >
                {messages.assign}
              </Button>
              <Button
                size="sm"
                variant="ghost"
                aria-label={messages.removeFrom(nameOf(row))}
                disabled={busy || row.role === 'user' || row.id === ownId}
                aria-describedby={row.id === ownId ? OWN : undefined}
                onClick={() => change(row, { role: 'user', staffRoles: [] }, true)}
              >
                {messages.remove}
              </Button>
            </>
          )}
        />
      </div>
      <ConfirmDialog
        open={requested !== null}
        onClose={() => setRequested(null)}
        title={messages.confirmTitle}
        question={requested ? messages.confirmAssign(nameOf(requested.row), inWords(requested.to)) : ''}
        text={
          requested && secondAdmin(requested.to)
            ? `${messages.confirmText} ${messages.confirmSecond}`
            : messages.confirmText
        }
        confirmLabel={messages.confirm}
        busyLabel={messages.confirming}
        onConfirm={async () => requested?.run()}
      />
      {dialogs}
      <HistoryDialog
        record={announcement && { resourceType: 'member', resourceId: announcement.id, name: nameOf(announcement) }}
        onClose={() => setAnnouncement(null)}
      />
    </>
  );
}

/** Rights of a user: the role, and of an admin the staff roles. */
type Rights = Pick<RoleRow, 'role' | 'staffRoles'>;
const alike = (some: Rights, others: Rights): boolean =>
  some.role === others.role &&
  some.staffRoles.length === others.staffRoles.length &&
  some.staffRoles.every((one) => others.staffRoles.includes(one));

/** 'Administrator: Editor, Finance'. */
function useRightsInWords(): (rights: Rights) => string {
  const text = useText(adminRolesTexts, adminPeopleTexts, adminTexts);
  return ({ role, staffRoles }) =>
    staffRoles.length === 0
      ? text.people.roles[role]
      : text.roles.asStaff(
          text.people.roles[role],
          text.admin.closed.and(staffRoles.map((one) => text.admin.staffRoles[one])),
        );
}

/** The staff roles of an admin: all or some. Owner is exclusive: choosing it clears the others, and the other way round. */
function StaffRoles({ chosen, onChoose }: { chosen: StaffRole[]; onChoose: (roles: StaffRole[]) => void }) {
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

function useColumns(ownId: string | undefined): Column<RoleRow>[] {
  const text = useText(adminRolesTexts, adminPeopleTexts, adminTexts);
  const messages = text.roles;
  return [
    {
      key: 'user',
      header: messages.user,
      sort: 'username',
      lead: true,
      cell: ({ id, username }) => (
        <span className="flex flex-wrap items-center gap-1.5">
          <PersonLink id={id}>{username ?? messages.noName}</PersonLink>
          {id === ownId ? <Badge tone="sky">{messages.own}</Badge> : null}
        </span>
      ),
    },
    {
      key: 'role',
      header: messages.role,
      cell: ({ role, staffRoles }) => (
        <span className="flex flex-wrap gap-1">
          <Badge tone={ROLE_TONE[role]}>{text.people.roles[role]}</Badge>
          {staffRoles.map((one) => (
            <Badge key={one}>{text.admin.staffRoles[one]}</Badge>
          ))}
        </span>
      ),
    },
    {
      key: 'email',
      header: messages.email,
      sort: 'email',
      cell: ({ email }) => (
        <span className="admin-email">
          <Mailbox email={email} />
        </span>
      ),
    },
    {
      key: 'wallet',
      roomy: true,
      header: messages.wallet,
      cell: ({ walletAddress }) => (
        <span className="figures text-quiet whitespace-nowrap" title={walletAddress ?? ''}>
          {walletAddress ? cut(walletAddress, 12) : '—'}
        </span>
      ),
    },
    {
      key: 'changed',
      roomy: true,
      header: messages.changed,
      cell: ({ assignedAt }) =>
        assignedAt ? <When iso={assignedAt} /> : <span className="text-quiet">{messages.never}</span>,
    },
  ];
}

/** The filter by role, for every list with `role` in its filters. */
export function RoleFilter<Row>({ list }: { list: AdminList<Row> }) {
  const messages = useText(adminPeopleTexts).people;
  return (
    <ListSelect
      list={list}
      name="role"
      label={messages.roleFilter}
      options={[['all', messages.allRoles], ...ROLES.map((role) => [role, messages.roles[role]] as const)]}
    />
  );
}

interface Requested {
  row: RoleRow;
  to: Rights;
  run: () => Promise<void>;
}

/** Changes a role; granting or revoking the rights of an admin asks for confirmation. */
function useRoleChange() {
  const text = useText(adminRolesTexts, adminPeopleTexts);
  const messages = text.roles;
  const failure = useAdminFailure('users');
  const refresh = useRefreshPeople();
  const withProof = useStepUp();
  const undo = useUndo();
  const [busy, setBusy] = useState(false);
  const [requested, setRequested] = useState<Requested | null>(null);
  const inWords = useRightsInWords();

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
  async function save(row: RoleRow, to: Rights, removing: boolean, back = false): Promise<void> {
    setBusy(true);
    const { id, role: seen, staffRoles: seenStaffRoles } = row;
    try {
      await withProof(() =>
        removing
          ? client.admin.roles.remove({ id, seen, seenStaffRoles })
          : client.admin.roles.assign({
              id,
              role: to.role,
              ...(to.role === 'admin' ? { staffRoles: to.staffRoles } : {}),
              seen,
              seenStaffRoles,
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

  function change(row: RoleRow, to: Rights, removing = false) {
    const run = () => save(row, to, removing);
    if (row.role === 'admin' || to.role === 'admin') setRequested({ row, to, run });
    else void run().catch(() => {});
  }
  return { change, busy, requested, setRequested };
}
