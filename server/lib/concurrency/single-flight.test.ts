import { describe, expect, it } from 'vitest';
import { singleFlight } from './single-flight.ts';

/** Reads that end when the test says so. */
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
/** Longer than a read takes to begin. */
const tick = async () => {
  for (let n = 0; n < 3; n++) await new Promise(setImmediate);
};

describe('callers that read the same at once', () => {
  it('shares one read, and those who come during it share the next', async () => {
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

  it('is not held up by other questions', async () => {
    const { begun, read } = slow();
    void read(1);
    const other = read(2);
    await tick();
    expect(begun.map(({ input }) => input)).toEqual([1, 2]);
    begun[1]?.end('two');
    expect(await other).toBe('two');
  });

  it('shares a failure, which the next question does not inherit', async () => {
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
