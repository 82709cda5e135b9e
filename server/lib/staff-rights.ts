// Who may call what of the back office, as the contract says beside each procedure.
import { isContractProcedure } from '@orpc/contract';
import { contract } from '#contract/index.ts';
import { mayAs, STAFF_ROLES, type StaffRole } from '#contract/staff.ts';
import { fail } from './errors/fail.ts';

/** A procedure with what the contract keeps beside it. */
export interface WithRights {
  '~orpc': { meta: object };
}

/** The staff roles that a procedure is open to beside owners; none where it names none. */
export const opensTo = (procedure: WithRights): readonly StaffRole[] =>
  (procedure['~orpc'].meta as { staff?: readonly StaffRole[] }).staff ?? [];

/** Those and owners, in the order in which staff roles are listed. */
export const withOwners = (opened: readonly StaffRole[]): StaffRole[] =>
  STAFF_ROLES.filter((role) => role === 'owner' || opened.includes(role));

/** Refuses who has none of these staff roles. @throws STAFF_ROLE_NEEDED */
export function requireStaff(me: { staffRoles: readonly StaffRole[] }, opened: readonly StaffRole[]): void {
  if (!mayAs(me.staffRoles, opened)) fail('STAFF_ROLE_NEEDED', { roles: withOwners(opened) });
}

function* rightsIn(part: object, before = ''): Generator<[string, StaffRole[]]> {
  for (const [name, one] of Object.entries(part)) {
    if (isContractProcedure(one)) yield [before + name, [...opensTo(one)]];
    else yield* rightsIn(one as object, `${before}${name}.`);
  }
}

/** Every procedure of the back office by its name, 'news.list', with the staff roles that it is open to beside owners. */
export const STAFF_RIGHTS: Readonly<Record<string, StaffRole[]>> = Object.fromEntries(rightsIn(contract.admin));
