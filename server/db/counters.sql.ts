// Counts that triggers maintain as rows with changes (migration 20261127002500).
import { int4, int8, text } from './pg-types.ts';
import { command, statement } from './statement.ts';

/**
 * Replaces the changes of each counter by their sum, in one statement, so that every reader has the same sum before and after it.
 * Of two concurrent calls the later one skips the rows of the first.
 *
 * @param above number of rows up to which nothing is done.
 */
export const sumCounterChanges = command({
  parameters: { above: int4 },
  text: (at) => `
    with gone as (
      delete from counter_changes where (select count(*) from counter_changes) > ${at.above} returning counter, amount
    )
    insert into counter_changes (counter, amount) select counter, sum(amount) from gone group by counter`,
});

/** Counters that differ from the rows they count; none while all triggers work. */
export const readWrongCounters = statement({
  parameters: {},
  row: { counter: text, stored: int8, counted: int8 },
  text: () => `
    select coalesce(t.counter, '') as counter, coalesce(k.amount, 0)::int8 as stored, coalesce(t.amount, 0) as counted
    from count_records() t
    left join (select counter, sum(amount) as amount from counter_changes group by 1) k on k.counter = t.counter
    where t.amount <> coalesce(k.amount, 0) order by 1`,
});

/** Corrects every counter, also beside writers; returns those that were wrong, and by how much. */
export const recountCounters = statement({
  parameters: {},
  row: { counter: text, difference: int8 },
  text: () =>
    `select coalesce(corrected, '') as counter, coalesce(difference, 0) as difference from recount_counters()`,
});
