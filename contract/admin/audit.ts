import { z } from 'zod';
import { LIST_EXPORT_PAGE, LIST_PAGE, SEARCH_MAX } from '../limits.ts';
import { adminRead } from './list.ts';

export const auditEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  actorId: z.uuid().nullable(),
  /** Name or e-mail of the account as it is now; null when it is gone or never was. */
  actorName: z.string().nullable(),
  actorRole: z.enum(['visitor', 'user', 'moderator', 'admin', 'system']),
  action: z.string(),
  resourceType: z.string(),
  resourceId: z.string().nullable(),
  /** The fields that changed, or the whole record when it was made or removed. */
  before: z.unknown(),
  after: z.unknown(),
  reason: z.string().nullable(),
  /** Kept for staff only; of others there is a hash that ends with the day. */
  address: z.string().nullable(),
  requestId: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

const name = z.string().trim().max(SEARCH_MAX);

export const adminAudit = {
  /** Newest first; `cursor` is the id of the last entry of the page before. */
  list: adminRead('/audit', 'The audit log, newest first')
    .input(
      z.strictObject({
        /** Part of the name or e-mail of who did it. */
        who: name.default(''),
        /** An act, 'network.updated', or its beginning, 'network.'. */
        action: name.default(''),
        resourceType: name.default(''),
        resourceId: name.default(''),
        /** UTC days, both included. */
        from: z.iso.date().optional(),
        to: z.iso.date().optional(),
        cursor: z
          .string()
          .regex(/^\d{1,18}$/)
          .nullish(),
        size: z.coerce.number().int().min(1).max(LIST_EXPORT_PAGE).default(LIST_PAGE),
      }),
    )
    .output(z.object({ rows: z.array(auditEntry), nextCursor: z.string().nullable() })),
  /** What there is to filter by. */
  names: adminRead('/audit/names', 'Acts and kinds of records in the audit log').output(
    z.object({ actions: z.array(z.string()), resourceTypes: z.array(z.string()) }),
  ),
};
