import { type AnyContractProcedure, isContractProcedure } from '@orpc/contract';
import { describe, expect, it } from 'vitest';
import { contract } from '#contract/index.ts';
import { createForeignCheck } from '#server/http/same-origin.ts';
import { admin, app, ID, raw } from '#tests/fixtures/http.ts';

interface Procedure {
  name: string;
  method: string;
  /** Its path, with ids for the parameters. */
  path: string;
  takesInput: boolean;
}

/** All procedures of the contract. */
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

describe('every procedure', () => {
  it('has its own route in the REST API', () => {
    expect(PROCEDURES.length).toBeGreaterThan(18);
    const routes = PROCEDURES.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(routes).size).toBe(routes.length);
    for (const { name, path } of PROCEDURES) expect(path, name).toMatch(/^\//);
  });

  it.each(PROCEDURES.filter(({ takesInput }) => takesInput))('$name refuses unknown fields', async (procedure) => {
    const response = await app.post(
      `/rpc/${procedure.name}`,
      { json: { role: 'admin', p_role: 'admin' } },
      { headers: { cookie: admin.cookie } },
    );
    expect(response.status).toBe(400);
    const { json } = (await response.json()) as { json: { data: { issues: { message: string }[] } } };
    expect(json.data.issues.map((issue) => issue.message).join()).toMatch(/unrecognized keys?:.*p_role/i);
  });

  it.each(PROCEDURES)('$name handles invalid input without an internal error', async ({ name }) => {
    for (const json of [null, [], 'text', 2 ** 60, { __proto__: { id: ID } }, { id: { $ne: null } }, [[[[[]]]]]]) {
      // Signing out ends the session that the other procedures are called with.
      const { cookie } = name === 'auth/signOut' ? await app.member({ role: 'admin' }) : admin;
      const response = await app.post(`/rpc/${name}`, { json }, { headers: { cookie } });
      expect(response.status, JSON.stringify(json)).toBeLessThan(500);
    }
  });
});

describe('the protection of writes against other sites [AMB-210]', () => {
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

  it.each(WRITES)('$name refuses writes from other sites over both protocols', async ({ name, method, path }) => {
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

  it.each(WRITES)('$name refuses forms and plain text, which any page can send', async ({ name, method, path }) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      const init = { headers: { cookie: admin.cookie, 'content-type': type }, body: '{"json":{}}' };
      for (const response of [
        await app.http(`/rpc/${name}`, { method: 'POST', ...init }),
        await app.http(`/api${path}`, { method, ...init }),
      ])
        expect(response.status, type).toBe(415);
    }
  });

  it.each(WRITES)('$name is not executed by a GET', async ({ name, path }) => {
    const headers = { cookie: admin.cookie };
    const rpc = await app.http(`/rpc/${name}?data=${encodeURIComponent('{"json":{}}')}`, { headers });
    expect(rpc.status).toBe(405);
    const isRead = PROCEDURES.some((other) => other.method === 'GET' && other.path === path);
    if (!isRead) expect((await app.http(`/api${path}`, { headers })).status).toBe(405);
  });

  it('accepts writes from our own pages and from programs', async () => {
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

  it('compares the origin with PUBLIC_URL alone, also if Host has the name of the other site', async () => {
    const { id } = await app.candidate();
    for (const host of ['evil.test', 'florka.test:8080']) {
      const ask = (origin: string, method = 'POST') =>
        raw(`/api/candidates/${id}/votes`, {
          method,
          headers: { host, origin, cookie: admin.cookie },
        });
      expect((await ask(`http://${host}`)).status).toBe(403);
      // Behind a proxy Host can have any value: only the origin is compared.
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
  ])('at a trial site at %s: writes from a page of %s are accepted: %s', (publicUrl, origin, may) => {
    expect(createForeignCheck(publicUrl)(new Headers({ origin }))).toBe(!may);
  });

  it('leaves no row and no cookie of a refused write', async () => {
    const { id } = await app.candidate();
    const response = await app.http(`/api/candidates/${id}/votes`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', cookie: admin.cookie },
    });
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await app.sql('select 1 from votes where candidate_id = $1', [id])).toEqual([]);
  });

  it('permits no other site to read responses', async () => {
    const response = await app.http('/api/networks', { headers: { origin: 'https://evil.example' } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    const answer = await app.http('/api/networks', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});
