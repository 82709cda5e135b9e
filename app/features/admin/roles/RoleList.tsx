import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useState } from 'react';
import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { adminPeopleTexts } from '#app/lib/messages/admin/people.ts';
import { adminRolesTexts } from '#app/lib/messages/admin/roles.ts';
import { Button, IconButton } from '#app/ui/controls/Button.tsx';
import { Field } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { RoleRow } from '#contract/admin/roles.ts';
import type { Role } from '#contract/domains/auth.ts';
import type { StaffRole } from '#contract/staff.ts';
import { useOwnId } from '../admin.queries.ts';
import { HistoryDialog } from '../audit/Timeline.tsx';
import { AdminTable, type Column } from '../kit/list/AdminTable.tsx';
import { ListSelect } from '../kit/list/filters.tsx';
import { tableText } from '../kit/list/table-text.ts';
import type { AdminList } from '../kit/list/useAdminList.ts';
import { Figures } from '../people/Figures.tsx';
import { Mailbox } from '../people/Mailbox.tsx';
import { PersonLink } from '../people/PersonLink.tsx';
import { cut, ROLE_TONE } from '../people/useActions.tsx';
import {
  alike,
  nameOf,
  type Rights,
  ROLES,
  RoleSelect,
  roleCountsQuery,
  StaffRoles,
  useRightsInWords,
  useRoleChange,
} from './role-change.tsx';
import { useRoleBulk } from './useRoleBulk.tsx';

/** Id of the text that says why users can't change their own role. */
const OWN = 'own-role';

/** Members with their roles, and the buttons to change them. */
export function RoleList({ list }: { list: AdminList<RoleRow> }) {
  const text = useText(adminRolesTexts, adminPeopleTexts);
  const messages = text.roles;
  const [chosen, setChosen] = useState<Role>('user');
  const [staffRoles, setStaffRoles] = useState<StaffRole[]>(['owner']);
  const given: Rights = { role: chosen, staffRoles: chosen === 'admin' ? staffRoles : [] };
  const inWords = useRightsInWords();
  const [historyOf, setHistoryOf] = useState<RoleRow | null>(null);
  const ownId = useOwnId();
  const counts = useQuery(roleCountsQuery());
  const { change, busy, dialog } = useRoleChange();

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
        <RoleSelect value={chosen} onChange={setChosen} />
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
              <IconButton size="sm" label={messages.historyOf(nameOf(row))} onClick={() => setHistoryOf(row)}>
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
      {dialog}
      {dialogs}
      <HistoryDialog
        record={historyOf && { resourceType: 'member', resourceId: historyOf.id, name: nameOf(historyOf) }}
        onClose={() => setHistoryOf(null)}
      />
    </>
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
      collapsible: true,
      header: messages.wallet,
      cell: ({ walletAddress }) => (
        <span className="figures text-quiet whitespace-nowrap" title={walletAddress ?? ''}>
          {walletAddress ? cut(walletAddress, 12) : '—'}
        </span>
      ),
    },
    {
      key: 'changed',
      collapsible: true,
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
