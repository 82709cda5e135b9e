import { useQuery } from '@tanstack/react-query';
import {
  BadgeCheck,
  DoorOpen,
  EllipsisVertical,
  History,
  KeyRound,
  LogOut,
  Pencil,
  ShieldPlus,
  ShieldX,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { dateTime } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminPeopleTexts } from '#app/lib/messages/admin/people.ts';
import { adminUsersTexts } from '#app/lib/messages/admin/users.ts';
import { Button, IconButton } from '#app/ui/controls/Button.tsx';
import { Menu } from '#app/ui/controls/Menu.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { AdminUser } from '#contract/admin/users.ts';
import { TIMING } from '#contract/limits.ts';
import { useOwnId } from '../admin.queries.ts';
import { HistoryDialog } from '../audit/Timeline.tsx';
import { useReopenedForm } from '../kit/forms/stored-forms.ts';
import { AdminTable, type Column } from '../kit/list/AdminTable.tsx';
import { ListSelect } from '../kit/list/filters.tsx';
import { tableText } from '../kit/list/table-text.ts';
import type { AdminList } from '../kit/list/useAdminList.ts';
import { useRights } from '../kit/rights.tsx';
import { Figures } from '../people/Figures.tsx';
import { Mailbox } from '../people/Mailbox.tsx';
import { PersonLink } from '../people/PersonLink.tsx';
import { ROLE_TONE } from '../people/useActions.tsx';
import { RoleFilter } from '../roles/RoleList.tsx';
import { type RequestedAction, type UserAction, UserActions } from './UserActions.tsx';
import { EditUser } from './UserForm.tsx';

const STATES = ['all', 'pending', 'confirmed', 'banned'] as const;

/** Every member, with the actions on one account or a selection. */
export function UserList({ list }: { list: AdminList<AdminUser> }) {
  const text = useText(adminUsersTexts, adminPeopleTexts);
  const messages = text.users;
  const [requested, setRequested] = useState<RequestedAction | null>(null);
  const [edited, setEdited] = useState<AdminUser | null>(null);
  useReopenedForm<AdminUser>('user', setEdited);
  const [historyOf, setHistoryOf] = useState<AdminUser | null>(null);
  const counts = useQuery(rpc.admin.users.counts.queryOptions({ refetchInterval: TIMING.rolesRefresh }));
  const ask = (action: UserAction, rows: AdminUser[], clear?: () => void) =>
    setRequested({ action: action, rows, clear });

  const columns: Column<AdminUser>[] = [
    {
      key: 'date',
      collapsible: true,
      header: messages.date,
      sort: 'createdAt',
      cell: ({ createdAt }) => <When iso={createdAt} />,
    },
    {
      key: 'user',
      header: messages.user,
      sort: 'username',
      lead: true,
      cell: ({ id, email, username }) => (
        <span title={username ?? ''}>
          <PersonLink id={id}>{email.split('@')[0]}</PersonLink>
        </span>
      ),
    },
    {
      key: 'email',
      header: messages.email,
      sort: 'email',
      cell: ({ email, emailVerified }) => (
        <span
          className="admin-email md:flex! md:items-center md:gap-1.5"
          title={emailVerified ? messages.verified : messages.unverified}
        >
          <span className="min-w-0">
            <Mailbox email={email} />
          </span>
          {emailVerified ? (
            <BadgeCheck
              role="img"
              aria-label={messages.verified}
              className="inline size-4 flex-none text-mint-text max-md:ml-1"
            />
          ) : null}
        </span>
      ),
    },
    {
      key: 'role',
      collapsible: true,
      header: messages.role,
      cell: ({ role, roleStatus }) => (
        // Not next to the buttons: a moderator who waits for approval has those too, and the table would scroll.
        <span className="grid justify-items-start gap-1">
          <Badge tone={ROLE_TONE[role]}>
            {text.people.roles[role]} ({text.people.statuses[roleStatus]})
          </Badge>
          {role === 'moderator' ? <Badge tone="sky">{messages.activeModerator}</Badge> : null}
        </span>
      ),
    },
    { key: 'state', header: messages.state, cell: (user) => <State user={user} /> },
  ];
  return (
    <>
      <Figures
        figures={(['total', 'pending', 'moderators', 'admins'] as const).map((key) => ({
          key,
          label: messages.tiles[key],
          value: counts.data?.[key],
        }))}
      />
      <AdminTable
        {...tableText(messages)}
        list={list}
        columns={columns}
        nameOf={({ email }) => email}
        filters={
          <>
            <RoleFilter list={list} />
            <ListSelect
              list={list}
              name="state"
              label={messages.stateFilter}
              options={STATES.map((state) => [state, messages.states[state]] as const)}
            />
          </>
        }
        screen="users"
        ownRefresh
        actions={(user) => (
          <RowActions
            user={user}
            ask={(action) => ask(action, [user])}
            onEdit={() => setEdited(user)}
            onHistory={() => setHistoryOf(user)}
          />
        )}
        bulk={(selected, clear) => <BulkActions ask={(action) => ask(action, selected, clear)} />}
      />
      <UserActions requested={requested} onClose={() => setRequested(null)} />
      {edited ? <EditUser key={edited.id} user={edited} onClose={() => setEdited(null)} /> : null}
      <HistoryDialog
        record={historyOf && { resourceType: 'member', resourceId: historyOf.id, name: historyOf.email }}
        onClose={() => setHistoryOf(null)}
      />
    </>
  );
}

function State({ user }: { user: AdminUser }) {
  const messages = useText(adminUsersTexts).users;
  const locale = useLocale();
  return (
    <span className="flex flex-wrap items-center gap-1">
      <Badge tone={user.isConfirmed ? 'mint' : 'lead'}>
        {user.isConfirmed ? messages.confirmed : messages.pending}
      </Badge>
      {user.access === 'disabled' ? <Badge tone="coral">{messages.disabled}</Badge> : null}
      {user.access === 'banned' && user.bannedUntil ? (
        <Badge tone="coral">{messages.bannedUntil(dateTime(user.bannedUntil, locale))}</Badge>
      ) : null}
      {user.hasSecondFactor ? <Badge>{messages.secondFactor}</Badge> : null}
      {user.sessions > 0 ? <span className="text-xs text-quiet">{messages.sessions(user.sessions)}</span> : null}
    </span>
  );
}

interface RowActionsProps {
  user: AdminUser;
  ask: (action: UserAction) => void;
  onEdit: () => void;
  onHistory: () => void;
}

function RowActions({ user, ask, onEdit, onHistory }: RowActionsProps) {
  const text = useText(adminUsersTexts, adminPeopleTexts);
  const messages = text.users;
  const { email } = user;
  const { may, staffRoles } = useRights();
  const own = useOwnId() === user.id;
  // Only owners act on the accounts of staff.
  const closed = user.role !== 'user' && !own && !staffRoles.includes('owner');
  const closedToMe = closed ? { disabled: true, hint: text.people.codes.STAFF_ROLE_NEEDED } : {};
  // The server refuses both for one's own account.
  const refused = own ? { disabled: true, hint: text.people.codes.OWN_ACCOUNT } : closedToMe;
  return (
    <>
      {user.isConfirmed || closed ? null : (
        <Button size="sm" variant="soft" aria-label={messages.approveOf(email)} onClick={() => ask('confirm')}>
          {messages.approve}
        </Button>
      )}
      {user.isConfirmed && user.role === 'user' && may('users.promote') ? (
        <IconButton size="sm" label={messages.promoteOf(email)} onClick={() => ask('promote')}>
          <ShieldPlus aria-hidden="true" />
        </IconButton>
      ) : null}
      <Menu
        trigger={
          <IconButton size="sm" label={messages.moreOf(email)}>
            <EllipsisVertical aria-hidden="true" />
          </IconButton>
        }
        items={[
          ...(may('users.update')
            ? [{ key: 'edit', label: messages.edit, icon: <Pencil aria-hidden="true" />, onSelect: onEdit }]
            : []),
          { key: 'history', label: messages.history, icon: <History aria-hidden="true" />, onSelect: onHistory },
          {
            key: 'resetPassword',
            label: messages.resetPassword,
            icon: <KeyRound aria-hidden="true" />,
            onSelect: () => ask('resetPassword'),
            ...closedToMe,
          },
          {
            key: 'revokeSessions',
            label: messages.revokeSessions,
            icon: <LogOut aria-hidden="true" />,
            onSelect: () => ask('revokeSessions'),
            ...(user.sessions === 0 ? { disabled: true, hint: messages.noSessions } : closedToMe),
          },
          user.access === 'open'
            ? {
                key: 'ban',
                label: messages.ban,
                icon: <ShieldX aria-hidden="true" />,
                onSelect: () => ask('ban'),
                danger: true,
                ...refused,
              }
            : {
                key: 'unban',
                label: messages.unban,
                icon: <DoorOpen aria-hidden="true" />,
                onSelect: () => ask('unban'),
                ...closedToMe,
              },
          ...(may('users.remove')
            ? [
                {
                  key: 'remove',
                  label: messages.remove,
                  icon: <Trash2 aria-hidden="true" />,
                  onSelect: () => ask('remove'),
                  danger: true,
                  ...refused,
                },
              ]
            : []),
        ]}
      />
    </>
  );
}

const BULK: UserAction[] = ['confirm', 'promote', 'resetPassword', 'revokeSessions', 'ban', 'unban', 'remove'];

function BulkActions({ ask }: { ask: (action: UserAction) => void }) {
  const messages = useText(adminUsersTexts).users;
  const { may } = useRights();
  const labelOf = (action: UserAction) => (action === 'confirm' ? messages.approve : messages[action]);
  return (
    <>
      {BULK.filter((action) => may(`users.${action}`)).map((action) => (
        <Button key={action} size="sm" onClick={() => ask(action)}>
          {labelOf(action)}
        </Button>
      ))}
    </>
  );
}
