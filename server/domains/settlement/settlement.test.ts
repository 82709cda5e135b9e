import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { settleMoneyJob } from '#server/jobs/money/settle-money.job.ts';
import { ProviderError } from '#server/providers/payments/port.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';
import { backfillMoneyLedger } from './money-backfill.service.ts';
import { createSettlement } from './settlement.service.ts';

const { app, fake, order, callBack } = await paymentRig();
const admin = await app.member({ role: 'admin' });
const back = app.as(admin).admin;
const run = () => {
  app.pass(1_000);
  return app.services.settlement.run(null);
};
const open = async () => (await back.settlement.list({ state: 'open' })).rows;

describe('the comparison with the provider', () => {
  it('reads all pages, and stores the deposits that no callback reported', async () => {
    fake.box.pageSize = 2;
    const paid = await order('basic');
    paid.move('finished', 1);
    const known = await order('entry');
    await callBack(known.move('finished', 1));
    const stranger = fake.move(
      { invoiceId: 'gone', orderId: 'SHOP-9', priceUsd: 50 },
      fake.newDepositId(),
      'finished',
      {
        actuallyPaid: 7,
      },
    );
    // An unrecognised status of the provider may mean money: a person reviews it.
    const odd = fake.move({ invoiceId: 'gone', orderId: 'SHOP-10', priceUsd: 50 }, fake.newDepositId(), 'unknown', {
      rawStatus: 'verifying',
    });
    const before = fake.box.calls.everything;
    expect(await run()).toEqual({ state: 'whole', deposits: 4, found: 3, differences: 0 });
    expect(fake.box.calls.everything - before).toBe(2);
    expect(await paid.state()).toBe('paid');
    const { payments } = await back.unplaced.list();
    expect(payments.find(({ id }) => id === stranger.paymentId)).toMatchObject({ amount: 7, known: true });
    expect(payments.find(({ id }) => id === odd.paymentId)).toMatchObject({ status: 'verifying', known: false });
    expect(await open()).toEqual([]);
    // Repeated, nothing is new.
    expect(await run()).toMatchObject({ state: 'whole', found: 0, differences: 0 });
    expect((await back.settlement.runs()).runs[0]).toMatchObject({ state: 'whole', deposits: 4, requestedBy: null });
  });

  it('fetches all new deposits of an order just after a check of it, and enters a returned unplaced one', async () => {
    const [one, unnoticed] = [await order('basic'), await order('basic')];
    await callBack(one.move('finished', 1));
    await one.check();
    // Another order without any callback, with a repeated deposit.
    unnoticed.move('finished', 1);
    const follows = unnoticed.move('finished', 0, {
      paymentId: fake.newDepositId(),
      parentId: unnoticed.depositId,
      orderId: null,
      invoiceId: null,
      actuallyPaid: 5,
    });
    const repeated = [1, 2, 3].map((amount) =>
      one.move('finished', 0, {
        paymentId: fake.newDepositId(),
        parentId: one.depositId,
        orderId: null,
        invoiceId: null,
        actuallyPaid: amount,
      }),
    );
    const gone = fake.move({ invoiceId: 'gone', orderId: 'SHOP-11', priceUsd: 50 }, fake.newDepositId(), 'refunded', {
      actuallyPaid: 9,
    });
    expect(await run()).toMatchObject({ state: 'whole', found: 6, differences: 0 });
    expect((await unnoticed.read()).deposits.map(({ paymentId }) => paymentId)).toContain(follows.paymentId);
    expect((await back.unplaced.list()).payments.map(({ id }) => id)).not.toContain(follows.paymentId);
    const deposits = (await one.read()).deposits.map(({ paymentId }) => paymentId);
    expect(deposits).toEqual(expect.arrayContaining(repeated.map(({ paymentId }) => paymentId)));
    const entered = await app.sql<{ kind: string; amount: string }>(
      `select t.kind, e.amount::text from money_transactions t join money_entries e on e.transaction_id = t.id
       where t.subject = $1 and e.account = 'unplaced' order by t.id`,
      [gone.paymentId],
    );
    expect(entered.map(({ kind, amount }) => [kind, BigInt(amount) / 10n ** 18n])).toEqual([
      ['received', -9n],
      ['returned', 9n],
    ]);
  });

  it('lists every difference, in the inbox until it is explained or no longer exists', async () => {
    const outcome = { amount: '2990', currency: 'eth', payinHash: null, payoutHash: null, fee: null };
    const [less, lost, credited] = [await order('basic'), await order('basic'), await order('basic')];
    for (const one of [less, lost, credited]) await callBack(one.move('finished', 1, { outcome }));
    // The provider's list differs from its answer to a single request.
    fake.box.lie = (deposit) =>
      deposit.paymentId === less.depositId
        ? { ...deposit, actuallyPaid: 2_999 }
        : deposit.paymentId === credited.depositId
          ? { ...deposit, outcome: { ...outcome, amount: '2000' }, updatedAt: 1 }
          : deposit;
    fake.truth.delete(lost.depositId);
    expect(await run()).toMatchObject({ state: 'whole', differences: 3 });
    const found = await open();
    const of = (id: string) => found.find(({ subject }) => subject === id);
    expect(of(less.depositId)).toMatchObject({ kind: 'amount', ours: '3000', theirs: '2999', asset: 'eth' });
    expect(of(lost.depositId)).toMatchObject({
      kind: 'missing_there',
      ours: '3000',
      theirs: '',
      orderId: lost.payment.orderId,
    });
    const subjectsOf = async (q: string) =>
      (await back.settlement.list({ state: 'open', q })).rows.map(({ subject }) => subject);
    expect(await subjectsOf(lost.payment.orderId.toLowerCase())).toEqual([lost.depositId]);
    expect(await subjectsOf(lost.depositId)).toEqual([lost.depositId]);
    // They are counted with their orders.
    const money = (await back.money.list({ size: 100 })).rows;
    expect(
      money.filter(({ differences }) => differences > 0).map(({ plan, differences }) => [plan, differences]),
    ).toEqual([['basic', 3]]);
    expect(of(credited.depositId)).toMatchObject({
      kind: 'outcome',
      ours: '2990 eth',
      theirs: '2000 eth',
      orderId: credited.payment.orderId,
    });
    const waiting = async () => (await back.inbox.list({ source: 'settlement' })).items.map(({ title }) => title);
    // A run that could not compare everything reports so, and does not end differences that it did not compare.
    const { db, payments } = app.services;
    const bounded = createSettlement({
      db,
      provider: fake.provider,
      payments,
      now: () => app.now,
      warn: () => {},
      maxUnlisted: 0,
    });
    expect(await bounded.run(null)).toMatchObject({ state: 'cut' });
    expect((await open()).map(({ subject }) => subject)).toContain(lost.depositId);
    expect((await waiting()).toSorted()).toEqual([less, lost, credited].map(({ depositId }) => depositId).toSorted());

    const { id, version } = of(less.depositId) ?? { id: '', version: 0 };
    await back.settlement.explain({ id, version, reason: 'Redondeo del proveedor' });
    expect(await waiting()).not.toContain(less.depositId);
    // A colleague with an outdated version sees the explanation; an equal difference stays explained.
    await expect(back.settlement.explain({ id, version, reason: 'x' })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { current: { reason: 'Redondeo del proveedor' }, by: expect.any(String), byProvider: false },
    });
    await run();
    expect(await waiting()).not.toContain(less.depositId);
    const lie = fake.box.lie;
    fake.box.lie = (deposit) =>
      deposit.paymentId === less.depositId ? { ...deposit, actuallyPaid: 2_998 } : lie(deposit);
    await run();
    expect(await waiting()).toContain(less.depositId);
    // The provider, not a colleague, changed the row that is open on the screen.
    await expect(back.settlement.explain({ id, version, reason: 'x' })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { by: null, byProvider: true },
    });

    fake.box.lie = (deposit) => deposit;
    fake.move(lost.invoice, lost.depositId, 'finished', { actuallyPaid: 3_000, outcome });
    expect(await run()).toMatchObject({ state: 'whole', differences: 0 });
    expect(await waiting()).toEqual([]);
    const [gone] = (await back.settlement.list({ state: 'gone', q: less.depositId })).rows;
    await expect(
      back.settlement.explain({ id: gone?.id ?? '', version: gone?.version ?? 0, reason: 'x' }),
    ).rejects.toMatchObject({ code: 'ALREADY_DONE' });
  });

  it('reports a completed deposit that the provider now calls failed, without a change of its order', async () => {
    const one = await order('basic');
    const outcome = { amount: '2990', currency: 'eth', payinHash: null, payoutHash: null, fee: null };
    await callBack(one.move('finished', 1, { outcome }));
    one.move('failed', 1);
    expect(await run()).toMatchObject({ state: 'whole', differences: 1 });
    expect(await open()).toMatchObject([{ kind: 'outcome', subject: one.depositId, ours: '2990', theirs: '' }]);
    expect(await one.state()).toBe('paid');
    one.move('finished', 1);
    expect(await run()).toMatchObject({ state: 'whole', differences: 0 });
  });

  it('keeps differences when the list is incomplete or not allowed, or the provider does not answer', async () => {
    const one = await order('basic');
    await callBack(one.move('finished', 1));
    fake.truth.delete(one.depositId);
    expect(await run()).toMatchObject({ differences: 1 });
    fake.box.whole = false;
    expect(await run()).toMatchObject({ state: 'cut' });
    fake.box.lists = false;
    expect(await run()).toMatchObject({ state: 'not_allowed' });
    fake.box.trouble = () => 'unknown';
    await expect(run()).rejects.toThrow(ProviderError);
    expect((await back.settlement.runs()).runs[0]).toMatchObject({ state: 'failed' });
    expect((await open()).map(({ subject }) => subject)).toContain(one.depositId);
    fake.move(one.invoice, one.depositId, 'finished', { actuallyPaid: 3_000 });
  });

  it('runs once at a time, and is queued at an admin’s request', async () => {
    // The provider answers only once the second run has ended; otherwise the first could be over before the second begins.
    const answered = Promise.withResolvers<void>();
    fake.box.before = (call) => (call === 'everything' ? answered.promise : Promise.resolve());
    const both = [run(), run()];
    expect(await Promise.race(both)).toMatchObject({ state: 'busy' });
    answered.resolve();
    fake.box.before = async () => {};
    expect((await Promise.all(both)).map(({ state }) => state).toSorted()).toEqual(['busy', 'whole']);
    await back.settlement.run();
    const [job] = await app.sql<{ data: { by: string } }>("select data from jobs.job where name = 'settle-money'");
    expect(job?.data.by).toBe(admin.id);
  });

  it('is not blocked by a run whose process was killed: the next attempt of its job replaces it', async () => {
    // Later than the earlier runs: the list is ordered by start time.
    app.pass(60_000);
    await app.sql(`insert into settlement_runs (started_at) values ($1)`, [app.now]);
    const again = (attempt: number) =>
      settleMoneyJob(
        {},
        { services: app.services, log: pino({ level: 'silent' }) },
        { jobId: '1', attempt, last: false },
      );
    await again(1);
    const states = async () => (await back.settlement.runs()).runs.slice(0, 2).map(({ state }) => state);
    expect((await states())[0]).toBe('running');
    app.pass(60_000);
    await again(2);
    expect(await states()).toEqual(['whole', 'failed']);
    // The run that an admin requested meanwhile is not the one that the killed process left.
    app.pass(60_000);
    await app.sql(`insert into settlement_runs (started_at, asked_by) values ($1, $2)`, [app.now, admin.id]);
    await again(2);
    expect(await states()).toEqual(['running', 'whole']);
    await app.sql(`update settlement_runs set state = 'failed', finished_at = started_at where state = 'running'`);
  });
});

describe('the money ledger', () => {
  const FORGET_LEDGER = `do $$ begin
    set local session_replication_role = replica;
    delete from money_entries; delete from money_transactions; delete from money_totals;
    update payments set booked_at = null; update unplaced_payments set booked_at = null;
  end $$`;

  it('gets payments from before it existed once, at their original times', async () => {
    const [paid, expired] = [await order('basic'), await order('entry')];
    await callBack(paid.move('finished', 1, { updatedAt: Date.parse('2026-02-03T10:00:00Z') }));
    await app.sql(FORGET_LEDGER);
    expect(await backfillMoneyLedger(app.services.db)).toBeGreaterThanOrEqual(2);
    expect(await backfillMoneyLedger(app.services.db)).toBe(0);
    const rows = await app.sql<{ account: string; month: string; amount: string }>(
      `select e.account, to_char(t.at at time zone 'UTC', 'YYYY-MM') as month, e.amount::text from money_entries e
       join money_transactions t on t.id = e.transaction_id where t.payment_id = $1 order by 1`,
      [paid.paymentId],
    );
    expect(rows).toContainEqual({ account: 'received', month: '2026-02', amount: '150000' });
    expect(await app.sql('select 1 from payments where booked_at is null')).toEqual([]);
    expect(expired.payment.state).toBe('awaiting');
    const months = (await back.money.list({ sort: '-month' })).rows;
    expect(months.filter(({ month }) => month === '2026-02')).toEqual([
      expect.objectContaining({
        plan: 'basic',
        receivedCents: 150_000,
        expectedCents: 0,
        refundedCents: 0,
        shortCents: 0,
      }),
    ]);
    expect((await run()).differences).toBe(0);
  });

  it('gets the other payments if an older one cannot be entered, and that one in the next run', async () => {
    const stuck = await order('basic');
    app.pass(1_000);
    const paid = await order('entry');
    for (const one of [stuck, paid]) await callBack(one.move('finished', 1));
    await app.sql(FORGET_LEDGER);
    await app.sql(`create function not_entered() returns trigger language plpgsql as
      $$ begin raise exception 'not this one'; end $$`);
    await app.sql(`create trigger not_entered before insert on money_transactions for each row
      when (new.payment_id = '${stuck.paymentId}') execute function not_entered()`);
    await expect(backfillMoneyLedger(app.services.db)).rejects.toThrow();
    expect(await app.sql('select id from payments where booked_at is null')).toEqual([{ id: stuck.paymentId }]);
    expect(await app.sql('select 1 from unplaced_payments where booked_at is null')).toEqual([]);
    await app.sql('drop trigger not_entered on money_transactions');
    expect(await backfillMoneyLedger(app.services.db)).toBe(1);
    expect((await run()).differences).toBe(0);
  });

  it('is reported by month, plan and network from fewer than 4,000 totals for 100,000 entries', async () => {
    // In batches: the totals are updated at the commit of each.
    for (let from = 0; from < 25_000; from += 1_250)
      await app.sql(
        `with t as (
        insert into money_transactions (kind, subject, revision, simulation, plan, network, facts, at)
        select 'received', 'bulk' || n, 1, true, (array['entry','basic','standard','complete'])[1 + n % 4],
          (array['solana','ethereum','binance'])[1 + n % 3], '{}', timestamptz '2021-01-15' + (n % 60) * interval '1 month'
        from generate_series($1::int + 1, $1::int + 1250) n returning id)
      insert into money_entries (transaction_id, line, account, asset, amount)
      select t.id, l.line, l.account, l.asset, l.amount from t, (values (1::smallint, 'received', 'USD', 5000),
        (2::smallint, 'claim', 'USD', -5000), (3::smallint, 'provider', 'eth', 7), (4::smallint, 'unplaced', 'eth', -7)) l (line, account, asset, amount)`,
        [from],
      );
    const { rows, total } = await back.money.list({ simulation: 'yes', sort: '-month' });
    expect(total).toBe(60);
    expect(rows[0]).toMatchObject({ simulation: true, overdue: 0 });
    // The report reads the totals instead of the entries.
    expect(Number((await app.sql<{ n: string }>('select count(*) as n from money_totals'))[0]?.n)).toBeLessThan(4_000);
  });
});
