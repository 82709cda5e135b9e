import type { AuditAction, AuditKind } from '#contract/admin/shared/audit-actions.ts';
import type { AuditField } from '#contract/admin/shared/audit-fields.ts';
import type { Tx } from '#server/db/client.ts';
import { auditEvents } from '#server/db/tables/audit.ts';

/** The person or process that acts, and the origin of the request; a parameter of every audited service function. */
export interface Actor {
  id: string | null;
  role: 'visitor' | 'user' | 'moderator' | 'admin' | 'system';
  ipHash: Buffer | null;
  /** Client address in plain text, set for staff only; for all others only `ipHash` is stored. */
  address?: string | null;
  requestId: string | null;
}

/** Field values of the record before or after the change. */
export type AuditFields = { readonly [Name in AuditField]?: unknown };

export interface AuditEntry {
  /** Domain and past-tense action: 'vote.withdrawn', 'project.created'. */
  action: AuditAction;
  resourceType: AuditKind;
  resourceId?: string | null;
  before?: AuditFields | null;
  after?: AuditFields | null;
  reason?: string;
}

/**
 * Appends one entry to the append-only, hash-chained audit log, in the transaction of the change itself. The entry
 * locks the chain until the commit, so other audited transactions wait: call it last.
 */
export async function audit(tx: Tx, actor: Actor, entry: AuditEntry): Promise<void> {
  const { action, resourceType, resourceId = null, before = null, after = null, reason = null } = entry;
  const { id: actorId, role: actorRole, ipHash, requestId, address = null } = actor;
  await tx.insert(auditEvents).values({
    actorId,
    actorRole,
    action,
    resourceType,
    resourceId,
    before,
    after,
    reason,
    ipHash,
    requestId,
    address,
  });
}
