import { text } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** The newest entry of the audit log, as `id:hash`. */
export const readAuditAnchor = statement({
  parameters: {},
  row: { anchor: text },
  text: () => `select id || ':' || encode(hash, 'hex') as anchor from audit_events order by id desc limit 1`,
});
