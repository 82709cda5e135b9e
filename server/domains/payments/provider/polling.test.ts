import pg from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { PAYMENT_DAYS } from '#contract/limits.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';

// Each connection uses the function that exists at its creation.
const sent = vi.spyOn(pg.Client.prototype, 'query');
const { app, order, fake } = await paymentRig();
afterAll(() => sent.mockRestore());

/** Statements about payments and money during the work, with their values. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  sent.mockClear();
  await work();
  return sent.mock.calls
    .map(([query]) => {
      if (typeof query === 'string') return query;
      const { text = '', values = [] } = query as { text?: string; values?: unknown[] };
      return `${text} ${values}`;
    })
    .filter((text) => /payment|money|token_creation_submissions|pg_advisory_xact_lock/.test(text));
}

describe('a poll of a payment without news', () => {
  it('runs no more statements when more deposits are known', async () => {
    const one = await order();
    one.move('finished', 1);
    await one.check();
    const many = await order();
    many.move('partially_paid', 0.1);
    for (let i = 0; i < 6; i++) many.move('partially_paid', 0.1, { paymentId: fake.newDepositId() });
    await many.check();
    expect(
      await app.sql('select 1 from payment_events where payment_id = $1 and kind = $2', [many.paymentId, 'seen']),
    ).toHaveLength(7);
    const [few, more] = [await statementsOf(one.check), await statementsOf(many.check)];
    expect(few.length).toBeGreaterThan(5);
    expect(more.length).toBeLessThanOrEqual(few.length);
    expect(more.filter((text) => text.includes('pg_advisory_xact_lock') && text.includes('money '))).toHaveLength(1);
  });

  it('does not count as a use of the private link, but sending a mail does', async () => {
    const one = await order();
    const ago = () =>
      app.sql("update token_creation_submissions set link_used_at = now() - interval '300 days' where id = $1", [
        one.id,
      ]);
    const fresh = async () =>
      (
        await app.sql(
          "select link_used_at > now() - interval '1 hour' as fresh from token_creation_submissions where id = $1",
          [one.id],
        )
      )[0]?.['fresh'];
    await ago();
    await one.check();
    expect(await fresh()).toBe(false);
    one.move('finished', 1);
    await one.check();
    expect(await fresh()).toBe(true);
    await ago();
    await one.check();
    expect(await fresh()).toBe(false);
  });
});

it('a poll records the readable entries of a list with an unreadable one, and treats it as incomplete', async () => {
  const one = await order();
  fake.box.readable = false;
  app.pass((PAYMENT_DAYS + 1) * 86_400_000);
  await one.check();
  expect(await one.state()).toBe('awaiting');
  one.move('finished', 1);
  app.pass(60_000);
  await one.check();
  expect(await one.state()).toBe('paid_late');
  fake.box.readable = true;
});
