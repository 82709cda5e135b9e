import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type pg from 'pg';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { openPool } from '#server/db/client.ts';
import { onDatabase, runStatements } from '#tests/support/database/test-server.ts';
import { migrate, readMigrations } from './migrate.ts';
import { runOnline } from './online-migration.ts';
import { readVoteMonthsAhead, readVoteParts } from './vote-months.sql.ts';
import { dropEmptyVoteMonths, lacksVoteMonths, makeVoteMonths, monthOf } from './vote-months.ts';

vi.setConfig({ testTimeout: 300_000 });

const all = readMigrations(path.join(import.meta.dirname, 'migrations'));
const own = all.find(({ name }) => name.endsWith('_vote_months.sql'));
const before = all.filter(({ name }) => name < (own?.name ?? ''));
const today = new Date().toISOString().slice(0, 10);

async function emptyDatabase(): Promise<pg.Pool> {
  const { template: _, ...server } = inject('testServer');
  const name = `florka_months_${process.pid}_${randomBytes(4).toString('hex')}`;
  await runStatements(server, `create database ${name} encoding 'UTF8' template template0`);
  const pool = openPool({ ...onDatabase(server, name), max: 6 });
  onTestFinished(async () => {
    await pool.end();
    await runStatements(server, `drop database if exists ${name} with (force)`);
  });
  return pool;
}

/** The previous schema with votes of ten months, in every state, some of them in a cluster. */
async function former(): Promise<{ pool: pg.Pool; candidate: string; users: string[] }> {
  const pool = await emptyDatabase();
  await migrate(pool, before);
  await pool.query(
    `insert into users (email, name) select 'm' || n || '@example.org', 'm' || n from generate_series(1, 300) n`,
  );
  const { rows: users } = await pool.query<{ id: string }>('select id from users order by id');
  const { rows: made } = await pool.query<{ id: string }>(
    `insert into voting_candidates (token_name, token_symbol, token_slug) values ('Alpha', 'ALP', 'alpha') returning id`,
  );
  const candidate = made[0]?.id ?? '';
  await pool.query(
    `insert into votes (candidate_id, user_id, voted_on, created_at, state, state_reason)
     select $1, u.id, d::date, d + interval '1 hour', case n % 10 when 0 then 'void' when 1 then 'under_review' else 'counted' end,
       case n % 10 when 0 then 'moderator' when 1 then 'lockstep' end
     from (select id, row_number() over (order by id) as n from users) u,
       generate_series(date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - interval '270 days', now(), '30 days') d`,
    [candidate],
  );
  await pool.query(
    `insert into vote_review_clusters (round_id, signal, key, found_at, grown_at)
     select id, 'lockstep', 'k', now(), now() from voting_rounds limit 1`,
  );
  await pool.query(
    `insert into vote_review_votes (vote_id, cluster_id, candidate_id, user_id, held_at)
     select v.id, c.id, v.candidate_id, v.user_id, now() from votes v, vote_review_clusters c where v.state = 'under_review'`,
  );
  return { pool, candidate, users: users.map(({ id }) => id) };
}

/** Every vote with its location and the transaction that wrote it: none of that may change. */
const everything = async (pool: pg.Pool, table: string) =>
  (await pool.query(`select ctid::text, xmin::text, v.* from ${table} v order by id`)).rows;
const partOf = async (pool: pg.Pool, id: string) =>
  (await pool.query<{ part: string }>('select tableoid::regclass::text as part from votes where id = $1', [id])).rows[0]
    ?.part;
const dated = (day: string, later: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + later * 86_400_000).toISOString().slice(0, 10);

describe('the unpartitioned table of votes', () => {
  it('becomes the first partition without rewriting rows, during votes, with all constraints and rights', async () => {
    const { pool, candidate, users } = await former();
    await pool.query('alter table votes set (autovacuum_enabled = off)');
    const was = await everything(pool, 'votes');
    const { rows: files } = await pool.query(`select relfilenode from pg_class where oid = 'votes'::regclass`);
    await pool.query(`do $$ begin create role florka_months_app; exception when duplicate_object then null; end $$`);
    await pool.query('grant select, insert, delete on votes to florka_months_app');
    let going = true;
    let cast = 0;
    const writer = (async () => {
      for (let n = 0; going || n < 20; n++) {
        await pool.query(
          `insert into votes (candidate_id, user_id, voted_on) values ($1, $2, $3::date - 1 - $4::int)`,
          [candidate, users[n % 300], today, Math.floor(n / 300)],
        );
        cast++;
      }
    })();
    await migrate(pool, all);
    going = false;
    await writer;
    const now = await everything(pool, 'votes_before');
    expect(now.slice(0, was.length)).toEqual(was);
    expect(now).toHaveLength(was.length + cast);
    expect(new Set(now.map(({ id }) => id)).size).toBe(now.length);
    expect(await pool.query(`select relfilenode from pg_class where oid = 'votes_before'::regclass`)).toMatchObject({
      rows: files,
    });
    expect(
      (
        await pool.query(`select has_table_privilege('florka_months_app', 'votes', 'select, insert') as may,
        has_table_privilege('florka_months_app', 'votes', 'update') as more,
        has_sequence_privilege('florka_months_app', 'votes_id_seq', 'usage') as numbers`)
      ).rows,
    ).toEqual([{ may: true, more: false, numbers: true }]);
    await pool.query('drop owned by florka_months_app');

    // One vote per member, candidate and day, across partitions.
    await expect(
      pool.query(
        'insert into votes (candidate_id, user_id, voted_on) select candidate_id, user_id, voted_on from votes limit 1',
      ),
    ).rejects.toMatchObject({ code: '23505' });
    await expect(
      pool.query('insert into votes (candidate_id, user_id, voted_on) values (gen_random_uuid(), $1, $2)', [
        users[0],
        today,
      ]),
    ).rejects.toMatchObject({ code: '23503' });
    await expect(pool.query(`update votes set state = 'other'`)).rejects.toMatchObject({ code: '23514' });

    // Deleting a vote still deletes its dependent rows, in any partition; once each.
    const changes = async () =>
      (await pool.query<{ n: number }>(`select count(*)::int as n from vote_changes`)).rows[0]?.n ?? 0;
    const count = await changes();
    const { rowCount } = await pool.query('select 1 from votes where user_id = $1', [users[5]]);
    await pool.query('delete from users where id = $1', [users[5]]);
    expect(await changes()).toBe(count + (rowCount ?? 0));
    await pool.query('delete from votes where user_id = $1 and voted_on < $2', [users[6], dated(today, -60)]);
    expect(await changes()).toBeGreaterThan(count + (rowCount ?? 0));
    const later = await changes();
    const { rows: renewed } = await pool.query('update votes set id = default where user_id = $1 returning id', [
      users[7],
    ]);
    expect(await changes()).toBe(later + renewed.length);

    // Clusters contain the days of their votes and follow their states.
    const { rows: unknown } = await pool.query(
      'select 1 from vote_review_votes r join votes v on v.id = r.vote_id where r.voted_on is distinct from v.voted_on',
    );
    expect(unknown).toEqual([]);
    const waiting = async () =>
      (await pool.query<{ n: number }>('select sum(votes)::int as n from vote_review_waiting')).rows[0]?.n ?? 0;
    const waited = await waiting();
    const { rowCount: released } = await pool.query(
      `update votes set state = 'counted', state_reason = null where state = 'under_review' and user_id = (select user_id from votes
         where state = 'under_review' limit 1)`,
    );
    expect(released).toBeGreaterThan(5);
    expect(await waiting()).toBe(waited - (released ?? 0));
  });

  it('is also converted by a migration that was interrupted before', async () => {
    const { pool } = await former();
    const client = await pool.connect();
    const upTo = (words: string) => own?.sql.slice(0, own.sql.indexOf(words)) ?? '';
    await runOnline(client, upTo('create or replace function on_votes_withdrawn'), 60_000);
    // As if a month had passed.
    await client.query('alter table votes drop constraint votes_first_months');
    await client.query(`alter table votes add constraint votes_first_months check (voted_on <= '${today}') not valid`);
    client.release();
    const votes = (await everything(pool, 'votes')).length;
    await migrate(pool, all);
    expect(await everything(pool, 'votes')).toHaveLength(votes);
    const [firstPart] = await readVoteParts(pool, {});
    expect(firstPart).toMatchObject({ name: 'votes_before', from: null, to: monthOf(today, 2) });
    const again = await pool.connect();
    await runOnline(again, own?.sql ?? '', 60_000);
    again.release();
    expect(await everything(pool, 'votes')).toHaveLength(votes);
  });
});

describe('the monthly partitions of votes', () => {
  async function prepared() {
    const { pool, candidate, users } = await former();
    await migrate(pool, all);
    const client = await pool.connect();
    onTestFinished(() => client.release());
    const cast = async (day: string, user = users[0]) =>
      (
        await client.query<{ id: string }>(
          'insert into votes (candidate_id, user_id, voted_on) values ($1, $2, $3) returning id',
          [candidate, user, day],
        )
      ).rows[0]?.id ?? '';
    return { pool, client, cast };
  }

  it('are created in advance, contain the votes of their days, and are not created twice', async () => {
    const { pool, client, cast } = await prepared();
    expect((await readVoteMonthsAhead(client, {}))[0]).toMatchObject({ parts: 2, months: 1 });
    expect(await lacksVoteMonths(client, today)).toBe(true);
    const made = await makeVoteMonths(client, today);
    const names = [2, 3, 4, 5, 6].map((n) => `votes_${monthOf(today, n).slice(0, 7).replace('-', '_')}`);
    expect(made).toEqual(names);
    expect(await lacksVoteMonths(client, today)).toBe(false);
    expect(await makeVoteMonths(client, today)).toEqual([]);
    expect((await readVoteMonthsAhead(client, {}))[0]).toMatchObject({ parts: 7, months: 6, until: monthOf(today, 7) });
    const third = monthOf(today, 3);
    expect(await partOf(pool, await cast(dated(third, -1)))).toBe(names[0]);
    expect(await partOf(pool, await cast(third))).toBe(names[1]);
    expect(await partOf(pool, await cast(dated(monthOf(today, 2), -1)))).toBe('votes_before');
    expect(await partOf(pool, await cast('2001-01-01'))).toBe('votes_before');
    // One vote per member, candidate and day, in any partition.
    await expect(cast(third)).rejects.toMatchObject({ code: '23505' });
  });

  it('that are missing refuse no vote, and become one partition when they are created later', async () => {
    const { pool, client, cast } = await prepared();
    await makeVoteMonths(client, today);
    const missing = monthOf(today, 9);
    const id = await cast(missing);
    expect(await partOf(pool, id)).toBe('votes_later');
    // The site was not started for a year.
    const then = monthOf(today, 12);
    await cast(dated(then, 3));
    expect((await makeVoteMonths(client, dated(then, 4))).length).toBe(6);
    const parts = await readVoteParts(client, {});
    const gap = parts.find(({ from }) => from === monthOf(today, 7));
    expect(gap?.to).toBe(monthOf(then, 2));
    expect(await partOf(pool, id)).toBe(gap?.name);
    expect(parts.at(-1)).toMatchObject({ name: 'votes_later', from: monthOf(then, 7), to: null });
    expect(await lacksVoteMonths(client, dated(then, 4))).toBe(false);
    await cast(monthOf(then, 30));
    // No day is in two partitions or in none.
    for (const [i, part] of parts.entries()) if (i > 0) expect(part.from).toBe(parts[i - 1]?.to);
  });

  it('are dropped when past and empty, also after an interrupted attempt, and never with votes', async () => {
    const { pool, client, cast } = await prepared();
    await makeVoteMonths(client, today);
    const [second, third, fourth] = [2, 3, 4].map((n) => `votes_${monthOf(today, n).slice(0, 7).replace('-', '_')}`);
    const id = await cast(monthOf(today, 3));
    // It was detached, and the process ended before it was dropped.
    await client.query(`alter table votes detach partition ${second} concurrently`);
    expect(await dropEmptyVoteMonths(client, monthOf(today, 5))).toEqual([second, fourth].sort());
    expect(await partOf(pool, id)).toBe(third);
    // A detached table with votes must not be dropped.
    await client.query(`alter table votes detach partition ${third}`);
    await client.query('create table votes_2020_01 (like votes)');
    const dropped: string[] = [];
    const note = async (name: string) => void dropped.push(name);
    await expect(dropEmptyVoteMonths(client, monthOf(today, 5), note)).rejects.toThrow(/was left alone/);
    // The tables dropped before the error were reported.
    expect(dropped).toEqual(['votes_2020_01']);
    expect((await client.query(`select 1 from ${third}`)).rowCount).toBe(1);
  });
});
