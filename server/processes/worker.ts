import cluster from 'node:cluster';
import type { FromWorker, ToWorker } from './supervise.ts';

/** Longest wait for the numbers of all workers, above the wait of the process above for each. Milliseconds. */
const TIMEOUT_MS = 8_000;

const report = (message: FromWorker) => {
  if (process.connected) process.send?.(message);
};

/** Whether this process is one of several that share a port. */
export const isWorker = (): boolean => cluster.isWorker;

/** Tells the process above that this one answers. @param port of the site. */
export const reportReady = (port: number): void => report({ florka: 'ready', port });

/**
 * Numbers of all workers, whichever of them was scraped.
 *
 * @param own writes the numbers of this process.
 * @returns what to answer with. @throws Error when the process above does not answer.
 */
export function numbersOfAll(own: () => Promise<string>): () => Promise<string> {
  const waiting = new Map<number, (text: string) => void>();
  let requests = 0;
  process.on('message', (message: ToWorker) => {
    if (message?.florka === 'numbers?') {
      // Without numbers it is as if this worker were not there; the others' are worth having.
      const answer = (text: string) => report({ florka: 'numbers', request: message.request, text });
      own().then(answer, () => answer(''));
    } else if (message?.florka === 'metrics') waiting.get(message.request)?.(message.text);
  });
  return () =>
    new Promise((resolve, reject) => {
      const request = ++requests;
      const late = setTimeout(() => {
        waiting.delete(request);
        reject(new Error('the process above the workers does not answer'));
      }, TIMEOUT_MS);
      waiting.set(request, (text) => {
        clearTimeout(late);
        waiting.delete(request);
        resolve(text);
      });
      report({ florka: 'metrics?', request });
    });
}
