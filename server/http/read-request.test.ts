import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRequest } from './read-request.ts';

/** Result of each request, in order. */
const outcomes: Promise<Buffer | 408 | 413>[] = [];
const server = http.createServer((req, res) => {
  const outcome = readRequest(req, { maxBytes: 10, timeoutMs: req.url === '/late' ? 50 : 60_000 });
  outcomes.push(outcome);
  void outcome.then((body) => res.writeHead(typeof body === 'number' ? body : 200, { connection: 'close' }).end());
});

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void server.close());

/** A request without a length, so that only the received bytes can be counted. */
function begin(path = '/'): http.ClientRequest {
  const { port } = server.address() as AddressInfo;
  const request = http.request({ host: '127.0.0.1', port, path, method: 'POST' });
  request.on('error', () => {});
  return request;
}

async function statusOf(request: http.ClientRequest): Promise<number | undefined> {
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.resume();
  return response.statusCode;
}

it('readRequest returns a body to its last byte', async () => {
  const request = begin();
  request.write('12345');
  request.end('67890');
  expect(await statusOf(request)).toBe(200);
  expect(String(await outcomes.at(-1))).toBe('1234567890');
});

it('readRequest refuses one byte more than the maximum, without a declared length', async () => {
  const request = begin();
  request.write('1234567890');
  request.write('1');
  expect(await statusOf(request)).toBe(413);
});

it('readRequest refuses a body that is not complete in time', async () => {
  const request = begin('/late');
  request.write('1');
  expect(await statusOf(request)).toBe(408);
});

it('readRequest ends when the client disconnects', async () => {
  const count = outcomes.length;
  const request = begin();
  request.write('1');
  await expect.poll(() => outcomes.length).toBe(count + 1);
  request.destroy();
  expect(await outcomes.at(-1)).toBe(408);
});
