import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AdminProcedure, AdminSession } from '#contract/domains/admin.ts';
import { mayAs, STAFF_ROLES, type StaffRole } from '#contract/staff.ts';
import { sessionQuery } from '../admin.queries.ts';

/** The rights of a session in the back office, by the list that the server returns with it. */
export const rightsOf = (session: Pick<AdminSession, 'staffRoles' | 'rights'> | null | undefined) => {
  const opened = (name: AdminProcedure): readonly StaffRole[] => session?.rights[name] ?? [];
  return {
    /** True when the session may call a procedure ('news.list'). */
    may: (name: AdminProcedure): boolean => mayAs(session?.staffRoles ?? [], opened(name)),
    /** Staff roles with the right to call any of these procedures, in the order of the staff roles. */
    openTo: (names: readonly AdminProcedure[]): StaffRole[] =>
      STAFF_ROLES.filter((role) => role === 'owner' || names.some((name) => opened(name).includes(role))),
    staffRoles: session?.staffRoles ?? [],
  };
};

/** The rights of the current user. They only decide what is shown: every call has its own guard on the server. */
export function useRights() {
  const { data } = useQuery({ ...sessionQuery(), enabled: false });
  return rightsOf(data);
}

/** Renders its children for users with the right to call this procedure. */
export function IfAllowed({ call, children }: { call: AdminProcedure; children: ReactNode }) {
  return useRights().may(call) ? children : null;
}
