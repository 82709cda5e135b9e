import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProviderStatus } from '#server/providers/payments/port.ts';
import { app, count, fake, order, processCallbacks, rowOf, send } from '#tests/fixtures/payments.ts';
import { generatedCases } from '#tests/support/runner/property-runs.ts';

const DAY = 86_400_000;

describe('the reconciliation', () => {
  /** Reconciles the orders that earlier tests left open. */
  async function settleAll(): Promise<void> {
    do app.pass(61_000);
    while ((await app.services.payments.reconcile()).polled > 0);
  }

  it('polls the orders beyond the limit of one run in the next run, without further delay', async () => {
    await settleAll();
    const orders = [];
    for (let i = 0; i < 56; i++) orders.push(await order());
    for (const one of orders) one.move('finished', 1);
    app.pass(61_000);
    expect(await app.services.payments.reconcile()).toEqual({ polled: 50, unknown: 0 });
    const waiting = 'payments where tried_at is null and id = any($1)';
    const ids = orders.map(({ paymentId }) => paymentId);
    expect(await count(waiting, [ids])).toBe(6);
    // They are still due, and are polled first in the next run.
    expect(await count(`${waiting} and next_check_at <= $2`, [ids, app.now])).toBe(6);
    app.pass(1_000);
    expect((await app.services.payments.reconcile()).polled).toBeGreaterThanOrEqual(6);
    for (const one of orders) expect(await one.state()).toBe('paid');
  });

  it('finds payments without callbacks, and polls each order once across processes', async () => {
    const other = await app.secondProcess();
    await settleAll();
    const orders = [await order(), await order(), await order()];
    for (const one of orders) one.move('finished', 1);
    app.pass(61_000);
    const before = fake.box.calls.deposits;
    await Promise.all([app.services.payments.reconcile(), other.payments.reconcile()]);
    for (const one of orders) expect(await one.state()).toBe('paid');
    const polled = await count('payments where tried_at = $1', [app.now]);
    expect(fake.box.calls.deposits - before).toBe(polled);
  });

  it('stops a run after three unanswered polls, and polls again later', async () => {
    const orders = [await order(), await order(), await order(), await order(), await order()];
    for (const one of orders) one.move('finished', 1);
    app.pass(61_000);
    fake.box.trouble = () => 'unknown';
    const { polled, unknown } = await app.services.payments.reconcile();
    expect([polled, unknown]).toEqual([3, 3]);
    fake.box.trouble = () => 'none';
    app.pass(11 * 60_000);
    await app.services.payments.reconcile();
    for (const one of orders) expect(await one.state()).toBe('paid');
  });

  it('polls less and less often, also when deposits cannot be listed', async () => {
    fake.box.lists = false;
    const one = await order();
    const before = fake.box.calls.deposits;
    for (let minute = 0; minute < 3 * 24 * 60; minute += 5) {
      app.pass(5 * 60_000);
      await app.sql('update payments set next_check_at = null where id <> $1', [one.paymentId]);
      await app.services.payments.reconcile();
    }
    const calls = fake.box.calls.deposits - before;
    // No coin was chosen: hourly for two days, then every six hours; a constant ten minutes would be 432.
    expect(calls).toBeGreaterThan(50);
    expect(calls).toBeLessThan(110);
  });

  it('limits the requests for an order with hundreds of deposits', async () => {
    const one = await order();
    const many = Object.fromEntries(
      Array.from({ length: 400 }, (_, i) => {
        const paymentId = String(9_000_000 + i);
        return [paymentId, fake.move(one.invoice, paymentId, 'waiting')];
      }),
    );
    await app.sql("update payments set ledger = jsonb_set(ledger, '{deposits}', $2) where id = $1", [
      one.paymentId,
      JSON.stringify(many),
    ]);
    fake.box.lists = false;
    const before = fake.box.calls.deposit;
    await one.check();
    expect(fake.box.calls.deposit - before).toBeLessThanOrEqual(25);
    for (const id of Object.keys(many)) fake.truth.delete(id);
  });

  it('polls an abandoned order only twice when the list of all deposits has none of it', async () => {
    const one = await order();
    await app.sql('update payments set next_check_at = null where id <> $1', [one.paymentId]);
    const before = fake.box.calls.deposits;
    for (let hour = 0; hour < 15 * 24; hour += 3) {
      app.pass(3 * 3_600_000);
      await app.services.payments.reconcile();
    }
    expect(fake.box.calls.deposits - before).toBe(2);
    expect(await rowOf(one.paymentId)).toMatchObject({ state: 'expired', next_check_at: null });
  });

  it('polls orders with money first, and all others eventually', async () => {
    const paid = await order();
    const rows = 300;
    app.pass(61_000);
    // Many abandoned orders, all due for longer than the paid one.
    await app.sql(
      `with requests as (insert into token_creation_submissions (edit_secret_hash)
         select '\\x00' from generate_series(1, ${rows}) returning id),
         numbered as (select id, row_number() over () as n from requests)
       insert into payments (submission_id, order_id, plan, price_usd, locale, simulation, is_current, invoice_id,
         payment_url, ledger, expires_at, next_check_at, created_at)
       select id, 'FL-CROWD' || lpad(n::text, 5, '0'), 'basic', 1500, 'es', false, false, 'crowd-' || n, 'https://pay.test',
         '{"deposits": {}}', $1::timestamptz + interval '6 days', $1::timestamptz - interval '1 day' + n * interval '1 second', $1
       from numbered`,
      [app.now],
    );
    fake.box.whole = false;
    paid.move('finished', 1);
    await app.services.payments.reconcile();
    expect(await paid.state()).toBe('paid');
    for (let run = 0; run < 10; run++) {
      app.pass(60_000);
      await app.services.payments.reconcile();
    }
    expect(await count(`payments where order_id like 'FL-CROWD%' and tried_at is not null`)).toBe(rows);
    // With a complete list, one run covers all of them.
    fake.box.whole = true;
    await app.sql(`update payments set next_check_at = $1 where order_id like 'FL-CROWD%'`, [app.now]);
    app.pass(60_000);
    const before = fake.box.calls.deposits;
    await app.services.payments.reconcile();
    expect(fake.box.calls.deposits).toBe(before);
    expect(await count(`payments where order_id like 'FL-CROWD%' and next_check_at <= $1`, [app.now])).toBe(0);
    // Excluded from later tests; rows in the money ledger must remain.
    await app.sql(`update payments set next_check_at = null where order_id like 'FL-CROWD%'`);
  });

  it('continues after orders whose deposits the provider refuses to list', async () => {
    fake.box.whole = false;
    const refused = [await order(), await order(), await order(), await order()];
    const last = await order();
    await app.sql('update payments set next_check_at = null where not (id = any($1))', [
      [...refused, last].map(({ paymentId }) => paymentId),
    ]);
    app.pass(61_000);
    last.move('finished', 1);
    // The list of recent deposits is refused too: only its own poll finds it.
    let questions = 0;
    fake.box.trouble = (call) =>
      call === 'recent' ? 'refused' : call === 'deposits' && ++questions <= 4 ? 'refused' : 'none';
    expect(await app.services.payments.reconcile()).toEqual({ polled: 5, unknown: 4 });
    expect(await last.state()).toBe('paid');
  });

  it('continues after an order that cannot be stored, and reports it', async () => {
    await settleAll();
    const [broken, ...others] = [await order(), await order(), await order()];
    for (const one of [broken, ...others]) one?.move('finished', 1);
    await app.sql(`create function no_record() returns trigger language plpgsql as
      $$ begin raise exception 'nothing of this order'; end $$`);
    await app.sql(`create trigger no_record before insert on deliverables for each row
      when (new.payment_id = '${broken?.paymentId}') execute function no_record()`);
    app.pass(61_000);
    await expect(app.services.payments.reconcile()).rejects.toThrow('1 orders or deposits could not be recorded');
    for (const one of others) expect(await one.state()).toBe('paid');
    expect(await broken?.state()).not.toBe('paid');
    await app.sql('drop trigger no_record on deliverables');
    // Polled again, it is found.
    app.pass(11 * 60_000);
    await app.services.payments.reconcile();
    expect(await broken?.state()).toBe('paid');
  });

  it('continues when an unplaced deposit cannot be stored, and reports it', async () => {
    await settleAll();
    const paid = await order();
    paid.move('finished', 1);
    const strangers = ['a', 'b'].map((invoiceId) =>
      fake.move({ invoiceId, orderId: 'SHOP-9', priceUsd: 50 }, fake.newDepositId(), 'finished', { actuallyPaid: 7 }),
    );
    await app.sql(`create function not_stored() returns trigger language plpgsql as
      $$ begin raise exception 'not this deposit'; end $$`);
    await app.sql(`create trigger not_stored before insert on unplaced_payments for each row
      when (new.provider_payment_id = '${strangers[0]?.paymentId}') execute function not_stored()`);
    app.pass(61_000);
    await expect(app.services.payments.reconcile()).rejects.toThrow('1 orders or deposits could not be recorded');
    expect(await paid.state()).toBe('paid');
    const stored = 'unplaced_payments where provider_payment_id = $1';
    expect(await count(stored, [strangers[1]?.paymentId])).toBe(1);
    await app.sql('drop trigger not_stored on unplaced_payments');
    app.pass(61_000);
    await app.services.payments.reconcile();
    expect(await count(stored, [strangers[0]?.paymentId])).toBe(1);
    for (const { paymentId } of strangers) fake.truth.delete(paymentId);
  });

  it('stops polling an order a week after its end', async () => {
    const one = await order();
    for (let day = 0; day < 16; day++) {
      app.pass(DAY);
      await app.services.payments.reconcile();
    }
    const row = await rowOf(one.paymentId);
    expect([row.state, row['next_check_at']]).toEqual(['expired', null]);
  });
});

describe('schedules on the real database', () => {
  const steps: Record<string, [ProviderStatus, number][]> = {
    paid: [
      ['waiting', 0],
      ['confirming', 1],
      ['sending', 1],
      ['finished', 1],
    ],
    short: [
      ['waiting', 0],
      ['partially_paid', 0.4],
    ],
    topUp: [
      ['partially_paid', 0.4],
      ['finished', 1],
    ],
    over: [
      ['confirming', 2],
      ['finished', 2],
    ],
    refunded: [
      ['finished', 1],
      ['refunded', 1],
    ],
    failed: [
      ['confirming', 0],
      ['failed', 0],
    ],
  };
  const ends: Record<string, string> = {
    paid: 'paid',
    short: 'partially_paid',
    topUp: 'paid',
    over: 'overpaid',
    refunded: 'refunded',
    failed: 'failed',
  };

  it('end in the state at the provider, with callbacks, checks and polls combined', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(steps)),
        fc.array(fc.constantFrom('callback', 'twice', 'lost', 'check', 'fail', 'reconcile', 'both'), {
          minLength: 4,
          maxLength: 8,
        }),
        async (history, events) => {
          const one = await order();
          const truth = [...(steps[history] ?? [])];
          const bodies: ReturnType<typeof fake.callback>[] = [];
          for (const event of events) {
            const next = truth.shift();
            if (next) bodies.push(fake.callback(one.move(...next)));
            const last = bodies.at(-1);
            fake.box.trouble = () => (event === 'fail' ? 'unknown' : 'none');
            if (last && (event === 'callback' || event === 'both')) await send(last.body, last.signature);
            if (last && event === 'twice')
              await Promise.all(
                bodies.toReversed().flatMap(({ body, signature }) => [send(body, signature), send(body, signature)]),
              );
            app.pass(11_000);
            await Promise.all([
              processCallbacks().catch(() => {}),
              event === 'check' || event === 'both' || event === 'fail' ? one.check() : null,
              event === 'reconcile' || event === 'both' ? app.services.payments.reconcile() : null,
            ]);
          }
          for (const [status, share] of truth) one.move(status, share);
          fake.box.trouble = () => 'none';
          // All callbacks from here on are lost; a settled order is polled daily too.
          for (let i = 0; i < 3; i++) {
            app.pass(25 * 3_600_000);
            await app.services.payments.reconcile();
          }
          expect(await one.state(), history).toBe(ends[history]);
          const settled = ['paid', 'overpaid'].includes(ends[history] ?? '');
          const receipts = await count("mails where template = 'orderPaid' and to_address = $1", [one.email]);
          // A refund may be the only observation ever received.
          if (history === 'refunded') expect(receipts).toBeLessThanOrEqual(1);
          else expect(receipts).toBe(settled ? 1 : 0);
          // Completed: excluded from the polling of later tests.
          await app.sql('update payments set next_check_at = null where id = $1', [one.paymentId]);
        },
      ),
      {
        numRuns: generatedCases({ everyday: 20, long: 60 }),
        // Each history once, however few are drawn.
        examples: Object.keys(steps).map((history) => [history, ['callback', 'twice', 'lost', 'both']]),
      },
    );
    const [chain] = await app.sql<{ broken: number }>(`
      select count(*)::int as broken from (
        select prev_hash, lag(hash) over (order by id) as before from audit_events) as link
      where before is not null and prev_hash <> before`);
    expect(chain?.broken).toBe(0);
  });
});
