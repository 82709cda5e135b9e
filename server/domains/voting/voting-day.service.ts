import type { Db } from '#server/db/client.ts';
import { publishChange } from '#server/live/publish.ts';

/**
 * Publishes that the day of votes is another one: who voted may vote again, and counts of today begin at zero. No vote has to
 * arrive for that, so open pages would show the day before until they are opened again.
 */
export const publishNewDay = (db: Db): Promise<void> => db.transaction((tx) => publishChange(tx, 'voting'));
