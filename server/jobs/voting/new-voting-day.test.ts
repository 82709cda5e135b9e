import { pino } from 'pino';
import { expect, it } from 'vitest';
import { jobs } from '#server/jobs/catalog.ts';
import { listenTo, startTestApp } from '#tests/support/app/test-app.ts';
import { newVotingDay } from './new-voting-day.job.ts';

const app = await startTestApp();
const ATTEMPT = { id: '1', attempt: 1, attempts: 1 } as unknown as Parameters<typeof newVotingDay>[2];

it('at 00:00 UTC pages, caches and open screens are notified that votes are counted for another day [AMB-09]', async () => {
  expect(jobs['new-voting-day'].cron).toBe('0 0 * * *');
  const { until } = listenTo(app.services);
  await newVotingDay({}, { services: app.services, log: pino({ level: 'silent' }) }, ATTEMPT);
  await until((event) => event.type === 'domain.changed' && event.domain === 'voting');
});
