import { expect, it } from 'vitest';
import { duringWork } from '../faults/rig/wait.ts';
import type { FaultContext } from '../faults/scenarios/fault.ts';
import { processFaults } from '../faults/scenarios/processes.ts';

/** Work that is seen this often before it is over; the next one begins at the next look. */
function workOf(...looks: number[]) {
  let left = 0;
  return async () => {
    if (left === 0) {
      left = looks.shift() ?? 0;
      return undefined;
    }
    left--;
    return looks.length;
  };
}

it('a fault waits for work that is still under way after the delay', async () => {
  // The first two are over after one look.
  expect(await duringWork('work', workOf(1, 1, 2, 0), 4)).toBe(1);
});

it('a fault that meets no work fails, instead of testing something else', async () => {
  await expect(duringWork('a site writes', async () => undefined, 1, 50)).rejects.toThrow('a site writes');
  await expect(duringWork('a site writes', workOf(1, 1, 1), 1, 50)).rejects.toThrow('a site writes');
});

it('a site that has to be killed was not stopped in order', async () => {
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
