import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { signBody } from '#server/providers/payments/signature.ts';
import type { BenchEnvironment } from '../lib/environment.ts';
import { Connection, postRequest } from '../lib/http-driver.ts';
import { median, quantile } from '../lib/numbers.ts';
import { ms, type Row, stated } from '../lib/report.ts';

const PER_SECOND = 50;
const SECONDS = 10;
/** Every second callback is one that was sent before. */
const ORDERS = (PER_SECOND * SECONDS) / 2;
/** Payments of earlier days, among which that of a callback has to be found. */
const OLD = 20_000;
const PRICE = 50;
const LOST_AFTER = 60_000;
const SECRET = randomBytes(24).toString('hex');

const orderOf = (n: number) => `FL-B${String(n).padStart(9, '0')}`;
const depositOf = (n: number) => 5_000_000_000 + n;

/** The provider: reports every deposit as paid in full. */
async function startProvider() {
  const server = http.createServer((req, res) => {
    const n = Number(/^\/v1\/payment\/(\d+)$/.exec(req.url ?? '')?.[1]) - depositOf(0);
    const known = n >= 0 && n < ORDERS;
    res
      .writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(known ? bodyOf(n) : {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close: () => server.close() };
}

const bodyOf = (n: number) => ({
  payment_id: depositOf(n),
  parent_payment_id: null,
  invoice_id: 1_000_000 + n,
  payment_status: 'finished',
  pay_address: 'bench',
  price_amount: PRICE,
  price_currency: 'usd',
  pay_amount: 0.5,
  actually_paid: 0.5,
  pay_currency: 'sol',
  order_id: orderOf(n),
  order_description: 'bench',
  purchase_id: '1',
  outcome_amount: 0.5,
  outcome_currency: 'sol',
  fee: { currency: 'sol', depositFee: '0', serviceFee: 0, withdrawalFee: '0' },
  updated_at: 1_767_082_687_409,
});

/** Token requests with a payment each: old ones that are paid, and those that callbacks will be about. */
async function fill(client: pg.Client): Promise<void> {
  const requests = (first: number, count: number) => `
    with made as (
      insert into token_creation_submissions (edit_secret_hash, petitioner_email)
      select sha256(n::text::bytea), 'bench' || n || '@florka.test' from generate_series(${first}, ${first + count - 1}) as n
      returning id, substr(petitioner_email, 6, strpos(petitioner_email, '@') - 6)::int as n)`;
  const columns =
    '(submission_id, order_id, plan, price_usd, locale, simulation, invoice_id, payment_url, ledger, state, expires_at)';
  await client.query(`${requests(0, ORDERS)}
    insert into payments ${columns}
    select id, 'FL-B' || lpad(n::text, 9, '0'), 'entry', ${PRICE}, 'es', false, (1000000 + n)::text, 'https://x.test/',
           '{"deposits":{},"askedAt":0,"supersededAt":null,"accepted":null,"paidTwice":false}', 'awaiting', now() + interval '7 days'
    from made`);
  await client.query(`${requests(1_000_000, OLD)}
    insert into payments ${columns}
    select id, 'FL-A' || lpad(n::text, 9, '0'), 'entry', ${PRICE}, 'es', false, (9000000 + n)::text, 'https://x.test/',
           jsonb_build_object('deposits', jsonb_build_object((7000000000 + n)::text, '{"status":"finished"}'::jsonb)),
           'paid', now() - interval '30 days'
    from made`);
  await client.query('analyze payments');
}

/** (j) Payment callbacks at 50 a second, each sent twice: how fast they are acknowledged, and that none is lost. */
export async function webhooks(environment: BenchEnvironment): Promise<Row[]> {
  const provider = await startProvider();
  const client = await environment.connect('small');
  try {
    await fill(client);
    const env = { NOWPAYMENTS_API_KEY: 'bench', NOWPAYMENTS_IPN_SECRET: SECRET, NOWPAYMENTS_URL: provider.url };
    return await environment.withSite('small', (site) => measure(site.port, client), env);
  } finally {
    await client.end();
    provider.close();
  }
}

async function measure(port: number, client: pg.Client): Promise<Row[]> {
  const count = async (text: string) =>
    Number((await client.query<{ n: string }>(`select count(*) as n ${text}`)).rows[0]?.n);
  const pool = await Promise.all(Array.from({ length: 32 }, () => Connection.open(port)));
  const times: number[] = [];
  let refused = 0;
  const send = async (n: number) => {
    const connection = pool.pop() ?? (await Connection.open(port));
    const body = JSON.stringify(bodyOf(n));
    const signature = signBody(bodyOf(n), SECRET);
    const began = performance.now();
    const { status } = await connection.send(
      postRequest('/webhooks/nowpayments', body, { 'x-nowpayments-sig': signature }),
    );
    times.push(performance.now() - began);
    if (status !== 200) refused++;
    pool.push(connection);
  };
  const began = performance.now();
  const sent: Promise<void>[] = [];
  for (let i = 0; i < PER_SECOND * SECONDS; i++) {
    await sleep(Math.max(0, began + (i * 1_000) / PER_SECOND - performance.now()));
    // 0, 0, 1, 1, …, where the second one comes five callbacks later.
    sent.push(send(i % 2 === 0 ? i / 2 : Math.max(0, (i - 1) / 2 - 2)));
  }
  await Promise.all(sent);
  for (let n = ORDERS - 2; n < ORDERS; n++) await send(n);
  for (const connection of pool) connection.close();
  const stored = await count("from payment_events where kind = 'webhook'");
  const done = () => count("from payments where state = 'paid' and order_id like 'FL-B%'");
  const end = performance.now();
  while ((await done()) < ORDERS && performance.now() - end < LOST_AFTER) await sleep(100);
  const lost = ORDERS - (await done());
  const shown = `${ms(median(times))}, p99 ${ms(quantile(times, 0.99))}, worst ${ms(Math.max(...times))}`;
  return [
    stated(
      `j) ${times.length} payment callbacks at ${PER_SECOND}/s, half of them twice: acknowledged after (median)`,
      shown,
      {
        target: '≤ 50 ms',
        met: median(times) <= 50 && refused === 0,
      },
    ),
    stated(
      `j) of ${ORDERS} payments: stored once, lost, all settled after the last callback`,
      `${stored} stored, ${lost} lost, ${((performance.now() - end) / 1_000).toFixed(1)} s`,
      { target: '0 lost', met: lost === 0 && stored === ORDERS },
    ),
  ];
}
