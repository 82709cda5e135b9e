import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { propertyRuns } from '#tests/support/runner/property-runs.ts';
import { readWrongCounters, recountCounters, sumCounterChanges } from './counters.sql.ts';

const app = await startTestApp();
const { pool } = app.services;
const RUNS = propertyRuns(30);

/** Every way to insert, delete or change counted rows, each for a random part of the rows. */
const CHANGES = [
  `insert into forum_users (username, wallet_address) select 'r' || md5(random()::text), 'w' || md5(random()::text)
   from generate_series(1, 3)`,
  `delete from forum_users where new_auth_user_id is null and random() < 0.5`,
  `update user_roles set role = case when random() < 0.5 then 'moderator' else 'user' end, requested_at = now(),
     moderator_request_status = (array['approved', 'pending', 'rejected'])[1 + floor(random() * 3)::int] where random() < 0.5`,
  // Cascades to the role of the member.
  `delete from users where id in (select id from users order by random() limit 1)`,
  ...['projects', 'next_projects', 'voting_candidates'].flatMap((table) => [
    `update ${table} set deleted_at = case when random() < 0.5 then now() end where random() < 0.5`,
    `delete from ${table} where random() < 0.2`,
  ]),
  `update projects set status = (array['pending', 'approved', 'published_home', 'rejected'])[1 + floor(random() * 4)::int],
     order_index = 999 where random() < 0.5`,
  `insert into voting_candidates (token_name, token_symbol, token_slug, total_votes, deleted_at)
   select 'R', 'R', md5(random()::text), floor(random() * 3)::int, case when random() < 0.5 then now() end
   from generate_series(1, 3)`,
  `update voting_candidates set total_votes = floor(random() * 100)::int where random() < 0.5`,
  `insert into news (title, content, is_active, deleted_at)
   select 'n', 'c', random() < 0.5, case when random() < 0.5 then now() end from generate_series(1, 3)`,
  `update news set is_active = random() < 0.5, deleted_at = case when random() < 0.5 then now() end where random() < 0.5`,
  `delete from news where random() < 0.2`,
  `insert into forum_posts (title, content, is_hidden) select 't', 'c', random() < 0.5 from generate_series(1, 3)`,
  `update forum_posts set is_hidden = random() < 0.5 where random() < 0.5`,
  `delete from forum_posts where random() < 0.2`,
  `insert into project_submissions (status) values ('new'), ('reviewed')`,
  `update project_submissions set status = (array['new', 'reviewed', 'approved'])[1 + floor(random() * 3)::int]
   where random() < 0.5`,
  `delete from project_submissions where random() < 0.2`,
];

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(app.config);
  await client.connect();
  return client;
}

beforeAll(async () => {
  await app.members(20);
  for (let n = 0; n < 6; n++) await Promise.all([app.project(), app.nextProject(), app.candidate()]);
});

describe('counters', () => {
  it('equal the counted rows after any change: in a transaction, after a rollback, before and after sums', async () => {
    const client = await connect();
    try {
      for (let seed = 1; seed <= RUNS; seed++) {
        await client.query('select setseed($1)', [seed / (RUNS + 1)]);
        for (const change of CHANGES) {
          await client.query('begin');
          const { rowCount } = await client.query(change);
          expect(await readWrongCounters(client, {}), `${rowCount} rows, seed ${seed}: ${change}`).toEqual([]);
          await client.query(seed % 3 === 0 ? 'rollback' : 'commit');
        }
        expect(await readWrongCounters(client, {}), `seed ${seed}`).toEqual([]);
        if (seed % 5 === 0) await sumCounterChanges(client, { above: 0 });
        expect(await readWrongCounters(client, {}), `seed ${seed}, summed`).toEqual([]);
      }
    } finally {
      await client.end();
    }
    await sumCounterChanges(pool, { above: 0 });
    const [rows] = await app.sql<{ n: number }>('select count(*)::int as n from counter_changes');
    expect(rows?.n).toBeLessThanOrEqual(11);
  });

  it('equal the counted rows in every snapshot during concurrent writes, sums and corrections', async () => {
    const clients = await Promise.all([connect(), connect(), connect(), connect()]);
    const posts = `insert into forum_posts (title, content) select 'at once', 'c' from generate_series(1, 2)`;
    const hide = `update forum_posts set is_hidden = not is_hidden where id in
      (select id from forum_posts order by random() limit 2 for update skip locked)`;
    try {
      await Promise.all(
        clients.map(async (client, i) => {
          for (let n = 0; n < 40; n++) {
            if (i === 0) expect(await readWrongCounters(client, {})).toEqual([]);
            else if (i === 1) await sumCounterChanges(client, { above: 0 });
            else if (n % 10 === 9) expect(await recountCounters(client, {})).toEqual([]);
            else await client.query(n % 2 ? posts : hide);
          }
        }),
      );
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
    expect(await readWrongCounters(pool, {})).toEqual([]);
  });

  it('that are wrong are reported and corrected', async () => {
    await app.sql("insert into counter_changes (counter, amount) values ('news', 3), ('posts', -2)");
    const wrong = await readWrongCounters(pool, {});
    expect(wrong.map(({ counter, stored, counted }) => [counter, stored - counted])).toEqual([
      ['news', 3],
      ['posts', -2],
    ]);
    const corrected = await recountCounters(pool, {});
    expect(corrected.toSorted((a, b) => a.counter.localeCompare(b.counter))).toEqual([
      { counter: 'news', difference: -3 },
      { counter: 'posts', difference: 2 },
    ]);
    expect(await readWrongCounters(pool, {})).toEqual([]);
    expect(await recountCounters(pool, {})).toEqual([]);
  });
});
