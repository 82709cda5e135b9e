import { describe, expect, it } from 'vitest';
import { singleFlight } from './single-flight.ts';

/** Reads that end when the test releases them. */
function slow() {
  const begun: { input: number; end: (answer: string) => void; fail: () => void }[] = [];
  const read = singleFlight(
    (input: number) =>
      new Promise<string>((resolve, reject) =>
        begun.push({ input, end: resolve, fail: () => reject(new Error('no')) }),
      ),
  );
  return { begun, read };
}
/** Longer than the delay before a read begins. */
const tick = async () => {
  for (let n = 0; n < 3; n++) await new Promise(setImmediate);
};

describe('concurrent callers with the same input', () => {
  it('share one read; callers that arrive during it share the next', async () => {
    const { begun, read } = slow();
    const first = [read(1), read(1), read(1)];
    await tick();
    expect(begun).toHaveLength(1);
    const later = [read(1), read(1)];
    await tick();
    expect(begun).toHaveLength(1);
    begun[0]?.end('old');
    expect(await Promise.all(first)).toEqual(['old', 'old', 'old']);
    await tick();
    expect(begun).toHaveLength(2);
    begun[1]?.end('new');
    expect(await Promise.all(later)).toEqual(['new', 'new']);
  });

  it('do not wait for reads with other inputs', async () => {
    const { begun, read } = slow();
    void read(1);
    const other = read(2);
    await tick();
    expect(begun.map(({ input }) => input)).toEqual([1, 2]);
    begun[1]?.end('two');
    expect(await other).toBe('two');
  });

  it('share a failure, which does not affect the next read', async () => {
    const { begun, read } = slow();
    const failed = [read(1), read(1)];
    for (const one of failed) one.catch(() => {});
    await tick();
    const later = read(1);
    begun[0]?.fail();
    for (const one of failed) await expect(one).rejects.toThrow('no');
    await tick();
    begun[1]?.end('fine');
    expect(await later).toBe('fine');
    const after = read(1);
    await tick();
    begun[2]?.end('finer');
    expect(await after).toBe('finer');
  });
});
