import { once } from 'node:events';
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const PASSWORD = 'canary-password-7f3a';
const TOKEN = 'canary-token-91bc';
const CANARY = /canary/;

/** Output that bypassed the log. */
const printed: unknown[] = [];
beforeEach(() => {
  printed.length = 0;
  for (const level of ['error', 'warn', 'log', 'info'] as const)
    vi.spyOn(console, level).mockImplementation((...words) => void printed.push(words));
});
afterEach(() => vi.restoreAllMocks());

/** Waits until all requests since `from` are logged; expects no line about a failure, and no canary in any line. */
async function expectQuiet(from: number, requests: number): Promise<void> {
  await expect.poll(() => app.logged.slice(from).filter(({ m }) => m).length, { timeout: 30_000 }).toBe(requests);
  const lines = app.logged.slice(from);
  expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  expect(JSON.stringify(lines)).not.toMatch(CANARY);
  expect(JSON.stringify(printed)).not.toMatch(CANARY);
}

/** Bodies that are no JSON. */
const BROKEN = [
  `{"json":{"email":"a@florka.test","password":"${PASSWORD}"`,
  `${PASSWORD}`,
  `{"password":${PASSWORD}}`,
  `{"password":"${PASSWORD}",}`,
  `{"json":{"password":"${PASSWORD}"}}}`,
  `{"json":"\u0000${PASSWORD}`,
  `{"json":{"token":"${TOKEN}\n    at ${TOKEN}"`,
  `["${TOKEN}",]`,
];
/** JSON that fits no procedure. */
const UNFIT = [
  `\ufeff{"json":{"password":"${PASSWORD}"}}`,
  `{"json":{"password":"${PASSWORD}"},"meta":"${TOKEN}"}`,
  `{"json":{"password":"${PASSWORD}"},"meta":[["${TOKEN}"]]}`,
  `{"json":{"${TOKEN}":"${PASSWORD}"}}`,
];

describe('input that cannot be parsed', () => {
  it('in a body gives 400 or, for lack of a session, 401, and one log line without a warning or a quote', async () => {
    const from = app.logged.length;
    let requests = 0;
    for (const body of [...BROKEN, ...UNFIT])
      for (const path of ['/rpc/auth/signIn', '/api/auth/sign-in', '/rpc/account/resetPassword', '/rpc/voting/cast']) {
        const answer = await app.http(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
        requests++;
        // Only members vote: a session is required before the input is validated.
        const status = path === '/rpc/voting/cast' && UNFIT.includes(body) ? 401 : 400;
        expect([path, body, answer.status]).toEqual([path, body, status]);
        if (answer.status === 400 && answer.headers.get('content-type')?.includes('json'))
          expect(await answer.text()).not.toMatch(/canary-password/);
      }
    await expectQuiet(from, requests);
  });

  it('in a query gives no 500 and no warning, and is not quoted in the log', async () => {
    const from = app.logged.length;
    const paths = [
      `/rpc/forum/posts?data=${encodeURIComponent(`{"json":{"q":"${TOKEN}"`)}`,
      `/rpc/forum/posts?data=${TOKEN}`,
      `/rpc/forum/posts?data=${encodeURIComponent(`{"json":{"${TOKEN}":1}}`)}`,
      `/rpc/auth/me?data=${TOKEN}&token=${TOKEN}`,
      `/rpc/voting/cast?data=${TOKEN}`,
      `/rpc/none?data=${TOKEN}`,
      `/api/forum/posts?limit=${TOKEN}&${TOKEN}=1`,
      `/api/forum/posts?cursor=${TOKEN}`,
      `/api/tokens/x?a[b][c]=${TOKEN}`,
      `/api/me?%E0%A4%A=${TOKEN}`,
      `/forum?q=${TOKEN}%E0`,
      `/news?q=${TOKEN}`,
      `/vote?token=${TOKEN}`,
      `/verify?token=${TOKEN}`,
      `/og/es/token/x.png?token=${TOKEN}`,
    ];
    for (const path of paths) {
      const { status } = await app.http(path);
      expect([path, status < 500]).toEqual([path, true]);
    }
    await expectQuiet(from, paths.length);
  });

  it('that a disconnect cut off is not logged as an error', async () => {
    const from = app.logged.length;
    const { port } = new URL(app.origin);
    for (const head of ['content-length: 500', 'transfer-encoding: chunked']) {
      const socket = net.connect(Number(port), '127.0.0.1');
      await once(socket, 'connect');
      const chunk = `{"json":{"password":"${PASSWORD}`;
      const request =
        `POST /rpc/auth/signIn HTTP/1.1\r\nhost: florka.test\r\ncontent-type: application/json\r\n${head}\r\n\r\n` +
        (head.startsWith('transfer') ? `${chunk.length.toString(16)}\r\n${chunk}\r\n` : chunk);
      await new Promise((resolve) => socket.write(request, resolve));
      socket.destroy();
    }
    await expectQuiet(from, 2);
  });
});

describe('a refusal', () => {
  it.each<[string, number, string, string, (cookie: string) => Promise<Response>]>([
    [
      'no right',
      403,
      'admin.networks.list',
      'FORBIDDEN',
      (cookie) => app.http('/api/admin/networks', { headers: { cookie } }),
    ],
    [
      'no right to a file',
      403,
      'users.csv',
      'FORBIDDEN',
      (cookie) => app.http('/api/admin/users.csv', { headers: { cookie } }),
    ],
    [
      'wrong input',
      400,
      'account.setUsername',
      'BAD_REQUEST',
      (cookie) => put({ username: '', [TOKEN]: PASSWORD }, cookie),
    ],
  ])('for %s is logged with the member, and without the input', async (_what, status, procedure, code, ask) => {
    const person = await app.member();
    const from = app.logged.length;
    expect((await ask(person.cookie)).status).toBe(status);
    await expect.poll(() => app.logged.slice(from).filter(({ m }) => m).length).toBe(1);
    const lines = app.logged.slice(from);
    const request = lines.find(({ m }) => m);
    expect(lines.filter(({ procedure }) => procedure)).toMatchObject([
      { id: request?.['id'], u: person.id, procedure, code, msg: 'refused', level: 30 },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(CANARY);
    expect(JSON.stringify(lines)).not.toContain(person.cookie);
  });

  it('of an anonymous caller is logged without a member; 404 is not logged', async () => {
    const from = app.logged.length;
    expect((await app.http('/api/account')).status).toBe(401);
    expect((await app.http('/api/tokens/none')).status).toBe(404);
    await expect.poll(() => app.logged.slice(from).filter(({ m }) => m).length).toBe(2);
    expect(app.logged.slice(from).filter(({ procedure }) => procedure)).toMatchObject([
      { u: null, procedure: 'account.overview', code: 'UNAUTHORIZED' },
    ]);
  });

  const put = (body: unknown, cookie: string) =>
    app.http('/api/account/username', {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
});

describe('a failure of the database', () => {
  it('is logged without the input of the request, over both protocols', async () => {
    await app.sql(`alter table forum_posts rename to away`);
    try {
      const from = app.logged.length;
      expect((await app.http(`/rpc/forum/posts?data=${encodeURIComponent(`{"json":{"q":"${TOKEN}"}}`)}`)).status).toBe(
        500,
      );
      expect((await app.http(`/api/forum/posts?q=${TOKEN}`)).status).toBe(500);
      await expect.poll(() => app.logged.slice(from).filter(({ m }) => m).length, { timeout: 30_000 }).toBe(2);
      expect(app.logged.slice(from).filter(({ level }) => level === 50)).toHaveLength(2);
      expect(JSON.stringify(app.logged.slice(from)) + JSON.stringify(printed)).not.toMatch(CANARY);
    } finally {
      await app.sql(`alter table away rename to forum_posts`);
    }
  });
});
