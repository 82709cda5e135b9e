import { expect, it } from 'vitest';
import { duringWork } from '../faults/rig/wait.ts';
import type { FaultContext } from '../faults/scenarios/fault.ts';
import { processFaults } from '../faults/scenarios/processes.ts';

/** Work that is seen in this many polls before it ends; the next work begins at the next poll. */
function workOf(...polls: number[]) {
  let left = 0;
  return async () => {
    if (left === 0) {
      left = polls.shift() ?? 0;
      return undefined;
    }
    left--;
    return polls.length;
  };
}

it('a fault is injected only into work that is still in progress after the delay', async () => {
  // The first two end after one poll.
  expect(await duringWork('work', workOf(1, 1, 2, 0), 4)).toBe(1);
});

it('a fault fails if no work is in progress at its moment', async () => {
  await expect(duringWork('a site writes', async () => undefined, 1, 50)).rejects.toThrow('a site writes');
  await expect(duringWork('a site writes', workOf(1, 1, 1), 1, 50)).rejects.toThrow('a site writes');
});

it('the restart fault fails if the site did not stop by itself', async () => {
  const restart = processFaults.find(({ name }) => name === 'restart');
  const stopping = (inOrder: boolean) =>
    restart?.inject({
      environment: { sites: [{ stop: async () => inOrder, launch: () => {} }] },
      attempt: 0,
      over: () => {},
    } as unknown as FaultContext);
  await stopping(true);
  await expect(stopping(false)).rejects.toThrow('did not stop by itself');
});
