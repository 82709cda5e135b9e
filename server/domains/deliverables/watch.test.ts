import { describe, expect, it } from 'vitest';
import type { Plan } from '#contract/domains/payments.ts';
import { PLAN_ITEM_NAMES } from '#contract/text/plan-items.ts';
import { createdToken } from '#tests/support/chains/created-token.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';
import { watchDeliverables } from './watch.service.ts';

const { app, order, count } = await paymentRig();
const DAY = 86_400_000;

const watch = () =>
  watchDeliverables({ db: app.services.db, jobs: app.services.jobs, secret: app.secret, now: app.now });
async function paid(plan: Plan) {
  const request = await order(plan);
  request.move('finished', 1);
  await request.check();
  return request;
}

describe('an order that an earlier version recorded as paid', () => {
  it('is mailed about no date that had passed when its deliverables were created, and about each later one', async () => {
    const request = await paid('standard');
    await createdToken(app, request.id);
    // As left by an earlier version.
    await app.sql('delete from deliverables where submission_id = $1', [request.id]);
    const lateMails = async () =>
      (await app.deliverMails()).filter(
        ({ to, subject }) => to === request.email && subject.startsWith('Vamos con retraso'),
      );
    app.pass(20 * DAY);
    expect((await watch()).begun).toBe(1);
    await watch();
    // One date counts from the payment, the other one from the token.
    const overdue = `deliverables where submission_id = $1 and state = 'open' and due_at <= $2
      and item in ('basicSupport', 'docs')`;
    expect(await count(overdue, [request.id, app.now])).toBe(2);
    expect(await lateMails()).toEqual([]);
    app.pass(15 * DAY);
    await watch();
    const [mail, ...others] = await lateMails();
    expect(others).toEqual([]);
    expect(mail?.text).toContain(PLAN_ITEM_NAMES.es.marketAnalysis);
    expect(mail?.text).not.toContain(PLAN_ITEM_NAMES.es.docs);
  });

  it('gets no deliverables if version 0.2.0 noted a manual refund that the provider does not report', async () => {
    const [back, whole] = [await paid('basic'), await paid('basic')];
    await app.sql('delete from deliverables where submission_id = any($1)', [[back.id, whole.id]]);
    await app.sql(`update payments set ledger = jsonb_set(ledger, '{refundsNoted}', $2) where id = $1`, [
      back.paymentId,
      JSON.stringify([back.depositId]),
    ]);
    expect((await watch()).begun).toBe(1);
    const created = async ({ id }: { id: string }) => count('deliverables where submission_id = $1', [id]);
    expect([await created(back), await created(whole)]).toEqual([0, 6]);
  });
});

describe('the watch of orders', () => {
  it('continues with the other orders and steps when one order fails', async () => {
    const [first, second, third] = [await paid('standard'), await paid('standard'), await paid('standard')];
    // As left by an earlier version.
    await app.sql('delete from deliverables where submission_id = any($1)', [[first.id, second.id]]);
    app.pass(400 * DAY);
    await app.sql(
      'update deliverables set due_at = $2 where submission_id = $1 and state = $3 and due_from is not null',
      [third.id, new Date(app.now.getTime() - DAY), 'open'],
    );
    await app.sql(`create function no_task() returns trigger language plpgsql as
      $$ begin raise exception 'no task for this one'; end $$`);
    await app.sql(`create trigger no_task before insert on deliverables for each row
      when (new.submission_id = '${first.id}') execute function no_task()`);
    await expect(watch()).rejects.toThrow('Failed query');
    expect(await count('deliverables where submission_id = $1', [first.id])).toBe(0);
    expect(await count('deliverables where submission_id = $1', [second.id])).toBe(11);
    expect(
      await count('deliverables where submission_id = $1 and late_notice_at is not null', [third.id]),
    ).toBeGreaterThan(0);
    await app.sql('drop trigger no_task on deliverables');
    expect((await watch()).begun).toBe(1);
    expect(await count('deliverables where submission_id = $1', [first.id])).toBe(11);
  });

  it('finds a paid order behind any number of older, partially paid ones', async () => {
    const late = await paid('basic');
    // As left by an earlier version.
    await app.sql('delete from deliverables where submission_id = $1', [late.id]);
    await app.sql(
      `with requests as (insert into token_creation_submissions (edit_secret_hash)
         select '\\x00' from generate_series(1, 60) returning id)
       insert into payments (submission_id, order_id, plan, price_usd, locale, simulation, invoice_id, payment_url, ledger, state,
         expires_at, created_at)
       select id, 'FL-PART' || lpad((row_number() over ())::text, 6, '0'), 'basic', 1500, 'es', false, 'part-' || id,
         'https://pay.test', '{"deposits": {}}', 'partially_paid', $1, $1::timestamptz - interval '900 days' from requests`,
      [app.now],
    );
    expect((await watch()).begun).toBe(1);
    expect(await count('deliverables where submission_id = $1', [late.id])).toBe(6);
  });
});
