// The same schedules as in memory, through the services and the database: callbacks are lost, repeated and out of order, and the comparison
// with the provider finds the rest. At the end the provider's data, the ledger's entries and their totals agree to the last unit.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  depositId,
  goneOf,
  SCALE,
  schedule,
  sumOf,
  type Truth,
  truthOf,
  worthOf,
} from '#tests/support/payments/payment-schedules.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';
import { generatedCases } from '#tests/support/runner/property-runs.ts';

const ORDERS = generatedCases({ everyday: 25, long: 80 });
const { app, fake, order, callBack } = await paymentRig();

/** Balance of an account, in the unit of its asset. */
async function balance(account: string, asset: string): Promise<bigint> {
  const [row] = await app.sql<{ amount: string }>(
    'select coalesce(sum(amount), 0)::text as amount from money_entries where account = $1 and asset = $2',
    [account, asset],
  );
  return BigInt(row?.amount ?? 0);
}

it(`the entries of ${ORDERS} orders with random payments agree with the provider’s deposits, in the database too`, async () => {
  const seed = Math.floor(app.now.getTime() / 1_000) + (Date.now() % 1_000_000);
  const samples = fc.sample(
    fc.tuple(fc.array(schedule, { minLength: 1, maxLength: 4 }), fc.infiniteStream(fc.nat(2))),
    {
      numRuns: ORDERS,
      seed,
    },
  );
  const all: Truth[] = [];
  let number = 0;
  let cents = 0n;
  for (const [plans, chances] of samples) {
    const one = await order('basic');
    const { orderId, priceAmount: priceUsd } = one.payment;
    cents = BigInt(priceUsd) * 100n;
    const first = number;
    number += plans.length;
    // What repeats a deposit follows the first one of its order.
    const truths = plans.map((plan, i) =>
      truthOf(i === 0 ? { ...plan, kind: 'main' } : plan, first + i, {
        orderId,
        priceUsd,
        at: app.now.getTime(),
        parentId: depositId(first),
      }),
    );
    all.push(...truths);
    const steps = truths.flatMap(({ seen }) => seen);
    for (const deposit of steps) {
      fake.truth.set(deposit.paymentId, deposit);
      // None, one or two callbacks; the second one is about an earlier step.
      const callbacks = chances.next().value ?? 0;
      if (callbacks > 0) await callBack(deposit);
      if (callbacks > 1) await callBack(steps[Math.floor(steps.indexOf(deposit) / 2)] ?? deposit);
    }
  }
  const compare = () => {
    app.pass(1_000);
    return app.services.settlement.run(null);
  };
  expect(await compare()).toMatchObject({ state: 'whole', deposits: all.length });
  expect({ seed, ...(await compare()) }).toMatchObject({ seed, state: 'whole', found: 0, differences: 0 });

  const strangers = all.filter(({ kind }) => kind === 'stranger');
  const ours = all.filter(({ kind }) => kind !== 'stranger');
  const settled = all.filter(({ outcome }) => outcome);
  for (const coin of ['eth', 'bnbbsc']) {
    const of = (some: Truth[]) =>
      sumOf(
        some.filter((one) => one.coin === coin),
        ({ paid }) => paid,
      ) * SCALE;
    const same = settled.filter(({ outcome, coin: own }) => own === coin && outcome?.coin === coin);
    const credited = sumOf(same, ({ outcome }) => outcome?.amount ?? 0n) * SCALE;
    expect({
      seed,
      coin,
      orders: -(await balance('orders', coin)),
      unplaced: -(await balance('unplaced', coin)),
      provider: await balance('provider', coin),
      balance: await balance('balance', coin),
      fees: await balance('fees', coin),
    }).toEqual({
      seed,
      coin,
      orders: of(ours) - of(goneOf(ours)),
      unplaced: of(strangers) - of(goneOf(strangers)),
      provider: of(all) - of(goneOf(all)) - of(settled),
      balance: credited,
      fees: of(same) - credited,
    });
  }
  const worth = (some: Truth[]) => sumOf(some, (one) => worthOf(one, cents));
  expect([await balance('received', 'USD'), -(await balance('refunded', 'USD'))]).toEqual([
    worth(ours),
    worth(goneOf(ours)),
  ]);
}, 600_000);
