import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();

await app.sql(`insert into voting_candidates (token_name, token_symbol, token_slug, description, order_index, is_active)
  select 'Token ' || n, 'T' || n, 'token-' || n, '', n, n % 2 = 0 from generate_series(1, 400) n`);
await app.sql('analyze voting_candidates');

/** The plan of a query when reading the whole table is not preferred for its few rows. */
const planOf = (query: string) =>
  app.services.db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    await tx.execute(sql`set local enable_bitmapscan = off`);
    const { rows } = await tx.execute(sql.raw(`explain ${query}`));
    return rows.map((row) => Object.values(row).join()).join('\n');
  });

it.each([
  [
    'token_creation_submissions_by_network',
    `select count(*) from (select 1 from token_creation_submissions t left join token_creations c on c.submission_id = t.id
      where t.selected_network = 'solana') first`,
  ],
  [
    'voting_candidates_by_activity',
    'select count(*) from (select 1 from voting_candidates c where c.deleted_at is null and c.is_active = false) first',
  ],
])('the rows of a filter are counted with an index-only scan of %s', async (index, query) => {
  expect(await planOf(query)).toContain(`Index Only Scan using ${index}`);
});
