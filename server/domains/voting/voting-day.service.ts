import type { Db } from '#server/db/client.ts';
import { publishChange } from '#server/live/publish.ts';

/**
 * Publishes that a new UTC day of voting has begun: members can vote again, and the counts of the day are zero. No other event reports
 * that, so open pages would show the day before until they are reloaded.
 */
export const publishNewDay = (db: Db): Promise<void> => db.transaction((tx) => publishChange(tx, 'voting'));
