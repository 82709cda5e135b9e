import { RotateCw } from 'lucide-react';
import { useAdminAccess } from '#app/features/admin/admin.queries.ts';
import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import { PeopleScreens } from '#app/features/admin/people/PeopleScreens.tsx';
import { useRefreshPeople } from '#app/features/admin/people/useActions.tsx';
import { RoleList } from '#app/features/admin/roles/RoleList.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { adminPeopleTexts } from '#app/lib/messages/admin/people.ts';
import { adminRolesTexts } from '#app/lib/messages/admin/roles.ts';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { TIMING } from '#contract/limits.ts';

/** /admin/users */
export default function RolesPage() {
  const text = useText(adminRolesTexts, adminPeopleTexts);
  const href = useHref();
  const { session } = useAdminAccess();
  const refresh = useRefreshPeople();
  const list = useAdminList({
    procedure: rpc.admin.roles.list,
    csv: 'roles',
    sort: '-createdAt',
    filters: { role: 'all' },
    refetchInterval: TIMING.rolesRefresh,
    staleTime: TIMING.roleFresh,
  });
  return (
    <AdminScreen
      title={text.roles.heading}
      lead={
        <>
          {text.roles.lead} {session ? text.people.signedInAs(session.email) : ''}
        </>
      }
      actions={
        <>
          <ButtonLink to={href('/admin/complete-users')}>{text.roles.allUsers}</ButtonLink>
          <Button onClick={() => void refresh()}>
            <RotateCw aria-hidden="true" />
            {text.people.refresh}
          </Button>
        </>
      }
    >
      <PeopleScreens here="roles" />
      <RoleList list={list} />
    </AdminScreen>
  );
}
