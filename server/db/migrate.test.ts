import { describe, expect, it } from 'vitest';
import { useDatabase } from '#tests/support/database/database.ts';
import { isMigrated, type Migration, migrate } from './migrate.ts';

const before: Migration[] = [
  { name: '0001_first.sql', sql: '-- Step: first. Undo: drop.\ncreate table kept (id int)' },
];
const expanded: Migration[] = [
  ...before,
  {
    name: '0002_more.sql',
    sql: '-- More.\n-- Step: expand; safe while the old server runs.\nalter table kept add more int',
  },
];
const contracted: Migration[] = [
  ...expanded,
  { name: '0003_less.sql', sql: '-- Step: contract.\nalter table kept drop more' },
];

describe('migrations applied by another version', () => {
  const database = useDatabase();

  it('the previous version still starts after expand migrations, and not after a contract migration', async () => {
    await database.pool.query('alter table schema_migrations rename to schema_migrations_of_the_program');
    expect(await migrate(database.pool, before)).toEqual(['0001_first.sql']);
    expect(await migrate(database.pool, expanded)).toEqual(['0002_more.sql']);
    // The previous version counts as ready, both running and when started now.
    expect(await isMigrated(database.pool, before)).toBe(true);
    expect(await migrate(database.pool, before)).toEqual([]);
    expect(await isMigrated(database.pool, contracted)).toBe(false);
    expect(await migrate(database.pool, contracted)).toEqual(['0003_less.sql']);
    await expect(migrate(database.pool, expanded)).rejects.toThrow(
      'newer than this program: it has the migration 0003_less',
    );
  });

  it('expand migrations are marked in databases of versions that did not mark them', async () => {
    await database.pool.query('alter table schema_migrations drop column expand');
    await migrate(database.pool, contracted);
    const { rows } = await database.pool.query('select name from schema_migrations where expand order by name');
    expect(rows).toEqual([{ name: '0002_more.sql' }]);
  });

  it('a migration that was edited after it was applied is refused', async () => {
    const edited = contracted.with(1, { name: '0002_more.sql', sql: '-- Step: expand\nselect 1' });
    await expect(migrate(database.pool, edited)).rejects.toThrow('0002_more.sql was edited');
  });
});
