import { sql } from 'drizzle-orm';
import type { LiveDomain, LiveEvent } from '#contract/live.ts';
import type { Tx } from '#server/db/client.ts';

/** Tells every open screen and every page cache, if and only if this transaction commits (NOTIFY is transactional). */
export async function publish(tx: Tx, event: LiveEvent): Promise<void> {
  await tx.execute(sql`select pg_notify('live', ${JSON.stringify(event)})`);
}

/** Says that the lists of a domain changed. */
export const publishChange = (tx: Tx, domain: LiveDomain) => publish(tx, { type: 'domain.changed', domain });
