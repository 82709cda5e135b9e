import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBatcher } from './batch.ts';

const overflow = () => new Error('overflow');
const options = { maxBatchSize: 100, workers: 1, queue: 1_000, overflow };

/** A run that waits until it is let go; `runs` holds what each was given. */
function gated<Out>(answer: (item: number) => Out | Error) {
  const runs: number[][] = [];
  const gates: (() => void)[] = [];
  const run = async (items: number[]) => {
    runs.push(items);
    await new Promise<void>((resolve) => gates.push(resolve));
    return items.map(answer);
  };
  const tick = () => new Promise((resolve) => setImmediate(resolve));
  return {
    runs,
    run,
    async release() {
      while (gates.length === 0) await tick();
      gates.shift()?.();
      await tick();
      await tick();
    },
  };
}

describe('a batcher', () => {
  it('runs calls of the same moment together and answers each in its place', async () => {
    const runs: number[][] = [];
    const double = createBatcher(async (items: number[]) => {
      runs.push(items);
      return items.map((item) => item * 2);
    }, options);
    expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
    expect(runs).toEqual([[1, 2, 3]]);
  });

  it('gathers calls while a run is under way', async () => {
    const gate = gated((item) => item);
    const call = createBatcher(gate.run, options);
    const first = call(1);
    await new Promise((resolve) => setImmediate(resolve));
    const others = [call(2), call(3)];
    await gate.release();
    await gate.release();
    expect(await Promise.all([first, ...others])).toEqual([1, 2, 3]);
    expect(gate.runs).toEqual([[1], [2, 3]]);
  });

  it('fails one call by an Error in its place, all of a run by a throw, and goes on', async () => {
    let broken = false;
    const call = createBatcher(async (items: number[]) => {
      if (broken) throw new Error('all');
      return items.map((item) => (item === 2 ? new Error('two') : item));
    }, options);
    const some = await Promise.allSettled([1, 2, 3].map(call));
    expect(some.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    broken = true;
    const all = await Promise.allSettled([1, 3].map(call));
    expect(all.map((result) => result.status)).toEqual(['rejected', 'rejected']);
    broken = false;
    expect(await call(4)).toBe(4);
  });

  it('keeps to its size, its concurrency and its queue', async () => {
    const gate = gated((item) => item);
    const call = createBatcher(gate.run, { maxBatchSize: 2, workers: 2, queue: 3, overflow });
    const first = [1, 2, 3].map(call);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(gate.runs).toEqual([[1, 2], [3]]);
    const queued = [4, 5, 6].map(call);
    await expect(call(7)).rejects.toThrow('overflow');
    for (let i = 0; i < 4; i++) await gate.release();
    expect(await Promise.all([...first, ...queued])).toEqual([1, 2, 3, 4, 5, 6]);
    expect(gate.runs.every((items) => items.length <= 2)).toBe(true);
  });

  it('answers every call with its own value, whatever the sizes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(50), { maxLength: 60 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 3 }),
        async (items, most, workers) => {
          const call = createBatcher(
            async (group: number[]) => {
              if (group.length > most) throw new Error('too many');
              await new Promise((resolve) => setImmediate(resolve));
              return group.map((item) => (item % 7 === 0 ? new Error(String(item)) : item + 1));
            },
            { maxBatchSize: most, workers, queue: 100, overflow },
          );
          const results = await Promise.allSettled(items.map(call));
          results.forEach((result, i) => {
            const item = items[i] ?? 0;
            if (item % 7 === 0) expect(result).toMatchObject({ status: 'rejected', reason: { message: String(item) } });
            else expect(result).toEqual({ status: 'fulfilled', value: item + 1 });
          });
        },
      ),
      { numRuns: 50 },
    );
  });
});
