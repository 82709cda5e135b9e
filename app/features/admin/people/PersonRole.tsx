import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminPeopleTexts } from '#app/lib/messages/admin/people.ts';
import { adminRolesTexts } from '#app/lib/messages/admin/roles.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field } from '#app/ui/controls/Field.tsx';
import { Skeleton } from '#app/ui/layout/Skeleton.tsx';
import type { RoleRow } from '#contract/admin/roles.ts';
import type { AdminUser } from '#contract/admin/users.ts';
import type { Role } from '#contract/domains/auth.ts';
import type { StaffRole } from '#contract/staff.ts';
import { useOwnId } from '../admin.queries.ts';
import { LoadError } from '../kit/LoadError.tsx';
import {
  alike,
  nameOf,
  type Rights,
  RoleSelect,
  StaffRoles,
  useRightsInWords,
  useRoleChange,
} from '../roles/role-change.tsx';

/** The role of a person, with the form to change it for admins with that right. */
export function PersonRole({ user }: { user: AdminUser }) {
  const messages = useText(adminRolesTexts).roles;
  const own = useOwnId() === user.id;
  const { change, busy, dialog } = useRoleChange();
  // The search finds an id as a whole.
  const found = useQuery({ ...rpc.admin.roles.list.queryOptions({ input: { q: user.id } }), enabled: !own });
  const row = found.data?.rows.find(({ id }) => id === user.id);
  if (own) return <p className="text-sm text-quiet">{messages.ownHint}</p>;
  if (found.isError && !row)
    return <LoadError what={messages.failed} of={found} screen="users" className="grid justify-items-start gap-2" />;
  if (!row) return <Skeleton className="h-11" />;
  return (
    <>
      <RoleChoice key={[row.role, ...row.staffRoles].join()} row={row} busy={busy} onChange={(to) => change(row, to)} />
      {dialog}
    </>
  );
}

interface RoleChoiceProps {
  row: RoleRow;
  busy: boolean;
  onChange: (to: Rights) => void;
}

function RoleChoice({ row, busy, onChange }: RoleChoiceProps) {
  const text = useText(adminRolesTexts, adminPeopleTexts);
  const messages = text.roles;
  const inWords = useRightsInWords();
  const [chosen, setChosen] = useState<Role>(row.role);
  const [staffRoles, setStaffRoles] = useState<StaffRole[]>(row.role === 'admin' ? row.staffRoles : ['owner']);
  const given: Rights = { role: chosen, staffRoles: chosen === 'admin' ? staffRoles : [] };
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-end gap-2">
        <Field label={messages.chosen} className="min-w-0 flex-1 basis-48">
          <RoleSelect value={chosen} onChange={setChosen} />
        </Field>
        <Button
          aria-label={messages.assignTo(nameOf(row), inWords(given))}
          disabled={busy || alike(row, given) || (chosen === 'admin' && staffRoles.length === 0)}
          onClick={() => onChange(given)}
        >
          {messages.assign}
        </Button>
      </div>
      {chosen === 'admin' ? <StaffRoles chosen={staffRoles} onChoose={setStaffRoles} /> : null}
      <p className="text-sm text-quiet">{messages.chosenHint}</p>
    </div>
  );
}
