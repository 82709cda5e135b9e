import { z } from 'zod';
import { LIST_EXPORT_PAGE, LIST_PAGE, SEARCH_MAX } from '../limits.ts';
import { ANY_STAFF, type StaffRole } from '../staff.ts';
import type { AuditKind } from './shared/audit-actions.ts';
import { adminRead } from './shared/list.ts';

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
  /** Kept for staff only, and shown to owners; of others there is a hash that ends with the day. */
  address: z.string().nullable(),
  requestId: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/**
 * Who reads the history of one record of a kind, beside owners, who read the whole log: those whose work such records are. Of a kind that
 * is not here only owners.
 */
export const AUDIT_STAFF: Readonly<Partial<Record<AuditKind, readonly StaffRole[]>>> = {
  project: ['editor'],
  next_project: ['editor'],
  candidate: ['editor'],
  news: ['editor'],
  site_page: ['editor'],
  image: ['editor'],
  round: ['editor'],
  post: ['moderator'],
  comment: ['moderator'],
  vote_cluster: ['moderator'],
  submission: ['support'],
  member: ['support'],
  token_request: ['support', 'finance'],
  payment: ['finance'],
  refund: ['finance'],
  deliverable: ['finance'],
  deliverable_terms: ['finance'],
  settlement: ['finance'],
};

const name = z.string().trim().max(SEARCH_MAX);

export const adminAudit = {
  /** Of one record for those whose work it is, else for owners. Newest first; `cursor` is the id of the last entry of the page before. */
  list: adminRead('/audit', 'The audit log, newest first', ANY_STAFF)
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
