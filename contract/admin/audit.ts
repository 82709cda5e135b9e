import { z } from 'zod';
import { LIST_EXPORT_PAGE, LIST_PAGE, SEARCH_MAX } from '../limits.ts';
import { ANY_STAFF, type StaffRole } from '../staff.ts';
import type { AuditKind } from './shared/audit-actions.ts';
import { adminRead } from './shared/list.ts';

export const auditEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  actorId: z.uuid().nullable(),
  /** Current name or e-mail of the account; null when the account was deleted or never existed. */
  actorName: z.string().nullable(),
  actorRole: z.enum(['visitor', 'user', 'moderator', 'admin', 'system']),
  action: z.string(),
  resourceType: z.string(),
  resourceId: z.string().nullable(),
  /** The changed fields only, or the whole record when it was created or deleted. */
  before: z.unknown(),
  after: z.unknown(),
  reason: z.string().nullable(),
  /** Stored for staff only and shown to owners; for everybody else only a hash, whose key changes every 30 days. */
  address: z.string().nullable(),
  requestId: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/**
 * Staff roles that may read the history of a single record of a kind, because such records are their work. Owners read the
 * whole log; a kind missing here is for owners only.
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
  /**
   * With a record: for the staff roles in AUDIT_STAFF; without: for owners. Newest first; `cursor` is the id of the last entry
   * of the previous page.
   */
  list: adminRead('/audit', 'The audit log, newest first', ANY_STAFF)
    .input(
      z.strictObject({
        /** Part of the actor's name or e-mail. */
        who: name.default(''),
        /** An action such as 'network.updated', or a prefix such as 'network.'. */
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
  /** The values available for the filters. */
  names: adminRead('/audit/names', 'Actions and kinds of records in the audit log').output(
    z.object({ actions: z.array(z.string()), resourceTypes: z.array(z.string()) }),
  ),
};
