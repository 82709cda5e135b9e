import { afterAll, describe, expect, it } from 'vitest';
import { pushKeys } from '#server/domains/notifications/push.service.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { startPushServer } from '#tests/support/services/push-server.ts';
import { notifyOverdue, notifyWeek } from './notify-staff.service.ts';

const service = await startPushServer();
afterAll(() => service.close());
const app = await startTestApp({ pushTransport: service.transport });
const { publicKey } = pushKeys(app.secret);
const admin = await app.member({ role: 'admin' });
const other = await app.member({ role: 'admin' });
const HOUR = 3_600_000;
const MAILS = { mails: true };
const context = () => ({ db: app.services.db, jobs: app.services.jobs, now: app.now });
const mailsOf = (template: string) =>
  app.sql<{ to_address: string; locale: string; data: Record<string, unknown> }>(
    'select to_address, locale, data from mails where template = $1 order by created_at, to_address',
    [template],
  );
const requestRole = async (hoursAgo: number) => {
  const member = await app.member();
  await app.sql("update user_roles set moderator_request_status = 'pending', requested_at = $2 where user_id = $1", [
    member.id,
    new Date(app.now.getTime() - hoursAgo * HOUR),
  ]);
  return member;
};

describe('overdue work', () => {
  it('is mailed to every admin once, by one of two processes, and again when it is overdue anew', async () => {
    await requestRole(167);
    expect(await notifyOverdue(context(), MAILS)).toBe(0);
    const member = await requestRole(169);
    const both = await Promise.all([notifyOverdue(context(), MAILS), notifyOverdue(context(), MAILS)]);
    expect(both[0] + both[1]).toBe(1);
    expect(await notifyOverdue(context(), MAILS)).toBe(0);
    const sent = await mailsOf('staffOverdue');
    expect(sent.map(({ to_address }) => to_address).sort()).toEqual([admin.email, other.email].sort());
    expect(sent[0]?.data).toEqual({
      items: [{ source: 'moderator', title: member.username, hours: 169 }],
      more: 0,
      path: '/admin/inbox',
    });
    await app.sql("update user_roles set requested_at = requested_at + interval '30 min' where user_id = $1", [
      member.id,
    ]);
    expect(await notifyOverdue(context(), MAILS)).toBe(1);
    expect(await mailsOf('staffOverdue')).toHaveLength(4);
  });

  it('is in the list of every admin and pushed to their browsers, with and without mails, and to nobody else', async () => {
    const moderator = await app.member({ role: 'moderator' });
    const browser = service.browser('of-an-admin');
    await app.as(admin).notifications.subscribe(browser.subscription);
    await app.as(other).notifications.setKind({ kind: 'staff', inApp: true, mail: 'off', push: false });
    await app.as(other).notifications.subscribe(service.browser('of-another').subscription);
    await app.sql('delete from mails');
    service.arrived.length = 0;
    app.pass(60_000);
    await Promise.all([requestRole(300), requestRole(301)]);
    const both = await Promise.all([
      notifyOverdue(context(), { mails: false }),
      notifyOverdue(context(), { mails: false }),
    ]);
    expect(both[0] + both[1]).toBe(2);
    for (const who of [admin, other]) {
      const [newest] = (await app.as(who).notifications.list({})).items;
      expect(newest).toMatchObject({ kind: 'staff', detail: 'overdue', count: 2, path: '/admin/inbox', read: false });
    }
    expect(await mailsOf('staffOverdue')).toEqual([]);
    await app.deliverNotifications();
    await app.deliverNotifications();
    expect(service.arrived).toHaveLength(1);
    const path = expect.stringMatching(/^\/admin\/inbox\?notice=/);
    expect(browser.read(publicKey)).toEqual([expect.objectContaining({ kind: 'staff', count: 2, path })]);
    app.pass(60_000);
    await requestRole(302);
    expect(await notifyOverdue(context(), MAILS)).toBe(1);
    for (const who of [admin, other]) {
      const [newest] = (await app.as(who).notifications.list({})).items;
      expect(newest).toMatchObject({ kind: 'staff', detail: 'overdue', count: 1, path: '/admin/inbox', read: false });
    }
    const mailed = (await mailsOf('staffOverdue')).map(({ to_address }) => to_address);
    expect(mailed.sort()).toEqual([admin.email, other.email].sort());
    await app.deliverNotifications();
    await app.deliverNotifications();
    expect(service.arrived).toHaveLength(2);
    expect(browser.read(publicKey)[1]).toMatchObject({ kind: 'staff', count: 1, path });
    expect((await app.as(moderator).notifications.list({})).items).toEqual([]);
  });

  it('is not mailed to a banned admin, and is mailed in the language of each admin', async () => {
    await app.sql("insert into notification_readers (user_id, locale, zone) values ($1, 'en', 'UTC')", [admin.id]);
    await app.sql("update users set banned_until = now() + interval '1 day' where id = $1", [other.id]);
    await app.sql('delete from mails');
    await requestRole(500);
    await notifyOverdue(context(), MAILS);
    expect((await mailsOf('staffOverdue')).map(({ to_address, locale }) => [to_address, locale])).toEqual([
      [admin.email, 'en'],
    ]);
    await app.sql('update users set banned_until = null where id = $1', [other.id]);
  });

  it('is mailed once per item, also when it takes several runs', async () => {
    await app.sql(
      `insert into project_submissions (submitter_name, project_data, created_at)
       select 'Many ' || n, '{}', '2026-01-01'::timestamptz + n * interval '1.0004 seconds' from generate_series(1, 230) n`,
    );
    const notified = [];
    for (let run = 0; run < 3; run++) notified.push(await notifyOverdue(context(), MAILS));
    expect(notified).toEqual([200, 30, 0]);
    await app.sql(`delete from project_submissions where submitter_name like 'Many %'`);
  });
});

describe('the weekly mail', () => {
  it('is sent once, with the figures of its UTC days and of the week before', async () => {
    const monday = new Date(Date.UTC(2026, 0, 5));
    const now = new Date(monday.getTime() + 3 * HOUR);
    await app.sql("update users set created_at = '2025-01-01'");
    const signedUp = async (at: string) => {
      const { id } = await app.member();
      await app.sql('update users set created_at = $2 where id = $1', [id, at]);
    };
    for (const at of ['2025-12-29T00:00:01Z', '2026-01-04T23:59:00Z', '2025-12-28T12:00:00Z', '2026-01-05T00:00:01Z'])
      await signedUp(at);
    await app.sql(`insert into page_views (day, kind, views, arrivals) values ('2025-12-29', 'home', 5, 2), ('2026-01-04', 'vote', 4, 1),
      ('2026-01-05', 'home', 9, 9), ('2025-12-28', 'home', 1, 0)`);
    // Orders belong to the week in which they were paid completely, also at its boundaries.
    // The third was paid in two parts, the second one in this week.
    for (const [i, [begun, paid]] of [
      ['2025-12-29T00:00:00Z', '2025-12-29T00:00:00Z'],
      ['2026-01-05T00:00:00Z', '2026-01-05T00:00:00Z'],
      ['2025-12-26T00:00:00Z', '2026-01-04T23:59:59Z'],
    ].entries())
      await app.sql(
        `with r as (insert into token_creation_submissions (edit_secret_hash) values ('\\x00') returning id)
         insert into payments (submission_id, order_id, plan, price_usd, locale, simulation, ledger, expires_at, state, confirmed_at,
           receipt_at, received_usd)
         select id, $1, 'entry', 50, 'es', false, '{}', $2, 'paid', $2, $3, 50 from r`,
        [`FL-000000000${i}`, begun, paid],
      );
    // Income is what the ledger has of the week, minus what went back in it; simulated money is none.
    const posted = async (account: 'received' | 'refunded', at: string, cents: number, simulation = false) =>
      app.sql(
        `with t as (insert into money_transactions (kind, subject, revision, simulation, plan, network, facts, at)
           values ($1, $2::text, 1, $3, 'entry', '', '{}', $2::timestamptz) returning id)
         insert into money_entries (transaction_id, line, account, asset, amount)
         select id, line, account, 'USD', amount from t,
           (values (1, $1, $4::bigint), (2, 'claim', -$4::bigint)) lines (line, account, amount)`,
        [account, at, simulation, account === 'received' ? cents : -cents],
      );
    await posted('received', '2025-12-29T00:00:00Z', 5_000);
    await posted('received', '2026-01-02T00:00:00Z', 2_000);
    await posted('refunded', '2026-01-04T23:59:59Z', 3_000);
    await posted('received', '2026-01-01T00:00:00Z', 90_000, true);
    await posted('refunded', '2025-12-23T00:00:00Z', 500);
    await posted('received', '2026-01-05T00:00:00Z', 7_000);
    const finance = await app.member({ role: 'admin' });
    await app.sql("update admin_profiles set staff_roles = '{finance}' where id = $1", [finance.id]);
    for (const at of ['2025-12-28T23:59:59Z', '2025-12-29T00:00:00Z', '2026-01-04T23:59:59Z'])
      await app.sql('update forum_posts set created_at = $2 where id = $1', [
        (await app.as(await app.member()).forum.create({ title: `Del ${at}`, content: 'Texto' })).id,
        at,
      ]);
    await app.sql("update users set created_at = '2025-01-01' where id = any($1)", [[finance.id]]);
    // A part of the price is income, but pays no order.
    await app.sql(`with r as (insert into token_creation_submissions (edit_secret_hash) values ('\\x00') returning id)
      insert into payments (submission_id, order_id, plan, price_usd, locale, simulation, ledger, expires_at, state, confirmed_at, received_usd)
      select id, 'FL-0000000009', 'entry', 50, 'es', false, '{}', '2026-01-02', 'partially_paid', '2026-01-02', 20 from r`);
    // Votes of the week are those of its UTC days.
    const { id: candidateId } = await app.candidate();
    for (const [day, votes] of Object.entries({ '2025-12-28': 1, '2025-12-29': 2, '2026-01-04': 3, '2026-01-05': 9 }))
      await app.sql('insert into candidate_daily_votes (candidate_id, day, votes) values ($1, $2, $3)', [
        candidateId,
        day,
        votes,
      ]);
    // A deliverable is overdue when it is open after its due date.
    for (const [position, due, state] of [
      [1, '2026-01-04', 'open'],
      [2, '2026-01-04', 'delivered'],
      [3, '2026-02-01', 'open'],
    ])
      await app.sql(
        `insert into deliverables (submission_id, payment_id, position, item, terms_version, due_from, due_days, if_not_es, if_not_en,
           due_at, state, evidence_kind, evidence, done_at)
         select submission_id, id, $1::int, 'item' || $1::int, 1, 'payment', 3, 'x', 'x', $2, $3::text,
           case when $3::text = 'delivered' then 'statement' end, case when $3::text = 'delivered' then 'x' end,
           case when $3::text = 'delivered' then now() end
         from payments where order_id = 'FL-0000000000'`,
        [position, due, state],
      );
    const week = { ...context(), now };
    const both = await Promise.all([notifyWeek(week), notifyWeek(week)]);
    expect(both.sort()).toEqual([false, true]);
    const [mail] = await mailsOf('weeklyReport');
    expect(mail?.data).toMatchObject({
      from: '2025-12-29T00:00:00.000Z',
      to: '2026-01-04T00:00:00.000Z',
      views: { now: 9, before: 1 },
      arrivals: { now: 3, before: 0 },
      signUps: { now: 2, before: 1 },
      orders: { now: 2, before: 0 },
      posts: { now: 2, before: 1 },
      votes: { now: 5, before: 1 },
      overdue: 1,
      revenueUsd: { now: 40, before: -5 },
    });
    // Owners only.
    expect((await mailsOf('weeklyReport')).map(({ to_address }) => to_address).sort()).toEqual(
      [admin.email, other.email].sort(),
    );
    expect(await notifyWeek({ ...week, now: new Date(now.getTime() + 6 * 24 * HOUR) })).toBe(false);
    expect(await notifyWeek({ ...week, now: new Date(now.getTime() + 7 * 24 * HOUR) })).toBe(true);
  });

  it('is not sent about a week before the installation', async () => {
    await app.sql("update users set created_at = '2026-03-04'");
    expect(await notifyWeek({ ...context(), now: new Date('2026-03-05T12:00:00Z') })).toBe(false);
  });
});
