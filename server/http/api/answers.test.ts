import { describe, expect, it } from 'vitest';
import { admin, app, ID, raw } from '#tests/fixtures/http.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';

const secureApp = await startTestApp({ publicUrl: 'https://florka.example' });

describe('responses', () => {
  it.each([
    ['400', 'malformed JSON', () => app.http('/api/auth/sign-in', json('{"email":'))],
    ['400', 'malformed JSON over RPC', () => app.http('/rpc/auth/signIn', json('{"json":'))],
    ['400', 'an invalid UUID', () => app.http('/api/candidates/42/history')],
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
    ['404', 'an invalid slug', () => app.http('/api/tokens/%00')],
    ['404', 'an unknown procedure', () => app.http('/rpc/auth/becomeAdmin', json({}))],
    ['404', 'an unknown path of the API', () => app.http('/api/no/such')],
    ['404', 'a missing image', () => app.http('/images/none.png')],
    ['405', 'a wrong method of the API', () => app.http('/api/networks', { method: 'DELETE' })],
    ['405', 'a write to a page', () => app.http('/vote', { method: 'POST' })],
    [
      '413',
      'a body of 300 KB',
      () => app.http('/api/auth/sign-in', json({ email: 'a@florka.test', password: 'x'.repeat(300_000) })),
    ],
    ['415', 'a body of text', () => app.http('/api/auth/sign-in', { method: 'POST', body: 'hello' })],
  ])('have status %s for %s', async (status, _what, ask) => {
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
  ])('report %s in the format of each protocol', async (_what, status, code, ask) => {
    const failure = { defined: false, code, status: Number(status), message: code };
    expect(await (await ask('/api')).json()).toEqual(failure);
    expect(await (await ask('/rpc')).json()).toEqual({ json: failure });
  });

  it('with status 405 have the format of /api, like every other error there', async () => {
    const code = 'METHOD_NOT_SUPPORTED';
    const response = await app.http('/api/networks', { method: 'DELETE' });
    expect(await response.json()).toEqual({ defined: false, code, status: 405, message: code });
  });

  it('have status 409 for a second vote, with the time of the next', async () => {
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

  it('with status 405 list the supported methods', async () => {
    const response = await app.http(`/api/candidates/${ID}/votes`, { method: 'PUT' });
    expect(response.headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'POST']);
  });

  it('have status 413 also for a body without a declared length', async () => {
    const response = await raw(
      '/api/auth/sign-in',
      { method: 'POST', headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' } },
      JSON.stringify({ email: 'a@florka.test', password: 'x'.repeat(300_000) }),
    );
    expect(response.status).toBe(413);
  });

  it('have status 200 for chunked bodies and for a DELETE without a body', async () => {
    const { id } = await app.candidate();
    const { cookie } = await app.member();
    const headers = { cookie, 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const cast = await raw(`/api/candidates/${id}/votes`, { method: 'POST', headers }, '{}');
    expect(JSON.parse(cast.body)).toMatchObject({ candidateId: id, totalVotes: 1 });
    const back = await raw(`/api/candidates/${id}/votes`, { method: 'DELETE', headers: { cookie } });
    expect(JSON.parse(back.body)).toMatchObject({ candidateId: id, totalVotes: 0 });
  });

  it('close the connection when the body was not read', async () => {
    const refused = await app.http('/api/networks', { method: 'POST', body: 'hello' });
    expect(refused.status).toBe(415);
    expect(refused.headers.get('connection')).toBe('close');
    expect((await app.http('/api/networks')).headers.get('connection')).toBe('keep-alive');
  });

  it('ignore method overrides in headers and parameters', async () => {
    const { id } = await app.candidate();
    const person = await app.member();
    const response = await app.http(`/api/candidates/${id}/votes?_method=DELETE`, {
      method: 'POST',
      headers: { cookie: person.cookie, 'x-http-method-override': 'DELETE' },
    });
    // The vote itself: a withdrawal would have found none.
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ candidateId: id, totalVotes: 1 });
    expect(await app.sql('select 1 from votes where candidate_id = $1', [id])).toHaveLength(1);
  });

  it.each(['TRACE', 'PROPFIND', 'PATCH', 'OPTIONS'])('have status 405 for %s on a page', async (method) => {
    expect((await raw('/', { method })).status).toBe(405);
  });

  it.each(['//', '//evil.example/', '/%', '/%E0%A4%A', '/..%2f..%2fetc/passwd', '/a\\b', 'http://evil.example/', '*'])(
    'have a status below 500 for the target %s',
    async (target) => {
      const before = app.rendered.length;
      const response = await raw(target);
      expect(response.status).toBeLessThan(500);
      expect(JSON.stringify(response)).not.toMatch(/https?:\/\/evil/);
      for (const path of app.rendered.slice(before)) expect(path.startsWith('/')).toBe(true);
    },
  );

  it('do not depend on the Host header', async () => {
    app.cache.clear();
    app.page.render = async (request) => new Response(`<p>${new URL(request.url).host}</p>`);
    const response = await raw('/vote', { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } });
    expect(response.body).toBe('<p>florka.test</p>');
    app.cache.clear();
  });
});

describe('text', () => {
  it('is stored and returned as it was written, including markup', async () => {
    const name = '<b onclick=x>"&amp;';
    const me = await app.browser({ address: '198.18.0.1' }).api.auth.signUp({
      email: 'markup@florka.test',
      password: 'six-or-more',
      username: name,
    });
    expect(me.username).toBe(name);
    expect(await app.sql('select username from forum_users where id = $1', [me.id])).toEqual([{ username: name }]);
  });

  it('is sent by the API as JSON that no browser renders as a page', async () => {
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
    ['a response of the API', '/api/networks', 200],
    ['the description of the API', '/api/openapi.json', 200],
    ['the documentation', '/api/docs', 200],
    ['an error of the API', '/api/candidates/42/history', 400],
    ['an unknown path of the API', '/api/no/such', 404],
    ['a missing file', '/none.png', 404],
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

  it('are on an error, which does not contain its cause', async () => {
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

  it('are on endpoints for programs: callbacks, and links in mails', async () => {
    const answers = [
      await raw('/webhooks/nowpayments'),
      await raw('/webhooks/nowpayments', { method: 'POST', headers: { 'content-type': 'application/json' } }, '{}'),
      await raw('/webhooks/nowpayments', { method: 'POST', headers: { 'content-type': 'text/plain' } }, 'x'),
      await raw('/unsubscribe?token=x', { method: 'POST' }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([405, 401, 400, 400]);
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

  it('come with cookies named __Host-, which are always Secure, when the site is https', async () => {
    const browser = secureApp.browser();
    await browser.api.auth.signUp({ email: 'secure@florka.test', password: 'six-or-more' });
    expect(browser.cookie).toMatch(/^__Host-florka\.session_token=/);
    expect(await browser.api.auth.me()).toMatchObject({ email: 'secure@florka.test' });
  });
});

describe('personal responses', () => {
  it('are not cached', async () => {
    const headers = { cookie: admin.cookie };
    for (const target of ['/api/me', '/api/votes/mine', '/api/saved', '/api/account'])
      expect((await app.http(target, { headers })).headers.get('cache-control'), target).toBe('no-store');
  });

  it('are never part of a page, which is the same with and without a session', async () => {
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

describe('the encoding of a response', () => {
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
    // Compressed variants of a file exist only after a build.
    expect(await compressed('/favicon.svg', header)).toBe('identity');
  });
});

describe('the log', () => {
  it('has a line for each response, without query, cookie, address or e-mail', async () => {
    await app.http('/vote?secret=QUERY-VALUE', { headers: { cookie: 'florka.session_token=COOKIE-VALUE' } });
    await app.post('/api/auth/sign-in', { email: 'LOGGED@florka.test', password: 'LOGGED-PASSWORD' });
    await expect.poll(() => app.logged.filter((line) => line['p'] === '/vote').length).toBeGreaterThan(0);
    const text = JSON.stringify(app.logged);
    expect(text).not.toMatch(/QUERY-VALUE|COOKIE-VALUE|LOGGED-PASSWORD|logged@florka/i);
  });
});
