import { arrayOf, timestamptz, uuid } from '#server/db/pg-types.ts';
import { command } from '#server/db/statement.ts';

/**
 * Stores when sessions were last used, in the same order in each list. Rows that are locked by an extension or an end of the
 * session are skipped, so that no request waits for this.
 */
export const noteUses = command({
  parameters: { ids: arrayOf(uuid), moments: arrayOf(timestamptz) },
  text: (at) => `
    update sessions s set last_used_at = u.at from unnest(${at.ids}, ${at.moments}) as u (id, at)
    where s.id = u.id and s.id in (select id from sessions where id = any(${at.ids}) for update skip locked)`,
});
