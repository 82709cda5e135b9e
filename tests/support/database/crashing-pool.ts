import type pg from 'pg';
import { openPool } from '#server/db/client.ts';

/** The error of a crashing pool and its steps. */
export class Crash extends Error {}

/**
 * A pool whose connections all end at one of its steps, as those of a process that is killed there. A step is a statement, or a
 * call of `step` by the test.
 *
 * @param at the step that it ends at, from 0.
 * @param when `before` the statement is sent, or `after`, when its answer is never read.
 */
export function crashingPool(
  config: Parameters<typeof openPool>[0],
  at: number,
  when: 'before' | 'after',
): { pool: pg.Pool; step: () => Promise<void> } {
  let steps = 0;
  let dead = false;
  const connections = new Set<pg.Client>();
  const end = () => {
    dead = true;
    for (const one of connections)
      (one as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  };
  const pool = openPool({ ...config, max: 2 });
  pool.on('connect', (client) => {
    connections.add(client as unknown as pg.Client);
    const send = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const here = !dead && steps++ === at;
      if (dead || (here && when === 'before')) {
        end();
        const callback = args.at(-1);
        if (typeof callback !== 'function') return Promise.reject(new Crash());
        return void process.nextTick(callback, new Crash());
      }
      const answer = send(...args);
      if (here) end();
      return answer;
    }) as typeof client.query;
  });
  return {
    pool,
    async step() {
      if (!dead && steps++ !== at) return;
      end();
      throw new Crash();
    },
  };
}
