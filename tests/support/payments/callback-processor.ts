// Callbacks of the payment provider that a test has received, processed as the queue of the process would.
import type { TestApp } from '#tests/support/app/test-app.ts';

/**
 * Processes the stored callbacks that it has not processed yet, in their order.
 *
 * @returns a function whose result is the number of callbacks stored since its last call.
 */
export function callbackProcessor(app: Pick<TestApp, 'sql' | 'services'>): () => Promise<number> {
  const processed = new Set<string>();
  return async () => {
    const events = await app.sql<{ id: string }>("select id from payment_events where kind = 'webhook' order by id");
    const stored = events.filter(({ id }) => !processed.has(id));
    for (const { id } of stored) {
      processed.add(id);
      await app.services.payments.processCallback(Number(id));
    }
    return stored.length;
  };
}
