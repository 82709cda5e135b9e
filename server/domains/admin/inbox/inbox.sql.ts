import { boolean } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** True when the tables of the queue exist. */
export const readQueueExists = statement({
  parameters: {},
  row: { there: boolean },
  text: () => `select to_regclass('jobs.job') is not null as there`,
});
