import { expect, it } from 'vitest';
import { createPriorityQueue, type Priority } from './priority-queue.ts';

/** A queue whose work ends when released, and the log of its runs. */
function setUp(over: Partial<Parameters<typeof createPriorityQueue>[0]> = {}) {
  const queue = createPriorityQueue({
    slots: 3,
    strangerSlots: 2,
    queue: { known: 2, stranger: 1 },
    overflow: () => new Error('full'),
    ...over,
  });
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const settle = () => new Promise(setImmediate);
  return {
    started,
    add: (name: string, priority: Priority): Promise<string> => {
      const done = queue.run(priority, () => {
        started.push(name);
        return new Promise<string>((resolve, reject) =>
          ends.set(name, (error) => (error ? reject(error) : resolve(name))),
        );
      });
      done.catch(() => {});
      return done;
    },
    async end(name: string, error?: Error) {
      await settle();
      ends.get(name)?.(error);
      await settle();
    },
  };
}

it('the queue reserves a slot for known callers, and serves them first', async () => {
  const { started, add, end } = setUp();
  const all = [add('s1', 'stranger'), add('s2', 'stranger'), add('s3', 'stranger')];
  expect(started).toEqual(['s1', 's2']);
  all.push(add('k1', 'known'), add('k2', 'known'));
  expect(started).toEqual(['s1', 's2', 'k1']);
  await end('s1');
  expect(started).toEqual(['s1', 's2', 'k1', 'k2']);
  await end('k2');
  expect(started.at(-1)).toBe('s3');
  for (const name of ['s2', 's3', 'k1']) await end(name);
  expect(await Promise.all(all)).toHaveLength(5);
});

it('the queue limits the waiting callers of each priority separately', async () => {
  const { add, end } = setUp({ slots: 1, strangerSlots: 1 });
  const first = add('s1', 'stranger');
  const waiting = [add('s2', 'stranger'), add('k1', 'known'), add('k2', 'known')];
  await expect(add('s3', 'stranger')).rejects.toThrow('full');
  await expect(add('k3', 'known')).rejects.toThrow('full');
  for (const name of ['s1', 'k1', 'k2', 's2']) await end(name);
  expect(await Promise.all([first, ...waiting])).toEqual(['s1', 's2', 'k1', 'k2']);
});

it('the queue continues after a failure', async () => {
  const { started, add, end } = setUp({ slots: 1 });
  const failing = add('k1', 'known');
  const next = add('k2', 'known');
  await end('k1', new Error('broken'));
  await expect(failing).rejects.toThrow('broken');
  expect(started).toEqual(['k1', 'k2']);
  await end('k2');
  expect(await next).toBe('k2');
});
