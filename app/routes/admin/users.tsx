import { RotateCw, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useAdminAccess } from '#app/features/admin/admin.queries.ts';
import { useReopenedForm } from '#app/features/admin/kit/forms/stored-forms.ts';
import { ListScreen } from '#app/features/admin/kit/list/ListScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import { IfAllowed, useRights } from '#app/features/admin/kit/rights.tsx';
import { PeopleScreens } from '#app/features/admin/people/PeopleScreens.tsx';
import { useRefreshPeople } from '#app/features/admin/people/useActions.tsx';
import { NewUser } from '#app/features/admin/users/UserForm.tsx';
import { UserList } from '#app/features/admin/users/UserList.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminPeopleTexts } from '#app/lib/messages/admin/people.ts';
import { adminUsersTexts } from '#app/lib/messages/admin/users.ts';
import { Button } from '#app/ui/controls/Button.tsx';

/** /admin/complete-users */
export default function UsersPage() {
  const text = useText(adminUsersTexts, adminPeopleTexts);
  const messages = text.users;
  const { session } = useAdminAccess();
  const { may } = useRights();
  const refresh = useRefreshPeople();
  const [adding, setAdding] = useState(false);
  useReopenedForm('newUser', () => setAdding(true));
  const list = useAdminList({
    procedure: rpc.admin.users.list,
    csv: 'users',
    sort: '-createdAt',
    filters: { role: 'all', state: 'all' },
  });
  return (
    <ListScreen
      list={list}
      messages={messages}
      {...(may('roles.list') ? { back: { to: '/admin/users', label: messages.back } } : {})}
      lead={session ? text.people.signedInAs(session.email) : ''}
      actions={
        <>
          <Button onClick={() => void refresh()}>
            <RotateCw aria-hidden="true" />
            {text.people.refresh}
          </Button>
          <IfAllowed call="users.create">
            <Button variant="primary" onClick={() => setAdding(true)}>
              <UserPlus aria-hidden="true" />
              {messages.create}
            </Button>
          </IfAllowed>
        </>
      }
    >
      <PeopleScreens here="users" />
      <UserList list={list} />
      {adding ? <NewUser onClose={() => setAdding(false)} /> : null}
    </ListScreen>
  );
}
