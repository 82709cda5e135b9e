import type { AuditAction, AuditKind } from '#contract/admin/shared/audit-actions.ts';
import type { AuditField } from '#contract/admin/shared/audit-fields.ts';
import type { Tx } from '#server/db/client.ts';
import { auditEvents } from '#server/db/tables/audit.ts';

/** Who acts and from where, as every service function gets it. */
export interface Actor {
  id: string | null;
  role: 'visitor' | 'user' | 'moderator' | 'admin' | 'system';
  ipHash: Buffer | null;
  /** Where staff acts from; of others only the hash is kept. */
  address?: string | null;
  requestId: string | null;
}

/** What was or is, field by field. */
export type AuditFields = { readonly [Name in AuditField]?: unknown };

export interface AuditEntry {
  /** Domain and past-tense act: 'vote.withdrawn', 'project.created'. */
  action: AuditAction;
  resourceType: AuditKind;
  resourceId?: string | null;
  before?: AuditFields | null;
  after?: AuditFields | null;
  reason?: string;
}

/**
 * Writes what happened into the append-only, hash-chained log, in the transaction of the change itself.
 * From here to the commit other audited writes wait, so call it last.
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
