// Callbacks of the payment provider that a test has received, processed as the queue of the process would.
import type { TestApp } from '#tests/support/app/test-app.ts';

/**
 * Processes the stored callbacks that it has not processed yet, in their order.
 *
 * @returns a function whose result is the number of callbacks stored since its last call.
 */
export function followCallbacks(app: Pick<TestApp, 'sql' | 'services'>): () => Promise<number> {
  const followed = new Set<string>();
  return async () => {
    const events = await app.sql<{ id: string }>("select id from payment_events where kind = 'webhook' order by id");
    const stored = events.filter(({ id }) => !followed.has(id));
    for (const { id } of stored) {
      followed.add(id);
      await app.services.payments.follow(Number(id));
    }
    return stored.length;
  };
}
