import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import type { LiveDomain, LiveEvent } from '#contract/live.ts';

/**
 * Counts the published changes of a domain until the end of the test; a hub may combine several of them.
 * @param client connection of the test.
 * @returns the number since the last call, including everything committed before it.
 */
export async function countPublished(client: pg.Client, domain: LiveDomain): Promise<() => Promise<number>> {
  onTestFinished(() => client.end());
  const received: LiveEvent[] = [];
  client.on('notification', ({ payload = '' }) => received.push(JSON.parse(payload) as LiveEvent));
  await client.query('listen live');
  return async () => {
    // Notifications arrive in the order of their commits.
    const postId = randomUUID();
    await client.query('select pg_notify($1, $2)', ['live', JSON.stringify({ type: 'post.created', postId })]);
    await expect
      .poll(() => received.some((event) => event.type === 'post.created' && event.postId === postId))
      .toBe(true);
    const changes = received.filter((event) => event.type === 'domain.changed' && event.domain === domain).length;
    received.length = 0;
    return changes;
  };
}
