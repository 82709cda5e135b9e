import { expect, it } from 'vitest';
import { audit } from '#server/lib/audit.ts';
import { holdText } from '#tests/support/app/held-text.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { REMOVAL_REASON } from '#tests/support/samples/removal.ts';
import { sumReports } from './reports.service.ts';

const app = await startTestApp();
const owner = await app.member({ role: 'admin' });
const admin = app.as(owner, {}).admin;
const { db } = app.services;
// A Wednesday.
const NOW = new Date('2026-03-11T12:00:00.000Z');
const all = { page: 1, size: 100 };

/** A vote of a member on a UTC day. */
async function voted(userId: string, day: string): Promise<void> {
  const { id } = await app.candidate();
  await app.sql(
    'insert into votes (candidate_id, user_id, voted_on, created_at) values ($1, $2, $3::text::date, $3::text::timestamptz)',
    [id, userId, day],
  );
}

it('voters are counted by the week of their first vote, once in each later week in which they voted', async () => {
  const [ana, bea, eva] = [await app.member(), await app.member(), await app.member()];
  for (const day of ['2026-02-23', '2026-02-24', '2026-03-02', '2026-03-10']) await voted(ana.id, day);
  await voted(bea.id, '2026-03-01');
  await sumReports(db, NOW);
  await voted(eva.id, '2026-03-03');
  await sumReports(db, NOW);
  const { rows, asOf } = await admin.retention.list(all);
  expect(asOf).toBe(NOW.toISOString());
  expect(rows).toEqual([
    { week: '2026-03-02', voters: 1, weeks: [1, 0] },
    { week: '2026-02-23', voters: 2, weeks: [2, 1, 1] },
  ]);
  // A removed member is missing from the sums after the next run; a second run changes nothing.
  await app.sql('delete from users where id = $1', [eva.id]);
  await sumReports(db, NOW);
  await sumReports(db, NOW);
  expect((await admin.retention.list(all)).rows.map(({ week }) => week)).toEqual(['2026-02-23']);
});

it('token requests count in the week in which they were begun, whenever their steps happened', async () => {
  const request = async (at: string, closedAs: string | null = null) => {
    const [row] = await app.sql<{ id: string }>(
      `insert into token_creation_submissions (edit_secret_hash, created_at, closed_at, closed_as, closed_note, delivered_address)
       values ('\\x00', $1, case when $2::text is null then null else now() end, $2, case when $2::text is null then null else 'x' end, case when $2::text is null then null else '0x0' end)
       returning id`,
      [at, closedAs],
    );
    return row?.id ?? '';
  };
  const order = (id: string, number: string, confirmed: boolean) =>
    app.sql(
      `insert into payments (submission_id, order_id, plan, price_usd, locale, simulation, ledger, expires_at, state, confirmed_at)
       values ($1, $2, 'entry', 50, 'es', true, '{}', now(), $3, case when $4 then now() end)`,
      [id, number, confirmed ? 'paid' : 'awaiting', confirmed],
    );
  const inPart = async (week: string, number: string, ledger: string) => {
    await order(await request(week), number, true);
    await app.sql(`update payments set state = 'partially_paid', ledger = $2 where order_id = $1`, [number, ledger]);
  };
  await request('2026-03-03T10:00:00Z');
  await order(await request('2026-03-04T10:00:00Z'), 'FL-000000000A', false);
  await order(await request('2026-03-08T23:59:00Z', 'delivered'), 'FL-000000000B', true);
  await request('2026-03-09T00:00:00Z');
  // One reached the fourth step. A request with an order has reached the last one, whatever was recorded.
  await app.sql(`update token_creation_submissions set furthest_step = 4 where created_at = '2026-03-03T10:00:00Z'`);
  await app.sql(`update token_creation_submissions set furthest_step = 2 where created_at = '2026-03-04T10:00:00Z'`);
  // Two of the week have what the form requires; an image and a name alone are no filled form.
  await app.sql(
    `update token_creation_submissions set token_data = $1 where created_at in ('2026-03-04T10:00:00Z', '2026-03-08T23:59:00Z')`,
    [JSON.stringify(COMPLETE)],
  );
  await app.sql(`update token_creation_submissions set token_data = $1 where created_at = '2026-03-09T00:00:00Z'`, [
    JSON.stringify({ ...COMPLETE, petitionerTelegram: '' }),
  ]);
  // A part of the price pays no order, until the team accepted it as enough.
  await inPart('2026-02-24T10:00:00Z', 'FL-000000000C', '{}');
  await inPart('2026-02-24T11:00:00Z', 'FL-000000000D', '{"accepted": {}}');
  await sumReports(db, NOW);
  const none = { filled: 0, step2: 0, step3: 0, step4: 0, step5: 0, ordered: 0, paid: 0, delivered: 0 };
  expect((await admin.funnel.list(all)).rows).toEqual([
    { ...none, week: '2026-03-09', started: 1 },
    {
      week: '2026-03-02',
      started: 3,
      filled: 2,
      step2: 3,
      step3: 3,
      step4: 3,
      step5: 2,
      ordered: 2,
      paid: 1,
      delivered: 1,
    },
    { ...none, week: '2026-02-23', started: 2, step2: 2, step3: 2, step4: 2, step5: 2, ordered: 2, paid: 1 },
  ]);
});

it('the file of the retention has a column for each week, with a heading', async () => {
  const ana = await app.member();
  for (const day of ['2026-02-10', '2026-02-18', '2026-03-04']) await voted(ana.id, day);
  await sumReports(db, NOW);
  const file = async (query: string) => {
    const answer = await app.http(`/api/admin/retention.csv${query}`, { headers: { cookie: owner.cookie } });
    return (await answer.text())
      .replace('\ufeff', '')
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
  };
  const [head = [], ...rows] = await file('');
  expect(head).toEqual(['week', 'voters', ...Array.from({ length: 26 }, (_, i) => `weeks.${i}`)]);
  const blank = (n: number) => Array.from({ length: n }, () => '');
  expect(rows).toContainEqual(['2026-02-09', '1', '1', '1', '0', '1', '0', ...blank(21)]);
  // Headings for people are words, and omit the first week, which equals the number of voters.
  const [spanish = [], ...shown] = await file('?headings=es');
  expect(spanish.slice(0, 4)).toEqual(['Semana UTC del', 'Votantes', 'Semana +1', 'Semana +2']);
  expect(spanish.at(-1)).toBe('Semana +25');
  expect(shown).toContainEqual(['2026-02-09', '1', '1', '0', '1', '0', ...blank(21)]);
});

it('the file of the funnel has a column for each step', async () => {
  await app.sql(
    `insert into token_creation_submissions (edit_secret_hash, created_at, furthest_step) values ('\\x00', '2026-02-17T10:00:00Z', 3)`,
  );
  await sumReports(db, NOW);
  const answer = await app.http('/api/admin/funnel.csv', { headers: { cookie: owner.cookie } });
  const [head, ...rows] = (await answer.text()).replace('\ufeff', '').trim().split('\r\n');
  expect(head).toBe('week,started,filled,step2,step3,step4,step5,ordered,paid,delivered');
  expect(rows).toContain('2026-02-16,1,0,1,1,0,0,0,0,0');
});

const loadOf = async (name: 'reported' | 'hidden' | 'kept' | 'appealed' | 'waited') => {
  await sumReports(db, app.now);
  const { rows } = await admin.moderationLoad.list(all);
  return rows.reduce((sum, row) => sum + row[name], 0);
};

it('the moderation load counts actions of moderators, not those of authors on their own texts', async () => {
  const ana = await app.member();
  const post = await app.as(ana).forum.create({ title: 'Uno', content: 'Dos' });
  await app.as(ana).forum.deletePost({ id: post.id });
  // Staff are authors as well.
  const moderator = app.as(await app.member({ role: 'moderator' })).forum;
  const own = await moderator.create({ title: 'Propio', content: 'De quien modera' });
  await moderator.deletePost({ id: own.id });
  const other = await app.as(await app.member()).forum.create({ title: 'Tres', content: 'Cuatro' });
  await app.as(ana).forum.report({ what: 'post', id: other.id, reason: 'spam' });
  await admin.forum.hide({ what: 'post', ids: [other.id], ...REMOVAL_REASON });
  expect([await loadOf('reported'), await loadOf('hidden')]).toEqual([1, 1]);
});

it('dismissed reports stay counted, each one, after the text and its reporters are deleted', async () => {
  const [reported, kept] = [await loadOf('reported'), await loadOf('kept')];
  const people = [await app.member(), await app.member()];
  const post = await app.as(await app.member()).forum.create({ title: 'Siete', content: 'Ocho' });
  for (const person of people) await app.as(person).forum.report({ what: 'post', id: post.id, reason: 'spam' });
  await admin.inbox.resolveReport({ id: post.id, decision: 'kept' });
  const both = async () => [(await loadOf('reported')) - reported, (await loadOf('kept')) - kept];
  expect(await both()).toEqual([2, 2]);
  await app.sql('delete from forum_posts where id = $1', [post.id]);
  await app.sql('delete from users where id = any($1)', [people.map(({ id }) => id)]);
  expect(await both()).toEqual([2, 2]);
});

it('the moderation load counts held texts, appeals and moderator requests, and each decision about them', async () => {
  const now = new Date();
  const loaded = async () => {
    await sumReports(db, app.now);
    const { rows } = await admin.moderationLoad.list(all);
    const sum = (name: 'waited' | 'reviewed' | 'appealed' | 'appealsDecided' | 'requestsDecided') =>
      rows.reduce((total, row) => total + row[name], 0);
    return [sum('waited'), sum('reviewed'), sum('appealed'), sum('appealsDecided'), sum('requestsDecided')];
  };
  expect(await loaded()).toEqual([0, 0, 0, 0, 0]);
  const moderator = app.as(await app.member({ role: 'moderator' }));
  const author = await app.member();
  const ana = app.as(author);
  const post = await ana.forum.create({ title: 'Cinco', content: 'Seis' });
  await app.sql(
    `insert into forum_reviews (text_id, what, post_id, author_id, why, links, since)
     select id, 'post', id, $2, 'first', false, $3 from forum_posts where id = $1`,
    [post.id, author.id, now],
  );
  const by = { id: author.id, role: 'user', ipHash: null, requestId: null } as const;
  const entry = { action: 'post.review_asked', resourceType: 'post', resourceId: post.id } as const;
  await db.transaction((tx) => audit(tx, by, entry));
  expect(await loaded()).toEqual([1, 0, 0, 0, 0]);
  await moderator.forum.release({ id: post.id });
  expect(await loaded()).toEqual([1, 1, 0, 0, 0]);
  await moderator.forum.deletePost({ id: post.id, ...REMOVAL_REASON });
  const [mine] = await ana.forum.myRemovals();
  await ana.forum.appeal({ id: mine?.id ?? '', text: 'No es justo' });
  expect(await loaded()).toEqual([1, 1, 1, 0, 0]);
  await admin.forum.decideAppeal({ id: mine?.id ?? '', outcome: 'upheld', answer: 'Lo es' });
  expect(await loaded()).toEqual([1, 1, 1, 1, 0]);
  const applicant = await app.member();
  await app.sql(`update user_roles set moderator_request_status = 'pending', requested_at = now() where user_id = $1`, [
    applicant.id,
  ]);
  await admin.moderatorRequests.decide({ ids: [applicant.id], decision: 'reject' });
  expect(await loaded()).toEqual([1, 1, 1, 1, 1]);
  // A role that is given decides the request as well; without one it decides nothing.
  const [promoted, other] = [await app.member(), await app.member()];
  await app.sql(`update user_roles set moderator_request_status = 'pending', requested_at = now() where user_id = $1`, [
    promoted.id,
  ]);
  for (const { id } of [promoted, other]) await admin.roles.assign({ id, role: 'moderator' });
  expect(await loaded()).toEqual([1, 1, 1, 1, 2]);
  // The copies for the author are deleted with the account, the figures are not.
  await app.sql('delete from users where id = $1', [author.id]);
  expect(await loaded()).toEqual([1, 1, 1, 1, 2]);
  // A restore ends a review too.
  const held = await app.as(await app.member()).forum.create({ title: 'Nueve', content: 'Diez' });
  await holdText(app, 'post', held.id);
  await admin.forum.restore({ what: 'post', ids: [held.id] });
  expect(await loaded()).toEqual([1, 2, 1, 1, 2]);
});

it('the file of the moderation load has a column for each action', async () => {
  const post = await app.as(await app.member()).forum.create({ title: 'Once', content: 'Doce' });
  await app.as(await app.member()).forum.report({ what: 'post', id: post.id, reason: 'spam' });
  await sumReports(db, app.now);
  const { rows } = await admin.moderationLoad.list(all);
  expect(rows.at(0)?.reported).toBeGreaterThan(0);
  const answer = await app.http('/api/admin/moderation-load.csv', { headers: { cookie: owner.cookie } });
  const [head = '', ...lines] = (await answer.text()).replace('\ufeff', '').trim().split('\r\n');
  expect(head).toBe(
    'week,reported,hidden,restored,kept,banned,waited,reviewed,appealed,appealsDecided,requestsDecided',
  );
  const columns = head.split(',') as (keyof (typeof rows)[number])[];
  expect(lines).toEqual(rows.map((row) => columns.map((name) => row[name]).join(',')));
});

it('voters are added in batches of votes, so that no statement exceeds its time limit', async () => {
  await sumReports(db, NOW);
  const members = [await app.member(), await app.member()];
  const { id } = await app.candidate();
  for (const [n, member] of members.entries())
    await app.sql(
      `insert into votes (id, candidate_id, user_id, voted_on, created_at)
       values (nextval('votes_id_seq') + $3::bigint, $1, $2, '2026-03-09', '2026-03-09T00:00:00Z')`,
      [id, member.id, n * 300_000],
    );
  await app.sql(`create function few_voters() returns trigger language plpgsql as $$ begin
    if (select count(*) from added) > 1 then raise exception 'too many voters in one statement'; end if;
    return null; end $$`);
  await app.sql(`create trigger few_voters after insert on voter_weeks referencing new table as added
    for each statement execute function few_voters()`);
  await sumReports(db, NOW);
  await app.sql('drop trigger few_voters on voter_weeks');
  const ids = members.map((member) => member.id);
  expect(await app.sql('select 1 from voter_weeks where user_id = any($1)', [ids])).toHaveLength(2);
});

it('the file of each report is refused to visitors', async () => {
  for (const name of ['funnel', 'retention', 'moderation-load']) {
    const answer = await app.http(`/api/admin/${name}.csv`);
    expect(answer.status).toBe(401);
  }
});
