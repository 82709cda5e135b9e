import http from 'node:http';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { os } from '@orpc/server';
import { type StandardHandler, StandardRPCHandler } from '@orpc/server/standard';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '#server/http/context.ts';
import { admin, app, ID } from '#tests/fixtures/http.ts';
import { createRpcEndpoint } from './rpc-endpoint.ts';

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: unknown;
}

/** Headers that depend on the framing, the moment, or the number of requests before. */
const VARYING = ['date', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'x-request-id'];

/** @param framing `length` is answered by the endpoint under test, `chunked` by the application of api.ts. */
function post(
  path: string,
  body: string,
  framing: 'length' | 'chunked',
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(`${app.origin}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(framing === 'length'
          ? { 'content-length': String(Buffer.byteLength(body)) }
          : { 'transfer-encoding': 'chunked' }),
        ...headers,
      },
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => {
        const sent = Object.fromEntries(Object.entries(response.headers).filter(([name]) => !VARYING.includes(name)));
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: sent, body: text === '' ? '' : JSON.parse(text) });
      });
    });
    request.end(body);
  });
}

describe('a call of the web app has the same response, whether its body has a declared length or is chunked', () => {
  it.each<[string, number, string, string, ('admin' | null)?, Record<string, string>?]>([
    ['a read', 200, '/rpc/voting/mine', '{}', 'admin'],
    ['a read of a visitor', 200, '/rpc/voting/mine', '{"json":null}'],
    ['a read that callers share', 200, '/rpc/networks/list', '{"json":{}}', 'admin'],
    ['a read that callers share, with an input that is refused', 400, '/rpc/voting/ranking', '{"json":{"limit":null}}'],
    ['characters of other scripts', 404, '/rpc/tokens/read', '{"json":{"slug":"ñandú-日本"}}'],
    ['an input that is refused', 400, '/rpc/voting/cast', '{"json":{"candidateId":"42"}}', 'admin'],
    ['a write without a session', 401, '/rpc/voting/cast', `{"json":{"candidateId":"${ID}"}}`],
    ['an unknown candidate', 404, '/rpc/voting/cast', `{"json":{"candidateId":"${ID}"}}`, 'admin'],
    ['an unknown procedure', 404, '/rpc/voting/none', '{}', 'admin'],
    ['a prototype as a procedure', 404, '/rpc/__proto__/constructor', '{}', 'admin'],
    ['broken JSON', 400, '/rpc/voting/cast', '{"json":', 'admin'],
    ['a NUL character', 400, '/rpc/voting/cast', '\u0000', 'admin'],
    ['an empty body', 400, '/rpc/voting/cast', '', 'admin'],
    ['another site', 403, '/rpc/voting/mine', '{}', 'admin', { origin: 'https://attack.example' }],
    ['another site, by Sec-Fetch-Site', 403, '/rpc/voting/mine', '{}', null, { 'sec-fetch-site': 'cross-site' }],
    ['a body of text', 415, '/rpc/voting/mine', 'hello', null, { 'content-type': 'text/plain' }],
    [
      'a body announced as a file',
      400,
      '/rpc/voting/cast',
      '{}',
      'admin',
      { 'content-disposition': 'attachment; filename=x' },
    ],
    ['a body that is too long', 413, '/rpc/voting/mine', `{"json":"${'x'.repeat(300_000)}"}`],
    ['the back office without a session', 401, '/rpc/admin/users/list', '{"json":{}}'],
  ])('%s: %i', async (_what, status, path, body, by, more) => {
    const headers = { ...(by ? { cookie: admin.cookie } : {}), ...more };
    const usual = await post(path, body, 'length', headers);
    expect(usual.status).toBe(status);
    expect(usual).toEqual(await post(path, body, 'chunked', headers));
    expect(usual.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });

  it('with the same cookies, set and deleted', async () => {
    const person = { email: 'endpoint@florka.test', password: 'four-words-of-it', username: 'endpoint' };
    expect((await post('/rpc/auth/signUp', JSON.stringify({ json: person }), 'length')).status).toBe(200);
    const signIn = JSON.stringify({ json: { email: person.email, password: person.password } });
    const [usual, other] = [
      await post('/rpc/auth/signIn', signIn, 'length'),
      await post('/rpc/auth/signIn', signIn, 'chunked'),
    ];
    expect([usual.status, other.status]).toEqual([200, 200]);
    const cookies = ({ headers }: Answer) =>
      (headers['set-cookie'] as string[]).map((one) => one.replace(/=[^;]*/, ''));
    expect(cookies(usual)).toEqual(cookies(other));
    expect(cookies(usual).length).toBeGreaterThan(0);
    const own = ({ headers }: Answer) => ({
      cookie: (headers['set-cookie'] as string[]).map((one) => one.split(';')[0]).join('; '),
    });
    expect((await post('/rpc/tokenRequests/mine', '{}', 'length', own(usual))).status).toBe(200);
    const signedOut = await post('/rpc/auth/signOut', '{}', 'length', own(usual));
    expect(signedOut.status).toBe(200);
    const deleted = expect.stringMatching(/^florka\.session_token=; Max-Age=0; /);
    expect(signedOut.headers['set-cookie']).toContainEqual(deleted);
    expect(signedOut).toEqual(await post('/rpc/auth/signOut', '{}', 'chunked', own(other)));
    expect((await post('/rpc/tokenRequests/mine', '{}', 'length', own(usual))).status).toBe(401);
  });

  it('with Retry-After when it is rate-limited', async () => {
    const body = JSON.stringify({ json: { email: 'nobody@florka.test', password: 'wrong-words' } });
    for (;;) {
      const usual = await post('/rpc/auth/signIn', body, 'length');
      if (usual.status === 401) continue;
      expect(usual.status).toBe(429);
      expect(Number(usual.headers['retry-after'])).toBeGreaterThan(0);
      break;
    }
  });
});

it('a client that disconnects within a body does not affect the next call', async () => {
  const socket = net.connect(Number(new URL(app.origin).port), '127.0.0.1');
  socket.write(
    `POST /rpc/voting/cast HTTP/1.1\r\nhost: florka.test\r\ncontent-type: application/json\r\ncontent-length: 80\r\ncookie: ${admin.cookie}\r\n\r\n{"json":{`,
    () => socket.destroy(),
  );
  await new Promise((resolve) => socket.once('close', resolve));
  expect((await post('/rpc/voting/mine', '{}', 'length')).status).toBe(200);
});

describe('the endpoint, which the application follows,', () => {
  const LEFT = 299;
  const endpoint = createRpcEndpoint(new StandardRPCHandler({ read: os.handler(({ input }) => input) }), {
    maxBody: 20,
    isForeign: (headers) => headers.get('origin') !== null,
    contextOf: () => ({}) as Context,
    retryAfter: () => '1',
    headers: {},
  });
  const server = http.createServer((req, res) => {
    void endpoint(req, res).then((answered) => answered || res.writeHead(LEFT).end());
  });
  afterAll(() => void server.close());

  it.each<[string, number, RequestInit]>([
    ['answers JSON of a declared length', 200, { body: '{"json":[1]}' }],
    ['leaves a GET', LEFT, { method: 'GET' }],
    ['leaves a body that is too long', LEFT, { body: '{"json":"0123456789"}' }],
    [
      'leaves a body of unknown length',
      LEFT,
      { body: new Blob(['{"json":1}']).stream(), duplex: 'half' } as RequestInit,
    ],
    ['leaves a body of another type', LEFT, { body: '{"json":1}', headers: { 'content-type': 'text/plain' } }],
    ['leaves requests of other sites', LEFT, { body: '{"json":1}', headers: { origin: 'https://attack.example' } }],
  ])('%s', async (_what, status, init) => {
    if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc/read`, {
      method: 'POST',
      ...init,
      headers: { 'content-type': 'application/json', ...init.headers },
    });
    expect(response.status).toBe(status);
    if (status === 200) expect(await response.json()).toEqual({ json: [1] });
  });
});

describe('public reads', () => {
  /** The cookie that each executed read was called with. */
  const cookies: (string | null)[] = [];
  let executed = 0;
  const gates: (() => void)[] = [];
  const release = () => {
    for (const open of gates.splice(0)) open();
  };
  const read = os.handler(async ({ input }) => {
    executed++;
    const number = executed;
    await new Promise<void>((resolve) => gates.push(resolve));
    return { input, number, text: 'x'.repeat(2_000) };
  });
  const endpoint = createRpcEndpoint(
    new StandardRPCHandler({ voting: { ranking: read, mine: read } }) as unknown as StandardHandler<Context>,
    {
      maxBody: 100,
      isForeign: () => false,
      contextOf: (headers) => {
        cookies.push(headers.get('cookie'));
        return {} as Context;
      },
      retryAfter: () => '1',
      headers: {},
    },
  );
  /** Requests whose body the endpoint has read. */
  let received = 0;
  let unanswered = 0;
  const server = http.createServer((req, res) => {
    unanswered++;
    void endpoint(req, res).finally(() => unanswered--);
    req.once('end', () => received++);
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => void server.close());
  beforeEach(() => {
    executed = 0;
    received = 0;
    cookies.length = 0;
  });
  // Reads that a failed test left waiting would make those of the next tests wait too.
  afterEach(async () => {
    const left = () => {
      release();
      return unanswered;
    };
    await expect.poll(left).toBe(0);
  });
  const post = async (procedure: string, body = '{}', headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc/${procedure}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', cookie: 'florka=1', ...headers },
    });
    return { headers: response.headers, ...((await response.json()) as { json: { number: number } }).json };
  };
  const started = (count: number) => expect.poll(() => executed).toBe(count);

  it('are executed once for waiting callers, and once more for those that arrive during the execution', async () => {
    const first = post('voting/ranking');
    await started(1);
    const later = Array.from({ length: 30 }, () => post('voting/ranking'));
    // Those that came after the second read had begun would get a third.
    await expect.poll(() => received).toBe(31);
    expect(executed).toBe(1);
    release();
    expect((await first).number).toBe(1);
    await started(2);
    release();
    expect(new Set((await Promise.all(later)).map(({ number }) => number))).toEqual(new Set([2]));
    expect(executed).toBe(2);
  });

  it('are executed without the cookies of the caller', async () => {
    const answer = post('voting/ranking');
    await started(1);
    release();
    await answer;
    expect(cookies).toEqual([null]);
  });

  it('are not shared between different inputs, even if they are equal in a query string', async () => {
    const answers: Promise<unknown>[] = [];
    for (const [n, body] of [
      '{}',
      '{"json":{"limit":5}}',
      '{"json":{"limit":"5"}}',
      '{"json":{"limit":null}}',
    ].entries()) {
      answers.push(post('voting/ranking', body));
      await started(n + 1);
      release();
    }
    await Promise.all(answers);
    expect(executed).toBe(4);
  });

  it('are compressed for clients that accept it', async () => {
    for (const [encoding, given] of [
      ['br', 'gzip, br'],
      ['gzip', 'gzip'],
      [null, 'identity'],
    ] as const) {
      const before = executed;
      const answer = post('voting/ranking', '{}', { 'accept-encoding': given });
      await started(before + 1);
      release();
      const { headers, text } = (await answer) as unknown as { headers: Headers; text: string };
      expect([headers.get('content-encoding'), text.length]).toEqual([encoding, 2_000]);
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it('do not include reads about the caller', async () => {
    const answers = [post('voting/mine'), post('voting/mine')];
    await started(2);
    expect(cookies).toEqual(['florka=1', 'florka=1']);
    release();
    await Promise.all(answers);
  });
});
