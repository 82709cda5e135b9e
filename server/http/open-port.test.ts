import { once } from 'node:events';
import http from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { type OpenPort, openPort } from './open-port.ts';

let closing = false;
let front: OpenPort;
afterEach(async () => {
  closing = false;
  await front.drain(0);
});
const open = async (timeoutMs?: number) => {
  front = await openPort({ HOST: '127.0.0.1', PORT: 0 }, () => closing, timeoutMs);
};
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

/** One request over the only connection of `agent`. */
async function get(path: string): Promise<{ status: number; connection: string | undefined; text: string }> {
  const request = http.get({ host: '127.0.0.1', port: front.port, path, agent });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const text = (await response.toArray()).join('');
  return { status: response.statusCode ?? 0, connection: response.headers.connection, text };
}

it('requests during startup wait for its end; health checks do not', async () => {
  await open();
  const page = fetch(`http://127.0.0.1:${front.port}/`);
  for (const path of ['/healthz', '/readyz'])
    expect((await fetch(`http://127.0.0.1:${front.port}${path}`)).status).toBe(503);
  front.serve((_req, res) => res.end('the page'));
  expect(await (await page).text()).toBe('the page');
});

it('a request is refused when startup takes too long', async () => {
  await open(1);
  const answer = await fetch(`http://127.0.0.1:${front.port}/`);
  expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([503, '2', 'Starting']);
});

it('the last responses close their connections, and the shutdown waits for active requests', async () => {
  await open();
  let finish: (() => void) | undefined;
  front.serve((req, res) => {
    if (req.url === '/slow') finish = () => res.end('slow');
    else res.end('fast');
  });
  expect((await get('/fast')).connection).toBe('keep-alive');
  closing = true;
  expect((await get('/fast')).connection).toBe('close');
  closing = false;
  const slow = get('/slow');
  await expect.poll(() => finish).toBeDefined();
  const drained = front.drain(60_000);
  finish?.();
  expect((await slow).text).toBe('slow');
  // Its connection may stay open, and is no longer counted.
  await drained;
});

it('requests that do not end are aborted', async () => {
  await open();
  front.serve(() => {});
  const hanging = get('/');
  await expect.poll(() => Object.keys(agent.sockets)).toHaveLength(1);
  await Promise.all([expect(hanging).rejects.toThrow(), front.drain(50)]);
});
