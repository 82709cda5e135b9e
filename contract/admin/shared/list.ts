import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../../errors.ts';
import { LIST_EXPORT_PAGE, LIST_PAGE, LIST_PAGES_MAX, SEARCH_MAX } from '../../limits.ts';
import type { StaffRole } from '../../staff.ts';

/** Errors of every procedure of the back office, thrown by the guard before anything is read. */
export const byAdmin = {
  UNAUTHORIZED: errors.UNAUTHORIZED,
  FORBIDDEN: errors.FORBIDDEN,
  PASSWORD_INITIAL: errors.PASSWORD_INITIAL,
  SECOND_FACTOR_REQUIRED: errors.SECOND_FACTOR_REQUIRED,
  STAFF_ROLE_NEEDED: errors.STAFF_ROLE_NEEDED,
};
/** Errors of procedures that also require step-up. */
export const byAdminAfterStepUp = { ...byAdmin, STEP_UP_NEEDED: errors.STEP_UP_NEEDED };
/** Errors of saving a record. */
export const saving = {
  NOT_FOUND: errors.NOT_FOUND,
  VERSION_CONFLICT: errors.VERSION_CONFLICT,
  DUPLICATE: errors.DUPLICATE,
  NOT_VALID: errors.NOT_VALID,
};

/**
 * A GET procedure of the back office: /api/admin/<path>.
 *
 * @param staff the staff roles with access in addition to owners; owners only when it is empty.
 */
export const adminRead = (path: `/${string}`, summary: string, staff: readonly StaffRole[] = []) =>
  oc
    .route({ method: 'GET', path: `/admin${path}`, tags: ['admin'], summary })
    .meta({ staff })
    .errors(byAdmin);
/** A write procedure of the back office. @param staff as in adminRead. */
export const adminWrite = (
  method: 'POST' | 'PUT' | 'DELETE',
  path: `/${string}`,
  summary: string,
  staff: readonly StaffRole[] = [],
) =>
  oc
    .route({ method, path: `/admin${path}`, tags: ['admin'], summary })
    .meta({ staff })
    .errors(byAdmin);

/**
 * Input of every list of the back office: search words, page, and one of the sort keys (prefix '-' for descending; the first
 * one is the default). Further filters are fields of their own. Only the keys named here reach the SQL.
 */
export const listInput = <const Sorts extends readonly [string, ...string[]], Filters extends z.ZodRawShape>(
  sorts: Sorts,
  filters: Filters,
) =>
  z.strictObject({
    q: z.string().trim().max(SEARCH_MAX).default(''),
    page: z.coerce.number().int().min(1).max(LIST_PAGES_MAX).default(1),
    size: z.coerce.number().int().min(1).max(LIST_EXPORT_PAGE).default(LIST_PAGE),
    sort: z
      .enum(sorts.flatMap((key) => [key, `-${key}`]) as [SortKey<Sorts>, ...SortKey<Sorts>[]])
      .default(sorts[0] as never),
    ...filters,
  });
type SortKey<Sorts extends readonly string[]> = Sorts[number] | `-${Sorts[number]}`;

/** Output of such a list: one page of rows and the total; for a search the total is at most MANY_FOUND + 1. */
export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ rows: z.array(row), total: z.int().nonnegative() });

/** Live records, or those in the trash; a filter of lists with soft deletion. */
export const shelf = z.enum(['live', 'trash']).default('live');

/** Columns of every record that is edited and deleted softly. */
export const recordColumns = {
  id: z.uuid(),
  /** Number of changes, for optimistic locking: an edit sends the version it started from. */
  version: z.int().positive(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** Time of the soft deletion; the record is purged 30 days later. */
  deletedAt: z.iso.datetime().nullable(),
};

/** Id of the record, and the version that the editor saw. */
export const seenRecord = z.strictObject({ id: z.uuid(), version: z.int().positive() });
export const anyRecord = z.strictObject({ id: z.uuid() });
