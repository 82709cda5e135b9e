import { expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';

const app = await startTestApp();
const { admin } = app.as(await app.member({ role: 'admin' }), {});

/** An order whose payment waits for the team, with a refund that is to be sent. */
async function refunded(of: { userId?: string; email: string }, key: string): Promise<void> {
  const [request] = await app.sql<{ id: string }>(
    `insert into token_creation_submissions (user_id, petitioner_email, token_data, edit_secret_hash)
     values ($1, $2, $3, $4) returning id`,
    [of.userId ?? null, of.email, JSON.stringify(COMPLETE), Buffer.from(key)],
  );
  await app.sql(
    `insert into payments (submission_id, order_id, plan, price_usd, locale, simulation, ledger, expires_at, is_current, attention)
     values ($1, $2, 'entry', 50, 'es', true, '{}', now() + interval '7 days', true, '{underpaid}')`,
    [request?.id, `FL-P0000000${key}A`],
  );
  await app.sql(
    `insert into refund_cases (number, submission_id, payment_id, cause, reason, asset, decimals, amount, state, address, address_at,
       confirmed_at, simulation)
     select $2, submission_id, id, 'cancelled', 'r', 'eth', 18, 5, 'ready', $3, now(), now(), true from payments where submission_id = $1`,
    [request?.id, `RF-PERSON-${key}`, '0x52908400098527886E0F7030069857D2E4169EE7'],
  );
}

it('rows of lists have the account id of their person, and inbox items the person they are about', async () => {
  const [ana, ben] = [await app.member({ verified: true }), await app.member()];
  await refunded({ userId: ana.id, email: 'other@florka.test' }, '1');
  await refunded({ email: ana.email.toUpperCase() }, '2');
  // An unconfirmed mailbox proves nothing.
  await refunded({ email: ben.email }, '3');
  for (const [name, email] of [
    ['Ana', ana.email.toUpperCase()],
    ['Guest', 'guest@florka.test'],
  ])
    await app.sql(
      `insert into project_submissions (submitter_name, submitter_email, project_data) values ($1, $2, '{}')`,
      [name, email],
    );
  const { id: postId } = await app.as(ana).forum.create({ title: 'Hola', content: 'Buenas' });
  await app.as(ana).forum.comment({ postId, content: 'Más' });
  await app.as(ben).forum.report({ what: 'post', id: postId, reason: 'spam' });

  const refunds = (await admin.refunds.list({ sort: 'createdAt' })).rows;
  expect(refunds.map(({ memberId }) => memberId)).toEqual([ana.id, ana.id, null]);
  const { orders } = await admin.people.read({ id: ana.id });
  expect(orders[0]?.refunds).toMatchObject([{ state: 'ready', amount: '0.000000000000000005', asset: 'eth' }]);
  const submissions = (await admin.submissions.list({ sort: 'createdAt' })).rows;
  expect(submissions.map(({ memberId }) => memberId)).toEqual([ana.id, null]);
  expect(await admin.submissions.read({ id: submissions[0]?.id ?? '' })).toMatchObject({ memberId: ana.id });
  for (const what of ['post', 'comment'] as const)
    expect((await admin.forum.list({ what })).rows).toMatchObject([{ author: ana.username, authorId: ana.id }]);

  const personsOf = async (source: 'refund' | 'payment' | 'submission' | 'report') =>
    (await admin.inbox.list({ source })).items.map(({ person }) => person);
  const known = { id: ana.id, mailbox: null, name: ana.username };
  const guest = { id: null, mailbox: ben.email, name: ben.email };
  expect(await personsOf('payment')).toEqual([known, known, guest]);
  expect(await personsOf('refund')).toEqual([known, known, guest]);
  expect(await personsOf('report')).toEqual([known]);
  expect(await personsOf('submission')).toEqual([
    { id: ana.id, mailbox: null, name: ana.email.toUpperCase() },
    { id: null, mailbox: 'guest@florka.test', name: 'guest@florka.test' },
  ]);
});

it('inbox items of moderator requests, appeals and reviews have the member they are about', async () => {
  const ana = await app.member();
  await app.sql(`update user_roles set moderator_request_status = 'pending', requested_at = now() where user_id = $1`, [
    ana.id,
  ]);
  const { id } = await app.as(ana).forum.create({ title: 'Otra', content: 'Buenas' });
  await app.sql(
    `insert into forum_reviews (text_id, what, post_id, author_id, why, links, since) values ($1, 'post', $1, $2, 'first', false, now())
     on conflict (text_id) do update set state = 'waiting'`,
    [id, ana.id],
  );
  const [removal] = await app.sql<{ id: string }>(
    `insert into forum_removals (what, text_id, rule, removed_at, removed_by_role) values ('post', $1, 'spam', now(), 'admin') returning id`,
    [id],
  );
  await app.sql(
    `insert into forum_removal_notices (removal_id, author_id, title, content, reason, appeal, appealed_at)
     values ($1, $2, 'Otra', 'Buenas', 'Repite lo mismo en cada hilo.', 'No incumple ninguna regla del foro.', now())`,
    [removal?.id, ana.id],
  );
  for (const source of ['moderator', 'appeal', 'review'] as const)
    expect((await admin.inbox.list({ source })).items).toMatchObject([{ person: { id: ana.id, mailbox: null } }]);
});
