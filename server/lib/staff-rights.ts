// Access rights of the back office, as declared in the contract beside each procedure.
import { isContractProcedure } from '@orpc/contract';
import { contract } from '#contract/index.ts';
import { mayAs, STAFF_ROLES, type StaffRole } from '#contract/staff.ts';
import { fail } from './errors/fail.ts';

/** A procedure with the metadata of its contract. */
export interface WithRights {
  '~orpc': { meta: object };
}

/** The staff roles that may call a procedure besides owners; empty if it declares none. */
export const opensTo = (procedure: WithRights): readonly StaffRole[] =>
  (procedure['~orpc'].meta as { staff?: readonly StaffRole[] }).staff ?? [];

/** The given roles and owner, in the order of STAFF_ROLES. */
export const withOwners = (opened: readonly StaffRole[]): StaffRole[] =>
  STAFF_ROLES.filter((role) => role === 'owner' || opened.includes(role));

/** Requires one of these staff roles, or owner. @throws STAFF_ROLE_NEEDED */
export function requireStaff(me: { staffRoles: readonly StaffRole[] }, opened: readonly StaffRole[]): void {
  if (!mayAs(me.staffRoles, opened)) fail('STAFF_ROLE_NEEDED', { roles: withOwners(opened) });
}

function* rightsIn(part: object, before = ''): Generator<[string, StaffRole[]]> {
  for (const [name, one] of Object.entries(part)) {
    if (isContractProcedure(one)) yield [before + name, [...opensTo(one)]];
    else yield* rightsIn(one as object, `${before}${name}.`);
  }
}

/** The staff roles of every procedure of the back office besides owners, by procedure name ('news.list'). */
export const STAFF_RIGHTS: Readonly<Record<string, StaffRole[]>> = Object.fromEntries(rightsIn(contract.admin));
