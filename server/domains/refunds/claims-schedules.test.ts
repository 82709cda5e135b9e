// Random schedules of team, payer and provider: admins who pay only to addresses that a claim shows pay out no more than was received.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { paymentRig } from '#tests/support/payments/payments.ts';
import { REFUND_ADDRESS, refundRig } from '#tests/support/payments/refund-rig.ts';
import { generatedCases } from '#tests/support/runner/property-runs.ts';

const { app, fake, order, rowOf, callBack } = await paymentRig();
const people = [app.as(await app.member({ role: 'admin' })).admin, app.as(await app.member({ role: 'admin' })).admin];
const [back, other] = people;
if (!back || !other) throw new Error('no admins');
const paid = refundRig({ app, fake, order, callBack }, back);
const DEPOSITS = 3;
const SHARE = 3_000;
const RUNS = generatedCases({ everyday: 15, long: 40 });

const person = fc.constantFrom(back, other);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant('claim' as const), who: person, nth: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constantFrom('pay' as const, 'release' as const), who: person, nth: fc.nat(3) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constantFrom('return' as const, 'lost' as const), nth: fc.nat(DEPOSITS - 1) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constantFrom('wait' as const, 'withdraw' as const, 'open' as const),
      nth: fc.nat(3),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function run(steps: readonly Step[]) {
  const request = await paid(DEPOSITS);
  const returned = new Set<number>();
  /** Deposits whose return the provider has reported to the site. */
  const known = new Set<number>();
  const paidOut = new Map<string, { amount: number; noted: boolean; late: boolean }>();
  const rows = async (admin = back) =>
    (await admin?.refunds.list({ request: request.id, sort: 'createdAt' }))?.rows ?? [];
  const open = async (amount: number) => {
    const refund = await request.open(String(amount)).catch(() => null);
    // Confirmed in the database: the mailed code has its own tests.
    await app.sql(
      `update refund_cases set state = 'ready', address = $2, address_at = now(), confirmed_at = now() where id = $1`,
      [refund?.id, REFUND_ADDRESS],
    );
  };
  const sumOut = () => [...paidOut.values()].reduce((sum, { amount }) => sum + amount, 0);
  await open(SHARE);
  await open(2 * SHARE);

  for (const one of steps) {
    const all = await rows('who' in one ? one.who : back);
    const row = all[one.nth % Math.max(all.length, 1)];
    if (one.act === 'wait') app.pass(31 * 60_000);
    else if (one.act === 'open') await open(SHARE);
    else if (one.act === 'return' || one.act === 'lost') {
      if (returned.has(one.nth)) continue;
      returned.add(one.nth);
      request.giveBackSilently(one.nth);
      if (one.act === 'return') {
        await request.giveBack(one.nth);
        known.add(one.nth);
      }
    } else if (!row) continue;
    else if (one.act === 'withdraw')
      await back?.refunds.withdraw({ id: row.id, version: row.version, reason: 'x' }).catch(() => null);
    else if (one.act === 'claim') {
      const claimed = await request.claim(row, one.who).catch(() => null);
      // A claim polls the provider: all returns are known from here on.
      for (const index of returned) known.add(index);
      if (claimed) expect(claimed).toMatchObject({ address: REFUND_ADDRESS, halted: false });
    } else if (one.act === 'release') {
      // An admin does not release a refund that they paid.
      if (!paidOut.has(row.id)) await request.release(row, one.who).catch(() => null);
    } else if (one.act === 'pay' && row.addressShown && row.claim?.mine && !paidOut.has(row.id)) {
      paidOut.set(row.id, { amount: Number(row.amount), noted: false, late: false });
      // No more is paid out than what was received and is not known to be returned.
      expect(sumOut()).toBeLessThanOrEqual((DEPOSITS - known.size) * SHARE + overlap());
    }
    await expectOneReader();
  }

  /** The sum that was paid out before its return became known. */
  function overlap(): number {
    return [...paidOut.values()].filter(({ late }) => late).reduce((sum, { amount }) => sum + amount, 0);
  }
  async function expectOneReader() {
    const seen = await Promise.all(people.map((admin) => rows(admin)));
    for (const mine of seen[0] ?? []) {
      const theirs = seen[1]?.find(({ id }) => id === mine.id);
      if (mine.state === 'sent') continue;
      expect([mine, theirs].filter((row) => row?.address === REFUND_ADDRESS).length).toBeLessThanOrEqual(1);
      if (mine.halted) expect([mine.addressShown, theirs?.addressShown]).toEqual([false, false]);
      // Paid out before the return: the refund is halted, and the admin who paid it must record it.
      const out = paidOut.get(mine.id);
      if (out && mine.halted) out.late = true;
    }
  }

  // Every paid refund can be recorded by the admin who paid it.
  for (const admin of people)
    for (const row of await rows(admin))
      if (paidOut.has(row.id) && row.claim?.mine && row.state === 'ready') {
        expect((await request.note(row, admin)).state).toBe('sent');
        const out = paidOut.get(row.id);
        if (out) out.noted = true;
      }
  expect([...paidOut.values()].every(({ noted }) => noted)).toBe(true);
  for (const index of returned) await request.giveBack(index);
  const twice = sumOut() > (DEPOSITS - returned.size) * SHARE;
  if (twice) expect((await rowOf(request.paymentId)).attention).toContain('refunded');
  return twice;
}

it('money is paid out twice only if it is returned after its claim, and then needs a review', async () => {
  let schedules = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      schedules++;
      await run(steps);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  expect(schedules).toBe(RUNS);
}, 180_000);

it('a return that halts one of two paid refunds requires a review, also after both are recorded', async () => {
  const [one, two] = [
    { who: back, nth: 0 },
    { who: back, nth: 1 },
  ];
  const both = [one, two].flatMap((row) => [
    { act: 'claim' as const, ...row },
    { act: 'pay' as const, ...row },
  ]);
  // More was paid out than was held, and `run` expects a review of the payment.
  for (const nth of [0, 1, 2]) expect(await run([...both, { act: 'return', nth }])).toBe(true);
});
