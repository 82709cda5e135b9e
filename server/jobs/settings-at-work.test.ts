import { pino } from 'pino';
import { expect, it } from 'vitest';
import { TRUST } from '#contract/trust.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { REMOVAL_REASON } from '#tests/support/samples/removal.ts';
import { notifyStaff } from './messages/notify-staff.job.ts';
import { housekeeping } from './upkeep/housekeeping.job.ts';

const app = await startTestApp();
const owner = await app.member({ role: 'admin' });
const admin = app.as(owner, {}).admin.settings;
const { services } = app;
const log = pino({ level: 'silent' });
const DAY = 86_400_000;
const ATTEMPT = { id: '1', attempt: 1, attempts: 1 } as unknown as Parameters<typeof housekeeping>[2];

/** Saves as the screen does, and waits until this process has it. */
async function save(values: Record<string, boolean | number | null>) {
  const now = await admin.list();
  await admin.save({
    changes: Object.entries(values).map(([name, value]) => ({
      name: name as Parameters<typeof admin.save>[0]['changes'][number]['name'],
      version: now.find((one) => one.name === name)?.version ?? 0,
      value,
    })),
  });
  for (const [name, value] of Object.entries(values))
    if (value !== null)
      await expect.poll(() => services.settings.get(name as Parameters<typeof services.settings.get>[0])).toBe(value);
}
const daysAgo = (days: number) => new Date(Date.now() - days * DAY);
const count = async (sql: string, values: unknown[] = []) =>
  Number((await app.sql<{ n: string }>(`select count(*) as n from ${sql}`, values))[0]?.n);

it('with a shorter retention the next housekeeping deletes older rows and retains newer ones', async () => {
  app.setNow(new Date().toISOString());
  const ana = await app.member();
  for (const days of [40, 20])
    await app.sql(
      `insert into notifications (user_id, kind, cause, detail, in_app, created_at, changed_at)
       values ($1, 'security', $2, 'password', true, $3, $3)`,
      [ana.id, `test:${days}`, daysAgo(days)],
    );
  for (const days of [60, 20])
    await app.sql(`insert into page_views (day, kind, views, arrivals) values ($1::timestamptz::date, 'home', 1, 0)`, [
      daysAgo(days),
    ]);
  const copyDays = TRUST.removalDays;
  for (const days of [copyDays + 10, copyDays - 10]) {
    app.pass(61_000);
    const post = await app.as(ana).forum.create({ title: `Hace ${days}`, content: 'Texto' });
    await app.as(owner).admin.forum.hide({ what: 'post', ids: [post.id], ...REMOVAL_REASON });
    await app.sql('update forum_removals set removed_at = $2 where text_id = $1', [post.id, daysAgo(days)]);
  }
  const left = () =>
    Promise.all([
      count(`notifications where user_id = $1 and cause like 'test:%'`, [ana.id]),
      count('page_views'),
      count('forum_removal_notices where author_id = $1', [ana.id]),
    ]);
  await housekeeping({}, { services, log }, ATTEMPT);
  expect(await left()).toEqual([2, 2, 2]);
  await save({ notificationDays: 30, pageViewDays: 30, removalCopyDays: copyDays });
  await housekeeping({}, { services, log }, ATTEMPT);
  expect(await left()).toEqual([1, 1, 1]);
  await save({ notificationDays: null, pageViewDays: null, removalCopyDays: null });
});

it('mails to staff are sent only while their settings are on; notifications are listed either way', async () => {
  const mails = (template: string) => count('mails where template = $1', [template]);
  const waiting = async () => {
    const member = await app.member();
    await app.sql(
      `update user_roles set moderator_request_status = 'pending', requested_at = now() - interval '30 days' where user_id = $1`,
      [member.id],
    );
  };
  await app.sql(`update users set created_at = now() - interval '30 days' where id = $1`, [owner.id]);
  app.setNow(new Date().toISOString());
  const run = () => notifyStaff({}, { services, log }, ATTEMPT);
  const noticed = async () => (await app.as(owner).notifications.list({})).items.filter(({ kind }) => kind === 'staff');
  await save({ overdueMails: false, weeklyReport: false });
  await waiting();
  await run();
  expect([await mails('staffOverdue'), await mails('weeklyReport'), (await noticed()).length]).toEqual([0, 0, 1]);
  await save({ overdueMails: true, weeklyReport: true });
  await waiting();
  await run();
  expect([await mails('staffOverdue'), await mails('weeklyReport')]).toEqual([1, 1]);
});

it('settings of who may vote and how often apply at once', async () => {
  const candidates = [await app.candidate(), await app.candidate(), await app.candidate()];
  const voter = app.as(await app.member());
  const cast = (index: number) => voter.voting.cast({ candidateId: candidates[index]?.id ?? '' });
  await cast(0);
  await save({ voteConfirmedOnly: true });
  await expect(cast(1)).rejects.toMatchObject({ code: 'UNCONFIRMED' });
  await save({ voteConfirmedOnly: false, votesPerDay: 1 });
  await expect(cast(1)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await save({ votesPerDay: 60 });
  await cast(1);
});
