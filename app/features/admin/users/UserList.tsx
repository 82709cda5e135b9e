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
import { when } from '#app/lib/format/format.ts';
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
import { AdminTable, type Column } from '../kit/AdminTable.tsx';
import { ListSelect } from '../kit/filters.tsx';
import { useReopenedForm } from '../kit/stored-forms.ts';
import type { AdminList } from '../kit/useAdminList.ts';
import { Figures } from '../people/Figures.tsx';
import { Mailbox } from '../people/Mailbox.tsx';
import { ROLE_TONE } from '../people/useActions.tsx';
import { RoleFilter } from '../roles/RoleList.tsx';
import { type Asked, type UserAction, UserActions } from './UserActions.tsx';
import { EditUser } from './UserForm.tsx';

const STATES = ['all', 'pending', 'confirmed', 'banned'] as const;

/** Every member, and everything that an admin does with an account or with a selection of them. */
export function UserList({ list }: { list: AdminList<AdminUser> }) {
  const text = useText(adminUsersTexts, adminPeopleTexts);
  const words = text.users;
  const [asked, setAsked] = useState<Asked | null>(null);
  const [edited, setEdited] = useState<AdminUser | null>(null);
  useReopenedForm<AdminUser>('user', setEdited);
  const [announcement, setAnnouncement] = useState<AdminUser | null>(null);
  const counts = useQuery(rpc.admin.users.counts.queryOptions({ refetchInterval: TIMING.rolesRefresh }));
  const ask = (act: UserAction, rows: AdminUser[], clear?: () => void) => setAsked({ act, rows, clear });

  const columns: Column<AdminUser>[] = [
    {
      key: 'date',
      roomy: true,
      header: words.date,
      sort: 'createdAt',
      cell: ({ createdAt }) => <When iso={createdAt} />,
    },
    {
      key: 'user',
      header: words.user,
      sort: 'username',
      lead: true,
      cell: ({ email, username }) => <span title={username ?? ''}>{email.split('@')[0]}</span>,
    },
    {
      key: 'email',
      header: words.email,
      sort: 'email',
      cell: ({ email, emailVerified }) => (
        <span
          className="admin-email md:flex! md:items-center md:gap-1.5"
          title={emailVerified ? words.verified : words.unverified}
        >
          <span className="min-w-0">
            <Mailbox email={email} />
          </span>
          {emailVerified ? (
            <BadgeCheck
              role="img"
              aria-label={words.verified}
              className="inline size-4 flex-none text-mint-text max-md:ml-1"
            />
          ) : null}
        </span>
      ),
    },
    {
      key: 'role',
      roomy: true,
      header: words.role,
      cell: ({ role, roleStatus }) => (
        <Badge tone={ROLE_TONE[role]}>
          {text.people.roles[role]} ({text.people.statuses[roleStatus]})
        </Badge>
      ),
    },
    { key: 'state', header: words.state, cell: (user) => <State user={user} /> },
  ];
  return (
    <>
      <Figures
        figures={(['total', 'pending', 'moderators', 'admins'] as const).map((key) => ({
          key,
          label: words.tiles[key],
          value: counts.data?.[key],
        }))}
      />
      <AdminTable
        list={list}
        columns={columns}
        caption={words.heading}
        nameOf={({ email }) => email}
        searchLabel={words.search}
        filters={
          <>
            <RoleFilter list={list} />
            <ListSelect
              list={list}
              name="state"
              label={words.stateFilter}
              options={STATES.map((state) => [state, words.states[state]] as const)}
            />
          </>
        }
        loading={words.loading}
        empty={{ title: words.empty }}
        notFound={words.notFound}
        failed={words.failed}
        screen="users"
        ownRefresh
        actions={(user) => (
          <RowActions
            user={user}
            ask={(act) => ask(act, [user])}
            onEdit={() => setEdited(user)}
            onHistory={() => setAnnouncement(user)}
          />
        )}
        bulk={(selected, clear) => <BulkActions ask={(act) => ask(act, selected, clear)} />}
      />
      <UserActions asked={asked} onClose={() => setAsked(null)} />
      {edited ? <EditUser key={edited.id} user={edited} onClose={() => setEdited(null)} /> : null}
      <HistoryDialog
        record={announcement && { resourceType: 'member', resourceId: announcement.id, name: announcement.email }}
        onClose={() => setAnnouncement(null)}
      />
    </>
  );
}

function State({ user }: { user: AdminUser }) {
  const words = useText(adminUsersTexts).users;
  const locale = useLocale();
  return (
    <span className="flex flex-wrap items-center gap-1">
      <Badge tone={user.isConfirmed ? 'mint' : 'lead'}>{user.isConfirmed ? words.confirmed : words.pending}</Badge>
      {user.access === 'disabled' ? <Badge tone="coral">{words.disabled}</Badge> : null}
      {user.access === 'banned' && user.bannedUntil ? (
        <Badge tone="coral">{words.bannedUntil(when(user.bannedUntil, locale))}</Badge>
      ) : null}
      {user.hasSecondFactor ? <Badge>{words.secondFactor}</Badge> : null}
      {user.sessions > 0 ? <span className="text-xs text-quiet">{words.sessions(user.sessions)}</span> : null}
    </span>
  );
}

interface RowActionsProps {
  user: AdminUser;
  ask: (act: UserAction) => void;
  onEdit: () => void;
  onHistory: () => void;
}

function RowActions({ user, ask, onEdit, onHistory }: RowActionsProps) {
  const text = useText(adminUsersTexts, adminPeopleTexts);
  const words = text.users;
  const { email } = user;
  // The server refuses both for one's own account.
  const refused = useOwnId() === user.id ? { disabled: true, hint: text.people.codes.OWN_ACCOUNT } : {};
  return (
    <>
      {user.isConfirmed ? null : (
        <Button size="sm" variant="soft" aria-label={words.approveOf(email)} onClick={() => ask('confirm')}>
          {words.approve}
        </Button>
      )}
      {user.isConfirmed && user.role === 'user' ? (
        <IconButton size="sm" label={words.promoteOf(email)} onClick={() => ask('promote')}>
          <ShieldPlus aria-hidden="true" />
        </IconButton>
      ) : null}
      {user.role === 'moderator' ? <Badge tone="sky">{words.activeModerator}</Badge> : null}
      <Menu
        trigger={
          <IconButton size="sm" label={words.moreOf(email)}>
            <EllipsisVertical aria-hidden="true" />
          </IconButton>
        }
        items={[
          { key: 'edit', label: words.edit, icon: <Pencil aria-hidden="true" />, onSelect: onEdit },
          { key: 'history', label: words.history, icon: <History aria-hidden="true" />, onSelect: onHistory },
          {
            key: 'resetPassword',
            label: words.resetPassword,
            icon: <KeyRound aria-hidden="true" />,
            onSelect: () => ask('resetPassword'),
          },
          {
            key: 'revokeSessions',
            label: words.revokeSessions,
            icon: <LogOut aria-hidden="true" />,
            onSelect: () => ask('revokeSessions'),
            disabled: user.sessions === 0,
          },
          user.access === 'open'
            ? {
                key: 'ban',
                label: words.ban,
                icon: <ShieldX aria-hidden="true" />,
                onSelect: () => ask('ban'),
                danger: true,
                ...refused,
              }
            : {
                key: 'unban',
                label: words.unban,
                icon: <DoorOpen aria-hidden="true" />,
                onSelect: () => ask('unban'),
              },
          {
            key: 'remove',
            label: words.remove,
            icon: <Trash2 aria-hidden="true" />,
            onSelect: () => ask('remove'),
            danger: true,
            ...refused,
          },
        ]}
      />
    </>
  );
}

const BULK: UserAction[] = ['confirm', 'promote', 'resetPassword', 'revokeSessions', 'ban', 'unban', 'remove'];

function BulkActions({ ask }: { ask: (act: UserAction) => void }) {
  const words = useText(adminUsersTexts).users;
  const labelOf = (act: UserAction) => (act === 'confirm' ? words.approve : words[act]);
  return (
    <>
      {BULK.map((act) => (
        <Button key={act} size="sm" onClick={() => ask(act)}>
          {labelOf(act)}
        </Button>
      ))}
    </>
  );
}
