import { pino } from 'pino';
import { expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { housekeeping } from './housekeeping.job.ts';

const app = await startTestApp();
const log = pino({ level: 'silent' });
const ATTEMPT = { id: '1', attempt: 1, attempts: 1 } as unknown as Parameters<typeof housekeeping>[2];

it('housekeeping retains the first failed run since the last success of a recurring job, all of others', async () => {
  await app.services.jobs.start();
  for (const name of ['deliver-notifications', 'finish-bans', 'sum-counters'])
    await app.sql(`insert into jobs.schedule (name, cron) values ($1, '* * * * *')`, [name]);
  const ran = (name: string, state: 'failed' | 'completed', hours: number) =>
    app.sql(
      `insert into jobs.job (name, state, data, completed_on)
       values ($1, $2::jobs.job_state, jsonb_build_object('hours', $3::int), now() - $3::int * interval '1 hour')`,
      [name, state, hours],
    );
  for (const hours of [9, 5, 4, 3]) await ran('deliver-notifications', 'failed', hours);
  await ran('deliver-notifications', 'completed', 6);
  await ran('finish-bans', 'failed', 2);
  await ran('finish-bans', 'completed', 1);
  for (const hours of [3, 2]) await ran('send-mail', 'failed', hours);
  await ran('send-mail', 'completed', 1);
  await ran('sum-counters', 'failed', 24 * 8);
  await housekeeping({}, { services: app.services, log }, ATTEMPT);
  expect(
    await app.sql(
      `select name, (data ->> 'hours')::int as hours from jobs.job where state = 'failed' order by name, hours desc`,
    ),
  ).toEqual([
    { name: 'deliver-notifications', hours: 5 },
    { name: 'send-mail', hours: 3 },
    { name: 'send-mail', hours: 2 },
  ]);
});

it('housekeeping deletes expired rows in batches, so that no statement exceeds its timeout', async () => {
  await app.sql(`create function few_at_once() returns trigger language plpgsql as $$ begin
    if (select count(*) from gone) > 10000 then raise exception 'too many rows in one statement'; end if;
    return null; end $$`);
  await app.sql(`create trigger few_at_once after delete on rate_limits referencing old table as gone
    for each statement execute function few_at_once()`);
  await app.sql(`insert into rate_limits (key, hits, window_ends)
    select 'old:' || n, 1, now() - interval '1 minute' from generate_series(1, 20500) n`);
  await app.sql(`insert into rate_limits (key, hits, window_ends) values ('young', 1, now() + interval '1 hour')`);
  await housekeeping({}, { services: app.services, log }, ATTEMPT);
  expect(await app.sql(`select key from rate_limits where key = 'young' or key like 'old:%'`)).toEqual([
    { key: 'young' },
  ]);
});
