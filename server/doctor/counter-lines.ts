import type pg from 'pg';
import { readWrongCounters } from '#server/db/counters.sql.ts';
import { inWords, type Line } from './lines.ts';

/** The counters of the dashboard, compared with the rows they count. */
export async function counterLines(pool: pg.Pool): Promise<Line[]> {
  const wrong = await readWrongCounters(pool, {});
  if (wrong.length === 0) return [{ name: 'Counters of the dashboard', value: 'equal what they count' }];
  return wrong.map(({ counter, stored, counted }) => ({
    name: `Counter of ${inWords(counter)}`,
    value: `${stored}, counted ${counted}`,
    problem: `The dashboard shows ${stored} ${inWords(counter)} instead of ${counted}. As the owner of the database: select recount_counters();`,
  }));
}
