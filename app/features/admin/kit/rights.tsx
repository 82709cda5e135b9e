import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AdminProcedure, AdminSession } from '#contract/domains/admin.ts';
import { mayAs, STAFF_ROLES, type StaffRole } from '#contract/staff.ts';
import { sessionQuery } from '../admin.queries.ts';

/** What a session may do in the back office, by the list that the server answers with it. */
export const rightsOf = (session: Pick<AdminSession, 'staffRoles' | 'rights'> | null | undefined) => {
  const opened = (name: AdminProcedure): readonly StaffRole[] => session?.rights[name] ?? [];
  return {
    /** Whether a procedure, 'news.list', is open to it. */
    may: (name: AdminProcedure): boolean => mayAs(session?.staffRoles ?? [], opened(name)),
    /** Whom any of these procedures is open to, in the order in which staff roles are listed. */
    openTo: (names: readonly AdminProcedure[]): StaffRole[] =>
      STAFF_ROLES.filter((role) => role === 'owner' || names.some((name) => opened(name).includes(role))),
    staffRoles: session?.staffRoles ?? [],
  };
};

/** The same for who is here now. It only decides what is shown: every call has its own guard on the server. */
export function useRights() {
  const { data } = useQuery({ ...sessionQuery(), enabled: false });
  return rightsOf(data);
}

/** Shows something to those who may call this procedure. */
export function May({ call, children }: { call: AdminProcedure; children: ReactNode }) {
  return useRights().may(call) ? children : null;
}
