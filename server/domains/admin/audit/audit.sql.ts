import { text } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** Distinct values of a column of the log, by a loose index scan instead of reading the log. */
const distinct = (name: 'action' | 'resource_type') => `
  with recursive found as (
    (select ${name} as value from audit_events order by ${name} limit 1)
    union all
    select (select ${name} from audit_events where ${name} > found.value order by ${name} limit 1) from found
    where found.value is not null
  ) select coalesce(value, '') as value from found where value is not null`;

export const readAuditActions = statement({ parameters: {}, row: { value: text }, text: () => distinct('action') });
export const readAuditKinds = statement({
  parameters: {},
  row: { value: text },
  text: () => distinct('resource_type'),
});
