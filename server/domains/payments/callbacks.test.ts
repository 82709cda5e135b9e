import http from 'node:http';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProviderStatus } from '#server/providers/payments/port.ts';
import { signBody } from '#server/providers/payments/signature.ts';
import { paymentRig } from '#tests/support/payments.ts';

// How news of a payment reaches us: told by callbacks, looked for by the reconciliation, and both at once.
const { app, fake, order, rowOf, count, send, follow } = await paymentRig();
const DAY = 86_400_000;

describe('callbacks', () => {
  it('are only a reason to look: a signed lie about a finished payment changes nothing', async () => {
    const one = await order();
    const waiting = one.move('waiting');
    const { body, signature } = fake.callback({ ...waiting, status: 'finished', actuallyPaid: 3_000 });
    expect((await send(body, signature)).status).toBe(200);
    await follow();
    expect(await one.state()).toBe('awaiting');
  });

  it('are answered at once, stored once, and not lost when nobody can be asked', async () => {
    const one = await order();
    const { body, signature } = fake.callback(one.move('finished', 1));
    await app.services.jobs.start();
    const before = { ...fake.box.calls };
    const times: number[] = [];
    for (let i = 0; i < 6; i++) {
      const began = performance.now();
      const answer = await send(body, signature);
      times.push(performance.now() - began);
      expect(answer.status).toBe(200);
    }
    // Nothing was asked on the way.
    expect(fake.box.calls).toEqual(before);
    expect(Math.min(...times)).toBeLessThan(50);
    expect(await count('payment_events where kind = $1 and payment_id = $2', ['webhook', one.paymentId])).toBe(1);
    fake.box.trouble = () => 'unknown';
    const [event] = await app.sql<{ id: string }>('select id from payment_events where payment_id = $1', [
      one.paymentId,
    ]);
    expect(await count("jobs.job where name = 'follow-payment' and data ->> 'eventId' = $1", [event?.id])).toBe(1);
    await expect(app.services.payments.follow(Number(event?.id))).rejects.toThrow(/could not be asked/);
    fake.box.trouble = () => 'none';
    await app.services.payments.follow(Number(event?.id));
    await app.services.payments.follow(Number(event?.id));
    expect(await one.state()).toBe('paid');
    expect(await count("mails where template = 'orderPaid' and to_address = $1", [one.email])).toBe(1);
  });

  it('count once, in whatever bytes and order they are played back', async () => {
    const one = await order();
    const { body, signature } = fake.callback(one.move('finished', 1));
    const fields = Object.entries(JSON.parse(body));
    const copies = [
      body,
      JSON.stringify(JSON.parse(body), null, 2),
      JSON.stringify(Object.fromEntries(fields.toReversed())),
      body.replace('{', '{"order_id":"FL-0000000000",'),
    ];
    expect(new Set(copies).size).toBe(4);
    for (const copy of copies) expect((await send(copy, signature)).status).toBe(200);
    expect(await count("payment_events where kind = 'webhook' and payment_id = $1", [one.paymentId])).toBe(1);
    expect(
      await count(
        "jobs.job j join payment_events e on j.data ->> 'eventId' = e.id::text where j.name = 'follow-payment' and e.payment_id = $1",
        [one.paymentId],
      ),
    ).toBe(1);
  });

  it('are sent again when they can’t be stored', async () => {
    const one = await order();
    const { body, signature } = fake.callback(one.move('finished', 1));
    await app.sql('alter table payment_events rename to payment_events_away');
    expect((await send(body, signature)).status).toBe(503);
    await app.sql('alter table payment_events_away rename to payment_events');
    expect((await send(body, signature)).status).toBe(200);
    await follow();
    expect(await one.state()).toBe('paid');
  });

  it('count in either form of lists that the provider signs', async () => {
    const one = await order();
    const body = JSON.stringify({
      ...JSON.parse(fake.callback(one.move('finished', 1)).body),
      payment_extra_ids: [3, 1],
    });
    expect((await send(body, signBody(JSON.parse(body), fake.secret, true))).status).toBe(200);
  });

  describe('that are forged', async () => {
    const raw = (options: http.RequestOptions, body: string | Buffer) =>
      new Promise<number>((resolve, reject) => {
        const request = http.request(`${app.origin}/webhooks/nowpayments`, {
          method: 'POST',
          agent: false,
          ...options,
        });
        request.on('response', (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        request.on('error', reject);
        request.end(body);
      });
    const json = { 'content-type': 'application/json' };
    type Forgery = (valid: {
      body: string;
      signature: string;
      other: { body: string; signature: string };
    }) => Promise<number>;
    const status = async (answer: Promise<Response>) => (await answer).status;
    const signed = (body: string, secret = fake.secret) => send(body, signBody(JSON.parse(body), secret));
    const forgeries: [string, Forgery, number[]][] = [
      ['without a header', ({ body }) => status(send(body, undefined)), [401]],
      ['an empty header', ({ body }) => status(send(body, '')), [401]],
      ['127 signs', ({ body, signature }) => status(send(body, signature.slice(1))), [401]],
      ['129 signs', ({ body, signature }) => status(send(body, `${signature}0`)), [401]],
      ['upper case', ({ body, signature }) => status(send(body, signature.toUpperCase())), [401]],
      [
        'two headers',
        ({ body, signature }) => raw({ headers: { ...json, 'x-nowpayments-sig': [signature, signature] } }, body),
        [401],
      ],
      [
        'SHA-256 instead',
        async ({ body }) => {
          const { createHmac } = await import('node:crypto');
          return status(send(body, createHmac('sha256', fake.secret).update(body).digest('hex')));
        },
        [401],
      ],
      ['the signature of {}', ({ body }) => status(send(body, signBody({}, fake.secret))), [401]],
      ['signed with an empty key', ({ body }) => status(send(body, signBody(JSON.parse(body), ''))), [401]],
      ['the signature of another', ({ body, other }) => status(send(body, other.signature)), [401]],
      [
        'a nested field changed',
        ({ body, signature }) =>
          status(send(JSON.stringify({ ...JSON.parse(body), fee: { currency: 'eth', depositFee: '9' } }), signature)),
        [401],
      ],
      [
        '__proto__ smuggled in',
        ({ body, signature }) =>
          status(send(body.replace('{', '{"__proto__":{"payment_status":"finished"},'), signature)),
        [401],
      ],
      [
        'a key twice',
        ({ body, signature }) => status(send(body.replace('{', '{"order_id":"FL-0000000000",'), signature)),
        // JSON takes the last one, which is the signed one: the same callback in other bytes.
        [200],
      ],
      [
        'the price as text',
        ({ body, signature }) => status(send(body.replace(/"price_amount":(\d+)/, '"price_amount":"$1"'), signature)),
        [401],
      ],
      [
        'a tiny amount',
        ({ body, signature }) => status(send(body.replace(/"actually_paid":\d+/, '"actually_paid":1e-7'), signature)),
        [401],
      ],
      [
        'a number past 2^53',
        ({ body }) => status(signed(body.replace(/"payment_id":\d+/, '"payment_id":9007199254740993'), 'wrong')),
        [401],
      ],
      [
        'an unknown status',
        ({ body, signature }) => status(send(body.replace('"waiting"', '"paid_in_full"'), signature)),
        [401],
      ],
      ['a megabyte', () => status(send(`{"a":"${'x'.repeat(1024 * 1024)}"}`, 'a'.repeat(128))), [413]],
      [
        'a gzip bomb',
        ({ signature }) =>
          raw(
            { headers: { ...json, 'content-encoding': 'gzip', 'x-nowpayments-sig': signature } },
            gzipSync(Buffer.alloc(10 * 1024 * 1024)),
          ),
        [400],
      ],
      [
        'another content type',
        ({ body, signature }) => status(send(body, signature, { 'content-type': 'text/plain' })),
        [400],
      ],
      ['GET', async () => (await app.http('/webhooks/nowpayments')).status, [405]],
      ['a list', ({ signature }) => status(send('[]', signature)), [401]],
      ['no JSON', ({ signature }) => status(send('{', signature)), [401]],
      [
        'nested 20,000 deep',
        ({ signature }) => status(send(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, signature)),
        [401],
      ],
    ];

    it.each(forgeries)('%s: no change, no question', async (name, forge, expected) => {
      const one = await order();
      const other = await order();
      const deposit = one.move('waiting');
      const valid = fake.callback(deposit);
      const stored = await count('payment_events');
      // The provider would say yes: so nobody must ask because of a forgery.
      one.move('finished', 1);
      const before = { ...fake.box.calls };
      expect(expected).toContain(await forge({ ...valid, other: fake.callback(other.move('waiting')) }));
      expect(fake.box.calls).toEqual(before);
      expect(await one.state()).toBe('awaiting');
      if (name !== 'a key twice') expect(await count('payment_events')).toBe(stored);
    });

    it('are logged once a minute per source', () => {
      const lines = app.logged.filter(({ msg }) => msg === 'payment callback refused');
      expect(lines).toHaveLength(1);
      expect(JSON.stringify(lines)).not.toContain('order_id');
    });
  });
});

describe('the reconciliation', () => {
  /** Follows what earlier tests left open. */
  async function settleAll(): Promise<void> {
    do app.pass(61_000);
    while ((await app.services.payments.reconcile()).asked > 0);
  }

  it('puts off nothing that has news, however much there is in one minute', async () => {
    await settleAll();
    const orders = [];
    for (let i = 0; i < 56; i++) orders.push(await order());
    for (const one of orders) one.move('finished', 1);
    app.pass(61_000);
    expect(await app.services.payments.reconcile()).toEqual({ asked: 50, unknown: 0 });
    const waiting = 'payments where tried_at is null and id = any($1)';
    const ids = orders.map(({ paymentId }) => paymentId);
    expect(await count(waiting, [ids])).toBe(6);
    // They are still due, and are the first ones then.
    expect(await count(`${waiting} and next_check_at <= $2`, [ids, app.now])).toBe(6);
    app.pass(1_000);
    expect((await app.services.payments.reconcile()).asked).toBeGreaterThanOrEqual(6);
    for (const one of orders) expect(await one.state()).toBe('paid');
  });

  it('finds what no callback told, and shares the work between processes', async () => {
    const other = await app.secondProcess();
    await settleAll();
    const orders = [await order(), await order(), await order()];
    for (const one of orders) one.move('finished', 1);
    app.pass(61_000);
    const before = fake.box.calls.deposits;
    await Promise.all([app.services.payments.reconcile(), other.payments.reconcile()]);
    for (const one of orders) expect(await one.state()).toBe('paid');
    const asked = await count('payments where tried_at = $1', [app.now]);
    expect(fake.box.calls.deposits - before).toBe(asked);
  });

  it('leaves the provider alone when it does not answer, and comes back', async () => {
    const orders = [await order(), await order(), await order(), await order(), await order()];
    for (const one of orders) one.move('finished', 1);
    app.pass(61_000);
    fake.box.trouble = () => 'unknown';
    const { asked, unknown } = await app.services.payments.reconcile();
    expect([asked, unknown]).toEqual([3, 3]);
    fake.box.trouble = () => 'none';
    app.pass(11 * 60_000);
    await app.services.payments.reconcile();
    for (const one of orders) expect(await one.state()).toBe('paid');
  });

  it('asks less and less often also where nobody may list', async () => {
    fake.box.lists = false;
    const one = await order();
    const before = fake.box.calls.deposits;
    for (let minute = 0; minute < 3 * 24 * 60; minute += 5) {
      app.pass(5 * 60_000);
      await app.sql('update payments set next_check_at = null where id <> $1', [one.paymentId]);
      await app.services.payments.reconcile();
    }
    const asked = fake.box.calls.deposits - before;
    // Nobody chose a coin: hourly for two days, then every six hours; flat ten minutes would be 432.
    expect(asked).toBeGreaterThan(50);
    expect(asked).toBeLessThan(110);
  });

  it('is not kept busy by a payer who begins hundreds of deposits', async () => {
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

  it('asks about an abandoned order twice, where the list of all deposits says that there is nothing', async () => {
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

  it('asks first where there is money, and lets nobody wait for ever', async () => {
    const paid = await order();
    const rows = 300;
    const [{ submission_id: requestId } = { submission_id: '' }] = await app.sql<{ submission_id: string }>(
      'select submission_id from payments where id = $1',
      [paid.paymentId],
    );
    app.pass(61_000);
    // Many abandoned orders, all due for longer than the one that was paid.
    await app.sql(
      `insert into payments (submission_id, order_id, plan, price_usd, locale, simulation, is_current, invoice_id,
         payment_url, ledger, expires_at, next_check_at, created_at)
       select $1, 'FL-CROWD' || lpad(n::text, 5, '0'), 'basic', 1500, 'es', false, false, 'crowd-' || n, 'https://pay.test',
         '{"deposits": {}}', $2::timestamptz + interval '6 days', $2::timestamptz - interval '1 day' + n * interval '1 second', $2
       from generate_series(1, ${rows}) n`,
      [requestId, app.now],
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
    // With a list that is whole, one run does for all of them.
    fake.box.whole = true;
    await app.sql(`update payments set next_check_at = $1 where order_id like 'FL-CROWD%'`, [app.now]);
    app.pass(60_000);
    const before = fake.box.calls.deposits;
    await app.services.payments.reconcile();
    expect(fake.box.calls.deposits).toBe(before);
    expect(await count(`payments where order_id like 'FL-CROWD%' and next_check_at <= $1`, [app.now])).toBe(0);
    // Out of the way of the tests that follow: what the money ledger knows of stays.
    await app.sql(`update payments set next_check_at = null where order_id like 'FL-CROWD%'`);
  });

  it('goes on after orders that the provider refuses to talk about', async () => {
    fake.box.whole = false;
    const refused = [await order(), await order(), await order(), await order()];
    const last = await order();
    await app.sql('update payments set next_check_at = null where not (id = any($1))', [
      [...refused, last].map(({ paymentId }) => paymentId),
    ]);
    app.pass(61_000);
    last.move('finished', 1);
    // Not in anybody's list: only its own question finds it.
    let questions = 0;
    fake.box.trouble = (call) =>
      call === 'recent' ? 'refused' : call === 'deposits' && ++questions <= 4 ? 'refused' : 'none';
    expect(await app.services.payments.reconcile()).toEqual({ asked: 5, unknown: 4 });
    expect(await last.state()).toBe('paid');
  });

  it('goes on after an order of which nothing can be recorded, and says so', async () => {
    await settleAll();
    const [broken, ...others] = [await order(), await order(), await order()];
    for (const one of [broken, ...others]) one?.move('finished', 1);
    await app.sql(`create function no_record() returns trigger language plpgsql as
      $$ begin raise exception 'nothing of this order'; end $$`);
    await app.sql(`create trigger no_record before insert on deliverables for each row
      when (new.payment_id = '${broken?.paymentId}') execute function no_record()`);
    app.pass(61_000);
    await expect(app.services.payments.reconcile()).rejects.toThrow('1 orders could not be recorded');
    for (const one of others) expect(await one.state()).toBe('paid');
    expect(await broken?.state()).not.toBe('paid');
    await app.sql('drop trigger no_record on deliverables');
    // Asked again, and then it is.
    app.pass(11 * 60_000);
    await app.services.payments.reconcile();
    expect(await broken?.state()).toBe('paid');
  });

  it('stops a week after the end', async () => {
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

  it('end with the provider’s truth (60 orders, everything at once)', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(steps)),
        fc.array(fc.constantFrom('callback', 'twice', 'lost', 'check', 'fail', 'reconcile', 'both'), {
          minLength: 4,
          maxLength: 8,
        }),
        async (history, acts) => {
          const one = await order();
          const truth = [...(steps[history] ?? [])];
          const bodies: ReturnType<typeof fake.callback>[] = [];
          for (const act of acts) {
            const next = truth.shift();
            if (next) bodies.push(fake.callback(one.move(...next)));
            const last = bodies.at(-1);
            fake.box.trouble = () => (act === 'fail' ? 'unknown' : 'none');
            if (last && (act === 'callback' || act === 'both')) await send(last.body, last.signature);
            if (last && act === 'twice')
              await Promise.all(
                bodies.toReversed().flatMap(({ body, signature }) => [send(body, signature), send(body, signature)]),
              );
            app.pass(11_000);
            await Promise.all([
              follow().catch(() => {}),
              act === 'check' || act === 'both' || act === 'fail' ? one.check() : null,
              act === 'reconcile' || act === 'both' ? app.services.payments.reconcile() : null,
            ]);
          }
          for (const [status, share] of truth) one.move(status, share);
          fake.box.trouble = () => 'none';
          // All callbacks from here on are lost; also a settled order is looked at daily.
          for (let i = 0; i < 3; i++) {
            app.pass(25 * 3_600_000);
            await app.services.payments.reconcile();
          }
          expect(await one.state(), history).toBe(ends[history]);
          const settled = ['paid', 'overpaid'].includes(ends[history] ?? '');
          const receipts = await count("mails where template = 'orderPaid' and to_address = $1", [one.email]);
          // A refund may be all that anybody ever heard of.
          if (history === 'refunded') expect(receipts).toBeLessThanOrEqual(1);
          else expect(receipts).toBe(settled ? 1 : 0);
          // Done with: the next orders need not be asked about it.
          await app.sql('update payments set next_check_at = null where id = $1', [one.paymentId]);
        },
      ),
      { numRuns: 60 },
    );
    const [chain] = await app.sql<{ broken: number }>(`
      select count(*)::int as broken from (
        select prev_hash, lag(hash) over (order by id) as before from audit_events) as link
      where before is not null and prev_hash <> before`);
    expect(chain?.broken).toBe(0);
  });
});
