import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createBatcher } from './batch.ts';

const overflow = () => new Error('overflow');
const options = { maxBatchSize: 100, workers: 1, queue: 1_000, overflow };

/** A run that blocks until it is released; `runs` holds the items of each run. */
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
  it('runs concurrent calls together and returns each its own result', async () => {
    const runs: number[][] = [];
    const double = createBatcher(async (items: number[]) => {
      runs.push(items);
      return items.map((item) => item * 2);
    }, options);
    expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
    expect(runs).toEqual([[1, 2, 3]]);
  });

  it('collects calls during a run', async () => {
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

  it('rejects one call for an Error as its result, all calls of a run that throws, and continues', async () => {
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

  it('respects its batch size, its concurrency and its queue', async () => {
    const gate = gated((item) => item);
    const call = createBatcher(gate.run, { maxBatchSize: 2, workers: 2, queue: 3, overflow });
    const first = [1, 2, 3].map(call);
    await vi.waitFor(() => expect(gate.runs).toEqual([[1, 2], [3]]));
    const queued = [4, 5, 6].map(call);
    await expect(call(7)).rejects.toThrow('overflow');
    for (let i = 0; i < 4; i++) await gate.release();
    expect(await Promise.all([...first, ...queued])).toEqual([1, 2, 3, 4, 5, 6]);
    expect(gate.runs.every((items) => items.length <= 2)).toBe(true);
  });

  it('returns every call its own result, for all batch sizes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(50), { maxLength: 60 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 3 }),
        async (items, max, workers) => {
          const call = createBatcher(
            async (group: number[]) => {
              if (group.length > max) throw new Error('too many');
              await new Promise((resolve) => setImmediate(resolve));
              return group.map((item) => (item % 7 === 0 ? new Error(String(item)) : item + 1));
            },
            { maxBatchSize: max, workers, queue: 100, overflow },
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
