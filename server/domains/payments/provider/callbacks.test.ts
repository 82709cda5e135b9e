import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { signBody } from '#server/providers/payments/signature.ts';
import { app, count, fake, order, processCallbacks, send } from '#tests/fixtures/payments.ts';

describe('callbacks', () => {
  it('only trigger a request to the provider: a signed but false report of a payment changes nothing', async () => {
    const one = await order();
    const waiting = one.move('waiting');
    const { body, signature } = fake.callback({ ...waiting, status: 'finished', actuallyPaid: 3_000 });
    expect((await send(body, signature)).status).toBe(200);
    await processCallbacks();
    expect(await one.state()).toBe('awaiting');
  });

  it('are answered without a request to the provider, stored once, and not lost while it fails', async () => {
    const one = await order();
    const { body, signature } = fake.callback(one.move('finished', 1));
    await app.services.jobs.start();
    const before = { ...fake.box.calls };
    for (let i = 0; i < 6; i++) expect((await send(body, signature)).status).toBe(200);
    expect(fake.box.calls).toEqual(before);
    expect(await count('payment_events where kind = $1 and payment_id = $2', ['webhook', one.paymentId])).toBe(1);
    fake.box.trouble = () => 'unknown';
    const [event] = await app.sql<{ id: string }>('select id from payment_events where payment_id = $1', [
      one.paymentId,
    ]);
    expect(await count("jobs.job where name = 'fetch-payment' and data ->> 'eventId' = $1", [event?.id])).toBe(1);
    await expect(app.services.payments.processCallback(Number(event?.id))).rejects.toThrow(/could not be queried/);
    fake.box.trouble = () => 'none';
    await app.services.payments.processCallback(Number(event?.id));
    await app.services.payments.processCallback(Number(event?.id));
    expect(await one.state()).toBe('paid');
    expect(await count("mails where template = 'orderPaid' and to_address = $1", [one.email])).toBe(1);
  });

  it('are stored once, in whatever formatting and key order they are replayed', async () => {
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
        "jobs.job j join payment_events e on j.data ->> 'eventId' = e.id::text where j.name = 'fetch-payment' and e.payment_id = $1",
        [one.paymentId],
      ),
    ).toBe(1);
  });

  it('are answered with 503 while they can’t be stored, and accepted when they are sent again', async () => {
    const one = await order();
    const { body, signature } = fake.callback(one.move('finished', 1));
    await app.sql('alter table payment_events rename to payment_events_away');
    expect((await send(body, signature)).status).toBe(503);
    await app.sql('alter table payment_events_away rename to payment_events');
    expect((await send(body, signature)).status).toBe(200);
    await processCallbacks();
    expect(await one.state()).toBe('paid');
  });

  it('are accepted in either form of lists that the provider signs', async () => {
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
      ['127 digits', ({ body, signature }) => status(send(body, signature.slice(1))), [401]],
      ['129 digits', ({ body, signature }) => status(send(body, `${signature}0`)), [401]],
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
      ['the signature of another callback', ({ body, other }) => status(send(body, other.signature)), [401]],
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
        // JSON takes the last of duplicate keys, which is the signed one: the same callback in other bytes.
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
      ['invalid JSON', ({ signature }) => status(send('{', signature)), [401]],
      [
        'nested 10,000 deep',
        ({ signature }) => status(send(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, signature)),
        [401],
      ],
    ];

    it.each(forgeries)('%s: change nothing and cause no request to the provider', async (name, forge, expected) => {
      const one = await order();
      const other = await order();
      const deposit = one.move('waiting');
      const valid = fake.callback(deposit);
      const stored = await count('payment_events');
      // The provider would confirm it: so a forgery must not trigger a request.
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
