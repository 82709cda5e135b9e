import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMigrations } from '#server/db/migrate.ts';
import { statementsOf } from '#server/db/statements.ts';
import { findingsIn, sharedTimes } from './check-migrations.ts';

const FOLDER = path.resolve(import.meta.dirname, '../server/db/migrations');
const plain = (sql: string) => findingsIn('0099_new.sql', sql).map(({ message }) => message);
const online = (sql: string) => plain(`-- Mode: online\n${sql}`);

describe('the statements of a migration', () => {
  it('are separated correctly around semicolons in quotes, comments and function bodies', () => {
    const sql = `-- Head; of it all.\nselect ';' as "a;b"; -- behind\n-- Batch\nupdate t set a = 'it''s; so';\n/* x; */ do $x$ begin; end $x$;\n`;
    expect(statementsOf(sql)).toEqual([
      { text: `select ';' as "a;b"`, notes: ['Head; of it all.'], line: 2 },
      { text: `update t set a = 'it''s; so'`, notes: [' behind', 'Batch'].map((note) => note.trim()), line: 4 },
      { text: 'do $x$ begin; end $x$', notes: ['/* x; */'], line: 5 },
    ]);
  });
});

describe('new migrations', () => {
  it.each([
    ['create index votes_new on votes (id)', 'index'],
    ['create unique index votes_new on public.votes (id)', 'index'],
    ['alter table votes alter column id type bigint', 'type'],
    ['alter table votes alter id set data type bigint', 'type'],
    ['alter table votes add column x text generated always as (lower(y)) stored', 'generated'],
    ['alter table only votes add x uuid not null default gen_random_uuid()', 'default'],
    ['alter table votes add column x bigserial', 'identity'],
    ['alter table votes alter column x set not null', 'not null'],
    ['alter table votes add constraint a check (x > 0)', 'constraint'],
    ['alter table votes add constraint a foreign key (x) references users (id)', 'constraint'],
    ['alter table votes add column x uuid references users (id)', 'foreign key'],
    ['alter table votes add constraint a unique (x)', 'key'],
    ['alter table votes validate constraint a', 'validating'],
    ['alter table votes set unlogged', 'rewrites'],
    ['lock table votes', 'under a lock'],
    ['update votes set x = 1', 'Batch'],
    ['delete from votes where x = 1', 'Batch'],
    ['with old as (select 1) update votes set x = 1', 'Batch'],
    ['do $$ begin if true then create index votes_new on votes (id); end if; end $$', 'index'],
    ['create index concurrently votes_new on votes (id)', 'concurrently'],
  ])('may not %s', (sql, words) => {
    expect(plain(sql)).toContainEqual(expect.stringContaining(words));
  });

  it.each([
    'create table fresh (id int); create index fresh_id on fresh (id); update fresh set id = 1',
    'alter table votes add column x text',
    "alter table votes add column if not exists x text not null default ''",
    'alter table votes add column x timestamptz not null default now()',
    'alter table votes add constraint a check (x > 0) not valid',
    'alter table votes alter column x drop expression, alter column x set default 1',
    'alter table settings alter column value type jsonb; update settings set value = null',
    'create function f() returns trigger language plpgsql as $$ begin update votes set x = 1; return new; end $$',
    'insert into settings (key, value) values (1, 2)',
  ])('may %s', (sql) => {
    expect(plain(sql)).toEqual([]);
  });

  it.each([
    'create index concurrently if not exists votes_new on votes (id)',
    '-- Batch\nupdate votes set x = 1 where id in (select id from votes where x is null limit 1000)',
    'alter table votes validate constraint a; alter table votes alter column x set not null',
    'alter table votes add constraint a unique using index votes_new',
  ])('in online mode may %s', (sql) => {
    expect(online(sql)).toEqual([]);
  });

  it('all pass the check, and the first version of 0025 fails it', () => {
    expect(readMigrations(FOLDER).flatMap(({ name, sql }) => findingsIn(name, sql))).toEqual([]);
    const first = readFileSync(path.join(FOLDER, 'replaced/0025_office_speed.sql'), 'utf8');
    expect(findingsIn('0025_office_speed.sql', first).map(({ message }) => message)).toContainEqual(
      expect.stringContaining('forum_users: a generated column'),
    );
  });

  it('may not have the time of another one, but those that were released with it', () => {
    const [first, second, third] = ['20261201120000_a.sql', '20261201120000_b.sql', '20261201120001_a.sql'];
    expect(sharedTimes([first, second, third])).toEqual([{ name: second, other: first }]);
    expect(sharedTimes([first, third])).toEqual([]);
    expect(sharedTimes(['0012_a.sql', '0012_b.sql', '20261123152500_a.sql', '20261123152500_b.sql'])).toEqual([]);
    expect(sharedTimes(readMigrations(FOLDER).map(({ name }) => name))).toEqual([]);
  });

  it('must be named by their time, so that two branches rarely choose the same one', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'florka-migrations-'));
    try {
      const names = ['0039_last_number.sql', '20261122195300_first_time.sql'];
      for (const name of names) writeFileSync(path.join(folder, name), 'select 1;');
      expect(readMigrations(folder).map(({ name }) => name)).toEqual(names);
      writeFileSync(path.join(folder, '0040_one_more_number.sql'), 'select 1;');
      expect(() => readMigrations(folder)).toThrow('0040_one_more_number.sql: a migration is named by its time');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
