import { pino } from 'pino';
import { expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { housekeeping } from './housekeeping.job.ts';

const app = await startTestApp();
const log = pino({ level: 'silent' });
const ATTEMPT = { id: '1', attempt: 1, attempts: 1 } as unknown as Parameters<typeof housekeeping>[2];

it('of the failed runs of a recurring job the first since its last success stays, of other jobs all', async () => {
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
