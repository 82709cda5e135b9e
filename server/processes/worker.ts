import cluster from 'node:cluster';
import type { FromWorker, ToWorker } from './supervise.ts';

/** Time limit for the metrics of all workers; longer than the parent's limit for each. Milliseconds. */
const TIMEOUT_MS = 8_000;

const report = (message: FromWorker) => {
  if (process.connected) process.send?.(message);
};

/** True if this process is a worker that shares a port. */
export const isWorker = (): boolean => cluster.isWorker;

/** Reports to the parent process that this one accepts requests. @param port port of the site. */
export const reportReady = (port: number): void => report({ florka: 'ready', port });

/**
 * Provides the metrics of all workers, whichever of them was scraped.
 *
 * @param own returns the metrics of this process.
 * @returns a function that resolves with the merged metrics. @throws Error (rejects) if the parent process does not
 *   answer in time.
 */
export function metricsOfAllWorkers(own: () => Promise<string>): () => Promise<string> {
  const waiting = new Map<number, (text: string) => void>();
  let requests = 0;
  process.on('message', (message: ToWorker) => {
    if (message?.florka === 'ownMetrics?') {
      // A worker that fails to read its metrics is left out; the others are still useful.
      const answer = (text: string) => report({ florka: 'ownMetrics', request: message.request, text });
      own().then(answer, () => answer(''));
    } else if (message?.florka === 'metrics') waiting.get(message.request)?.(message.text);
  });
  return () =>
    new Promise((resolve, reject) => {
      const request = ++requests;
      const late = setTimeout(() => {
        waiting.delete(request);
        reject(new Error('the parent process does not answer'));
      }, TIMEOUT_MS);
      waiting.set(request, (text) => {
        clearTimeout(late);
        waiting.delete(request);
        resolve(text);
      });
      report({ florka: 'metrics?', request });
    });
}
