import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { type AnyContractProcedure, isContractProcedure } from '@orpc/contract';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '#contract/index.ts';
import { openPool } from '#server/db/client.ts';
import { publishChange } from '#server/live/publish.ts';
import { openServices } from '#server/services.ts';
import { memoryStorage } from '#tests/support/memory-storage.ts';
import { type Person, startTestApp } from '#tests/support/test-app.ts';
import { createApi } from './api.ts';
import { createForeignCheck } from './same-origin.ts';

const app = await startTestApp();
const secureApp = await startTestApp({ publicUrl: 'https://florka.example' });
const ID = '11111111-1111-4111-8111-111111111111';
let admin: Person;
beforeAll(async () => {
  admin = await app.member({ role: 'admin', verified: true });
});
const plainRender = app.page.render;
afterEach(() => {
  app.page.render = plainRender;
});

interface Procedure {
  name: string;
  method: string;
  /** With ids in the places of its parameters. */
  path: string;
  takesInput: boolean;
}

/** Every procedure of the contract. */
function* walk(node: object, names: string[] = []): Generator<Procedure> {
  if (!isContractProcedure(node)) {
    for (const [name, child] of Object.entries(node)) yield* walk(child as object, [...names, name]);
    return;
  }
  const { route, inputSchema } = (node as AnyContractProcedure)['~orpc'];
  yield {
    name: names.join('/'),
    method: route.method ?? 'POST',
    path: (route.path ?? '').replace(/\{[^}]+\}/g, ID),
    takesInput: inputSchema !== undefined,
  };
}
const PROCEDURES = [...walk(contract)];
const WRITES = PROCEDURES.filter(({ method }) => method !== 'GET');

/** A request as it stands on the wire: any method, target and header. */
async function raw(target: string, options: http.RequestOptions = {}, body?: string) {
  const { port } = new URL(app.origin);
  const request = http.request({ host: '127.0.0.1', port, path: target, agent: false, ...options });
  request.end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() };
}

describe('every procedure', () => {
  it('has a route of its own in the REST form', () => {
    expect(PROCEDURES.length).toBeGreaterThan(18);
    const routes = PROCEDURES.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(routes).size).toBe(routes.length);
    for (const { name, path } of PROCEDURES) expect(path, name).toMatch(/^\//);
  });

  it.each(PROCEDURES.filter(({ takesInput }) => takesInput))(
    '$name refuses fields it does not know',
    async (procedure) => {
      const response = await app.post(
        `/rpc/${procedure.name}`,
        { json: { role: 'admin', p_role: 'admin' } },
        { headers: { cookie: admin.cookie } },
      );
      expect(response.status).toBe(400);
      const { json } = (await response.json()) as { json: { data: { issues: { message: string }[] } } };
      expect(json.data.issues.map((issue) => issue.message).join()).toMatch(/unrecognized keys?:.*p_role/i);
    },
  );

  it.each(PROCEDURES)('$name answers nonsense without failing', async ({ name }) => {
    for (const json of [null, [], 'text', 2 ** 60, { __proto__: { id: ID } }, { id: { $ne: null } }, [[[[[]]]]]]) {
      const response = await app.post(`/rpc/${name}`, { json }, { headers: { cookie: admin.cookie } });
      expect(response.status, JSON.stringify(json)).toBeLessThan(500);
      if (name === 'auth/signOut') {
        const again = await app.member({ role: 'admin' });
        admin = again;
      }
    }
  });
});

describe('writes from foreign pages [AMB-210]', () => {
  const FOREIGN: [string, Record<string, string>][] = [
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin at all', { origin: 'null' }],
    ['our name as a part of theirs', { origin: 'http://florka.test.evil.example' }],
    ['our name before an @', { origin: 'http://florka.test@evil.example' }],
    ['another port', { origin: 'http://florka.test:8080' }],
    ['a cross-site fetch', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling site', { 'sec-fetch-site': 'same-site' }],
    ['the name in Host, which anybody can set', { origin: app.origin }],
  ];

  it.each(WRITES)('$name refuses them over both protocols', async ({ name, method, path }) => {
    for (const [why, headers] of FOREIGN) {
      const init = {
        headers: { ...headers, cookie: admin.cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ json: {} }),
      };
      for (const response of [
        await app.http(`/rpc/${name}`, { method: 'POST', ...init }),
        await app.http(`/api${path}`, { method, ...init }),
      ]) {
        expect(response.status, why).toBe(403);
        expect(await response.text()).toContain('FOREIGN_ORIGIN');
      }
    }
  });

  it.each(WRITES)('$name refuses forms and texts, which any page can send', async ({ name, method, path }) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      const init = { headers: { cookie: admin.cookie, 'content-type': type }, body: '{"json":{}}' };
      for (const response of [
        await app.http(`/rpc/${name}`, { method: 'POST', ...init }),
        await app.http(`/api${path}`, { method, ...init }),
      ])
        expect(response.status, type).toBe(415);
    }
  });

  it.each(WRITES)('$name is not done by a GET', async ({ name, path }) => {
    const headers = { cookie: admin.cookie };
    const rpc = await app.http(`/rpc/${name}?data=${encodeURIComponent('{"json":{}}')}`, { headers });
    expect(rpc.status).toBe(405);
    const isRead = PROCEDURES.some((other) => other.method === 'GET' && other.path === path);
    if (!isRead) expect((await app.http(`/api${path}`, { headers })).status).toBe(405);
  });

  it('are done for our own pages and for programs', async () => {
    const { id } = await app.candidate();
    const own: Record<string, string>[] = [{ origin: 'http://florka.test' }, { 'sec-fetch-site': 'same-origin' }, {}];
    for (const headers of own) {
      const person = await app.member();
      const response = await app.http(`/api/candidates/${id}/votes`, {
        method: 'POST',
        headers: { ...headers, cookie: person.cookie },
      });
      expect(response.status, JSON.stringify(headers)).toBe(200);
    }
  });

  it('are measured by PUBLIC_URL alone: with a name of theirs in Host too', async () => {
    const { id } = await app.candidate();
    for (const host of ['evil.test', 'florka.test:8080']) {
      const ask = (origin: string, method = 'POST') =>
        raw(`/api/candidates/${id}/votes`, {
          method,
          headers: { host, origin, cookie: admin.cookie },
        });
      expect((await ask(`http://${host}`)).status).toBe(403);
      // Behind a proxy Host may be anything: only the origin counts.
      expect((await raw('/api/networks', { headers: { host, origin: `http://${host}` } })).status).toBe(200);
    }
    const person = await app.member();
    const own = { host: 'inner:3000', origin: 'http://florka.test', cookie: person.cookie };
    expect((await raw(`/api/candidates/${id}/votes`, { method: 'POST', headers: own })).status).toBe(200);
  });

  it.each([
    ['http://localhost:3000', 'http://127.0.0.1:3000', true],
    ['http://127.0.0.1:3000', 'http://localhost:3000', true],
    ['http://localhost:0', 'http://localhost:40123', true],
    ['http://localhost:3000', 'http://localhost:3001', false],
    ['http://localhost:3000', 'https://localhost:3000', false],
    ['http://localhost:3000', 'http://192.168.1.5:3000', false],
    ['http://localhost:3000', 'http://localhost:3000@evil.test', false],
    ['https://florka.example', 'http://localhost', false],
    ['https://florka.example', 'https://florka.example', true],
  ])('a site tried out at %s: a page of %s may write: %s', (publicUrl, origin, may) => {
    expect(createForeignCheck(publicUrl)(new Headers({ origin }))).toBe(!may);
  });

  it('change nothing: no row, no cookie', async () => {
    const { id } = await app.candidate();
    const response = await app.http(`/api/candidates/${id}/votes`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', cookie: admin.cookie },
    });
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await app.sql('select 1 from votes where candidate_id = $1', [id])).toEqual([]);
  });

  it('get no permission to read answers', async () => {
    const response = await app.http('/api/networks', { headers: { origin: 'https://evil.example' } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    const asked = await app.http('/api/networks', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the status says what happened', () => {
  it.each([
    ['400', 'malformed JSON', () => app.http('/api/auth/sign-in', json('{"email":'))],
    ['400', 'malformed JSON over the other protocol', () => app.http('/rpc/auth/signIn', json('{"json":'))],
    ['400', 'a UUID that is none', () => app.http('/api/candidates/42/history')],
    ['400', 'an unknown query parameter', () => app.http('/api/projects?admin=1')],
    ['400', 'a number out of range', () => app.http('/api/candidates?limit=100000')],
    ['400', 'a repeated parameter', () => app.http('/api/candidates?limit=1&limit=2')],
    [
      '400',
      'a NUL character for the database',
      () => app.http('/api/auth/sign-up', json({ ...PERSON, username: 'a\0b' })),
    ],
    ['401', 'no session', () => app.http(`/api/candidates/${ID}/votes`, { method: 'POST' })],
    ['401', 'a wrong password', () => app.http('/api/auth/sign-in', json({ email: 'a@florka.test', password: 'x' }))],
    ['403', 'acting for somebody else', () => vote({ userId: ID })],
    ['404', 'an unknown candidate', () => vote({})],
    ['404', 'an unknown token', () => app.http('/api/tokens/nothing-here')],
    ['404', 'a token of wrong bytes', () => app.http('/api/tokens/%00')],
    ['404', 'an unknown procedure', () => app.http('/rpc/auth/becomeAdmin', json({}))],
    ['404', 'an unknown path of the API', () => app.http('/api/no/such')],
    ['404', 'a lost picture', () => app.http('/images/none.png')],
    ['405', 'a wrong method of the API', () => app.http('/api/networks', { method: 'DELETE' })],
    ['405', 'a write to a page', () => app.http('/vote', { method: 'POST' })],
    [
      '413',
      'a body of 300 KB',
      () => app.http('/api/auth/sign-in', json({ email: 'a@florka.test', password: 'x'.repeat(300_000) })),
    ],
    ['415', 'a body of text', () => app.http('/api/auth/sign-in', { method: 'POST', body: 'hello' })],
  ])('%s for %s', async (status, _what, ask) => {
    const response = await ask();
    expect(response.status).toBe(Number(status));
    expect(await response.text()).not.toMatch(/ at |node_modules|select |insert |syntax error/);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  const PERSON = { email: 'somebody@florka.test', password: 'six-or-more' };
  const json = (body: unknown): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const vote = (body: unknown) => app.post(`/api/candidates/${ID}/votes`, body, { headers: { cookie: admin.cookie } });

  it.each<[string, string, string, (path: string) => Promise<Response>]>([
    ['an unknown path', '404', 'NOT_FOUND', (at) => app.http(`${at}/no/such`, json({}))],
    ['a foreign origin', '403', 'FOREIGN_ORIGIN', (at) => app.post(`${at}/x`, {}, { headers: { origin: 'null' } })],
    ['a wrong type', '415', 'UNSUPPORTED_MEDIA_TYPE', (at) => app.http(`${at}/x`, { method: 'POST', body: 'hello' })],
    ['a long body', '413', 'PAYLOAD_TOO_LARGE', (at) => app.http(`${at}/x`, json('x'.repeat(300_000)))],
  ])('%s is told over each protocol in its own shape', async (_what, status, code, ask) => {
    const failure = { defined: false, code, status: Number(status), message: code };
    expect(await (await ask('/api')).json()).toEqual(failure);
    expect(await (await ask('/rpc')).json()).toEqual({ json: failure });
  });

  it('405 too: plain at /api, as every other failure there', async () => {
    const code = 'METHOD_NOT_SUPPORTED';
    const response = await app.http('/api/networks', { method: 'DELETE' });
    expect(await response.json()).toEqual({ defined: false, code, status: 405, message: code });
  });

  it('409 for a second vote, with the time of the next', async () => {
    const { id } = await app.candidate();
    const person = await app.member();
    const cast = () => app.http(`/api/candidates/${id}/votes`, { method: 'POST', headers: { cookie: person.cookie } });
    expect((await cast()).status).toBe(200);
    const again = await cast();
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({
      code: 'ALREADY_VOTED',
      defined: true,
      data: { nextVoteAt: '2026-03-11T00:00:00.000Z' },
    });
  });

  it('405 names the methods there are', async () => {
    const response = await app.http(`/api/candidates/${ID}/votes`, { method: 'PUT' });
    expect(response.headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'POST']);
  });

  it('413 also for a body that does not say how long it is', async () => {
    const response = await raw(
      '/api/auth/sign-in',
      { method: 'POST', headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' } },
      JSON.stringify({ email: 'a@florka.test', password: 'x'.repeat(300_000) }),
    );
    expect(response.status).toBe(413);
  });

  it('200 for bodies in pieces and for a DELETE without any', async () => {
    const { id } = await app.candidate();
    const { cookie } = await app.member();
    const headers = { cookie, 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const cast = await raw(`/api/candidates/${id}/votes`, { method: 'POST', headers }, '{}');
    expect(JSON.parse(cast.body)).toMatchObject({ candidateId: id, totalVotes: 1 });
    const back = await raw(`/api/candidates/${id}/votes`, { method: 'DELETE', headers: { cookie } });
    expect(JSON.parse(back.body)).toMatchObject({ candidateId: id, totalVotes: 0 });
  });

  it('says that the connection ends when it did not read the body', async () => {
    const refused = await app.http('/api/networks', { method: 'POST', body: 'hello' });
    expect(refused.status).toBe(415);
    expect(refused.headers.get('connection')).toBe('close');
    expect((await app.http('/api/networks')).headers.get('connection')).toBe('keep-alive');
  });

  it('ignores methods hidden in headers or fields', async () => {
    const { id } = await app.candidate();
    const person = await app.member();
    const response = await app.http(`/api/candidates/${id}/votes?_method=DELETE`, {
      method: 'POST',
      headers: { cookie: person.cookie, 'x-http-method-override': 'DELETE' },
    });
    expect([200, 400]).toContain(response.status);
    await app
      .as(person)
      .voting.cast({ candidateId: id })
      .catch(() => {});
    expect(await app.sql('select 1 from votes where candidate_id = $1', [id])).toHaveLength(1);
  });

  it.each(['TRACE', 'PROPFIND', 'PATCH', 'OPTIONS'])('405 for %s on a page', async (method) => {
    expect((await raw('/', { method })).status).toBe(405);
  });

  it.each(['//', '//evil.example/', '/%', '/%E0%A4%A', '/..%2f..%2fetc/passwd', '/a\\b', 'http://evil.example/', '*'])(
    'an answer, no failure, for the target %s',
    async (target) => {
      const before = app.rendered.length;
      const response = await raw(target);
      expect(response.status).toBeLessThan(500);
      expect(JSON.stringify(response)).not.toMatch(/https?:\/\/evil/);
      for (const asked of app.rendered.slice(before)) expect(asked.startsWith('/')).toBe(true);
    },
  );

  it('keeps the host out of answers and cache keys', async () => {
    app.cache.clear();
    app.page.render = async (request) => new Response(`<p>${new URL(request.url).host}</p>`);
    const response = await raw('/vote', { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } });
    expect(response.body).toBe('<p>florka.test</p>');
    app.cache.clear();
  });
});

describe('text', () => {
  it('is stored and given back as it was written, markup too', async () => {
    const name = '<b onclick=x>"&amp;';
    const me = await app.browser({ address: '198.18.0.1' }).api.auth.signUp({
      email: 'markup@florka.test',
      password: 'six-or-more',
      username: name,
    });
    expect(me.username).toBe(name);
    expect(await app.sql('select username from forum_users where id = $1', [me.id])).toEqual([{ username: name }]);
  });

  it('leaves the API as JSON that no browser takes for a page', async () => {
    const response = await app.http('/api/tokens/%3Cscript%3Ealert(1)%3C%2Fscript%3E');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('security headers', () => {
  const WANTED = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
  };

  it.each([
    ['a page', '/', 200],
    ['a page that is not cached', '/unknown', 200],
    ['an answer of the API', '/api/networks', 200],
    ['the description of the API', '/api/openapi.json', 200],
    ['the documentation', '/api/docs', 200],
    ['a refusal of the API', '/api/candidates/42/history', 400],
    ['an unknown path of the API', '/api/no/such', 404],
    ['a lost file', '/none.png', 404],
    ['a file', '/favicon.svg', 200],
    ['/healthz', '/healthz', 200],
    ['/readyz', '/readyz', 200],
  ])('are on %s', async (_what, target, status) => {
    for (const [site, secure] of [
      [app, false],
      [secureApp, true],
    ] as const) {
      const response = await site.http(target);
      expect(response.status).toBe(status);
      const headers = Object.fromEntries(response.headers);
      expect(headers).toMatchObject(WANTED);
      const csp = headers['content-security-policy'] ?? '';
      expect(csp).toMatch(/default-src '(self|none)'/);
      expect(csp).not.toMatch(/script-src[^;]*unsafe/);
      expect(headers['strict-transport-security']).toBe(secure ? 'max-age=31536000; includeSubDomains' : undefined);
      expect(headers['server'] ?? headers['x-powered-by']).toBeUndefined();
    }
  });

  it('are on a failure, which says nothing about why', async () => {
    app.page.render = async () => {
      throw new Error('SECRET-REASON');
    };
    app.cache.clear();
    const response = await app.http('/vote');
    expect(response.status).toBe(500);
    expect(Object.fromEntries(response.headers)).toMatchObject(WANTED);
    expect(await response.text()).not.toMatch(/SECRET|node_modules/);
    expect(app.logged.some((line) => JSON.stringify(line).includes('SECRET-REASON'))).toBe(true);
  });

  it('allow the inline scripts of the page by their hash, and forbid frames, plug-ins and foreign forms', async () => {
    app.cache.clear();
    const csp = (await app.http('/')).headers.get('content-security-policy') ?? '';
    // SHA-256 of document.title = 'inline';
    expect(csp).toMatch(/script-src 'self' 'sha256-[\w+/]{43}='/);
    for (const rule of ["object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"])
      expect(csp).toContain(rule);
  });

  it('are on a 304, a 405 and a live stream too', async () => {
    const etag = (await app.http('/')).headers.get('etag') ?? '';
    const answers = [await raw('/', { headers: { 'if-none-match': etag } }), await raw('/', { method: 'POST' })];
    expect(answers.map((answer) => answer.status)).toEqual([304, 405]);
    for (const answer of answers) expect(answer.headers).toMatchObject(WANTED);
    const stop = new AbortController();
    const stream = await app.http('/live', { signal: stop.signal });
    expect(Object.fromEntries(stream.headers)).toMatchObject(WANTED);
    stop.abort();
  });

  it('are on what machines send and get: callbacks, and links in mails', async () => {
    const answers = [
      await raw('/webhooks/nowpayments'),
      await raw('/webhooks/nowpayments', { method: 'POST', headers: { 'content-type': 'application/json' } }, '{}'),
      await raw('/webhooks/nowpayments', { method: 'POST', headers: { 'content-type': 'text/plain' } }, 'x'),
      await raw('/unsubscribe?token=x', { method: 'POST' }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([405, 401, 400, 303]);
    for (const answer of answers) {
      expect(answer.headers).toMatchObject(WANTED);
      expect(answer.headers['content-security-policy']).toContain("default-src 'self'");
    }
  });

  it('name the charset of every document', async () => {
    app.page.render = async () => new Response('<p>ñ</p>', { headers: { 'content-type': 'text/html' } });
    app.cache.clear();
    for (const target of ['/', '/unknown', '/admin', '/token/%00'])
      expect((await app.http(target)).headers.get('content-type'), target).toBe('text/html; charset=utf-8');
    app.cache.clear();
  });

  it('leave sockets to nobody: cookies are Secure where the site is https', async () => {
    const browser = secureApp.browser();
    await browser.api.auth.signUp({ email: 'secure@florka.test', password: 'six-or-more' });
    expect(browser.cookie).toMatch(/^__Host-florka\.session_token=/);
    expect(await browser.api.auth.me()).toMatchObject({ email: 'secure@florka.test' });
  });
});

describe('personal answers', () => {
  it('are kept by no cache', async () => {
    const headers = { cookie: admin.cookie };
    for (const target of ['/api/me', '/api/votes/mine', '/api/saved', '/api/account'])
      expect((await app.http(target, { headers })).headers.get('cache-control'), target).toBe('no-store');
  });

  it('never come from a page: it is the same with and without a session', async () => {
    app.cache.clear();
    const seen: (string | null)[] = [];
    app.page.render = async (request) => {
      seen.push(request.headers.get('cookie'));
      return new Response('<p>same</p>');
    };
    await app.http('/', { headers: { cookie: admin.cookie } });
    await app.http('/unknown', { headers: { cookie: admin.cookie } });
    expect(seen).toEqual([null, null]);
    app.cache.clear();
  });
});

describe('pages', () => {
  const count = (target: string) => app.rendered.filter((asked) => asked === target).length;

  it('are rendered once and answered with 304 while nothing changes', async () => {
    app.cache.clear();
    const before = count('/vote');
    const first = await app.http('/vote');
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=1, stale-while-revalidate=1');
    for (let i = 0; i < 3; i++) {
      const again = await raw('/vote', { headers: { 'if-none-match': etag } });
      expect(again).toMatchObject({ status: 304, body: '' });
    }
    expect((await raw('/vote', { headers: { 'if-none-match': 'W/"other"' } })).status).toBe(200);
    expect(count('/vote') - before).toBe(1);
  });

  it('share one render among a hundred visitors at once', async () => {
    app.cache.clear();
    const before = count('/');
    await Promise.all(Array.from({ length: 100 }, () => app.http('/').then((response) => response.text())));
    expect(count('/') - before).toBe(1);
  });

  it('are made anew within a second after a change, and only those that show it', async () => {
    for (const target of ['/', '/vote', '/news']) await app.http(target);
    const before = app.rendered.length;
    const { id } = await app.candidate();
    await app.as(await app.member()).voting.cast({ candidateId: id });
    await expect
      .poll(() => app.http('/vote').then(() => app.rendered.slice(before)), { timeout: 1_000, interval: 20 })
      .toContain('/vote');
    // Home shows who leads; news shows no votes.
    await expect
      .poll(() => app.http('/').then(() => app.rendered.slice(before)), { timeout: 1_000, interval: 20 })
      .toContain('/');
    await app.http('/news');
    expect(app.rendered.slice(before)).not.toContain('/news');
    await app.services.db.transaction((tx) => publishChange(tx, 'news'));
    await expect
      .poll(() => app.http('/news').then(() => app.rendered.slice(before)), { timeout: 1_000, interval: 20 })
      .toContain('/news');
  });

  it('are never stored when something changed while they were rendered', async () => {
    app.cache.clear();
    let version = 1;
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    app.page.render = async () => {
      const text = `<p>${version}</p>`;
      await gate;
      return new Response(text);
    };
    const slow = app.http('/vote');
    await expect.poll(() => app.rendered.at(-1)).toBe('/vote');
    version = 2;
    app.cache.drop('voting');
    release();
    expect(await (await slow).text()).toBe('<p>1</p>');
    expect(await (await app.http('/vote')).text()).toBe('<p>2</p>');
    app.cache.clear();
  });

  it('depend on the parameters that they know only', async () => {
    app.cache.clear();
    const before = app.rendered.length;
    for (const target of [
      '/?tab=new',
      '/?utm_source=x&tab=new',
      '/?tab=new&fbclid=1',
      '/vote?x=1',
      '/vote?x=2',
      '/vote',
    ])
      await app.http(target);
    expect(app.rendered.slice(before)).toEqual(['/?tab=new', '/vote']);
    for (let i = 0; i < 20; i++) await app.http(`/?q=${i}`);
    expect(app.cache.size).toBe(3);
  });

  it('are kept in a bounded number', async () => {
    app.cache.clear();
    for (let i = 0; i < 1_010; i++) await app.http(`/token/t-${i}`);
    expect(app.cache.size).toBeLessThanOrEqual(1_000);
    app.cache.clear();
  });

  it('that failed are not kept', async () => {
    app.cache.clear();
    app.page.render = async () => new Response('<p>busy</p>', { status: 503 });
    expect((await app.http('/vote')).status).toBe(503);
    app.page.render = plainRender;
    expect((await app.http('/vote')).status).toBe(200);
  });

  it('come compressed as the browser likes, whole, and without a body for HEAD', async () => {
    for (const encoding of ['br', 'gzip', undefined]) {
      const answer = await raw('/', { headers: encoding ? { 'accept-encoding': encoding } : {} });
      expect(answer.headers['content-encoding']).toBe(encoding);
      expect(answer.headers.vary).toBe('Accept-Encoding');
    }
    expect(await (await app.http('/')).text()).toContain('<title>/</title>');
    for (const target of ['/', '/favicon.svg']) {
      const head = await raw(target, { method: 'HEAD' });
      expect(head).toMatchObject({ status: 200, body: '' });
      expect(Number(head.headers['content-length'])).toBeGreaterThan(50);
    }
  });
});

describe('the encoding of an answer', () => {
  const compressed = async (target: string, header: string) =>
    (await raw(target, { headers: { 'accept-encoding': header } })).headers['content-encoding'] ?? 'identity';

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.1, gzip;q=0.8', 'gzip'],
    ['BR', 'br'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['identity, br;q=0.5', 'identity'],
    ['gzip;q=0', 'identity'],
    ['deflate', 'identity'],
    ['abracadabra', 'identity'],
    ['gzip;q=2', 'identity'],
    ['identity;q=0', 'identity'],
    ['', 'identity'],
  ])('for "%s" is %s', async (header, encoding) => {
    expect(await compressed('/', header)).toBe(encoding);
    // Its twins lie beside a file only after a build.
    expect(await compressed('/favicon.svg', header)).toBe('identity');
  });
});

describe('health', () => {
  it('is told at /healthz and /readyz, to everybody, without details of the database', async () => {
    expect(await (await app.http('/healthz')).text()).toBe('ok');
    expect(await (await app.http('/readyz')).text()).toBe('ready');
  });

  it('is not ready while changes are not heard or the schema is another', async () => {
    const other = await startOn(app.config);
    await other.services.hub.stop();
    await app.sql(`alter table schema_migrations rename to schema_migrations_away`).catch(() => {});
    const response = await app.http('/readyz');
    await app.sql(`alter table schema_migrations_away rename to schema_migrations`).catch(() => {});
    if (response.status !== 200) expect(await response.text()).toMatch(/^not ready: migrations$/);
    await other.close();
  });
});

/** An API of its own on another way to the database. */
async function startOn(config: Parameters<typeof openPool>[0]) {
  const pool = openPool(config);
  const log = pino({ level: 'silent' });
  const services = openServices({ ...serviceOptions(), pool, config, log });
  const api = createApi({
    makeContext: (request, resHeaders) => services.contextOf(request.headers, resHeaders),
    publicUrl: 'http://florka.test',
    log,
    version: '0',
  });
  return { services, pool, api, close: () => pool.end() };
}
const serviceOptions = () =>
  ({
    publicUrl: 'http://florka.test',
    secret: 'x'.repeat(40),
    mail: app.services.mail,
    storage: memoryStorage(),
  }) as unknown as Parameters<typeof openServices>[0];

describe('a database in trouble', () => {
  const networks = (api: { fetch: (request: Request) => Response | Promise<Response> }) =>
    api.fetch(new Request('http://florka.test/api/networks'));

  async function expectBusy(response: Response) {
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toMatchObject({ code: 'BUSY', data: { retryAfter: 5 } });
  }

  it('is 503 when nobody listens there', async () => {
    const { api, close } = await startOn({ host: '127.0.0.1', port: 1, connectionTimeoutMillis: 500 });
    await expectBusy(await networks(api));
    await close();
  });

  it('is 503 when it accepts and never answers', async () => {
    const silent = net.createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as net.AddressInfo;
    const { api, close } = await startOn({ host: '127.0.0.1', port, connectionTimeoutMillis: 200 });
    await expectBusy(await networks(api));
    await close();
    silent.close();
  });

  it('is 503 when it stops answering in the middle, and works again afterwards', async () => {
    const { api, close } = await startOn({ ...app.config, query_timeout: 200 });
    expect((await networks(api)).status).toBe(200);
    const holder = openPool(app.config);
    const client = await holder.connect();
    await client.query('begin; lock table blockchain_networks in access exclusive mode');
    await expectBusy(await networks(api));
    await client.query('rollback');
    client.release();
    await holder.end();
    await expect.poll(async () => (await networks(api)).status).toBe(200);
    await close();
  });

  it('is 503 at worst when its connections are cut, and works again afterwards', async () => {
    const { api, close } = await startOn({ ...app.config, application_name: 'florka cut' });
    expect((await networks(api)).status).toBe(200);
    await app.sql(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'florka cut'`);
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await networks(api)).status);
    for (const status of statuses) expect([200, 503]).toContain(status);
    expect(statuses.at(-1)).toBe(200);
    await close();
  });

  it('is 500 without a word about why for anything unexpected, and the log has the reason', async () => {
    await app.sql('alter table blockchain_networks rename to away');
    try {
      for (const target of ['/api/networks', '/rpc/networks/list']) {
        const response = await app.http(target, target.startsWith('/rpc') ? { method: 'POST' } : {});
        expect(response.status).toBe(500);
        expect(await response.text()).not.toMatch(/blockchain|relation|select|node_modules| at /);
      }
    } finally {
      await app.sql('alter table away rename to blockchain_networks');
    }
    expect(JSON.stringify(app.logged)).toContain('blockchain_networks');
  });

  it('is logged without what people typed', async () => {
    const person = await app.member();
    const headers = { cookie: person.cookie };
    const words = { title: 'Secret-Title', content: 'Secret-Words of ana@florka.test' };
    await app.sql('alter table forum_posts rename to away');
    try {
      expect((await app.post('/api/forum/posts', words, { headers })).status).toBe(500);
    } finally {
      await app.sql('alter table away rename to forum_posts');
    }
    const line = app.logged.findLast(({ msg }) => msg === 'unexpected failure');
    expect(line).toMatchObject({
      err: { message: expect.stringMatching(/from "?forum_posts/), cause: { code: '42P01' } },
    });
    expect(JSON.stringify(app.logged)).not.toMatch(/Secret-|ana@florka|params/);
  });
});

describe('the log', () => {
  it('has a line for each answer, without query, cookie, address or e-mail', async () => {
    await app.http('/vote?secret=QUERY-VALUE', { headers: { cookie: 'florka.session_token=COOKIE-VALUE' } });
    await app.post('/api/auth/sign-in', { email: 'LOGGED@florka.test', password: 'LOGGED-PASSWORD' });
    await expect.poll(() => app.logged.filter((line) => line['p'] === '/vote').length).toBeGreaterThan(0);
    const text = JSON.stringify(app.logged);
    expect(text).not.toMatch(/QUERY-VALUE|COOKIE-VALUE|LOGGED-PASSWORD|logged@florka/i);
  });
});
