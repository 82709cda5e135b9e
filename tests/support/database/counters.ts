import { afterEach, expect } from 'vitest';
import { readWrongCounters } from '#server/db/counters.sql.ts';
import type { Services } from '#server/services.ts';

/** Checks after each test of the file that every counter equals the number of rows that it counts. */
export function countersStayExact({ services }: { services: Pick<Services, 'pool'> }): void {
  afterEach(async () => {
    expect(await readWrongCounters(services.pool, {}), 'counters that differ from their rows').toEqual([]);
  });
}
