import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { startTestApp } from './test-app.ts';

const app = await startTestApp();

it('statements of a test have no timeout, unlike those of the application', async () => {
  expect(await app.sql('show statement_timeout')).toEqual([{ statement_timeout: '0' }]);
  const { rows } = await app.services.db.execute(sql`show statement_timeout`);
  expect(rows).toEqual([{ statement_timeout: '10s' }]);
});
