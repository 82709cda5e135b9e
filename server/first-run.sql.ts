import { boolean } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** True if the database has no members, projects and candidates yet. */
export const readEmpty = statement({
  parameters: {},
  row: { empty: boolean },
  text: () => `select not exists (select 1 from users) and not exists (select 1 from projects)
    and not exists (select 1 from voting_candidates) as empty`,
});
