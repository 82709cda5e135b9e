import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const wait = Promise.withResolvers<void>();
vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn(() => wait.promise) }));
const { withMinDuration } = await import('./min-duration.ts');

let settled: string[];
beforeEach(() => {
  settled = [];
});
afterEach(() => vi.clearAllMocks());

it('withMinDuration settles only after the minimum duration, whether the work succeeds or fails', async () => {
  const follow = (work: () => Promise<string>) =>
    withMinDuration(work).then(
      (value) => settled.push(value),
      (error: Error) => settled.push(error.message),
    );
  const answers = [
    follow(async () => 'done'),
    follow(async () => {
      throw new Error('down');
    }),
  ];
  await new Promise((resolve) => setImmediate(resolve));
  expect(settled).toEqual([]);
  wait.resolve();
  await Promise.all(answers);
  expect(settled).toEqual(['done', 'down']);
});
