import { sql } from 'drizzle-orm';
import type { LiveDomain, LiveEvent } from '#contract/live.ts';
import type { Tx } from '#server/db/client.ts';

/** Notifies all clients and page caches if and only if this transaction commits (NOTIFY is transactional). */
export async function publish(tx: Tx, event: LiveEvent): Promise<void> {
  await tx.execute(sql`select pg_notify('live', ${JSON.stringify(event)})`);
}

/** Publishes that the lists of a domain changed. */
export const publishChange = (tx: Tx, domain: LiveDomain) => publish(tx, { type: 'domain.changed', domain });
