import type { LiveDomain, LiveEvent } from '#contract/live.ts';
import type { Tx } from '#server/db/client.ts';
import { sendNotification } from '#server/db/server.sql.ts';

/** Notifies all clients and page caches if and only if this transaction commits (NOTIFY is transactional). */
export async function publish(tx: Tx, event: LiveEvent): Promise<void> {
  await sendNotification(tx, { channel: 'live', payload: JSON.stringify(event) });
}

const changeOf = (domain: LiveDomain): LiveEvent => ({ type: 'domain.changed', domain });

/** The notification on the channel `live` that the lists of a domain changed, for statements that send it themselves. */
export const changeMessage = (domain: LiveDomain): string => JSON.stringify(changeOf(domain));

/** Publishes that the lists of a domain changed. */
export const publishChange = (tx: Tx, domain: LiveDomain) => publish(tx, changeOf(domain));
