import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { emittingHub } from '#tests/support/app/emitting-hub.ts';
import { createLiveStreams } from './streams.ts';

/** A server with live streams at /live. @param other responds to all other requests. */
async function serve(
  other: (req: IncomingMessage, res: ServerResponse) => void = (_req, res) => void res.end('other'),
) {
  const { hub, emit } = emittingHub();
  const streams = createLiveStreams({ hub, now: () => new Date(), readSession: async () => null });
  const requests: [IncomingMessage, ServerResponse][] = [];
  const server = http.createServer((req, res) => {
    if (req.url !== '/live') return other(req, res);
    requests.push([req, res]);
    streams.open(req, res, '127.0.0.1');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    streams.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server, streams, requests, emit, connect: () => connectTo(port) };
}

/** A client that sends what it is given, and collects what it receives. */
async function connectTo(port: number) {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString();
  });
  const ended = once(socket, 'end');
  return {
    socket,
    ended,
    send: (request: string) => socket.write(request),
    received: (part: string) => expect.poll(() => text).toContain(part),
    get text() {
      return text;
    },
  };
}

const GET = 'GET /live HTTP/1.1\r\nHost: florka.test\r\n\r\n';

/** A server and a client whose stream has begun. */
async function begin() {
  const served = await serve();
  const client = await served.connect();
  client.send(GET);
  await client.received('event: sync');
  // A request without a body was complete before the first frame was sent, so there is nothing to wait for.
  expect(served.requests[0]?.[1].closed, 'the response is closed for HTTP').toBe(true);
  return { ...served, client };
}

it.each([GET, 'GET /live HTTP/1.0\r\n\r\n'])('a stream has neither length nor chunks: %j', async (request) => {
  const { emit, streams, connect } = await serve();
  const client = await connect();
  client.send(request);
  await client.received('event: sync');
  emit({ type: 'domain.changed', domain: 'news' });
  await client.received('"domain":"news"');
  const [head = '', body = ''] = client.text.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(head.toLowerCase()).toContain('connection: close');
  expect(head.toLowerCase()).not.toMatch(/transfer-encoding|content-length/);
  expect(body).toMatch(/^retry: 2000\nevent: sync\n/);
  expect(body).toMatch(/\n\ndata: \{"type":"domain.changed","domain":"news"\}\n\n$/);
  streams.close();
  await client.ended;
});

it('request and response of a stream are not kept in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  const { streams, requests } = await begin();
  const held = requests.flat().map((one) => new WeakRef<object>(one));
  requests.length = 0;
  await expect
    .poll(() => {
      collect();
      return held.filter((ref) => ref.deref() !== undefined).length;
    })
    .toBe(0);
  expect(streams.size).toBe(1);
});

it('the response of a stream is closed and its parser released when the stream has begun', async () => {
  const { streams, requests, client } = await begin();
  expect(requests[0]?.[0].socket).toMatchObject({ parser: null });
  expect([streams.size, client.socket.readyState]).toEqual([1, 'open']);
});

it.each<[string, (client: net.Socket) => void]>([
  ['closes its side', (client) => client.end()],
  ['disappears', (client) => client.destroy()],
  ['resets the connection', (client) => client.resetAndDestroy()],
])('a stream ends when its client %s', async (_how, leave) => {
  const { server, streams, client } = await begin();
  leave(client.socket);
  await expect.poll(() => streams.size).toBe(0);
  const open = () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
  await expect.poll(open).toBe(0);
});

it('the server closes after its streams, also when a client keeps its side open', async () => {
  const { server, streams, client } = await begin();
  streams.close();
  server.close();
  await once(server, 'close');
  await client.ended;
});

it('a client that stops reading is disconnected', async () => {
  const { emit, streams, client } = await begin();
  client.socket.pause();
  const tallies = Array.from({ length: 500 }, (_, n) => ({
    candidateId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    totalVotes: 1,
    votesToday: 1,
    reachedAt: null,
  }));
  await expect
    .poll(
      () => {
        for (let n = 0; n < 20; n++) emit({ type: 'votes.changed', tallies });
        return streams.size;
      },
      { timeout: 30_000 },
    )
    .toBe(0);
});

it('a stream may follow other requests of its connection, and what a client sends later is ignored', async () => {
  const { emit, streams, connect } = await serve();
  const client = await connect();
  client.send('GET /other HTTP/1.1\r\nHost: florka.test\r\n\r\n');
  await client.received('other');
  client.send(GET);
  await client.received('event: sync');
  client.send('GET /other HTTP/1.1\r\nHost: florka.test\r\n\r\n');
  emit({ type: 'domain.changed', domain: 'news' });
  await client.received('"domain":"news"');
  expect(streams.size).toBe(1);
  expect(client.text.match(/HTTP\/1\.1/g)).toHaveLength(2);
});

it('a stream begins only after the earlier response of its connection has ended on the server', async () => {
  const begun = Promise.withResolvers<ServerResponse>();
  const { emit, streams, requests, connect } = await serve((_req, res) => {
    res.writeHead(200, { 'content-length': 5 }).write('other');
    begun.resolve(res);
  });
  const client = await connect();
  client.send('GET /other HTTP/1.1\r\nHost: florka.test\r\n\r\n');
  await client.received('other');
  client.send(GET);
  await expect.poll(() => requests.length).toBe(1);
  expect(streams.size).toBe(0);
  (await begun.promise).end();
  await client.received('event: sync');
  expect(client.text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  emit({ type: 'domain.changed', domain: 'news' });
  await client.received('"domain":"news"');
  expect([streams.size, requests[0]?.[1].closed]).toEqual([1, true]);
  client.socket.destroy();
  await expect.poll(() => streams.size).toBe(0);
});

it('a client that disconnects while its stream waits for an earlier response takes no slot', async () => {
  const begun = Promise.withResolvers<ServerResponse>();
  const { server, streams, requests, connect } = await serve((_req, res) => begun.resolve(res));
  const client = await connect();
  client.send(`GET /other HTTP/1.1\r\nHost: florka.test\r\n\r\n${GET}`);
  await expect.poll(() => requests.length).toBe(1);
  client.socket.destroy();
  await once(await begun.promise, 'close');
  (await begun.promise).end('other');
  await expect.poll(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))).toBe(0);
  expect(streams.size).toBe(0);
});

it('the body of a request is read before its stream takes over the connection', async () => {
  const { streams, requests, connect } = await serve();
  const client = await connect();
  client.send('GET /live HTTP/1.1\r\nHost: florka.test\r\nContent-Length: 5\r\n\r\n');
  await client.received('event: sync');
  expect(requests[0]?.[1].closed).toBe(false);
  client.send('hello');
  await expect.poll(() => requests[0]?.[1].closed).toBe(true);
  expect(streams.size).toBe(1);
});
